import type { Mediation } from '../orders/order.ts'
import { returnedStatuses } from '../orders/payment.ts'
import { endedStatuses } from '../orders/status.ts'
import type { Db } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'
import type { ConversationRecord } from './conversation.ts'
import type { ConversationSale, SaleOrder, SaleShipment } from './sale.ts'
import type { ConversationKey } from './store.ts'

/** A conversation with its orders, shipment and users, and one page of its messages, read by one statement. */
export interface ConversationState {
  sale: ConversationSale
  /** Undefined when the conversation has no row yet. */
  thread: ConversationRecord | undefined
  /** Number of messages that the reader sees. */
  total: number
  hasUnread: boolean
  /** Messages in the new format as JSON, newest first, separated by commas. */
  page: string
}

export interface ConversationStateInput extends ConversationKey {
  userId: number
  limit: number
  offset: number
  /** Whether to read the fields that only the action guide needs once the buyer has written. */
  forGuide?: boolean
}

type ConversationStateRow = Omit<SaleOrder, 'mediations'> &
  Pick<ConversationSale, 'buyerId' | 'siteId' | 'isDeserted'> &
  Omit<ConversationRecord, 'spent'> & {
    mediations: string | null
    shipmentId: number | null
    logisticType: SaleShipment['logisticType']
    shipmentStatus: SaleShipment['status']
    promisedAt: string | null
    spent: string | null
    seenBySeller: number | null
    seenByBuyer: number | null
    hasUnread: boolean
    page: string | null
  }

/**
 * Reads a conversation for one of its parties in one round trip, or undefined when the seller has no such orders.
 * The statement returns a row per order of the pack, or the order of this id when it has no pack. JSON columns are
 * read only where a rule may need them.
 *
 * Unread messages are found in `messages`, not in `unread_messages`, whose counts lie in the shard of the user. This
 * statement reads one shard only, that of the seller.
 */
export async function readConversationState(
  db: Db,
  { sellerId, packId, userId, limit, offset, forGuide = false }: ConversationStateInput,
): Promise<ConversationState | undefined> {
  const rows = await db.rows<ConversationStateRow>(sql`
    select o.id, o.buyer_id as "buyerId", o.site_id as "siteId", o.status,
      o.date_created as "dateCreated", o.last_updated as "lastUpdated",
      'fraud_risk_detected' = any(o.tags) as "isFraudRisk",
      case when c.buyer_wrote_at is null or ${forGuide}
        then o.details ->> 'manufacturing_ending_date' is not null
        else false end as "isMadeToOrder",
      case when o.status = any(${endedStatuses}::text[])
        then o.details -> 'cancel_detail' ->> 'group' end as "cancelGroup",
      o.status = any(${endedStatuses}::text[])
        and exists (select from payments p where p.seller_id = ${sellerId} and p.order_id = o.id
          and p.status = any(${returnedStatuses}::text[])) as "isRefunded",
      o.is_classified as "isClassified",
      case when o.is_disputed then o.parts -> 'mediations' end as mediations,
      s.id as "shipmentId", s.logistic_type as "logisticType", s.status as "shipmentStatus",
      case when ${forGuide}
        then s.details -> 'details' -> 'estimated_delivery_time' ->> 'date' end as "promisedAt",
      exists (select from users u where u.id in (o.buyer_id, ${sellerId})
        and u.status = 'deactivated') as "isDeserted",
      c.last_message_at as "lastMessageAt", c.buyer_wrote_at as "buyerWroteAt", c.block,
      c.blocked_at as "blockedAt", c.spent, c.seen_by_seller as "seenBySeller",
      c.seen_by_buyer as "seenByBuyer",
      exists (select from messages m where m.seller_id = ${sellerId} and m.pack_id = ${packId}
        and m.to_id = ${userId} and m.date_read is null and m.status = 'available')
        as "hasUnread",
      (select string_agg(body, ',') from (
        select body from messages
        where seller_id = ${sellerId} and pack_id = ${packId}
          and (status = 'available' or from_id = ${userId})
        order by date_created desc, id desc limit ${limit} offset ${offset}) newest) as page
    from orders o
    left join shipments s on s.seller_id = ${sellerId} and s.id = o.shipment_id
    left join conversations c on c.seller_id = ${sellerId} and c.pack_id = ${packId}
    where o.seller_id = ${sellerId}
      and (o.pack_id = ${packId} or (o.id = ${packId} and o.pack_id is null))`)
  const [first] = rows
  if (!first) return undefined
  const { lastMessageAt, buyerWroteAt, block, blockedAt, spent } = first
  return {
    sale: saleOf({ sellerId, packId }, rows),
    thread:
      spent === null
        ? undefined
        : { lastMessageAt, buyerWroteAt, block, blockedAt, spent: JSON.parse(spent) },
    total: (userId === sellerId ? first.seenBySeller : first.seenByBuyer) ?? 0,
    hasUnread: first.hasUnread,
    page: first.page ?? '',
  }
}

/** Reads the sale of a conversation, with all that the action guide needs. */
export async function readSale(
  db: Db,
  key: ConversationKey,
): Promise<ConversationSale | undefined> {
  const { sellerId: userId } = key
  const input = { ...key, userId, limit: 0, offset: 0, forGuide: true }
  return (await readConversationState(db, input))?.sale
}

/** Builds the sale of a conversation from the rows of its orders. The parties are the same in all of them. */
function saleOf(
  { sellerId, packId }: ConversationKey,
  rows: readonly ConversationStateRow[],
): ConversationSale {
  const [{ buyerId, siteId, isDeserted }] = rows as [ConversationStateRow]
  const shipped = rows.find(({ shipmentId }) => shipmentId !== null)
  // Sorted here: a pack has few orders, and a sort in the database costs more than the read itself.
  const orders = rows.map(orderOf).sort(byDate)
  return {
    sellerId,
    packId,
    buyerId,
    siteId,
    isDeserted,
    orders,
    shipment: shipped ? shipmentOf(shipped) : null,
  }
}

function byDate(a: SaleOrder, b: SaleOrder): number {
  return a.dateCreated.getTime() - b.dateCreated.getTime() || a.id - b.id
}

/** Builds an order of a sale from its row. */
function orderOf(row: ConversationStateRow): SaleOrder {
  const { id, status, dateCreated, lastUpdated, isFraudRisk, isMadeToOrder } = row
  const { cancelGroup, isRefunded, isClassified, mediations } = row
  return {
    id,
    status,
    dateCreated,
    lastUpdated,
    isFraudRisk,
    isMadeToOrder,
    cancelGroup,
    isRefunded,
    isClassified,
    mediations: mediations === null ? [] : (JSON.parse(mediations) as Mediation[]),
  }
}

function shipmentOf({
  shipmentId,
  logisticType,
  shipmentStatus,
  promisedAt,
}: ConversationStateRow): SaleShipment {
  return {
    id: shipmentId ?? 0,
    logisticType,
    status: shipmentStatus,
    promisedAt: promisedAt === null ? null : new Date(promisedAt),
  }
}
