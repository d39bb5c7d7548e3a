import { type Static, Type } from 'typebox'
import { noContent, ok, type Route, route } from '../../http/route.ts'
import { allSites } from '../../http/site-rule.ts'
import { etagOf, withEtagField } from '../../http/versions.ts'
import { badField, Failure } from '../../kernel/failure.ts'
import { DistinctListOf, Id, OrNull, StrictObject } from '../../kernel/schema.ts'
import { orderPartNames } from '../../orders/view.ts'
import type { Context } from '../../platform/context.ts'
import {
  type AnswerFault,
  type AnswerFaultKind,
  answerFaultKinds,
  failureStatuses,
  matchesAnOrder,
  partsOperation,
} from './fault.ts'
import { answerFaultsChanged } from './interfere.ts'
import {
  type CountedFault,
  deleteAnswerFaults,
  listAnswerFaults,
  lockAnswerFaults,
  saveAnswerFault,
} from './store.ts'
import { stateOfFault, versionedAnswerFault } from './versioned-fault.ts'

const tag = 'Operator: sandbox'
const url = '/operator/sandbox/answer-faults'
const maximumFaults = 50
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

const Name = Type.String({
  pattern: '^[a-z0-9][a-z0-9_-]{0,59}$',
  description:
    'Name of the fault. A new name of your choice sets one more; a name in use replaces that fault.',
  examples: ['slow-orders'],
})
const Share = Type.Number({
  minimum: 0,
  maximum: 1,
  description:
    'Share of the matching requests that the fault affects, 0 to 1. Default: 1, all of them.',
})
const Seed = Type.Integer({
  minimum: 0,
  maximum: 2 ** 31 - 1,
  description:
    'Decides which requests are affected. Default: a random number, which the answer shows.',
})
const Times = Type.Integer({
  minimum: 1,
  maximum: 1_000_000_000,
  description: 'How many requests are affected at most. Null, the default: any number.',
})
const RetryAfter = Type.Integer({
  minimum: 0,
  maximum: 86_400,
  description: 'Of `limit`: seconds in `Retry-After`. Default: 1.',
})
const DelayMs = Type.Integer({
  minimum: 0,
  maximum: 60_000,
  description: 'Of `slow`: milliseconds before the answer. Default: 2000.',
})
const Parts = DistinctListOf(orderPartNames, {
  minItems: 1,
  description: 'Of `parts`, and required there: the parts that orders lack.',
})
const Path = Type.String({
  pattern: '^[/*]',
  maxLength: 200,
  description:
    'Only requests of this path: an operation as this reference writes it, such as `/orders/{order_id}`, or a path where `*` matches anything. Null, the default: any path.',
  examples: ['/orders/{order_id}'],
})
const Kind = Type.Enum([...answerFaultKinds], {
  description:
    '`slow` answers late, `reset` cuts the connection, `conflict` answers 409, `limit` answers 429 with `Retry-After`, `failure` answers the 5xx of `status`, `parts` answers `GET /orders/{order_id}`, and no other operation, without `parts` (206).',
})
const OnlyApplication = OrNull(
  Type.Integer({
    ...Id,
    description:
      'Only requests with a token of this application. Null, the default: any request, also one without a token.',
  }),
)
const onlyMethod = { description: 'Only requests of this method. Null, the default: any method.' }
const Status = Type.Enum([...failureStatuses], {
  description: 'Of `failure`: status of the answer. Default: 500.',
})

/** Fields that only some kinds have. */
const kindFieldSchemas = {
  status: Type.Optional(Status),
  retry_after: Type.Optional(RetryAfter),
  delay_ms: Type.Optional(DelayMs),
  parts: Type.Optional(Parts),
  after: Type.Optional(
    Type.Boolean({
      description:
        'Of `reset`, `conflict` and `failure`: true executes the request and then loses its answer, so that the client cannot know. Default: false, it is not executed.',
    }),
  ),
}
type KindField = keyof typeof kindFieldSchemas

const fieldsByKind: Readonly<Record<AnswerFaultKind, readonly KindField[]>> = {
  slow: ['delay_ms'],
  reset: ['after'],
  conflict: ['after'],
  limit: ['retry_after'],
  failure: ['status', 'after'],
  parts: ['parts'],
}

const FaultBody = StrictObject({
  kind: Kind,
  application_id: Type.Optional(OnlyApplication),
  method: Type.Optional(OrNull(Type.Enum([...methods], onlyMethod))),
  path: Type.Optional(OrNull(Path)),
  share: Type.Optional(Share),
  seed: Type.Optional(Seed),
  times: Type.Optional(OrNull(Times)),
  ...kindFieldSchemas,
})

const FaultAnswer = Type.Object({
  name: Name,
  kind: Kind,
  application_id: OnlyApplication,
  method: OrNull(Type.Enum([...methods], onlyMethod)),
  path: OrNull(Path),
  share: Share,
  seed: Seed,
  times: OrNull(Times),
  ...kindFieldSchemas,
  seen: Type.Integer({ description: 'Requests that matched so far' }),
  met: Type.Integer({ description: 'Requests that were affected so far' }),
})

/** Returns the fault of answers that a body describes. Throws a `bad_request` for a field that its kind does not
 * have. */
function faultOf(name: string, body: Static<typeof FaultBody>, randomSeed: number): AnswerFault {
  for (const field of Object.keys(kindFieldSchemas) as KindField[]) {
    if (body[field] === undefined || fieldsByKind[body.kind].includes(field)) continue
    const kinds = answerFaultKinds.filter((kind) => fieldsByKind[kind].includes(field))
    throw badField(field, `no such field unless kind is ${kinds.join(' or ')}`)
  }
  if (body.kind === 'parts') refuseParts(body)
  return {
    name,
    kind: body.kind,
    applicationId: body.application_id ?? null,
    method: body.method ?? null,
    path: body.path ?? null,
    share: body.share ?? 1,
    seed: body.seed ?? randomSeed,
    times: body.times ?? null,
    status: body.status ?? 500,
    retryAfter: body.retry_after ?? 1,
    delayMs: body.delay_ms ?? 2_000,
    parts: body.parts ?? [],
    isDone: body.after ?? false,
  }
}

/** Throws a `bad_request` for a fault of parts that would affect no request. */
function refuseParts({ parts, method, path }: Static<typeof FaultBody>): void {
  const { method: only, path: order } = partsOperation
  if (!parts) throw badField('parts', 'the parts that are missing')
  const rest = `because kind parts works only for ${only} ${order}`
  if (method && method !== only) throw badField('method', `${only}, ${rest}`)
  if (path && !matchesAnOrder(path)) {
    throw badField('path', `${order} or a path of orders such as /orders/2*, ${rest}`)
  }
}

/** Returns the body of a fault, with only the fields of its kind. */
function view(fault: AnswerFault & Partial<CountedFault>): object {
  const kindFields = {
    status: fault.status,
    retry_after: fault.retryAfter,
    delay_ms: fault.delayMs,
    parts: fault.parts,
    after: fault.isDone,
  }
  const { name, kind, applicationId, method, path, share, seed, times, seen = 0, met = 0 } = fault
  return {
    name,
    kind,
    application_id: applicationId,
    method,
    path,
    share,
    seed,
    times,
    ...Object.fromEntries(fieldsByKind[kind].map((field) => [field, kindFields[field]])),
    seen,
    met,
  }
}

const getFaults = route({
  method: 'GET',
  url,
  scope: 'operator',
  permission: 'sandbox:read',
  sites: allSites,
  tag,
  summary: 'List faults of answers',
  description:
    'Returns all simulated faults of the answers of this interface, with their counts of matched and affected requests. Outside a sandbox the answer is 403 `sandbox_only`.',
  refuses: { sandbox_only: '' },
  answers: { 200: Type.Object({ faults: Type.Array(withEtagField(FaultAnswer)) }) },
  async handle({ db, config, now }) {
    if (config.mode !== 'sandbox') throw new Failure('sandbox_only')
    const faults = (await listAnswerFaults(db)).map((fault) => ({
      ...view(fault),
      etag: etagOf(stateOfFault(fault), now()),
    }))
    return ok({ faults })
  },
})

const putFault = route({
  method: 'PUT',
  url: `${url}/:name`,
  scope: 'operator',
  permission: 'sandbox:write',
  sites: allSites,
  audits: 'answer_fault',
  versioned: versionedAnswerFault,
  tag,
  summary: 'Set a fault of answers',
  description:
    'Simulates answers of this interface that are late, refused, lost or partial, to test how your client copes. `kind` says which. Without `application_id`, `method` and `path` the fault matches every request with an access token or without one; with several of them, a request must match all. The `seed` and the count of matching requests decide which ones are affected, so that a run can be repeated. Affected answers name the faults in the header `x-feria-simulated`, except for a connection that is cut. A fault of the same name is replaced, and its counts restart. Operator requests are never affected. Only sandboxes accept it (`sandbox_only`). Fields that do not fit the kind answer 400 `bad_request`.',
  refuses: {
    sandbox_only: '',
    bad_request: 'delay_ms: expected no such field unless kind is slow',
  },
  params: Type.Object({ name: Name }),
  body: FaultBody,
  answers: { 200: FaultAnswer },
  async handle(ctx, { params, body }) {
    if (ctx.config.mode !== 'sandbox') throw new Failure('sandbox_only')
    const fault = faultOf(params.name, body, Math.floor(ctx.random.fraction() * 2 ** 31))
    await ctx.db.transaction(async (tx) => {
      await lockAnswerFaults(tx)
      const before = (await listAnswerFaults(tx)).find(({ name }) => name === fault.name)
      ctx.audit.change({ before: before ? view(before) : null, after: view(fault) })
      if (fault.applicationId !== null) ctx.audit.relate('application', fault.applicationId)
      saveAnswerFault(tx, fault)
      if ((await listAnswerFaults(tx)).length > maximumFaults) {
        throw badField('name', `at most ${maximumFaults} faults at a time`)
      }
      tx.publish(answerFaultsChanged, '')
    })
    return ok(view(fault))
  },
})

const removeFault = route({
  method: 'DELETE',
  url: `${url}/:name`,
  scope: 'operator',
  permission: 'sandbox:write',
  sites: allSites,
  audits: 'answer_fault',
  versioned: versionedAnswerFault,
  tag,
  summary: 'Clear a fault of answers',
  description:
    'Removes the simulated fault of this name, or answers `not_found`. Outside a sandbox the answer is 403 `sandbox_only`.',
  refuses: {
    sandbox_only: '',
    not_found: 'Fault not found: slow-orders',
  },
  params: Type.Object({ name: Name }),
  answers: { 204: Type.Null() },
  async handle(ctx, { params }) {
    if (ctx.config.mode !== 'sandbox') throw new Failure('sandbox_only')
    await clear(ctx, params.name)
    return noContent()
  },
})

const removeFaults = route({
  method: 'DELETE',
  url,
  scope: 'operator',
  permission: 'sandbox:write',
  sites: allSites,
  audits: 'answer_fault',
  tag,
  summary: 'Clear all faults of answers',
  description:
    'Removes all simulated faults of this interface (late, refused, lost or partial answers), whichever application they are for, so that requests get their usual answers again. Answers 204 even if there are none. Outside a sandbox the answer is 403 `sandbox_only`.',
  refuses: { sandbox_only: '' },
  answers: { 204: Type.Null() },
  async handle(ctx) {
    if (ctx.config.mode !== 'sandbox') throw new Failure('sandbox_only')
    await clear(ctx, null)
    return noContent()
  },
})

/** Removes the fault of this name, or all faults. Throws `not_found` for an unknown name. */
function clear({ audit, db }: Pick<Context, 'audit' | 'db'>, name: string | null): Promise<void> {
  return db.transaction(async (tx) => {
    await lockAnswerFaults(tx)
    const faults = await listAnswerFaults(tx)
    const cleared = faults.filter((fault) => name === null || fault.name === name)
    audit.change({ before: { faults: cleared.map(view) }, after: null })
    for (const { applicationId } of cleared) {
      if (applicationId !== null) audit.relate('application', applicationId)
    }
    const count = await deleteAnswerFaults(tx, name)
    if (name !== null && count === 0) throw new Failure('not_found', `Fault not found: ${name}`)
    tx.publish(answerFaultsChanged, '')
  })
}

export const answerFaultRoutes: Route[] = [getFaults, putFault, removeFault, removeFaults]
