import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { linesType } from '../../../http/bodies/lines.ts'
import { type Route, route } from '../../../http/route.ts'
import { siteInQuery } from '../../../http/site-rule.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { Bounded, Id, OrNull, Site, Timestamp } from '../../../kernel/schema.ts'
import { moderationReasons } from '../../../moderation/reason.ts'
import type { Db } from '../../../platform/database/database.ts'
import { periodOf, periodQuery } from './period.ts'
import { type Decision, type DecisionPeriod, listDecisions } from './store.ts'

/** Rows per statement: what an export holds in memory at once. */
const pageSize = 500

const DecisionLine = Type.Object({
  message_id: Type.String(),
  site_id: Site,
  seller_id: Id,
  pack_id: Id,
  user_id: { ...Id, description: 'Who wrote the message.' },
  writer: Type.Enum(['seller', 'buyer']),
  reason: Type.Enum([...moderationReasons]),
  rule: OrNull(
    Type.String({
      description: 'Id of the rule. Null for a message that was held back before it was imported.',
    }),
  ),
  from: OrNull(Type.Integer({ description: 'Start of the match, in UTF-16 units.' })),
  to: OrNull(Type.Integer({ description: 'End of the match (exclusive), in UTF-16 units.' })),
  cause: OrNull(Type.String({ description: 'The part of the text that matched.' })),
  date_held: Timestamp,
  date_overruled: OrNull(Timestamp),
})

const getDecisions = route({
  method: 'GET',
  url: '/operator/moderation/decisions',
  scope: 'operator',
  permission: 'moderation:read',
  sites: siteInQuery,
  tag: 'Operator: moderation',
  summary: 'Export decisions of moderation',
  description:
    'Returns the messages that were held back, the oldest first, one JSON object per line. Messages that you released are among them. The answer is a stream of any length. 400 `bad_request`: `from` is after `to`.',
  refuses: { bad_request: 'from: expected a time before `to`' },
  query: Type.Object({
    ...periodQuery,
    rule: Type.Optional(Bounded(200, 'Only decisions of this rule. Default: all.')),
  }),
  answers: {
    200: {
      ...DecisionLine,
      contentMediaType: 'application/x-ndjson',
    },
  },
  async handle({ db, now }, { query }) {
    const filter = { ...periodOf(query, now()), rule: query.rule ?? null }
    // Read before the answer begins, so that a failure has its own status.
    const firstPage = await listDecisions(db, { ...filter, id: '', limit: pageSize })
    const content = Readable.from(decisionLines(db, filter, firstPage))
    return { status: 200, content, headers: { 'content-type': linesType } }
  },
})

/** Yields the lines of all decisions, a page at a time. */
async function* decisionLines(
  db: Db,
  filter: DecisionPeriod & { rule: string | null },
  firstPage: readonly Decision[],
): AsyncGenerator<string> {
  for (let page = firstPage; page.length > 0; ) {
    yield page.map((decision) => `${JSON.stringify(decisionView(decision))}\n`).join('')
    const last = page.length === pageSize ? page.at(-1) : undefined
    if (!last) return
    const { dateCreated: from, messageId: id } = last
    page = await listDecisions(db, { ...filter, from, id, limit: pageSize })
  }
}

function decisionView(decision: Decision): object {
  const { text, from, to } = decision
  return {
    message_id: decision.messageId,
    site_id: decision.siteId,
    seller_id: decision.sellerId,
    pack_id: decision.packId,
    user_id: decision.fromId,
    writer: decision.fromId === decision.sellerId ? 'seller' : 'buyer',
    reason: decision.reason,
    rule: decision.rule,
    from,
    to,
    cause: from === null || to === null ? null : text.slice(from, to),
    date_held: timestamp(decision.dateCreated),
    date_overruled: decision.overruledAt,
  }
}

export const decisionsAdminRoutes: Route[] = [getDecisions]
