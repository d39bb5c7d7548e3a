import { parseTimestamp, timestamp } from '../../kernel/clock.ts'
import { badField } from '../../kernel/failure.ts'
import { type ScanKey, scrollFields, scrollIdOf } from '../../kernel/scroll.ts'
import { listingStatuses } from '../listing.ts'
import { type OwnItemFilters, type ScanCursor, type ScanSort, scanSorts } from './store.ts'

/**
 * The state of a scan between two pages, as its `scroll_id` carries it. Filters and total are those of the first
 * page. The next page begins after the item `after`, so that no page counts or skips items again, however deep it is.
 */
export interface ScanState {
  sellerId: number
  filters: OwnItemFilters
  order: ScanSort
  total: number
  after: ScanCursor
}

/** Returns the `scroll_id` of a scan, which callers send to get its next page. */
export function encodeItemScrollId({ sellerId, filters, order, total, after }: ScanState): string {
  const { status, sku } = filters
  return scrollIdOf(itemScanKeyOf(sellerId), [
    order,
    status,
    sku,
    total,
    timestamp(after.at),
    after.id,
  ])
}

/** Key of a seller's scan. The scroll id itself carries filters and order. */
export const itemScanKeyOf = (sellerId: number): ScanKey => ['items', sellerId]

/** Parses the scroll id of this seller. Throws a `bad_request` when it is invalid. */
export function parseScrollId(scrollId: string, sellerId: number): ScanState {
  const [orderId, statusId, sku, total, at, id] = scrollFields(scrollId, itemScanKeyOf(sellerId))
  const order = scanSorts.find((candidate) => candidate === orderId)
  const status =
    statusId === null ? null : listingStatuses.find((candidate) => candidate === statusId)
  const moment = typeof at === 'string' ? parseTimestamp(at) : undefined
  const isItem = typeof id === 'string' && /^[A-Z]{3}\d{1,15}$/.test(id)
  const isTotal = Number.isSafeInteger(total) && (total as number) >= 0
  if (!order || status === undefined || !isSku(sku) || !moment || !isItem || !isTotal) {
    throw badField('scroll_id', 'the one that the last page of the same search returned')
  }
  return {
    sellerId,
    filters: { status, sku },
    order,
    total: total as number,
    after: { at: moment, id },
  }
}

export const maxSkuLength = 255

/** Returns whether PostgreSQL can search for it: its text type refuses NUL and lone surrogates. */
function isSku(sku: unknown): sku is string | null {
  if (typeof sku !== 'string') return sku === null
  return sku.length <= maxSkuLength && !sku.includes('\0') && sku.isWellFormed()
}
