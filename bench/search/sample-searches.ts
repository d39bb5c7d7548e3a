import type pg from 'pg'
import { dayMs } from '../../src/kernel/clock.ts'
import { fold } from '../../src/kernel/text.ts'
import { isCancelled, orderStatuses } from '../../src/orders/status.ts'
import type { SeededRandom } from '../../src/sandbox/random.ts'

/** An order that is there: what sellers ask for is taken from those. */
export interface SampleOrder {
  id: string
  itemId: string
  word: string
  nickname: string
  created: Date
  closed: Date
  updated: Date
}

/** What is asked, and the condition by which PostgreSQL, given all the time that it wants, finds the
 * same orders: `$1` is the seller. */
export interface SampleSearch {
  params: Record<string, string>
  where: string
  values: unknown[]
}

type SearchMaker = (order: SampleOrder, random: SeededRandom) => SampleSearch

/** For SQL. */
const cancelled = orderStatuses.filter(isCancelled).map((status) => `'${status}'`)
const statuses = ['paid', 'paid', 'paid', 'confirmed', 'cancelled', 'partially_refunded,invalid']
const tags = ['delivered', 'pack_order', 'shops', 'not_delivered', 'fraud_risk_detected']
const tagCombinations = [
  ['paid', 'delivered', 'pack_order'],
  ['paid', 'not_delivered', 'shops'],
  ['delivered', 'shops', 'pack_order'],
  ['paid', 'order_has_discount', 'test_order'],
] as const

const searchMakers: Record<string, SearchMaker> = {
  none: () => ({ params: {}, where: 'true', values: [] }),
  status: (_, random) => {
    const status = random.pick(statuses)
    return {
      params: { 'order.status': status },
      where: 'o.status = any($2)',
      values: [status.split(',')],
    }
  },
  tag: (_, random) => {
    const tag = random.pick(tags)
    return { params: { tags: tag }, where: 'o.tags @> $2', values: [[tag]] }
  },
  'three tags': (_, random) => {
    const [one, other, not] = random.pick(tagCombinations)
    return {
      params: { tags: `${one},${other}`, 'tags.not': not },
      where: 'o.tags @> $2 and not o.tags @> $3',
      values: [[one, other], [not]],
    }
  },
  created: dateRangeSearch('date_created', 'created', 'o.date_created'),
  closed: dateRangeSearch('date_closed', 'closed', 'o.date_closed'),
  updated: dateRangeSearch('date_last_updated', 'updated', 'o.last_updated'),
  'status, created': (order, random) => {
    const search = dateRangeSearch('date_created', 'created', 'o.date_created')(order, random)
    return {
      params: { ...search.params, 'order.status': 'paid' },
      where: `${search.where} and o.status = 'paid'`,
      values: search.values,
    }
  },
  item: ({ itemId }) => ({
    params: { item: itemId },
    where: itemCondition('i.item_id = $2'),
    values: [itemId],
  }),
  'q: word': ({ word }) => phraseSearch(word),
  'q: item': ({ itemId }) => phraseSearch(itemId),
  'q: order': ({ id }) => phraseSearch(id),
  'q: nickname': ({ nickname }, random) => phraseSearch(nickname.slice(0, random.between(4, 9))),
  deep: (order, random) => {
    const search = random.pick([
      () => emptySearch,
      () => (searchMakers['tag'] as SearchMaker)(order, random),
    ])()
    return { ...search, params: { ...search.params, offset: String(random.between(50, 9_950)) } }
  },
}

const emptySearch: SampleSearch = { params: {}, where: 'true', values: [] }

export const searchKinds = Object.keys(searchMakers)

/** A search of this seller's, after an order of theirs. */
export function sampleSearchOf(
  kind: string,
  of: { sellerId: number; order: SampleOrder; random: SeededRandom },
): SampleSearch {
  const { params, where, values } = (searchMakers[kind] as SearchMaker)(of.order, of.random)
  const seller = String(of.sellerId)
  // Sellers do not find what was cancelled unless they ask for it (contract 4.3).
  const shown = params['order.status'] ? 'true' : `o.status not in (${cancelled})`
  return { params: { seller, ...params }, where: `${where} and ${shown}`, values }
}

/** Of 1 to 30 days, with the order in it. */
function dateRangeSearch(
  name: string,
  field: 'created' | 'closed' | 'updated',
  column: string,
): SearchMaker {
  return (order, random) => {
    const length = (1 + 29 * random.fraction()) * dayMs
    const from = new Date(Math.round(order[field].getTime() - random.fraction() * length))
    const to = new Date(Math.round(from.getTime() + length))
    return {
      params: {
        [`order.${name}.from`]: from.toISOString(),
        [`order.${name}.to`]: to.toISOString(),
      },
      where: `${column} between $2 and $3`,
      values: [from, to],
    }
  }
}

const itemCondition = (condition: string) => `exists (select from order_items i
  where i.seller_id = $1 and i.order_id = o.id and ${condition})`

/**
 * A phrase finds an order by its id, by its words, or by how the buyer's nickname begins. All words of the
 * phrase must be among those of what was bought: the titles and the ids of its items, in any order. So the
 * beginning of a nickname finds titles too (`lale_` is the word `lale`). Nicknames are compared as they
 * stand, and only once the order is paid. Titles of the market have no accents, which PostgreSQL would have
 * to fold.
 */
export function phraseSearch(text: string): SampleSearch {
  const folded = fold(text)
  const words = folded.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  return {
    params: { q: text },
    where: `((cardinality($2::text[]) > 0 and $2 <@ (
        select array_agg(word) from order_items i,
          regexp_split_to_table(lower(i.item_id || ' ' || i.title), '[^[:alnum:]]+') word
        where i.seller_id = $1 and i.order_id = o.id))
      or o.id::text = $3
      or (o.status <> 'payment_required' and exists (select from users u
        where u.id = o.buyer_id and starts_with(u.nickname_folded, $4))))`,
    values: [words, text, folded],
  }
}

/** Some of a seller's orders, drawn from all of them. */
export async function sampleOrders(
  client: pg.Client,
  { sellerId, some }: { sellerId: number; some: number },
): Promise<SampleOrder[]> {
  const { rows } = await client.query(
    `select o.id, o.date_created as created, o.sort_date as closed, o.last_updated as updated,
      u.nickname, i.item_id, i.title
    from (select id from orders where seller_id = $1 order by hashint8(id) limit $2) drawn
    join orders o on o.seller_id = $1 and o.id = drawn.id
    join users u on u.id = o.buyer_id
    join order_items i on i.seller_id = $1 and i.order_id = o.id and i.position = 0`,
    [sellerId, some],
  )
  return rows.map(({ id, created, closed, updated, nickname, item_id, title }, index) => {
    const words = (title as string).split(' ').filter((word) => word.length > 3)
    const word = words[index % words.length] as string
    return { id: String(id), itemId: item_id, word, nickname, created, closed, updated }
  })
}

export const searchPathOf = ({ params }: Pick<SampleSearch, 'params'>) =>
  `/orders/search?${new URLSearchParams(params)}`
