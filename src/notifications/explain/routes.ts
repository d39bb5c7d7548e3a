import { Type } from 'typebox'
import { ok, type Route, route } from '../../http/route.ts'
import { allSites } from '../../http/site-rule.ts'
import { checkNotifiedUser, notificationAccess } from '../../identity/applications/access.ts'
import { timestamp } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { largestId, pathId } from '../../kernel/ids.ts'
import { Id, IdText, OrNull, Timestamp } from '../../kernel/schema.ts'
import { topics } from '../../kernel/topics.ts'
import type { Db } from '../../platform/database/database.ts'
import { attemptOutcomes } from '../attempt.ts'
import { queueStates } from '../queues/store.ts'
import {
  type AttemptSummary,
  type Explanation,
  explainNotified,
  explainUnnotified,
  explanationReasons,
  explanationText,
  type QueuePosition,
} from './explain.ts'
import { type ExplanationFacts, loadExplanationFacts, maxExplanations } from './facts.ts'
import type { ExplainInput } from './read-model.ts'

const path = '/applications/:application_id/notifications/explain'
const params = Type.Object({ application_id: IdText })
const query = Type.Object({
  resource: Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'the resource exactly as in the notification: `/orders/123`',
  }),
  topic: Type.Optional(
    Type.Enum([...topics], { description: 'Only changes of this topic. Default: all' }),
  ),
  user_id: Type.Optional({
    ...Id,
    description: 'Only what concerns this user. Default: all users',
  }),
})

/** The words of the codes are older than the glossary: `lane` is a delivery queue, `parked` a pending retry. */
const outcomes =
  '`delivered`: the receiver accepted it. `waiting`: it waits for its turn. `lane_paused`, `lane_disabled`, `lane_failing`: it waits, because deliveries of the application (its delivery queue) are paused, were disabled after failing for too long, or fail now. `parked`: it failed and is retried at `until`. `lost`: it failed and is not retried any more. `coalesced`: a newer one of the same resource was sent instead (`into`). `skipped`: it was left out when deliveries were resumed. Without a notification: `not_authorised`: no user concerned had authorized the application. `not_subscribed`: the application does not have the topic. `no_callback`: it has no callback URL and no listener. `settings_changed`: it was not to be notified then. `no_change_known`: there is no such change.'

const Explained = Type.Object({
  outcome: Type.Enum([...explanationReasons], { description: outcomes, examples: ['delivered'] }),
  says: Type.String({
    description: 'What the outcome means and what to do, as a sentence',
    examples: ['The receiver accepted it.'],
  }),
  topic: OrNull(
    Type.Enum([...topics], { description: 'Topic of the change. Null if no change is known' }),
  ),
  resource: Type.String(),
  user_id: OrNull({ ...Id, description: 'User whom the notification names. Null without one' }),
  received: OrNull({
    ...Timestamp,
    description: 'When the change was recorded. Null if no change is known',
  }),
  notification_id: OrNull(
    Type.String({ description: '`_id` of the notification. Null for a change without one' }),
  ),
  sequence: OrNull(
    Type.Integer({
      description:
        'Sequence number of the notification in its application, from 1. Null for a change without one',
    }),
  ),
  since: Type.Optional(
    OrNull({
      ...Timestamp,
      description:
        'Since when the outcome holds: paused, disabled, failing, authorized or changed. Left out where it says nothing',
    }),
  ),
  until: Type.Optional({ ...Timestamp, description: 'Of `parked`: when it is retried' }),
  behind: Type.Optional(
    Type.Integer({ description: 'Of one that waits: how many notifications are sent before it' }),
  ),
  into: Type.Optional(
    Type.String({ description: '`_id` of the notification that was sent in its place' }),
  ),
  attempts: Type.Optional(Type.Integer({ description: 'Same as `attempt.attempt`' })),
  attempt: Type.Optional(
    Type.Object({
      attempt: Type.Integer({
        description:
          'Number of the attempt: the first that was accepted, or else the latest. Without an attempt the object is left out',
      }),
      sent: { ...Timestamp, description: 'When the attempt was sent' },
      outcome: Type.Enum([...attemptOutcomes]),
      http_code: OrNull(Type.Integer()),
    }),
  ),
})

const answers = {
  200: Type.Object({
    application_id: Id,
    resource: Type.String(),
    queue: OrNull(
      Type.Object({
        state: Type.Enum([...queueStates], {
          description:
            '`open` sends, `paused` was stopped by somebody, `disabled` was stopped because the receiver accepted nothing for too long',
        }),
        since: OrNull({ ...Timestamp, description: 'Since when. Null if it was always open' }),
        failing_since: OrNull({
          ...Timestamp,
          description: 'Since when every attempt fails. Null if the latest was accepted',
        }),
        waiting: Type.Integer({ description: 'Notifications before their first attempt' }),
      }),
    ),
    explained: Type.Array(Explained, { description: 'The explanations, newest first' }),
  }),
}

const tag = 'Notifications'
const summary = 'Explain why a notification did or did not arrive'
const description = `Returns why an application was or was not notified of changes of one resource, newest first, at most ${maxExplanations}: one explanation for each notification, and one for each change without a notification. Changes without a notification are kept for two days. Notifications are found as long as the feed (\`/myfeeds\`) keeps them; those older than two days only among the newest 10000 of the application. If nothing is found, the only explanation is \`no_change_known\`.`

const explainOwn = route({
  method: 'GET',
  url: path,
  scope: 'read',
  tag,
  summary,
  description: `${description} You see only changes that concern a user who has authorized the application. A user’s token of the application sees what is about that user, and \`queue\` (the delivery queue) is null. To see everything, use a token of the application itself (\`grant_type=client_credentials\`), or one of its owner that names no application. A token of another application gets 403 \`access_denied\`.`,
  refuses: { not_of_application: '', whole_application: '' },
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
      // An application must not learn of changes that concern none of its users.
      unnotified: facts.unnotified.filter(({ authorised }) => authorised.length > 0),
    }))
    return ok(onlyUserId === null ? explanation : { ...explanation, queue: null, lane: null })
  },
})

const explainAny = route({
  method: 'GET',
  url: `/operator${path}`,
  scope: 'operator',
  permission: 'deliveries:read',
  sites: allSites,
  tag: 'Operator: deliveries',
  summary,
  description: `${description} Answers 404 \`not_found\` for an unknown application.`,
  refuses: { not_found: 'Application not found: 3486171129139063' },
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

/** Explains what became of the changes of a resource for an application. `visible` removes the facts that the
 * caller may not see. Throws `not_found` for an unknown application. */
async function explain(
  db: Db,
  input: ExplainInput,
  visible: (facts: ExplanationFacts) => ExplanationFacts,
): Promise<object> {
  const { applicationId, resource } = input
  const allFacts = await loadExplanationFacts(db, input)
  if (!allFacts) throw new Failure('not_found', `Application not found: ${applicationId}`)
  const facts = visible(allFacts)
  return {
    application_id: applicationId,
    resource,
    queue: queueView(facts.queue),
    // Its former name.
    lane: queueView(facts.queue),
    explained: explanationsOf(facts, resource),
  }
}

/** Renders the newest changes with their explanations, or one entry with the reason `no_change_known` if there is
 * none. */
function explanationsOf(facts: ExplanationFacts, resource: string): object[] {
  const notified = facts.notified.map((change) => {
    const { id, seq, topic, userId, received } = change.notification
    const fields = { topic, user_id: userId, notification_id: id, sequence: seq }
    const verdict = explainNotified(change, facts)
    return { at: received, seq, view: { ...fields, ...verdictView(verdict) } }
  })
  const unnotified = facts.unnotified.map((change) => {
    const { topic, at } = change
    const fields = { topic, user_id: null, notification_id: null, sequence: null }
    const verdict = explainUnnotified(change, facts)
    return { at, seq: largestId, view: { ...fields, ...verdictView(verdict) } }
  })
  const newest = [...notified, ...unnotified]
    .sort((a, b) => b.at.getTime() - a.at.getTime() || b.seq - a.seq)
    .slice(0, maxExplanations)
  if (newest.length > 0) {
    return newest.map(({ at, view }) => ({ resource, received: timestamp(at), ...view }))
  }
  const fields = { topic: null, user_id: null, notification_id: null, sequence: null }
  return [{ resource, received: null, ...fields, ...verdictView({ reason: 'no_change_known' }) }]
}

function verdictView(verdict: Explanation): object {
  const { reason, since, until, behind, into, attempt } = verdict
  return {
    outcome: reason,
    says: explanationText(verdict),
    ...(since === undefined ? {} : { since: timestamp(since) }),
    ...(until ? { until: timestamp(until) } : {}),
    ...(behind === undefined ? {} : { behind }),
    ...(into ? { into } : {}),
    ...(attempt ? { attempts: attempt.attempt, attempt: attemptView(attempt) } : {}),
  }
}

function attemptView({ attempt, sent, outcome, httpCode }: AttemptSummary): object {
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
