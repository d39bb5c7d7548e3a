import { type Static, Type } from 'typebox'
import { nothing, ok, type Route, route } from '../../http/route.ts'
import { secondMs } from '../../kernel/clock.ts'
import { badField, Failure } from '../../kernel/failure.ts'
import { Id, OrNull, Strict } from '../../kernel/schema.ts'
import { topics } from '../../kernel/topics.ts'
import type { Context } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Signals } from '../../platform/database/signals.ts'
import { type FaultKind, faultKinds, type ReceiverFault } from './fault.ts'
import {
  deleteReceiverFaults,
  listReceiverFaults,
  lockReceiverFaults,
  saveReceiverFault,
} from './store.ts'

const faultsSet = 'receiver-faults'
/** So few that all of them fit into a signal. */
const mostFaults = 20
const usualDelayMs = 2 * secondMs
const usualStatus = 500

/** The faults of receivers that are set, as all processes agree on through the database; see
 * `followFaults`. */
export async function followReceiverFaults(
  db: Database,
  signals: Signals,
): Promise<() => readonly ReceiverFault[]> {
  let faults: readonly ReceiverFault[] = await listReceiverFaults(db)
  let asked = 0
  const ask = () => {
    const mine = ++asked
    listReceiverFaults(db).then(
      (read) => {
        if (mine === asked) faults = read
      },
      () => {},
    )
  }
  signals.on(faultsSet, (payload) => {
    faults = JSON.parse(payload)
    ask()
  })
  signals.on('reset', ask)
  return () => faults
}

const tag = 'Operator: sandbox'
const url = '/operator/sandbox/receiver-faults'
const Kind = Type.Enum([...faultKinds])
const Share = Type.Number({ minimum: 0, maximum: 1, description: 'the part of the requests' })
const Seed = Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })
const DelayMs = Type.Integer({ minimum: 0, maximum: 60_000 })
const Status = Type.Integer({ minimum: 200, maximum: 599 })
const Topic = Type.Enum([...topics])

const FaultBody = Strict({
  application_id: Type.Optional(OrNull(Id)),
  topic: Type.Optional(OrNull(Topic)),
  kind: Kind,
  share: Share,
  seed: Type.Optional(Seed),
  delay_ms: Type.Optional(DelayMs),
  status: Type.Optional(Status),
})

const Fault = Type.Object({
  application_id: OrNull(Id),
  topic: OrNull(Type.String()),
  kind: Kind,
  share: Share,
  seed: Seed,
  delay_ms: Type.Optional(DelayMs),
  status: Type.Optional(Status),
})

/** A fault as it is shown: with what its kind goes by. */
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

function faultOf(body: Static<typeof FaultBody>, usualSeed: number): ReceiverFault {
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
    seed: seed ?? usualSeed,
    delayMs: delay_ms ?? usualDelayMs,
    status: status ?? usualStatus,
  }
}

/** Changes what is set, one after the other, and tells all processes what is set then. */
function change(
  { db }: Pick<Context, 'db'>,
  work: (tx: Parameters<Parameters<Database['transaction']>[0]>[0]) => void | Promise<void>,
): Promise<ReceiverFault[]> {
  return db.transaction(async (tx) => {
    await lockReceiverFaults(tx)
    await work(tx)
    const faults = await listReceiverFaults(tx)
    if (faults.length > mostFaults) {
      throw badField('kind', `at most ${mostFaults} faults to be set at a time`)
    }
    tx.publish(faultsSet, JSON.stringify(faults))
    return faults
  })
}

const getReceiverFaults = route({
  method: 'GET',
  url,
  scope: 'operator',
  tag,
  summary: 'What is pretended to happen to notifications on their way',
  answers: { 200: Type.Object({ faults: Type.Array(Fault) }) },
  async handle({ db, config }) {
    if (config.mode !== 'sandbox') throw new Failure('sandbox_only')
    const faults = await listReceiverFaults(db)
    return ok({ faults: faults.map(view) })
  },
})

const putReceiverFault = route({
  method: 'PUT',
  url,
  scope: 'operator',
  tag,
  summary: 'Pretend that notifications come late, twice, in another order or not at all',
  description:
    'In sandbox mode only. Sets one fault, in the place of the one for the same application, topic and kind. `duplicate` sends twice; `delay` sends after `delay_ms`; `reorder` holds back until another notification of the application went, or for `delay_ms`; `drop` does not send and tells of no answer; `status` does not send and tells of an answer with `status`; `timeout` sends and tells of no answer. With the same `seed` the same notifications meet the same faults. The feed marks such attempts with `x-feria-simulated`.',
  body: FaultBody,
  answers: { 200: Fault },
  async handle(ctx, { body }) {
    if (ctx.config.mode !== 'sandbox') throw new Failure('sandbox_only')
    const fault = faultOf(body, Math.floor(ctx.random.fraction() * 2 ** 31))
    await change(ctx, (tx) => saveReceiverFault(tx, fault))
    return ok(view(fault))
  },
})

const removeReceiverFaults = route({
  method: 'DELETE',
  url,
  scope: 'operator',
  tag,
  summary: 'End such faults: all, or those of an application or kind',
  query: Type.Object({
    application_id: Type.Optional(Id),
    kind: Type.Optional(Kind),
  }),
  answers: { 204: Type.Null() },
  async handle(ctx, { query }) {
    if (ctx.config.mode !== 'sandbox') throw new Failure('sandbox_only')
    const [applicationId, kind] = [query.application_id ?? null, query.kind ?? null]
    await change(ctx, (tx) =>
      deleteReceiverFaults(tx, { applicationId, kind: kind as FaultKind | null }),
    )
    return nothing()
  },
})

export const receiverFaultRoutes: Route[] = [
  getReceiverFaults,
  putReceiverFault,
  removeReceiverFaults,
]
