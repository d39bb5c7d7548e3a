import { Type } from 'typebox'
import { ok, type Route, route } from '../../http/route.ts'
import { checkNotifiedUser, feedAccess } from '../../identity/owned/owner.ts'
import { findApplication } from '../../identity/store.ts'
import { Failure } from '../../kernel/failure.ts'
import { Id, OrNull, Timestamp } from '../../kernel/schema.ts'
import type { Context } from '../../platform/context.ts'
import { listNotes } from '../queues/store.ts'
import { cursorOf, decodeFeedCursor, type FeedSelection } from './cursor.ts'
import { type FeedFilters, FeedQuery, type Filters, pageOf } from './filters.ts'
import { readPage } from './page.ts'
import { missingWalkOf, type Walk, walkOf } from './store-pages.ts'
import { Entry, entryView, Note, noteView } from './view.ts'

const FeedAnswer = Type.Object({
  messages: Type.Array(Entry),
  next_cursor: OrNull(Type.String({ description: 'null at the end' })),
  searched_until: Type.Optional({
    ...Timestamp,
    description:
      'There when a filter matched too little to fill the page: entries were searched back to here, and `next_cursor` goes on.',
  }),
  notes: Type.Optional(
    Type.Array(Note, {
      description: 'On the first page of /myfeeds: what happened to the callback as a whole.',
    }),
  ),
})

const mostNotes = 10
const description =
  'Newest first, with the request of the latest attempt and what came of it. `outcome` tells why an attempt was not accepted; `http_code` is null when no answer came. Pages by `offset` end at 10000; `next_cursor` has no end, and what comes in between shifts nothing.'

interface Feed {
  url: string
  summary: string
  /** How it is walked. */
  walk(filters: Filters): Walk
  hasNotes: boolean
}

/** A feed differs from the other only in which notifications it lists. */
function feed({ url, summary, walk, hasNotes }: Feed): Route {
  return route({
    method: 'GET',
    url,
    scope: 'read',
    tag: 'Notifications',
    summary,
    description: `Contract 4.5. ${description} \`app_id\` is the application of the token, or one that its user owns. With a user’s token of a public application only what is about that user, without the notes.`,
    query: Type.Object({ app_id: Type.Optional(Type.Integer()), ...FeedQuery }),
    answers: { 200: FeedAnswer },
    async handle(ctx, { query, caller }) {
      const { app_id: applicationId } = query
      if (applicationId === undefined) throw new Failure('feed_without_application')
      const access = await feedAccess(ctx.db, { caller, applicationId })
      const { onlyUserId } = access
      if (onlyUserId === null) return answer(ctx, { url, walk, hasNotes, applicationId, query })
      const { user_id = onlyUserId } = query
      checkNotifiedUser(access, user_id)
      const own = { ...query, user_id }
      return answer(ctx, { url, walk, hasNotes: false, applicationId, query: own })
    },
  })
}

/** The same feed of any application, for the operator. */
function feedForOperator({ url, summary, walk, hasNotes }: Feed): Route {
  return route({
    method: 'GET',
    url: `/operator/applications/:application_id${url}`,
    scope: 'operator',
    tag: 'Operator: deliveries',
    summary,
    description,
    params: Type.Object({ application_id: Id }),
    query: Type.Object(FeedQuery),
    answers: { 200: FeedAnswer },
    async handle(ctx, { params, query }) {
      const { application_id: applicationId } = params
      if (!(await findApplication(ctx.db, applicationId))) {
        throw new Failure('not_found', `Application not found: ${applicationId}`)
      }
      return answer(ctx, { url, walk, hasNotes, applicationId, query })
    },
  })
}

async function answer(
  { db, config }: Pick<Context, 'db' | 'config'>,
  {
    url,
    walk,
    hasNotes,
    applicationId,
    query,
  }: Omit<Feed, 'summary'> & { applicationId: number; query: FeedFilters },
) {
  const page = pageOf(query)
  const reading: FeedSelection = { feed: url, applicationId, filters: page.filters }
  const key = config.operatorToken
  const mark = query.cursor === undefined ? null : decodeFeedCursor(query.cursor, reading, key)
  const isFirst = mark === null && page.offset === 0
  const [{ entries, next, searchedUntil }, notes] = await Promise.all([
    readPage(db, walk(page.filters), { ...page, applicationId, mark }),
    hasNotes && isFirst ? listNotes(db, applicationId, mostNotes) : undefined,
  ])
  return ok({
    messages: entries.map(entryView),
    next_cursor: next && cursorOf(next, reading, key),
    ...(searchedUntil ? { searched_until: searchedUntil.toISOString() } : {}),
    ...(notes ? { notes: notes.map(noteView) } : {}),
  })
}

const feeds: readonly Feed[] = [
  {
    url: '/myfeeds',
    summary: 'The notifications of an application',
    walk: walkOf,
    hasNotes: true,
  },
  {
    url: '/missed_feeds',
    summary: 'The notifications that were not accepted',
    walk: missingWalkOf,
    hasNotes: false,
  },
]

export const notificationRoutes: Route[] = feeds.map(feed)
export const feedAdminRoutes: Route[] = feeds.map(feedForOperator)
