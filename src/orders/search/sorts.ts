import { parseTimestamp, timestamp } from '../../kernel/clock.ts'
import { badField } from '../../kernel/failure.ts'
import { largestId } from '../../kernel/ids.ts'
import { type ScanKey, scrollFields, scrollIdOf } from '../../kernel/scroll.ts'

/** In which order results come (wire 2), and where a scan stands in it. */

export interface Sort {
  readonly id: string
  readonly name: string
  /** `date` is when an order was closed to its seller, and created to its buyer. */
  readonly by: 'date' | 'updated' | 'total'
  readonly descends: boolean
}

export const defaultSort: Sort = {
  id: 'date_asc',
  name: 'Date ascending',
  by: 'date',
  descends: false,
}

const sorts: readonly Sort[] = [
  defaultSort,
  { id: 'date_desc', name: 'Date descending', by: 'date', descends: true },
  { id: 'last_updated_asc', name: 'Last updated ascending', by: 'updated', descends: false },
  { id: 'last_updated_desc', name: 'Last updated descending', by: 'updated', descends: true },
  { id: 'total_asc', name: 'Total ascending', by: 'total', descends: false },
  { id: 'total_desc', name: 'Total descending', by: 'total', descends: true },
]

export function sortOf(id: string | undefined): Sort {
  if (id === undefined) return defaultSort
  const sort = sorts.find((each) => each.id === id)
  if (!sort) throw badField('sort', `one of ${sorts.map((each) => each.id).join(', ')}`)
  return sort
}

export function otherSorts(sort: Sort): readonly Sort[] {
  return sorts.filter((each) => each !== sort)
}

/** The last order of a page: what it is sorted by, and its id. */
export interface ScrollPosition {
  readonly at: string
  readonly id: number
}

/** What a row is sorted by, exactly, as text. */
export function scrollPositionOf({ at, id }: { at: Date | string; id: number }): ScrollPosition {
  return { at: at instanceof Date ? timestamp(at) : at, id }
}

/** A mark as callers carry it from one page of a scan to the next. */
export function scrollId(key: ScanKey, { at, id }: ScrollPosition): string {
  return scrollIdOf(key, [at, id])
}

/** Throws a `bad_request` for a mark of another scan. */
export function decodeScrollId(
  scrollId: string,
  { key, sort }: { key: ScanKey; sort: Sort },
): ScrollPosition {
  const [at, id] = scrollFields(scrollId, key)
  const isPlace =
    typeof at === 'string' &&
    (sort.by === 'total' ? /^\d{1,15}(\.\d{1,2})?$/.test(at) : parseTimestamp(at) !== undefined)
  const isId = typeof id === 'number' && Number.isInteger(id) && id > 0 && id <= largestId
  if (!isPlace || !isId) {
    throw badField('scroll_id', 'the one that the last page of the same search returned')
  }
  return { at, id }
}
