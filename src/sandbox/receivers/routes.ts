import { type Static, Type } from 'typebox'
import { noContent, ok, type Route, route } from '../../http/route.ts'
import { allSites } from '../../http/site-rule.ts'
import { etagOf, withEtagField } from '../../http/versions.ts'
import { secondMs } from '../../kernel/clock.ts'
import { badField, Failure } from '../../kernel/failure.ts'
import { Id, OrNull, StrictObject } from '../../kernel/schema.ts'
import { topics } from '../../kernel/topics.ts'
import type { Context } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Signals } from '../../platform/database/signals.ts'
import { type ReceiverFault, type ReceiverFaultKind, receiverFaultKinds } from './fault.ts'
import {
  deleteReceiverFaults,
  listReceiverFaults,
  lockReceiverFaults,
  saveReceiverFault,
} from './store.ts'
import { versionedReceiverFault } from './versioned-fault.ts'

const receiverFaultsChanged = 'receiver-faults'
/** All faults must fit into the payload of one signal. */
const maximumFaults = 20
const defaultDelayMs = 2 * secondMs
const defaultStatus = 500

/** Returns a function that returns the faults of receivers, kept up to date as in `followOrderFaults`. */
export async function followReceiverFaults(
  db: Database,
  signals: Signals,
): Promise<() => readonly ReceiverFault[]> {
  let faults: readonly ReceiverFault[] = await listReceiverFaults(db)
  let latestRead = 0
  const readAgain = () => {
    const thisRead = ++latestRead
    listReceiverFaults(db).then(
      (stored) => {
        if (thisRead === latestRead) faults = stored
      },
      () => {},
    )
  }
  signals.on(receiverFaultsChanged, (payload) => {
    faults = JSON.parse(payload)
    readAgain()
  })
  signals.on('reset', readAgain)
  return () => faults
}

const tag = 'Operator: sandbox'
const url = '/operator/sandbox/receiver-faults'
const Kind = Type.Enum([...receiverFaultKinds], {
  description:
    '`delay` sends late, `reorder` sends after the next one, `duplicate` sends twice, `drop` does not send and records a timeout, `status` does not send and records an answer with `status`, `timeout` sends and records a timeout.',
})
const OnlyApplication = OrNull(
  Type.Integer({
    ...Id,
    description: 'Only notifications of this application. Null, the default: of any application.',
  }),
)
const onlyTopic = {
  description: 'Only notifications of this topic. Null, the default: of any topic.',
}
const Share = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'Share of the attempts to deliver that the fault affects, 0 to 1.',
})
const Seed = Type.Integer({
  minimum: 0,
  maximum: 2 ** 31 - 1,
  description:
    'Decides which attempts are affected. Each retry is decided anew. Default: a random number, which the answer shows.',
})
const DelayMs = Type.Integer({
  minimum: 0,
  maximum: 60_000,
  description: 'Of `delay` and `reorder`: milliseconds to wait at most. Default: 2000.',
})
const Status = Type.Integer({
  minimum: 200,
  maximum: 599,
  description: 'Of `status`: status of the recorded answer. Default: 500.',
})
const Topic = Type.Enum([...topics], onlyTopic)

const FaultBody = StrictObject({
  application_id: Type.Optional(OnlyApplication),
  topic: Type.Optional(OrNull(Topic)),
  kind: Kind,
  share: Share,
  seed: Type.Optional(Seed),
  delay_ms: Type.Optional(DelayMs),
  status: Type.Optional(Status),
})

const Fault = Type.Object({
  application_id: OnlyApplication,
  topic: OrNull(Topic),
  kind: Kind,
  share: Share,
  seed: Seed,
  delay_ms: Type.Optional(DelayMs),
  status: Type.Optional(Status),
})

/** Returns the body of a fault, with only the fields of its kind. */
function view({ applicationId, topic, kind, share, seed, delayMs, status }: ReceiverFault) {
  return {
    application_id: applicationId,
    topic,
    kind,
    share,
    seed,
    ...(kind === 'delay' || kind === 'reorder' ? { delay_ms: delayMs } : {}),
    ...(kind === 'status' ? { status } : {}),
  }
}

/** Returns the fault that a body describes. Throws a `bad_request` for a field that its kind does not have. */
function faultOf(body: Static<typeof FaultBody>, randomSeed: number): ReceiverFault {
  const { application_id, topic, kind, share, seed, delay_ms, status } = body
  if (delay_ms !== undefined && kind !== 'delay' && kind !== 'reorder') {
    throw badField('delay_ms', 'no such field unless kind is delay or reorder')
  }
  if (status !== undefined && kind !== 'status') {
    throw badField('status', 'no such field unless kind is status')
  }
  return {
    applicationId: application_id ?? null,
    topic: topic ?? null,
    kind,
    share,
    seed: seed ?? randomSeed,
    delayMs: delay_ms ?? defaultDelayMs,
    status: status ?? defaultStatus,
  }
}

/** Returns whether one fault replaces the other. */
function isSameKey(one: ReceiverFault, other: ReceiverFault): boolean {
  return (
    one.applicationId === other.applicationId &&
    one.topic === other.topic &&
    one.kind === other.kind
  )
}

/** Changes the faults under a lock, and publishes them to all processes. */
function change(
  { db }: Pick<Context, 'db'>,
  work: (tx: Parameters<Parameters<Database['transaction']>[0]>[0]) => void | Promise<void>,
): Promise<ReceiverFault[]> {
  return db.transaction(async (tx) => {
    await lockReceiverFaults(tx)
    await work(tx)
    const faults = await listReceiverFaults(tx)
    if (faults.length > maximumFaults) {
      throw badField('kind', `at most ${maximumFaults} faults at a time`)
    }
    tx.publish(receiverFaultsChanged, JSON.stringify(faults))
    return faults
  })
}

const getReceiverFaults = route({
  method: 'GET',
  url,
  scope: 'operator',
  permission: 'sandbox:read',
  sites: allSites,
  tag,
  summary: 'List faults of receivers',
  description:
    'Returns the simulated faults of deliveries: of requests that carry notifications to callback URLs. Outside a sandbox the answer is 403 `sandbox_only`.',
  refuses: { sandbox_only: '' },
  answers: {
    200: Type.Object({
      faults: Type.Array(withEtagField(Fault)),
    }),
  },
  async handle({ db, config, now }) {
    if (config.mode !== 'sandbox') throw new Failure('sandbox_only')
    const faults = await listReceiverFaults(db)
    return ok({ faults: faults.map((fault) => ({ ...view(fault), etag: etagOf(fault, now()) })) })
  },
})

const putReceiverFault = route({
  method: 'PUT',
  url,
  scope: 'operator',
  permission: 'sandbox:write',
  sites: allSites,
  audits: 'receiver_fault',
  versioned: versionedReceiverFault,
  tag,
  summary: 'Set a fault of receivers',
  description:
    'Simulates notifications that come late, twice, out of order or not at all, to test your receiver. `kind` says which; `reorder` holds a notification until another one of the application was sent, or for `delay_ms`. With the same `seed` the same attempts meet the same faults. In the feed (`/myfeeds`), the response headers of these attempts have `x-feria-simulated`. A fault of the same application, topic and kind is replaced. Only sandboxes accept it (`sandbox_only`). Fields that do not fit the kind answer 400 `bad_request`.',
  refuses: {
    sandbox_only: '',
    bad_request: 'delay_ms: expected no such field unless kind is delay or reorder',
  },
  body: FaultBody,
  answers: { 200: Fault },
  async handle(ctx, { body }) {
    if (ctx.config.mode !== 'sandbox') throw new Failure('sandbox_only')
    const fault = faultOf(body, Math.floor(ctx.random.fraction() * 2 ** 31))
    await change(ctx, async (tx) => {
      const before = (await listReceiverFaults(tx)).find((stored) => isSameKey(stored, fault))
      ctx.audit.change({ before: before ? view(before) : null, after: view(fault) })
      if (fault.applicationId !== null) ctx.audit.relate('application', fault.applicationId)
      saveReceiverFault(tx, fault)
    })
    return ok(view(fault))
  },
})

const removeReceiverFaults = route({
  method: 'DELETE',
  url,
  scope: 'operator',
  permission: 'sandbox:write',
  sites: allSites,
  audits: 'receiver_fault',
  tag,
  summary: 'Clear faults of receivers',
  description:
    'Removes all faults of receivers. With `application_id` or `kind` it removes only those that were set with this value, and with both those that match both: a fault of all applications stays when you name one. Answers 204 even if there are none. Outside a sandbox the answer is 403 `sandbox_only`.',
  refuses: { sandbox_only: '' },
  query: Type.Object({
    application_id: Type.Optional(
      Type.Integer({ ...Id, description: 'Only faults that were set with this application.' }),
    ),
    kind: Type.Optional(Kind),
  }),
  answers: { 204: Type.Null() },
  async handle(ctx, { query }) {
    if (ctx.config.mode !== 'sandbox') throw new Failure('sandbox_only')
    const [applicationId, kind] = [query.application_id ?? null, query.kind ?? null]
    await change(ctx, async (tx) => {
      const before = await listReceiverFaults(tx)
      await deleteReceiverFaults(tx, { applicationId, kind: kind as ReceiverFaultKind | null })
      const after = await listReceiverFaults(tx)
      ctx.audit.change({
        before: { faults: before.map(view) },
        after: { faults: after.map(view) },
      })
      if (applicationId !== null) ctx.audit.relate('application', applicationId)
    })
    return noContent()
  },
})

export const receiverFaultRoutes: Route[] = [
  getReceiverFaults,
  putReceiverFault,
  removeReceiverFaults,
]
