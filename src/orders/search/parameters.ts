import { type Static, Type } from 'typebox'
import { parseTimestamp } from '../../kernel/clock.ts'
import { badField, Failure } from '../../kernel/failure.ts'
import { parseId } from '../../kernel/ids.ts'
import { Bounded, CommaSeparated, Id, Timestamp } from '../../kernel/schema.ts'
import type { ScanKey } from '../../kernel/scroll.ts'
import { fold, wordsOf } from '../../kernel/text.ts'
import {
  booleanLetters,
  type FilterId,
  filterIds,
  type OrderFilters,
  type SearchParty,
} from './filters.ts'
import { decodeScrollId, type OrderSort, parseOrderSort, type ScrollPosition } from './sorts.ts'

const List = (of: string, match = 'any of them matches', byDefault = 'all') =>
  Type.Optional(
    CommaSeparated(
      2_000,
      `${of}. One or more values, separated by commas: ${match}. Default: ${byDefault}`,
    ),
  )
const Moment = Type.Optional({
  ...Timestamp,
  description:
    'Inclusive. A timestamp (ISO 8601 with milliseconds and offset) or a date, which is the whole day in UTC. Default: no limit',
})
const TrueOrFalse = Type.Optional(
  Bounded(100, '`true` or `false`: whether it was rated as carried out. Default: all'),
)

/** The parameters of a search. Others are ignored. */
export const OrderSearchQuery = Type.Object({
  seller: Type.Optional({ ...Id, description: 'User id of the seller, or `me`' }),
  buyer: Type.Optional({ ...Id, description: 'User id of the buyer, or `me`' }),
  q: Type.Optional(
    Bounded(500, 'Words of the item titles, an item or order id, or the beginning of a nickname'),
  ),
  item: Type.Optional(Bounded(500, 'Words of the item titles, or an item id')),
  tags: List('Only orders with these tags', 'all of them must match'),
  'tags.not': List('Only orders without these tags', 'an order with any of them is left out'),
  'order.status': List(
    'Only orders of these statuses',
    'any of them matches',
    'all; for a seller, all but `cancelled` and `manually_cancelled`',
  ),
  'order.date_created.from': Moment,
  'order.date_created.to': Moment,
  'order.date_closed.from': Moment,
  'order.date_closed.to': Moment,
  'order.date_last_updated.from': Moment,
  'order.date_last_updated.to': Moment,
  'shipping.status': List('Only orders whose shipment has these statuses'),
  'shipping.substatus': List('Only orders whose shipment has these substatuses'),
  'shipping.service_id': List('Only orders with these shipping services'),
  'mediations.stage': List('Only orders with a claim at these stages'),
  'mediations.status': List('Only orders with a claim of these statuses'),
  'feedback.status': List('Only orders whose ratings have these statuses'),
  'feedback.sale.rating': List('Only orders that the seller rated so'),
  'feedback.purchase.rating': List('Only orders that the buyer rated so'),
  'feedback.sale.fulfilled': TrueOrFalse,
  'feedback.purchase.fulfilled': TrueOrFalse,
  sort: Type.Optional(
    Bounded(
      100,
      'Order of the results, such as `date_desc`. Default: `date_asc`. `available_sorts` lists more',
    ),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: 'Orders per page. Default: 50' }),
  ),
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Orders to skip. Default: 0. `offset` and `limit` reach 10,000 orders',
    }),
  ),
  search_type: Type.Optional(
    Type.Enum(['scan'], {
      description: '`scan` begins a scan, which reaches all orders. Default: pages by `offset`',
    }),
  ),
  scroll_id: Type.Optional(
    Bounded(500, '`scroll_id` of the previous page of a scan, with the same filters'),
  ),
  display: Type.Optional(
    Bounded(100, '`complete` adds `available_filters` with counts. Default: without them'),
  ),
})

export type OrderSearchQuery = Static<typeof OrderSearchQuery>

const defaultLimit = 50
/** The largest `offset + limit`. A scan reaches all later orders, at the cost of one page each. */
const maxOffset = 10_000

/** A range of time with inclusive ends; null is an open end. */
export interface DateRange {
  readonly from: Date | null
  readonly to: Date | null
}

export type DateField = 'created' | 'closed' | 'updated'

/** A search phrase and its possible meanings. An item's id counts as one of its words. */
export interface SearchPhrase {
  readonly words: readonly string[]
  /** The phrase as an order id, if it is one. */
  readonly orderId: number | null
  /** The phrase without case and accents, to match nicknames by prefix. */
  readonly folded: string
}

export interface OrderSearchInput {
  readonly viewpoint: SearchParty
  readonly userId: number
  /** Only orders with this other party; null for all. */
  readonly counterpartId: number | null
  readonly filters: OrderFilters
  readonly dates: ReadonlyMap<DateField, DateRange>
  readonly q: SearchPhrase | null
  readonly item: SearchPhrase | null
  readonly sort: OrderSort
  readonly limit: number
  readonly offset: number
  /** Whether the search is a scan, which returns a `scroll_id`. */
  readonly scans: boolean
  /** The position in the scan after which this page begins. */
  readonly after: ScrollPosition | null
}

/** Parses a query of this caller. Throws a `bad_request` that names the first wrong parameter,
 * `search_without_filter`, or `caller.id.invalid` for orders of other users. */
export function parseOrderSearch(query: OrderSearchQuery, callerId: number): OrderSearchInput {
  const sort = parseOrderSort(query.sort)
  const { limit = defaultLimit, offset = 0, scroll_id: scroll } = query
  const scans = query.search_type === 'scan' || scroll !== undefined
  if (scans && offset > 0) {
    throw badField('offset', '0 in a scan: send the scroll_id of the last page')
  }
  if (offset + limit > maxOffset) {
    throw badField(
      'offset',
      `at most ${maxOffset} together with limit; narrow the search by date, or use search_type=scan`,
    )
  }
  const conditions = parseOrderConditions(query)
  const { filters, dates } = conditions
  if (!hasFilter(query, filters, dates)) throw new Failure('search_without_filter')
  const matches = { ...partiesOf(query, callerId), ...conditions, sort }
  return {
    ...matches,
    limit,
    offset,
    scans,
    after: scroll === undefined ? null : decodeScrollId(scroll, { key: scanKeyOf(matches), sort }),
  }
}

/** The parameters of a search that select orders, besides their parties. */
type OrderConditionsQuery = Omit<
  OrderSearchQuery,
  'seller' | 'buyer' | 'sort' | 'limit' | 'offset' | 'search_type' | 'scroll_id' | 'display'
>

export type OrderConditions = Pick<OrderSearchInput, 'filters' | 'dates' | 'q' | 'item'>

/** Parses the conditions of a search. Throws a `bad_request` that names the first wrong parameter. */
export function parseOrderConditions(query: OrderConditionsQuery): OrderConditions {
  const dates = datesOf(query)
  return {
    filters: filtersOf(query, dates),
    dates,
    q: phraseOf(query.q),
    item: phraseOf(query.item),
  }
}

type SearchConditions = Omit<OrderSearchInput, 'limit' | 'offset' | 'scans' | 'after'>

/** Returns the key of a scan: its pages must have the same filters and the same sort. */
export function scanKeyOf(search: SearchConditions): ScanKey {
  const { viewpoint, userId, counterpartId, filters, dates, q, item, sort } = search
  const { valuesByFilter, tagsNot } = filters
  const parties = [viewpoint, userId, counterpartId]
  return ['orders', ...parties, [...valuesByFilter], tagsNot, [...dates], q, item, sort.id]
}

function hasFilter(
  query: OrderSearchQuery,
  { valuesByFilter, tagsNot }: OrderFilters,
  dates: OrderSearchInput['dates'],
) {
  const { seller, buyer } = query
  const isNamed =
    seller !== undefined || buyer !== undefined || valuesByFilter.size + tagsNot.length > 0
  return isNamed || dates.size > 0 || phraseOf(query.q) !== null || phraseOf(query.item) !== null
}

/** Returns the party as which the caller searches. Throws `caller.id.invalid` for orders of other users. */
function partiesOf(
  { seller, buyer }: OrderSearchQuery,
  callerId: number,
): Pick<OrderSearchInput, 'viewpoint' | 'userId' | 'counterpartId'> {
  const userId = callerId
  if (seller === callerId || (seller === undefined && buyer === undefined)) {
    return { viewpoint: 'seller', userId, counterpartId: buyer ?? null }
  }
  if (buyer !== callerId) throw new Failure('caller_id_invalid')
  return { viewpoint: 'buyer', userId, counterpartId: seller ?? null }
}

/** Returns the facet filters of a query. Throws a `bad_request` that names the parameter. */
function filtersOf(query: OrderConditionsQuery, dates: OrderSearchInput['dates']): OrderFilters {
  const wanted = new Map<FilterId, readonly string[]>()
  for (const id of filterIds) {
    const text = query[id]
    if (text === undefined) continue
    wanted.set(id, id.endsWith('.fulfilled') ? [letterOf(id, text)] : listOf(id, text))
  }
  const not = query['tags.not']
  return {
    valuesByFilter: wanted,
    tagsNot: not === undefined ? [] : listOf('tags.not', not),
    closedOnly: dates.has('closed'),
  }
}

function listOf(name: string, text: string): string[] {
  const values = text.split(',').map((value) => value.trim())
  if (values.includes('')) throw badField(name, 'values separated by commas, none of them empty')
  return values
}

function letterOf(name: string, text: string): string {
  const letter = booleanLetters.get(text)
  if (letter === undefined) throw badField(name, 'true or false')
  return letter
}

function datesOf(query: OrderConditionsQuery): Map<DateField, DateRange> {
  const ranges: [DateField, DateRange][] = [
    ['created', rangeOf(query, 'order.date_created')],
    ['closed', rangeOf(query, 'order.date_closed')],
    ['updated', rangeOf(query, 'order.date_last_updated')],
  ]
  return new Map(ranges.filter(([, { from, to }]) => from !== null || to !== null))
}

type DateName = 'order.date_created' | 'order.date_closed' | 'order.date_last_updated'

function rangeOf(query: OrderConditionsQuery, name: DateName): DateRange {
  return { from: momentOf(query, `${name}.from`), to: momentOf(query, `${name}.to`) }
}

function momentOf(query: OrderConditionsQuery, name: `${DateName}.${'from' | 'to'}`): Date | null {
  return parseTimestamp(query[name] ?? '') ?? null
}

/** Returns what the text of `q` may mean: words of an item, an order id, or the beginning of a nickname. Null if it
 * is empty. */
function phraseOf(text: string | undefined): SearchPhrase | null {
  const trimmed = text?.trim() ?? ''
  if (trimmed === '') return null
  return {
    words: wordsOf(trimmed),
    orderId: parseId(trimmed) ?? null,
    folded: fold(trimmed),
  }
}
