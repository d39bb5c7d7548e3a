import {
  HistoryQuery,
  type HistorySource,
  historyAnswerOf,
  readHistory,
  valuesInHistory,
} from '../../audit/history.ts'
import { ok, type Route, route } from '../../http/route.ts'
import { Failure } from '../../kernel/failure.ts'
import { readSale } from '../conversation-read-model.ts'
import { conversationKeyOf, conversationParams, conversationUrl } from '../operator/path.ts'
import { siteOfConversation } from '../site-rules.ts'
import { conversationEventKinds, listConversationEvents } from './store.ts'

const getHistory = route({
  method: 'GET',
  url: `${conversationUrl}/history`,
  scope: 'operator',
  permission: 'messages:read',
  sites: siteOfConversation,
  tag: 'Operator: messages',
  summary: 'Get the history of a conversation',
  description: `Returns what happened in a conversation, the newest first: messages, which of them moderation held back and why, which were released or read, the block in force, and what operators changed, with the entry of the audit log in \`audit\`. Texts of messages are not part of it. ${valuesInHistory} 400 \`bad_request\`: the cursor is wrong. 404 \`not_found\`: the seller has no such pack or order.`,
  refuses: {
    bad_request: 'cursor: expected the `next_cursor` of a page of the same history',
    not_found: 'Conversation not found: 2000006181551917',
  },
  params: conversationParams,
  query: HistoryQuery,
  answers: { 200: historyAnswerOf(conversationEventKinds) },
  async handle({ db }, { params, query, permissions, operationPermissions }) {
    const key = conversationKeyOf(params)
    const { packId, sellerId } = key
    const sale = await readSale(db, key)
    if (!sale) throw new Failure('not_found', `Conversation not found: ${packId}`)
    const source: HistorySource = {
      subject: `/operator/conversations/packs/${packId}/sellers/${sellerId}`,
      dateCreated: new Date(Math.min(...sale.orders.map((order) => order.dateCreated.getTime()))),
      targets: [{ kind: 'conversation', id: `${packId}/${sellerId}` }],
      listEvents: (page) => listConversationEvents(db, { ...page, ...key }),
    }
    return ok(await readHistory(db, source, { query, permissions, operationPermissions }))
  },
})

export const conversationHistoryAdminRoutes: Route[] = [getHistory]
