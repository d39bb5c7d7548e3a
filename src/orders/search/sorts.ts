import { parseTimestamp, timestamp } from '../../kernel/clock.ts'
import { badField } from '../../kernel/failure.ts'
import { largestId } from '../../kernel/ids.ts'
import { type ScanKey, scrollFields, scrollIdOf } from '../../kernel/scroll.ts'

/** The sorts of a search, and the positions of a scan in them. */

export interface OrderSort {
  readonly id: string
  readonly name: string
  /** `date` is the closing date for a seller, and the creation date for a buyer. */
  readonly by: 'date' | 'updated' | 'total'
  readonly isDescending: boolean
}

const defaultSort: OrderSort = {
  id: 'date_asc',
  name: 'Date ascending',
  by: 'date',
  isDescending: false,
}

/** All sorts, the default first. */
export const orderSorts: readonly OrderSort[] = [
  defaultSort,
  { id: 'date_desc', name: 'Date descending', by: 'date', isDescending: true },
  { id: 'last_updated_asc', name: 'Last updated ascending', by: 'updated', isDescending: false },
  { id: 'last_updated_desc', name: 'Last updated descending', by: 'updated', isDescending: true },
  { id: 'total_asc', name: 'Total ascending', by: 'total', isDescending: false },
  { id: 'total_desc', name: 'Total descending', by: 'total', isDescending: true },
]

export function parseOrderSort(id: string | undefined): OrderSort {
  if (id === undefined) return defaultSort
  const sort = orderSorts.find((candidate) => candidate.id === id)
  if (!sort) throw badField('sort', `one of ${orderSorts.map(({ id }) => id).join(', ')}`)
  return sort
}

export function otherSorts(sort: OrderSort): readonly OrderSort[] {
  return orderSorts.filter((candidate) => candidate !== sort)
}

/** The last order of a page: the value by which it is sorted, and its id. */
export interface ScrollPosition {
  readonly at: string
  readonly id: number
}

/** Returns the position of a row. Dates keep their milliseconds. */
export function scrollPositionOf({ at, id }: { at: Date | string; id: number }): ScrollPosition {
  return { at: at instanceof Date ? timestamp(at) : at, id }
}

/** Encodes a position as the `scroll_id` of the next page. */
export function encodeScrollId(key: ScanKey, { at, id }: ScrollPosition): string {
  return scrollIdOf(key, [at, id])
}

/** Decodes a `scroll_id`. Throws a `bad_request` for one of another scan, which names the parameter. */
export function decodeScrollId(
  scrollId: string,
  { key, sort, parameter = 'scroll_id' }: { key: ScanKey; sort: OrderSort; parameter?: string },
): ScrollPosition {
  const [at, id] = scrollFields(scrollId, key)
  const isValue =
    typeof at === 'string' &&
    (sort.by === 'total' ? /^\d{1,15}(\.\d{1,2})?$/.test(at) : parseTimestamp(at) !== undefined)
  const isId = typeof id === 'number' && Number.isInteger(id) && id > 0 && id <= largestId
  if (!isValue || !isId) {
    throw badField(parameter, 'the one that the last page of the same search returned')
  }
  return { at, id }
}
