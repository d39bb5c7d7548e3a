import type { EventPageInput, HistoryEventRow } from '../../audit/history.ts'
import type { Db } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { itemOwners } from '../store.ts'

/** The history of a listing: what its questions, quotations and pictures recorded, whichever module owns it. */

export interface ListingOrigin {
  sellerId: number
  dateCreated: Date
}

/** Returns whose listing it is, and since when; undefined when there is no such listing. */
export async function findListingOrigin(db: Db, id: string): Promise<ListingOrigin | undefined> {
  return itemOwners.findRow(db, id, ({ sellerId }) =>
    db.row<ListingOrigin>(sql`
      select seller_id as "sellerId", date_created as "dateCreated"
      from listings where seller_id = ${sellerId} and id = ${id}`),
  )
}

export const listingEventKinds = [
  'listing_created',
  'listing_updated',
  'description_updated',
  'question_asked',
  'question_answered',
  'quotation_requested',
  'picture_error_reported',
  'change_recorded',
] as const

/** Lists events of a listing, its questions, its quotations and its pictures, the newest first. */
export async function listListingEvents(
  db: Db,
  { sellerId, id, before, key, limit }: EventPageInput & { sellerId: number; id: string },
): Promise<HistoryEventRow[]> {
  return db.rows(sql`
    select at, kind, resource, details, key from (
      select at, kind, resource, details, step || ' ' || kind || ' ' || resource || ' ' || details as key from (
        select date_created as at, 1 as step, 'listing_created' as kind, '/items/' || id as resource,
          json_build_object('seller_id', seller_id)::text as details
        from listings where seller_id = ${sellerId} and id = ${id}
        union all
        select last_updated, 2, 'listing_updated', '/items/' || id,
          json_build_object('status', status, 'price', price, 'currency_id', currency_id)::text
        from listings
        where seller_id = ${sellerId} and id = ${id} and last_updated <> date_created
        union all
        select last_updated, 3, 'description_updated', '/items/' || item_id || '/description', '{}'
        from listing_descriptions where seller_id = ${sellerId} and item_id = ${id}
        union all
        select date_created, 4, 'question_asked', '/questions/' || id,
          json_build_object('from_id', from_id)::text
        from questions where seller_id = ${sellerId} and item_id = ${id}
        union all
        select (answer ->> 'date_created')::timestamptz, 5, 'question_answered', '/questions/' || id,
          json_build_object('status', answer ->> 'status')::text
        from questions where seller_id = ${sellerId} and item_id = ${id} and answer is not null
        union all
        select date_created, 6, 'quotation_requested', '/quotations/' || id,
          json_build_object('status', status, 'user_id', user_id)::text
        from quotations where seller_id = ${sellerId} and item_id = ${id}
        union all
        select date_created, 7, 'picture_error_reported', '/pictures/' || picture_id || '/errors', '{}'
        from picture_errors where seller_id = ${sellerId} and item_id = ${id}
        union all
        select distinct recorded_at, 8, 'change_recorded', resource, json_build_object('topic', topic)::text
        from changes where seller_id = ${sellerId} and resource = '/items/' || ${id}::text
      ) events
    ) keyed
    where (at, key) < (${before}, ${key})
    order by at desc, key desc limit ${limit}`)
}
