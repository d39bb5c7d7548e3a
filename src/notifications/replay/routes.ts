import { type Static, Type } from 'typebox'
import type { Caller } from '../../http/caller.ts'
import { created, ok, type Route, route } from '../../http/route.ts'
import { allSites } from '../../http/site-rule.ts'
import {
  permitWholeApplication,
  unknownApplication,
  wholeApplicationTokenRule,
  wholeRefusals,
} from '../../identity/applications/access.ts'
import { findApplication } from '../../identity/store.ts'
import { parseTimestamp, timestamp } from '../../kernel/clock.ts'
import { badField, Failure } from '../../kernel/failure.ts'
import { pathId } from '../../kernel/ids.ts'
import { DistinctListOf, Id, IdText, OrNull, StrictObject, Timestamp } from '../../kernel/schema.ts'
import { topics } from '../../kernel/topics.ts'
import type { Context } from '../../platform/context.ts'
import {
  createReplay,
  maxOpenReplays,
  measureSpan,
  type ReplaySelection,
  replayNotFound,
  setReplayState,
} from './commands.ts'
import {
  etaOf,
  type Replay,
  type ReplaySpan,
  replayStates,
  settableReplayStates,
} from './replay.ts'
import { findReplay, listReplays } from './store.ts'

const params = Type.Object({ application_id: IdText })
const replayParams = Type.Object({
  application_id: IdText,
  replay_id: Type.String({ maxLength: 100 }),
})

const Topics = DistinctListOf(topics, { minItems: 1 })
const defaultRate = 50

const ReplayBody = StrictObject({
  since: {
    ...Timestamp,
    description: 'Earliest `received` (when the change was recorded), inclusive',
  },
  until: Type.Optional({
    ...Timestamp,
    description: 'Latest `received`, inclusive. Default: now',
  }),
  topics: Type.Optional(
    OrNull({ ...Topics, description: 'Only these topics. Null, the default: all topics' }),
  ),
  failed_only: Type.Optional(
    Type.Boolean({
      description: 'True: only notifications that the receiver never accepted. Default: false, all',
    }),
  ),
  rate_per_second: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000,
      description: `Notifications per second. Default: ${defaultRate}`,
    }),
  ),
  dry_run: Type.Optional(
    Type.Boolean({
      description: 'True only counts (`total`), and sends and stores nothing. Default: false',
    }),
  ),
})

const spanFields = {
  application_id: Id,
  since: { ...Timestamp, description: 'Start of the time span' },
  until: { ...Timestamp, description: 'End of the time span' },
  topics: OrNull(Type.Array(Type.Enum([...topics]), { description: 'The topics. Null: all' })),
  failed_only: Type.Boolean({ description: 'Only notifications that were never accepted' }),
  rate_per_second: Type.Integer({ description: 'Notifications per second' }),
  total: Type.Integer({ description: 'Notifications in the time span, counted at the start' }),
}
const DryRun = Type.Object({ dry_run: Type.Literal(true), ...spanFields })
const ReplayAnswer = Type.Object({
  id: Type.String({ description: 'Id of the replay', examples: ['a5a5a5a5a5a5a5a5'] }),
  state: Type.Enum([...replayStates], {
    description: '`waiting` for its turn: one replay of an application runs at a time',
  }),
  ...spanFields,
  done: Type.Integer({ description: 'Notifications that were sent again so far' }),
  accepted: Type.Integer({ description: 'Those of `done` that the receiver accepted' }),
  failed: Type.Integer({ description: 'Those of `done` that it did not accept' }),
  position: OrNull({
    ...Timestamp,
    description: '`received` of the notification that it has come to. Null before the first',
  }),
  date_created: Timestamp,
  started: OrNull({ ...Timestamp, description: 'When it began to send. Null before' }),
  finished: OrNull({ ...Timestamp, description: 'When it finished or was cancelled. Null before' }),
  eta: OrNull({ ...Timestamp, description: 'Estimated end. Null unless it runs' }),
})

/** Makes the routes for callers that act for a whole application (no prefix) or for the operator. */
function replayRoutesUnder(prefix: '' | '/operator'): Route[] {
  const isOperators = prefix === '/operator'
  const url = `${prefix}/applications/:application_id/replays`
  const tag = isOperators ? 'Operator: deliveries' : 'Notifications'
  const access = isOperators
    ? ' An unknown application answers 404 `not_found`.'
    : ` ${wholeApplicationTokenRule}`
  const refusals = isOperators ? unknownApplication : wholeRefusals
  const replayRefusals = { ...refusals, not_found: 'Replay not found: a5a5a5a5a5a5a5a5' }

  const postReplay = route({
    method: 'POST',
    url,
    scope: isOperators ? 'operator' : 'write',
    permission: 'deliveries:write',
    sites: allSites,
    audits: 'application',
    tag,
    summary: 'Replay past notifications',
    description: `Starts a replay: it sends the notifications of a time span again, at its own rate and apart from live deliveries. Ids and sequence numbers stay the same; \`attempts\` keeps counting. Notifications that still wait for their first attempt are left out. One replay of an application runs at a time and ${maxOpenReplays} may be open (not finished or cancelled); one more gets 409 \`too_many_replays\`. Without a callback URL you get 409 \`no_callback\`. With \`dry_run\` the notifications are only counted, and neither 409 occurs.${access}`,
    refuses: { ...refusals, no_callback: '', too_many_replays: '' },
    params,
    permit: permitWholeApplication,
    body: ReplayBody,
    answers: { 200: DryRun, 201: ReplayAnswer },
    async handle(ctx, { params, body, caller }) {
      const applicationId = await applicationOf(ctx, params, caller)
      const wanted = parseSpan(body, ctx.now())
      const ratePerSecond = body.rate_per_second ?? defaultRate
      if (body.dry_run) {
        const { span, total } = await measureSpan(ctx, { applicationId, wanted })
        ctx.audit.change({ before: null, after: { dry_run: true, total } })
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
    permission: 'deliveries:read',
    sites: allSites,
    tag,
    summary: 'List the replays of an application',
    description: `Returns the replays (jobs that send notifications of a time span again), newest first, with their progress.${access}`,
    refuses: refusals,
    params,
    permit: permitWholeApplication,
    query: Type.Object({
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 100, description: 'Replays per page. Default: 20' }),
      ),
      offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
    }),
    answers: { 200: Type.Object({ replays: Type.Array(ReplayAnswer) }) },
    async handle({ db, now }, { params, query, caller }) {
      const applicationId = await applicationOf({ db }, params, caller)
      const { limit = 20, offset = 0 } = query
      const replays = await listReplays(db, { applicationId, limit, offset })
      return ok({ replays: replays.map((replay) => replayView(replay, now())) })
    },
  })

  const getReplay = route({
    method: 'GET',
    url: `${url}/:replay_id`,
    scope: isOperators ? 'operator' : 'read',
    permission: 'deliveries:read',
    sites: allSites,
    tag,
    summary: 'Get a replay',
    description: `Returns a replay (a job that sends notifications of a time span again): its state, its progress and, while it runs, the estimated end (\`eta\`). Answers 404 \`not_found\` for an unknown replay.${access}`,
    refuses: replayRefusals,
    params: replayParams,
    permit: permitWholeApplication,
    answers: { 200: ReplayAnswer },
    async handle({ db, now }, { params, caller }) {
      const applicationId = await applicationOf({ db }, params, caller)
      const id = params.replay_id
      const replay = await findReplay(db, { applicationId, id })
      if (!replay) throw replayNotFound(id)
      return ok(replayView(replay, now()))
    },
  })

  const patchReplay = route({
    method: 'PATCH',
    url: `${url}/:replay_id`,
    scope: isOperators ? 'operator' : 'write',
    permission: 'deliveries:write',
    sites: allSites,
    audits: 'replay',
    tag,
    summary: 'Pause, resume or cancel a replay',
    description: `Requests that are under way are still sent and counted. While a replay is paused, others of the application may run. A replay that you resume (\`running\`) waits for its turn and continues where it stopped. Setting the state that it has changes nothing. Answers 404 \`not_found\` for an unknown replay, 409 \`replay_ended\` when it is finished or cancelled.${access}`,
    refuses: { ...replayRefusals, replay_ended: 'finished' },
    params: replayParams,
    permit: permitWholeApplication,
    body: StrictObject({
      state: Type.Enum([...settableReplayStates], {
        description:
          '`paused` stops it for now, `running` resumes it, `cancelled` ends it for good',
      }),
    }),
    answers: { 200: ReplayAnswer },
    async handle(ctx, { params, body, caller }) {
      const applicationId = await applicationOf(ctx, params, caller)
      const id = params.replay_id
      const replay = await setReplayState(ctx, { applicationId, id, order: body.state })
      return ok(replayView(replay, ctx.now()))
    },
  })

  return [postReplay, getReplays, getReplay, patchReplay]
}

/** Returns the application id of the path. Throws `not_found` for the operator only: others get 403 before. */
async function applicationOf(
  { db }: Pick<Context, 'db'>,
  path: { application_id: string },
  caller: Caller | undefined,
): Promise<number> {
  const applicationId = pathId('application_id', path.application_id)
  if (!caller && !(await findApplication(db, applicationId))) {
    throw new Failure('not_found', `Application not found: ${applicationId}`)
  }
  return applicationId
}

/** Returns the span of a replay. It ends now unless the body says otherwise. Throws `bad_request` if it ends before
 * it begins. */
function parseSpan(body: Static<typeof ReplayBody>, now: Date): ReplaySelection {
  const since = parseDate(body.since)
  const until = body.until === undefined ? now : parseDate(body.until)
  if (since > until) {
    throw badField(
      'since',
      body.until === undefined ? 'a time in the past' : 'a time that is not after `until`',
    )
  }
  return { since, until, topics: body.topics ?? null, failedOnly: body.failed_only ?? false }
}

/** The schema has already checked the format. */
function parseDate(text: string): Date {
  return parseTimestamp(text) as Date
}

function spanView(span: ReplaySpan & Pick<Replay, 'total' | 'ratePerSecond'>): object {
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

/** Renders a replay with its progress. `eta` is when it is expected to finish, null unless it is
 * running. */
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

export const replayRoutes: Route[] = replayRoutesUnder('')
export const replayAdminRoutes: Route[] = replayRoutesUnder('/operator')
