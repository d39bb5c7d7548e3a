import { Type } from 'typebox'
import { ok, type Route, route } from '../../http/route.ts'
import { checkNotifiedUser, notificationAccess } from '../../identity/owned/owner.ts'
import { timestamp } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { largestId, pathId } from '../../kernel/ids.ts'
import { Id, IdText, OrNull, Timestamp } from '../../kernel/schema.ts'
import { topics } from '../../kernel/topics.ts'
import type { Db } from '../../platform/database/database.ts'
import { queueStates } from '../queues/store.ts'
import {
  type Attempted,
  explainNotified,
  explainUnnotified,
  type QueuePosition,
  type Verdict,
  wordsFor,
} from './explain.ts'
import { type Facts, gatherFacts, mostExplained } from './facts.ts'
import type { ExplainInput } from './store.ts'

const path = '/applications/:application_id/notifications/explain'
const params = Type.Object({ application_id: IdText })
const query = Type.Object({
  resource: Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'as notifications name it: `/orders/123`',
  }),
  topic: Type.Optional(Type.Enum([...topics])),
  user_id: Type.Optional(Id),
})

const Explained = Type.Object({
  outcome: Type.String(),
  says: Type.String(),
  topic: OrNull(Type.String()),
  resource: Type.String(),
  user_id: OrNull(Id),
  received: OrNull(Timestamp),
  notification_id: OrNull(Type.String()),
  sequence: OrNull(Type.Integer()),
  since: Type.Optional(OrNull(Timestamp)),
  until: Type.Optional(Timestamp),
  behind: Type.Optional(Type.Integer()),
  into: Type.Optional(Type.String({ description: 'the `_id` of the one that was sent' })),
  attempts: Type.Optional(Type.Integer()),
  attempt: Type.Optional(
    Type.Object({
      attempt: Type.Integer(),
      sent: Timestamp,
      outcome: Type.String(),
      http_code: OrNull(Type.Integer()),
    }),
  ),
})

const answers = {
  200: Type.Object({
    application_id: Id,
    resource: Type.String(),
    lane: OrNull(
      Type.Object({
        state: Type.Enum([...queueStates]),
        since: OrNull(Timestamp),
        failing_since: OrNull(Timestamp),
        waiting: Type.Integer(),
      }),
    ),
    explained: Type.Array(Explained),
  }),
}

const tag = 'Notifications'
const summary = 'Why a notification did or did not arrive'
const description = `Newest first, at most ${mostExplained}. Changes that nobody of the application was told of are known for two days; notifications as long as the feed shows them, when they are older than two days among the newest 10000 of the application.`

const explainOwn = route({
  method: 'GET',
  url: path,
  scope: 'read',
  tag,
  summary,
  description: `${description} Changes are shown that concern a user who has authorised the application by now. With a user’s token of the application only what is about that user, and \`lane\` is null; more takes a token of the application itself (\`grant_type=client_credentials\`), or one of its owner that names no application.`,
  params,
  query,
  answers,
  async handle({ db }, { params, query, caller }) {
    const applicationId = pathId('application_id', params.application_id)
    const access = await notificationAccess(db, { caller, applicationId })
    const { onlyUserId } = access
    const user_id = query.user_id ?? onlyUserId ?? undefined
    if (user_id !== undefined) checkNotifiedUser(access, user_id)
    const input = inputOf(applicationId, { ...query, user_id })
    const explanation = await explain(db, input, (facts) => ({
      ...facts,
      // That something changed which concerns none of its users is not its business.
      unnotified: facts.unnotified.filter(({ authorised }) => authorised.length > 0),
    }))
    return ok(onlyUserId === null ? explanation : { ...explanation, lane: null })
  },
})

const explainAny = route({
  method: 'GET',
  url: `/operator${path}`,
  scope: 'operator',
  tag: 'Operator: deliveries',
  summary,
  description,
  params,
  query,
  answers,
  async handle({ db }, { params, query }) {
    const input = inputOf(pathId('application_id', params.application_id), query)
    return ok(await explain(db, input, (facts) => facts))
  },
})

function inputOf(
  applicationId: number,
  query: { resource: string; topic?: string; user_id?: number | undefined },
): ExplainInput {
  const { resource, topic = null, user_id: userId = null } = query
  return { applicationId, resource, topic, userId }
}

async function explain(
  db: Db,
  input: ExplainInput,
  visible: (facts: Facts) => Facts,
): Promise<object> {
  const { applicationId, resource } = input
  const gathered = await gatherFacts(db, input)
  if (!gathered) throw new Failure('not_found', `Application not found: ${applicationId}`)
  const facts = visible(gathered)
  return {
    application_id: applicationId,
    resource,
    lane: queueView(facts.queue),
    explained: explained(facts, resource),
  }
}

function explained(facts: Facts, resource: string): object[] {
  const told = facts.told.map((each) => {
    const { id, seq, topic, userId, received } = each.notification
    const about = { topic, user_id: userId, notification_id: id, sequence: seq }
    return { at: received, seq, view: { ...about, ...verdictView(explainNotified(each, facts)) } }
  })
  const unnotified = facts.unnotified.map((each) => {
    const { topic } = each
    const about = { topic, user_id: null, notification_id: null, sequence: null }
    return {
      at: each.at,
      seq: largestId,
      view: { ...about, ...verdictView(explainUnnotified(each, facts)) },
    }
  })
  const all = [...told, ...unnotified]
    .sort((a, b) => b.at.getTime() - a.at.getTime() || b.seq - a.seq)
    .slice(0, mostExplained)
  if (all.length > 0) {
    return all.map(({ at, view }) => ({ resource, received: timestamp(at), ...view }))
  }
  const nothing = { topic: null, user_id: null, notification_id: null, sequence: null }
  return [{ resource, received: null, ...nothing, ...verdictView({ reason: 'no_change_known' }) }]
}

function verdictView(verdict: Verdict): object {
  const { reason, since, until, behind, into, attempt } = verdict
  return {
    outcome: reason,
    says: wordsFor(verdict),
    ...(since === undefined ? {} : { since: timestamp(since) }),
    ...(until ? { until: timestamp(until) } : {}),
    ...(behind === undefined ? {} : { behind }),
    ...(into ? { into } : {}),
    ...(attempt ? { attempts: attempt.attempt, attempt: attemptView(attempt) } : {}),
  }
}

function attemptView({ attempt, sent, outcome, httpCode }: Attempted): object {
  return { attempt, sent: timestamp(sent), outcome, http_code: httpCode }
}

function queueView({ state, stateSince, failingSince, lastSeq, cursorSeq }: QueuePosition): object {
  return {
    state,
    since: timestamp(stateSince),
    failing_since: timestamp(failingSince),
    waiting: lastSeq - cursorSeq,
  }
}

export const explainRoutes: Route[] = [explainOwn]
export const explainAdminRoutes: Route[] = [explainAny]
