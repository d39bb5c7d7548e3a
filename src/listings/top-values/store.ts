import type { Db } from '../../platform/database/database.ts'
import { joined, sql, unnamed } from '../../platform/database/sql.ts'
import { listingStatuses } from '../listing.ts'

/** A value of an attribute, and how many listings have it. */
export interface TopValue {
  id: string
  name: string
  metric: number
}

/** A value that the counted listings must have. */
export interface KnownAttributeValue {
  attributeId: string
  valueId: string
}

/** Matches an attribute value by its id, or by its name when the value has no id. */
const hasValue =
  '$[*] ? (@.id == $id && (@.value_id == $value || ' +
  '((!exists(@.value_id) || @.value_id == null) && @.value_name == $value)))'

/**
 * Counts the values of an attribute over listings of these categories, most frequent first. Only listings that were
 * created since then and have all `knownValues` values count. A value without an id is identified by its name.
 */
export async function countTopValues(
  db: Db,
  {
    categoryIds,
    attributeId,
    knownValues,
    since,
    limit,
  }: {
    categoryIds: readonly string[]
    attributeId: string
    knownValues: readonly KnownAttributeValue[]
    since: Date
    limit: number
  },
): Promise<TopValue[]> {
  // One condition per value: a cluster refuses a subquery over the attributes of the outer row.
  const conditions = knownValues.map(
    ({ attributeId, valueId }) => sql`
      and jsonb_path_exists((l.details -> 'attributes')::jsonb, ${hasValue}::jsonpath,
        jsonb_build_object('id', ${attributeId}::text, 'value', ${valueId}::text))`,
  )
  const statement = sql`
    select coalesce(a ->> 'value_id', a ->> 'value_name') as id, min(a ->> 'value_name') as name,
      count(*) as metric
    from listings l, json_array_elements(l.details -> 'attributes') a
    where l.category_id = any(${categoryIds}::text[])
      and l.status = any(${listingStatuses}::text[]) and l.date_created > ${since}
      and a ->> 'id' = ${attributeId}
      ${joined(conditions, '')}
    group by 1 order by 3 desc, 1 limit ${limit}`
  return db.rows(knownValues.length === 0 ? statement : unnamed(statement))
}
