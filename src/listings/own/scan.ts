import { parseTimestamp, timestamp } from '../../kernel/clock.ts'
import { badField } from '../../kernel/failure.ts'
import { scrollFields, scrollIdOf } from '../../kernel/scroll.ts'
import { listingStatuses } from '../listing.ts'
import { type Mark, type OwnFilters, type ScanOrder, scanOrders } from './store.ts'

/** A scan between two of its pages. Its filters stay those of its first page, and its total that of the moment
 * when it began, so that a page of a scan of any depth costs what the first one did. */
export interface Scan {
  filters: OwnFilters
  order: ScanOrder
  total: number
  after: Mark
}

/** A scan as callers carry it from one page to the next. */
export function scrollIdOfScan({ filters, order, total, after }: Scan): string {
  return scrollIdOf([order, filters.status, filters.sku, total, timestamp(after.at), after.id])
}

/** The scan that a scroll id goes on with. Throws a `bad_request` where it is none. */
export function scanIn(scrollId: string): Scan {
  const [orderId, statusId, sku, total, at, id] = scrollFields(scrollId)
  const order = scanOrders.find((each) => each === orderId)
  const status = statusId === null ? null : listingStatuses.find((each) => each === statusId)
  const moment = typeof at === 'string' ? parseTimestamp(at) : undefined
  const isItem = typeof id === 'string' && /^[A-Z]{3}\d{1,15}$/.test(id)
  const isTotal = Number.isSafeInteger(total) && (total as number) >= 0
  if (!order || status === undefined || !isSku(sku) || !moment || !isItem || !isTotal) {
    throw badField('scroll_id', 'the one that the last page returned')
  }
  return {
    filters: { status, sku },
    order,
    total: total as number,
    after: { at: moment, id },
  }
}

export const longestSku = 255

/** Whether it can be looked for: PostgreSQL's text has no place for NUL and for halves of a pair. */
function isSku(sku: unknown): sku is string | null {
  if (typeof sku !== 'string') return sku === null
  return sku.length <= longestSku && !sku.includes('\0') && sku.isWellFormed()
}
