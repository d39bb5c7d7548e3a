import type { Db } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { listingStatuses } from '../listing.ts'

/** A value of an attribute that listings have, and how many. */
export interface CountedValue {
  id: string
  name: string
  metric: number
}

/** What an attribute of listings is already known to be. */
export interface KnownValue {
  attributeId: string
  valueId: string
}

/**
 * The values that listings of these categories have of an attribute, those that most have first; of such
 * listings only that were made since then and have all that is known. A value without an id goes by its
 * name.
 */
export async function countValues(
  db: Db,
  asked: {
    categoryIds: readonly string[]
    attributeId: string
    known: readonly KnownValue[]
    since: Date
    limit: number
  },
): Promise<CountedValue[]> {
  const { categoryIds, attributeId, known, since, limit } = asked
  return db.rows(sql`
    select coalesce(a ->> 'value_id', a ->> 'value_name') as id, min(a ->> 'value_name') as name,
      count(*) as metric
    from listings l, json_array_elements(l.details -> 'attributes') a
    where l.category_id = any(${categoryIds}::text[])
      and l.status = any(${listingStatuses}::text[]) and l.date_created > ${since}
      and a ->> 'id' = ${attributeId}
      and not exists (
        select from unnest(${known.map((each) => each.attributeId)}::text[],
          ${known.map((each) => each.valueId)}::text[]) as k (id, value)
        where not exists (select from json_array_elements(l.details -> 'attributes') b
          where b ->> 'id' = k.id and coalesce(b ->> 'value_id', b ->> 'value_name') = k.value))
    group by 1 order by 3 desc, 1 limit ${limit}`)
}
