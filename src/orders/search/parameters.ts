import { type Static, Type } from 'typebox'
import { parseTimestamp } from '../../kernel/clock.ts'
import { badField, Failure } from '../../kernel/failure.ts'
import { parseId } from '../../kernel/ids.ts'
import { Bounded, CommaSeparated, Id, Timestamp } from '../../kernel/schema.ts'
import type { ScanKey } from '../../kernel/scroll.ts'
import { fold, wordsOf } from '../../kernel/text.ts'
import { type FilterId, type Filters, filterIds, letters, type Viewpoint } from './filters.ts'
import { decodeScrollId, type ScrollPosition, type Sort, sortOf } from './sorts.ts'

const List = Type.Optional(CommaSeparated(2_000))
const Moment = Type.Optional({
  ...Timestamp,
  description: 'ISO 8601 with milliseconds and offset, or a whole day in UTC; inclusive',
})
const TrueOrFalse = Type.Optional(Bounded(100, 'true or false'))

/** What may be asked (contract 4.3, wire 2). Anything else is ignored. */
export const SearchQuery = Type.Object({
  seller: Type.Optional(Id),
  buyer: Type.Optional(Id),
  q: Type.Optional(Bounded(500)),
  item: Type.Optional(Bounded(500)),
  tags: List,
  'tags.not': List,
  'order.status': List,
  'order.date_created.from': Moment,
  'order.date_created.to': Moment,
  'order.date_closed.from': Moment,
  'order.date_closed.to': Moment,
  'order.date_last_updated.from': Moment,
  'order.date_last_updated.to': Moment,
  'shipping.status': List,
  'shipping.substatus': List,
  'shipping.service_id': List,
  'mediations.stage': List,
  'mediations.status': List,
  'feedback.status': List,
  'feedback.sale.rating': List,
  'feedback.purchase.rating': List,
  'feedback.sale.fulfilled': TrueOrFalse,
  'feedback.purchase.fulfilled': TrueOrFalse,
  sort: Type.Optional(Bounded(100)),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  offset: Type.Optional(Type.Integer({ minimum: 0 })),
  search_type: Type.Optional(Type.Enum(['scan'])),
  scroll_id: Type.Optional(Bounded(500)),
  display: Type.Optional(Bounded(100)),
})

export type SearchQuery = Static<typeof SearchQuery>

const usualLimit = 50
/** How far pages go by offset: what lies behind is reached by a scan, at the cost of one page each. */
const lastOffset = 10_000

/** From one moment to another, both inclusive; null is open. */
export interface Range {
  readonly from: Date | null
  readonly to: Date | null
}

export type DateField = 'created' | 'closed' | 'updated'

/** Words that somebody looks for (an item's id is one of its words), and what else they may mean. */
export interface Phrase {
  readonly words: readonly string[]
  readonly orderId: number | null
  readonly folded: string
}

export interface Search {
  readonly viewpoint: Viewpoint
  readonly userId: number
  /** The other party that is asked for. */
  readonly counterpartId: number | null
  readonly filters: Filters
  readonly dates: ReadonlyMap<DateField, Range>
  readonly q: Phrase | null
  readonly item: Phrase | null
  readonly sort: Sort
  readonly limit: number
  readonly offset: number
  /** Whether pages follow one another by a mark, and the one that this page follows. */
  readonly scans: boolean
  readonly after: ScrollPosition | null
}

/** What this caller searches. Throws a `bad_request` that names the first wrong parameter. */
export function searchOf(query: SearchQuery, callerId: number): Search {
  const sort = sortOf(query.sort)
  const { limit = usualLimit, offset = 0, scroll_id: scroll } = query
  const scans = query.search_type === 'scan' || scroll !== undefined
  if (scans && offset > 0) throw badField('offset', '0 in a scan, which goes on by its scroll_id')
  if (offset + limit > lastOffset) {
    throw badField(
      'offset',
      `at most ${lastOffset} together with limit; narrow the search by date, or use search_type=scan`,
    )
  }
  const dates = datesOf(query)
  const filters = filtersOf(query, dates)
  if (!hasFilter(query, filters, dates)) throw new Failure('search_without_filter')
  const matches = {
    ...partiesOf(query, callerId),
    filters,
    dates,
    q: phraseOf(query.q),
    item: phraseOf(query.item),
    sort,
  }
  return {
    ...matches,
    limit,
    offset,
    scans,
    after: scroll === undefined ? null : decodeScrollId(scroll, { key: scanKeyOf(matches), sort }),
  }
}

type Matches = Omit<Search, 'limit' | 'offset' | 'scans' | 'after'>

/** Pages of a scan belong together when they match the same orders in the same order. */
export function scanKeyOf(search: Matches): ScanKey {
  const { viewpoint, userId, counterpartId, filters, dates, q, item, sort } = search
  const { wanted, tagsNot } = filters
  const parties = [viewpoint, userId, counterpartId]
  return ['orders', ...parties, [...wanted], tagsNot, [...dates], q, item, sort.id]
}

function hasFilter(query: SearchQuery, { wanted, tagsNot }: Filters, dates: Search['dates']) {
  const { seller, buyer } = query
  const isNamed = seller !== undefined || buyer !== undefined || wanted.size + tagsNot.length > 0
  return isNamed || dates.size > 0 || phraseOf(query.q) !== null || phraseOf(query.item) !== null
}

/** As whom the caller searches; throws `caller.id.invalid` for orders of others (contract 7.5). */
function partiesOf(
  { seller, buyer }: SearchQuery,
  callerId: number,
): Pick<Search, 'viewpoint' | 'userId' | 'counterpartId'> {
  const userId = callerId
  if (seller === callerId || (seller === undefined && buyer === undefined)) {
    return { viewpoint: 'seller', userId, counterpartId: buyer ?? null }
  }
  if (buyer !== callerId) throw new Failure('caller_id_invalid')
  return { viewpoint: 'buyer', userId, counterpartId: seller ?? null }
}

function filtersOf(query: SearchQuery, dates: Search['dates']): Filters {
  const wanted = new Map<FilterId, readonly string[]>()
  for (const id of filterIds) {
    const text = query[id]
    if (text === undefined) continue
    wanted.set(id, id.endsWith('.fulfilled') ? [letterOf(id, text)] : listOf(id, text))
  }
  const not = query['tags.not']
  return {
    wanted,
    tagsNot: not === undefined ? [] : listOf('tags.not', not),
    closed: dates.has('closed'),
  }
}

function listOf(name: string, text: string): string[] {
  const values = text.split(',').map((value) => value.trim())
  if (values.includes('')) throw badField(name, 'values separated by commas, none of them empty')
  return values
}

function letterOf(name: string, text: string): string {
  const letter = letters.get(text)
  if (letter === undefined) throw badField(name, 'true or false')
  return letter
}

function datesOf(query: SearchQuery): Map<DateField, Range> {
  const given: [DateField, Range][] = [
    ['created', rangeOf(query, 'order.date_created')],
    ['closed', rangeOf(query, 'order.date_closed')],
    ['updated', rangeOf(query, 'order.date_last_updated')],
  ]
  return new Map(given.filter(([, { from, to }]) => from !== null || to !== null))
}

type DateName = 'order.date_created' | 'order.date_closed' | 'order.date_last_updated'

function rangeOf(query: SearchQuery, name: DateName): Range {
  return { from: momentOf(query, `${name}.from`), to: momentOf(query, `${name}.to`) }
}

function momentOf(query: SearchQuery, name: `${DateName}.${'from' | 'to'}`): Date | null {
  return parseTimestamp(query[name] ?? '') ?? null
}

function phraseOf(text: string | undefined): Phrase | null {
  const trimmed = text?.trim() ?? ''
  if (trimmed === '') return null
  return {
    words: wordsOf(trimmed),
    orderId: parseId(trimmed) ?? null,
    folded: fold(trimmed),
  }
}
