import { type Static, Type } from 'typebox'
import type { Caller } from '../../http/caller.ts'
import { created, ok, type Route, route } from '../../http/route.ts'
import { permitWhole, takesWhole } from '../../identity/owned/owner.ts'
import { findApplication } from '../../identity/store.ts'
import { parseTimestamp, timestamp } from '../../kernel/clock.ts'
import { badField, Failure } from '../../kernel/failure.ts'
import { pathId } from '../../kernel/ids.ts'
import { Id, IdText, OrNull, SomeOf, Strict, Timestamp } from '../../kernel/schema.ts'
import { topics } from '../../kernel/topics.ts'
import type { Context } from '../../platform/context.ts'
import { createReplay, measureSpan, mostOpen, orderReplay, type Wanted } from './commands.ts'
import { etaOf, orders, type Replay, replayStates, type Span } from './replay.ts'
import { findReplay, listReplays } from './store.ts'

const params = Type.Object({ application_id: IdText })
const replayParams = Type.Object({
  application_id: IdText,
  replay_id: Type.String({ maxLength: 100 }),
})

const Topics = SomeOf(topics, { minItems: 1 })
const usualRate = 50

const ReplayBody = Strict({
  since: { ...Timestamp, description: '`received` from here on' },
  until: Type.Optional({ ...Timestamp, description: '`received` up to here; now by default' }),
  topics: Type.Optional(OrNull(Topics)),
  failed_only: Type.Optional(
    Type.Boolean({ description: 'only what has not been accepted yet, or is lost' }),
  ),
  rate_per_second: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000, description: `${usualRate} by default` }),
  ),
  dry_run: Type.Optional(Type.Boolean({ description: 'count only; nothing is sent or kept' })),
})

const spanFields = {
  application_id: Id,
  since: Timestamp,
  until: Timestamp,
  topics: OrNull(Type.Array(Type.String())),
  failed_only: Type.Boolean(),
  rate_per_second: Type.Integer(),
  total: Type.Integer(),
}
const DryRun = Type.Object({ dry_run: Type.Literal(true), ...spanFields })
const ReplayAnswer = Type.Object({
  id: Type.String(),
  state: Type.Enum([...replayStates]),
  ...spanFields,
  done: Type.Integer(),
  accepted: Type.Integer(),
  failed: Type.Integer(),
  position: OrNull(Timestamp),
  date_created: Timestamp,
  started: OrNull(Timestamp),
  finished: OrNull(Timestamp),
  eta: OrNull(Timestamp),
})

/** The same for who acts for the application as a whole and, under a prefix, for the operator. */
function replaysUnder(prefix: '' | '/operator'): Route[] {
  const isOperators = prefix === '/operator'
  const url = `${prefix}/applications/:application_id/replays`
  const tag = isOperators ? 'Operator: deliveries' : 'Notifications'
  const says = isOperators ? '' : ` ${takesWhole}`

  const postReplay = route({
    method: 'POST',
    url,
    scope: isOperators ? 'operator' : 'write',
    tag,
    summary: 'Have notifications sent once more',
    description: `A job beside the live deliveries, at a rate of its own: it waits for nothing in the lane and holds nothing up. Same ids and numbers as before; \`attempts\` goes on counting. What has its first delivery still before it is not in it. One replay of an application runs at a time, ${mostOpen} may be open. A dry run counts what would be sent.${says}`,
    params,
    permit: permitWhole,
    body: ReplayBody,
    answers: { 200: DryRun, 201: ReplayAnswer },
    async handle(ctx, { params, body, caller }) {
      const applicationId = await applicationOf(ctx, params, caller)
      const wanted = wantedOf(body, ctx.now())
      const ratePerSecond = body.rate_per_second ?? usualRate
      if (body.dry_run) {
        const { span, total } = await measureSpan(ctx, { applicationId, wanted })
        return ok({ dry_run: true, ...spanView({ ...span, total, ratePerSecond }) })
      }
      const replay = await createReplay(ctx, { applicationId, wanted, ratePerSecond })
      return created(replayView(replay, ctx.now()))
    },
  })

  const getReplays = route({
    method: 'GET',
    url,
    scope: isOperators ? 'operator' : 'read',
    tag,
    summary: 'The replays of an application, newest first',
    params,
    permit: permitWhole,
    query: Type.Object({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
      offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
    }),
    answers: { 200: Type.Object({ replays: Type.Array(ReplayAnswer) }) },
    async handle({ db, now }, { params, query, caller }) {
      const applicationId = await applicationOf({ db }, params, caller)
      const { limit = 20, offset = 0 } = query
      const replays = await listReplays(db, { applicationId, limit, offset })
      return ok({ replays: replays.map((each) => replayView(each, now())) })
    },
  })

  const getReplay = route({
    method: 'GET',
    url: `${url}/:replay_id`,
    scope: isOperators ? 'operator' : 'read',
    tag,
    summary: 'How far a replay is',
    params: replayParams,
    permit: permitWhole,
    answers: { 200: ReplayAnswer },
    async handle({ db, now }, { params, caller }) {
      const applicationId = await applicationOf({ db }, params, caller)
      const id = params.replay_id
      const replay = await findReplay(db, { applicationId, id })
      return ok(replayView(replay ?? unknown(id), now()))
    },
  })

  const patchReplay = route({
    method: 'PATCH',
    url: `${url}/:replay_id`,
    scope: isOperators ? 'operator' : 'write',
    tag,
    summary: 'Pause a replay, let it go on, or end it',
    description:
      'What is under way is still sent and counted. One that goes on waits for its turn, and then does so from where it was.',
    params: replayParams,
    permit: permitWhole,
    body: Strict({ state: Type.Enum([...orders]) }),
    answers: { 200: ReplayAnswer },
    async handle(ctx, { params, body, caller }) {
      const applicationId = await applicationOf(ctx, params, caller)
      const id = params.replay_id
      const replay = await orderReplay(ctx, { applicationId, id, order: body.state })
      return ok(replayView(replay ?? unknown(id), ctx.now()))
    },
  })

  return [postReplay, getReplays, getReplay, patchReplay]
}

/** The application of the path. The operator, who is no caller, is told where there is none. */
async function applicationOf(
  { db }: Pick<Context, 'db'>,
  path: { application_id: string },
  caller: Caller | undefined,
): Promise<number> {
  const asked = pathId('application_id', path.application_id)
  if (!caller && !(await findApplication(db, asked))) {
    throw new Failure('not_found', `Application not found: ${asked}`)
  }
  return asked
}

function unknown(id: string): never {
  throw new Failure('not_found', `Replay not found: ${id}`)
}

function wantedOf(body: Static<typeof ReplayBody>, now: Date): Wanted {
  const since = momentOf(body.since)
  const until = body.until === undefined ? now : momentOf(body.until)
  if (since > until) {
    throw badField(
      'since',
      body.until === undefined ? 'a moment that has passed' : 'a moment that is not after `until`',
    )
  }
  return { since, until, topics: body.topics ?? null, failedOnly: body.failed_only ?? false }
}

/** The schema has seen to it that it is one. */
function momentOf(text: string): Date {
  return parseTimestamp(text) as Date
}

function spanView(span: Span & Pick<Replay, 'total' | 'ratePerSecond'>): object {
  return {
    application_id: span.applicationId,
    since: span.since.toISOString(),
    until: span.until.toISOString(),
    topics: span.topics,
    failed_only: span.failedOnly,
    rate_per_second: span.ratePerSecond,
    total: span.total,
  }
}

function replayView(replay: Replay, now: Date): object {
  return {
    id: replay.id,
    state: replay.state,
    ...spanView(replay),
    done: replay.done,
    accepted: replay.accepted,
    failed: replay.done - replay.accepted,
    position: timestamp(replay.positionAt),
    date_created: timestamp(replay.dateCreated),
    started: timestamp(replay.startedAt),
    finished: timestamp(replay.finishedAt),
    eta: timestamp(etaOf(replay, now)),
  }
}

export const replayRoutes: Route[] = replaysUnder('')
export const replayAdminRoutes: Route[] = replaysUnder('/operator')
