import type { SiteId } from '../../../kernel/sites.ts'
import type { ModerationReason } from '../../../moderation/reason.ts'
import type { Db } from '../../../platform/database/database.ts'
import { sql, unnamed } from '../../../platform/database/sql.ts'
import type { MessageStatus } from '../../message.ts'

/** A message of the past, with what moderation needs to judge it again. */
export interface PastMessage {
  id: string
  sellerId: number
  packId: number
  fromId: number
  siteId: SiteId
  text: string
  status: MessageStatus
  dateCreated: Date
  /** The option of the action guide by which it was sent. */
  optionId: string | null
  /** Whether the seller has asked for invoice data in this conversation. */
  isBillingAsked: boolean
  /** The rule and reason that held it back; null for none. */
  rule: string | null
  reason: ModerationReason | null
}

/** Lists messages of all sellers since `from` and before a date and id, the newest first. */
export async function listPastMessages(
  db: Db,
  { from, before, id, limit }: { from: Date; before: Date; id: string; limit: number },
): Promise<PastMessage[]> {
  return db.rows(
    unnamed(sql`
    select m.id, m.seller_id as "sellerId", m.pack_id as "packId", m.from_id as "fromId",
      m.details ->> 'siteId' as "siteId", m.text, m.status, m.date_created as "dateCreated",
      m.details ->> 'optionId' as "optionId",
      coalesce((c.spent ->> 'REQUEST_BILLING_INFO')::int, 0) > 0 as "isBillingAsked",
      m.details #>> '{moderation,finding,rule}' as rule,
      m.details #>> '{moderation,finding,reason}' as reason
    from messages m
      join conversations c on c.seller_id = m.seller_id and c.pack_id = m.pack_id
    where m.date_created >= ${from} and (m.date_created, m.id) < (${before}, ${id})
    order by m.date_created desc, m.id desc limit ${limit}`),
  )
}
