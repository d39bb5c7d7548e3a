import type { BulkTx, Db, Tx } from '../platform/database/database.ts'
import { OwnerTable } from '../platform/database/owners.ts'
import { copyRecords } from '../platform/database/records.ts'
import { sql } from '../platform/database/sql.ts'
import type { DerivedRows } from '../platform/walks/row-walk.ts'
import type { Feedback } from './feedback.ts'
import { orderRatingVersion, renderOrderRating } from './view.ts'

/** The order of a rating. */
export interface FeedbackOwner {
  sellerId: number
  orderId: number
}

/** The order of each rating, and its role there. */
export const feedbackOwners = new OwnerTable<number, FeedbackOwner & Pick<Feedback, 'role'>>({
  table: 'feedback_owner',
  id: 'feedback_id',
  idType: 'bigint',
  owner: { sellerId: 'seller_id', orderId: 'order_id', role: 'role' },
})

/** Lists the ratings of an order, hidden ones included. */
export async function listFeedback(
  db: Db,
  { sellerId, orderId }: FeedbackOwner,
): Promise<Feedback[]> {
  const rows = await db.rows<FeedbackRow>(sql`
    select id, seller_id as "sellerId", order_id as "orderId", role, fulfilled, rating,
      visibility_date as "visibilityDate", date_created as "dateCreated", details
    from feedback where seller_id = ${sellerId} and order_id = ${orderId} order by id`)
  return rows.map(feedbackFromRow)
}

/** The columns of a rating; `details` has the other fields as JSON. */
type FeedbackRow = Pick<
  Feedback,
  'id' | 'sellerId' | 'orderId' | 'role' | 'fulfilled' | 'rating' | 'visibilityDate' | 'dateCreated'
> & { details: string }

function feedbackFromRow({ details, ...columns }: FeedbackRow): Feedback {
  return { ...columns, ...JSON.parse(details) }
}

/** The rendered texts of ratings in orders, for the renewal of derived data. */
export const feedbackTexts: DerivedRows = {
  name: 'feedback texts',
  table: 'feedback',
  version: orderRatingVersion,
  async list(db, { after, limit }) {
    const [sellerId = 0, orderId = 0, role = ''] = after ?? []
    const rows = await db.rows<FeedbackOwner & { role: string; version: number }>(sql`
      select seller_id as "sellerId", order_id as "orderId", role, text_version as version
      from feedback where (seller_id, order_id, role) > (${sellerId}, ${orderId}, ${role})
      order by seller_id, order_id, role limit ${limit}`)
    return rows.map(({ sellerId, orderId, role, version }) => ({
      key: [sellerId, orderId, role],
      version,
    }))
  },
  async renew(tx, keys) {
    for (const [sellerId, sellerKeys] of Map.groupBy(keys, ([sellerId]) => sellerId)) {
      const orderIds = sellerKeys.map(([, orderId]) => orderId)
      const rows = await tx.rows<FeedbackRow>(sql`
        select id, seller_id as "sellerId", order_id as "orderId", role, fulfilled, rating,
          visibility_date as "visibilityDate", date_created as "dateCreated", details
        from feedback
        where seller_id = ${sellerId} and order_id = any(${orderIds}::bigint[])
        order by order_id, role for update`)
      for (const { orderId, role, ...feedback } of rows.map(feedbackFromRow)) {
        tx.write(sql`
          update feedback set as_part = ${renderOrderRating({ orderId, role, ...feedback })},
            text_version = ${orderRatingVersion}
          where seller_id = ${sellerId} and order_id = ${orderId} and role = ${role}`)
      }
    }
  },
}

/** Inserts a rating, or updates the one of the same order and role: its `id` and `date_created` stay. The caller
 * inserts the row of a new id in `feedbackOwners`, and saves the order, whose search data shows the rating. */
export async function saveFeedback(tx: Tx, feedback: Feedback, now: Date): Promise<void> {
  const row = rowOf({ feedback, lastUpdated: now })
  await tx.rows(sql`
    insert into feedback (seller_id, order_id, role, id, fulfilled, rating, visibility_date,
      details, as_part, text_version, date_created, last_updated)
    values (${row.seller_id}, ${row.order_id}, ${row.role}, ${row.id}, ${row.fulfilled},
      ${row.rating}, ${row.visibility_date}, ${row.details}, ${row.as_part}, ${row.text_version},
      ${row.date_created}, ${row.last_updated})
    on conflict (seller_id, order_id, role) do update set fulfilled = excluded.fulfilled,
      rating = excluded.rating, visibility_date = excluded.visibility_date,
      details = excluded.details, as_part = excluded.as_part,
      text_version = excluded.text_version,
      last_updated = excluded.last_updated`)
}

/** A rating with the time of its last update. */
export interface FeedbackRecord {
  feedback: Feedback
  lastUpdated: Date
}

/** Bulk-inserts ratings with their owner rows. All ids must be unused. */
export async function copyFeedback(tx: BulkTx, ratings: readonly FeedbackRecord[]): Promise<void> {
  await feedbackOwners.copyMany(
    tx,
    ratings.map(({ feedback }) => feedback),
  )
  await copyRecords(tx, 'feedback', ratings.map(rowOf))
}

/** Returns the columns of a rating's row, with the text that orders show of it. */
function rowOf({ feedback, lastUpdated }: FeedbackRecord) {
  const { id, sellerId, orderId, role, fulfilled, rating, ...rest } = feedback
  const { visibilityDate, dateCreated, ...details } = rest
  return {
    seller_id: sellerId,
    order_id: orderId,
    role,
    id,
    fulfilled,
    rating,
    visibility_date: visibilityDate,
    details: JSON.stringify(details),
    as_part: renderOrderRating(feedback),
    text_version: orderRatingVersion,
    date_created: dateCreated,
    last_updated: lastUpdated,
  }
}
