import { Type } from 'typebox'
import { ok, type Route, route } from '../../http/route.ts'
import { allSites } from '../../http/site-rule.ts'
import { checkNotifiedUser, feedAccess } from '../../identity/applications/access.ts'
import { findApplication } from '../../identity/store.ts'
import { Failure } from '../../kernel/failure.ts'
import { Id, OrNull, Timestamp } from '../../kernel/schema.ts'
import type { Context } from '../../platform/context.ts'
import { listQueueEvents } from '../queues/store.ts'
import { QueueEventAnswer, queueEventView } from '../queues/view.ts'
import { cursorOf, decodeFeedCursor, type FeedSelection } from './cursor.ts'
import {
  FeedQuery,
  type FeedQueryInput,
  type NotificationFilters,
  parseFeedQuery,
} from './filters.ts'
import { readFeedPage } from './page.ts'
import { type FeedScan, feedScanOf, missedFeedScanOf } from './store-pages.ts'
import { entryView, FeedEntryAnswer } from './view.ts'

const FeedAnswer = Type.Object({
  messages: Type.Array(FeedEntryAnswer),
  next_cursor: OrNull(
    Type.String({ description: '`cursor` of the next page; null on the last one' }),
  ),
  searched_until: Type.Optional({
    ...Timestamp,
    description:
      'Present when few entries matched and the search stopped before the page was full. Entries were searched back to this time; continue with `next_cursor`.',
  }),
  notes: Type.Optional(
    Type.Array(QueueEventAnswer, {
      description:
        'Only on the first page of /myfeeds: when deliveries were paused, resumed or disabled.',
    }),
  ),
})

const mostNotes = 10
const description =
  'Returns the feed of an application: its notifications newest first, each with the request of its latest attempt and the response. `outcome` says why an attempt was not accepted; `http_code` is null when no response came. `offset` goes up to 10000. `next_cursor` has no such limit, and new notifications do not shift its pages. A notification must match all filters that you send. `/missed_feeds` has only those that were never accepted.'

interface FeedDefinition {
  url: string
  summary: string
  /** Selects the index by which the feed is read. */
  walk(filters: NotificationFilters): FeedScan
  hasNotes: boolean
}

/** Makes the route of a feed. A caller who may see one user only gets the notifications about that user, and no
 * notes. */
function feedRoute({ url, summary, walk, hasNotes }: FeedDefinition): Route {
  return route({
    method: 'GET',
    url,
    scope: 'read',
    tag: 'Notifications',
    summary,
    description: `${description} \`app_id\` is required: the application of your token, or one that you own. A user’s token of a public application (one without a secret) sees only notifications about that user, and no \`notes\`. Errors: 400 \`bad_request\` without \`app_id\` or for a cursor of another feed, 403 \`access_denied\` for another application.`,
    refuses: { feed_without_application: '', not_of_application: '' },
    query: Type.Object({
      app_id: Type.Optional(
        Type.Integer({
          description: 'Required. Id of the application whose notifications to list',
        }),
      ),
      ...FeedQuery,
    }),
    answers: { 200: FeedAnswer },
    async handle(ctx, { query, caller }) {
      const { app_id: applicationId } = query
      if (applicationId === undefined) throw new Failure('feed_without_application')
      const access = await feedAccess(ctx.db, { caller, applicationId })
      const { onlyUserId } = access
      if (onlyUserId === null) return answerPage(ctx, { url, walk, hasNotes, applicationId, query })
      const { user_id = onlyUserId } = query
      checkNotifiedUser(access, user_id)
      const userQuery = { ...query, user_id }
      return answerPage(ctx, { url, walk, hasNotes: false, applicationId, query: userQuery })
    },
  })
}

/** Makes the route by which the operator reads the feed of any application. */
function feedAdminRoute({ url, summary, walk, hasNotes }: FeedDefinition): Route {
  return route({
    method: 'GET',
    url: `/operator/applications/:application_id${url}`,
    scope: 'operator',
    permission: 'deliveries:read',
    sites: allSites,
    tag: 'Operator: deliveries',
    summary,
    description: `${description} Answers 404 \`not_found\` for an unknown application.`,
    refuses: { not_found: 'Application not found: 3486171129139063' },
    params: Type.Object({ application_id: Id }),
    query: Type.Object(FeedQuery),
    answers: { 200: FeedAnswer },
    async handle(ctx, { params, query }) {
      const { application_id: applicationId } = params
      if (!(await findApplication(ctx.db, applicationId))) {
        throw new Failure('not_found', `Application not found: ${applicationId}`)
      }
      return answerPage(ctx, { url, walk, hasNotes, applicationId, query })
    },
  })
}

/** Answers a page of a feed. Notes appear on its first page only. The cursor is signed for this feed and its
 * filters, and refused for others. */
async function answerPage(
  { db, config }: Pick<Context, 'db' | 'config'>,
  {
    url,
    walk,
    hasNotes,
    applicationId,
    query,
  }: Omit<FeedDefinition, 'summary'> & { applicationId: number; query: FeedQueryInput },
) {
  const page = parseFeedQuery(query)
  const selection: FeedSelection = { feed: url, applicationId, filters: page.filters }
  const key = config.operatorToken
  const cursor = query.cursor === undefined ? null : decodeFeedCursor(query.cursor, selection, key)
  const isFirst = cursor === null && page.offset === 0
  const [{ entries, next, searchedUntil }, notes] = await Promise.all([
    readFeedPage(db, walk(page.filters), { ...page, applicationId, cursor }),
    hasNotes && isFirst ? listQueueEvents(db, applicationId, mostNotes) : undefined,
  ])
  return ok({
    messages: entries.map(entryView),
    next_cursor: next && cursorOf(next, selection, key),
    ...(searchedUntil ? { searched_until: searchedUntil.toISOString() } : {}),
    ...(notes ? { notes: notes.map(queueEventView) } : {}),
  })
}

const feeds: readonly FeedDefinition[] = [
  {
    url: '/myfeeds',
    summary: 'List the notifications of an application',
    walk: feedScanOf,
    hasNotes: true,
  },
  {
    url: '/missed_feeds',
    summary: 'List the notifications that were not accepted',
    walk: missedFeedScanOf,
    hasNotes: false,
  },
]

export const notificationRoutes: Route[] = feeds.map(feedRoute)
export const feedAdminRoutes: Route[] = feeds.map(feedAdminRoute)
