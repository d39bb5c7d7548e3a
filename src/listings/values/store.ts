import type { Db } from '../../platform/database/database.ts'
import { joined, sql, unnamed } from '../../platform/database/sql.ts'
import { listingStatuses } from '../listing.ts'

/** A value of an attribute that listings have, and how many. */
export interface CountedValue {
  id: string
  name: string
  metric: number
}

/** What an attribute of listings is already known to be. */
export interface TopValueInput {
  attributeId: string
  valueId: string
}

/** Whether an attribute has a value, by its id or, without one, by its name. */
const hasValue =
  '$[*] ? (@.id == $id && (@.value_id == $value || ' +
  '((!exists(@.value_id) || @.value_id == null) && @.value_name == $value)))'

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
    known: readonly TopValueInput[]
    since: Date
    limit: number
  },
): Promise<CountedValue[]> {
  const { categoryIds, attributeId, known, since, limit } = asked
  // One condition for each: a cluster takes no subquery over the attributes of the row outside.
  const isKnown = known.map(
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
      ${joined(isKnown, '')}
    group by 1 order by 3 desc, 1 limit ${limit}`
  return db.rows(known.length === 0 ? statement : unnamed(statement))
}
