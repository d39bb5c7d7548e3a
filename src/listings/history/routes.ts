import { Type } from 'typebox'
import {
  HistoryQuery,
  type HistorySource,
  historyAnswerOf,
  readHistory,
  valuesInHistory,
} from '../../audit/history.ts'
import { ok, type Route, route } from '../../http/route.ts'
import { Failure } from '../../kernel/failure.ts'
import { siteOfItem } from '../site-rules.ts'
import { findListingOrigin, listingEventKinds, listListingEvents } from './read-model.ts'

const getHistory = route({
  method: 'GET',
  url: '/operator/items/:id/history',
  scope: 'operator',
  permission: 'listings:read',
  sites: siteOfItem,
  tag: 'Operator: listings',
  summary: 'Get the history of a listing',
  description: `Returns what happened to a listing, the newest first, to explain it to its seller: when it was created and last updated, its questions, quotations and errors of pictures, and what operators changed, with the entry of the audit log in \`audit\`. \`change_recorded\` is the source of notifications, which is kept for two days. ${valuesInHistory} 400 \`bad_request\`: the cursor is wrong. 404 \`not_found\`: there is no such item.`,
  refuses: {
    bad_request: 'cursor: expected the `next_cursor` of a page of the same history',
    not_found: 'Item not found: MLA600000001',
  },
  params: Type.Object({ id: Type.String() }),
  query: HistoryQuery,
  answers: { 200: historyAnswerOf(listingEventKinds) },
  async handle({ db }, { params: { id }, query, permissions, operationPermissions }) {
    const listing = await findListingOrigin(db, id)
    if (!listing) throw new Failure('not_found', `Item not found: ${id}`)
    const { sellerId, dateCreated } = listing
    const source: HistorySource = {
      subject: `/operator/items/${id}`,
      dateCreated,
      targets: [{ kind: 'listing', id }],
      listEvents: (page) => listListingEvents(db, { ...page, sellerId, id }),
    }
    return ok(await readHistory(db, source, { query, permissions, operationPermissions }))
  },
})

export const listingHistoryAdminRoutes: Route[] = [getHistory]
