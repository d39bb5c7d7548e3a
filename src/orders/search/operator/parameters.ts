import { type Static, Type } from 'typebox'
import { parseTimestamp, timestamp } from '../../../kernel/clock.ts'
import { badField } from '../../../kernel/failure.ts'
import { Bounded, CommaSeparated, Id, Timestamp } from '../../../kernel/schema.ts'
import type { ScanKey } from '../../../kernel/scroll.ts'
import { siteIds } from '../../../kernel/sites.ts'
import { shipmentStatuses } from '../../../shipments/shipment.ts'
import { paymentStatuses } from '../../payment.ts'
import { orderStatuses } from '../../status.ts'
import type { DateField, DateRange } from '../parameters.ts'
import { decodeScrollId, type OrderSort, type ScrollPosition } from '../sorts.ts'
import { type PhraseForms, parsePhrase } from './phrase.ts'

const oneOf = (values: readonly string[]) =>
  Type.Optional({
    ...CommaSeparated(
      500,
      `One or more of ${values.join(', ')}, separated by commas: any of them matches. Default: all`,
    ),
    examples: [values[0]],
  })
const moment = (description: string) => Type.Optional({ ...Timestamp, description })
const amountLimit = (description: string) =>
  Type.Optional(
    Type.String({ pattern: '^[0-9]{1,13}(\\.[0-9]{1,2})?$', description, examples: ['1500.50'] }),
  )

/** The sorts of the operator's search, the default first. `date` is the creation date. */
const operatorOrderSorts: readonly OrderSort[] = [
  { id: 'date_created_desc', name: 'Newest', by: 'date', isDescending: true },
  { id: 'date_created_asc', name: 'Oldest', by: 'date', isDescending: false },
  { id: 'last_updated_desc', name: 'Last updated', by: 'updated', isDescending: true },
  { id: 'last_updated_asc', name: 'Least recently updated', by: 'updated', isDescending: false },
  { id: 'total_amount_desc', name: 'Largest amount', by: 'total', isDescending: true },
  { id: 'total_amount_asc', name: 'Smallest amount', by: 'total', isDescending: false },
]
const [newestFirst] = operatorOrderSorts as [OrderSort]

export const OperatorOrderQuery = Type.Object({
  q: Type.Optional(
    Type.String({
      maxLength: 2_000,
      description:
        'Id of an order, a pack, a payment, a shipment, an item, a buyer or a seller; several ids separated by spaces; words of the item titles; the beginning of a nickname; or a whole e-mail address, SKU or tracking number. At most 200 characters and 20 words. Default: all orders',
      examples: ['2000003508419013'],
    }),
  ),
  site_id: oneOf(siteIds),
  status: oneOf(orderStatuses),
  tags: Type.Optional({
    ...CommaSeparated(500, 'Tags separated by commas, at most 20: all of them must match'),
    examples: ['paid'],
  }),
  seller: Type.Optional({ ...Id, description: 'User id of the seller' }),
  buyer: Type.Optional({ ...Id, description: 'User id of the buyer' }),
  'payment.status': oneOf(paymentStatuses),
  'shipping.status': oneOf(shipmentStatuses),
  'date_created.from': moment('Created at this time or later. Default: no limit'),
  'date_created.to': moment('Created at this time or earlier. Default: no limit'),
  'date_closed.from': moment('Closed at this time or later. Default: no limit'),
  'date_closed.to': moment('Closed at this time or earlier. Default: no limit'),
  'last_updated.from': moment('Changed last at this time or later. Default: no limit'),
  'last_updated.to': moment('Changed last at this time or earlier. Default: no limit'),
  'total_amount.from': amountLimit('Total of at least this amount. Default: no limit'),
  'total_amount.to': amountLimit('Total of at most this amount. Default: no limit'),
  sort: Type.Optional(
    Type.Enum(
      operatorOrderSorts.map(({ id }) => id),
      { description: `Order of the results. Default: \`${newestFirst.id}\`` },
    ),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: 'Orders per page. Default: 50' }),
  ),
  cursor: Type.Optional(
    Bounded(500, '`next_cursor` of the previous page, with the same filters and the same `sort`'),
  ),
})
export type OperatorOrderQuery = Static<typeof OperatorOrderQuery>

const defaultLimit = 50
const maxTags = 20

/** A range of amounts with inclusive ends, as decimal numbers; null is an open end. */
export interface AmountRange {
  readonly from: string | null
  readonly to: string | null
}

/** Null is a filter that the search does not have. */
export interface OperatorOrderFilters {
  readonly siteIds: readonly string[] | null
  readonly statuses: readonly string[] | null
  readonly tags: readonly string[] | null
  readonly shippingStatuses: readonly string[] | null
  readonly paymentStatuses: readonly string[] | null
  readonly sellerId: number | null
  readonly buyerId: number | null
  readonly dates: ReadonlyMap<DateField, DateRange>
  readonly amount: AmountRange | null
}

export interface OperatorOrderSearch {
  readonly filters: OperatorOrderFilters
  readonly q: PhraseForms | null
  readonly sort: OrderSort
  readonly limit: number
  /** The last order of the previous page. */
  readonly after: ScrollPosition | null
}

/** Parses the query of a search. Throws a `bad_request` that names the first wrong parameter. */
export function parseOperatorOrderSearch(query: OperatorOrderQuery): OperatorOrderSearch {
  const sort = operatorOrderSorts.find(({ id }) => id === query.sort) ?? newestFirst
  const { limit = defaultLimit, cursor } = query
  const filters = {
    siteIds: valuesOf('site_id', query.site_id, siteIds),
    statuses: valuesOf('status', query.status, orderStatuses),
    tags: tagsOf(query.tags),
    shippingStatuses: valuesOf('shipping.status', query['shipping.status'], shipmentStatuses),
    paymentStatuses: valuesOf('payment.status', query['payment.status'], paymentStatuses),
    sellerId: query.seller ?? null,
    buyerId: query.buyer ?? null,
    dates: datesOf(query),
    amount: amountOf(query),
  }
  const search = { filters, q: parsePhrase(query.q), sort }
  const key = cursorKeyOf(search)
  const after =
    cursor === undefined ? null : decodeScrollId(cursor, { key, sort, parameter: 'cursor' })
  return { ...search, limit, after }
}

/** Returns the key of a cursor: all pages have the same filters and the same sort. */
export function cursorKeyOf({
  filters,
  q,
  sort,
}: Pick<OperatorOrderSearch, 'filters' | 'q' | 'sort'>): ScanKey {
  return ['orders of all', { ...filters, dates: [...filters.dates] }, q, sort.id]
}

function valuesOf(
  name: string,
  text: string | undefined,
  allowed: readonly string[],
): readonly string[] | null {
  if (text === undefined) return null
  const values = text.split(',').map((value) => value.trim())
  if (!values.every((value) => allowed.includes(value))) {
    throw badField(name, `one or more of ${allowed.join(', ')}, separated by commas`)
  }
  return [...new Set(values)]
}

function tagsOf(text: string | undefined): readonly string[] | null {
  if (text === undefined) return null
  const tags = text.split(',').map((tag) => tag.trim())
  if (tags.includes('') || tags.length > maxTags) {
    throw badField('tags', `at most ${maxTags} tags separated by commas, none of them empty`)
  }
  return [...new Set(tags)]
}

function datesOf(query: OperatorOrderQuery): Map<DateField, DateRange> {
  const ranges: [DateField, DateRange][] = [
    ['created', rangeOf(query, 'date_created')],
    ['closed', rangeOf(query, 'date_closed')],
    ['updated', rangeOf(query, 'last_updated')],
  ]
  return new Map(ranges.filter(([, { from, to }]) => from !== null || to !== null))
}

function rangeOf(
  query: OperatorOrderQuery,
  name: 'date_created' | 'date_closed' | 'last_updated',
): DateRange {
  const from = parseTimestamp(query[`${name}.from`] ?? '') ?? null
  const to = parseTimestamp(query[`${name}.to`] ?? '') ?? null
  if (from && to && from > to) {
    throw badField(`${name}.from`, `a time up to ${name}.to, which is ${timestamp(to)}`)
  }
  return { from, to }
}

function amountOf(query: OperatorOrderQuery): AmountRange | null {
  const { 'total_amount.from': from = null, 'total_amount.to': to = null } = query
  if (from !== null && to !== null && Number(from) > Number(to)) {
    throw badField('total_amount.from', `an amount up to total_amount.to, which is ${to}`)
  }
  return from === null && to === null ? null : { from, to }
}
