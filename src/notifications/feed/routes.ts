import { Type } from 'typebox'
import { ok, type Route, route } from '../../http/route.ts'
import { Failure } from '../../kernel/failure.ts'
import { OrNull, Timestamp } from '../../kernel/schema.ts'
import { listNotes } from '../lanes/store.ts'
import { cursorOf, markIn, type Reading } from './cursor.ts'
import { FeedQuery, type Filters, pageOf } from './filters.ts'
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
    description:
      'Contract 4.5. Newest first, with the request of the latest attempt and what came of it. `app_id` is the application of the token. `outcome` tells why an attempt was not accepted; `http_code` is null when no answer came. Pages by `offset` end at 10000; `next_cursor` has no end, and what comes in between shifts nothing.',
    query: Type.Object({ app_id: Type.Optional(Type.Integer()), ...FeedQuery }),
    answers: { 200: FeedAnswer },
    async handle({ db, config }, { query, caller }) {
      const { app_id: applicationId, cursor } = query
      if (applicationId === undefined) throw new Failure('feed_without_application')
      if (caller.applicationId !== applicationId) throw new Failure('access_denied')
      const page = pageOf(query)
      const reading: Reading = { feed: url, applicationId, filters: page.filters }
      const key = config.operatorToken
      const mark = cursor === undefined ? null : markIn(cursor, reading, key)
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
    },
  })
}

export const notificationRoutes: Route[] = [
  feed({
    url: '/myfeeds',
    summary: 'The notifications of an application',
    walk: walkOf,
    hasNotes: true,
  }),
  feed({
    url: '/missed_feeds',
    summary: 'The notifications that were not accepted',
    walk: missingWalkOf,
    hasNotes: false,
  }),
]
