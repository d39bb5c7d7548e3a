import { partyTexts } from '../../src/identity/view.ts'
import { dayMs } from '../../src/kernel/clock.ts'
import { fold } from '../../src/kernel/text.ts'
import { itemSetOf, wordNumber } from '../../src/orders/facets.ts'
import type { Order } from '../../src/orders/order.ts'
import { type Draw, drawn, drawOf, type Random, randomOf } from '../../src/sandbox/demo/random.ts'
import { connect } from '../database.ts'
import { countOrders, makeCountTables } from './counts.ts'
import { filled, slots } from './marks.ts'
import { makeTemplates, type Template } from './rows.ts'
import { openTables } from './tables.ts'
import { firstIds, makeWorld, nicknameOf, type Seller, skewed, type World } from './world.ts'

const longestAgeMs = 390 * dayMs
/** Younger orders may be under way, and may still be rated. */
const youngMs = 22 * dayMs

export interface Filling {
  orders: number
  now: Date
  say: (step: string) => void
}

/**
 * Fills an empty, migrated database with a market: sellers of very different sizes, their buyers,
 * and 13 months of orders, with every row that the commands would have written. Everything is
 * copied in the order of time, as it would lie there after those months.
 */
export async function fillMarket(url: string, { orders, now, say }: Filling): Promise<World> {
  const world = makeWorld(orders, 11)
  const templates = await makeTemplates()
  const columns = new Map([...ownTables, ...templates.flatMap(({ columns }) => [...columns])])
  const client = await connect(url)
  await makeCountTables(client)
  const put = await openTables(url, columns)
  say(`copying ${orders} orders of ${world.sellers.length} sellers, ${world.buyers} buyers …`)
  const random = randomOf(12)
  const seen = new Seen()
  const oldDraw = drawFor(templates, 'old')
  const youngDraw = drawFor(templates, 'young')
  for (let index = 0; index < orders; index++) {
    const share = (index + random.share()) / orders
    const ageMs = Math.floor(longestAgeMs * (1 - share) ** 1.6)
    const pair = drawn(ageMs > youngMs ? oldDraw : youngDraw, random)
    const template = random.chance(0.1) ? pair.two : pair.one
    const seller = world.sellers[world.sellerOf[index] as number] as Seller
    const bought = seen.itemSet(seller, template.lines, random)
    if (bought.isNew) {
      put.row('order_baskets', itemSetLine(seller, bought))
      for (const word of bought.numbers) {
        put.row('bench_words', `${seller.id}\t${bought.itemSet}\t${word}\n`)
      }
    }
    if (seen.isNewKind(seller, template.kind)) {
      put.row('order_kinds', `${seller.id}\t${template.kind}\t${template.facets}\n`)
    }
    const at = momentsOf({ created: now.getTime() - ageMs, ageMs, random })
    const values = valuesOf(template, { index, seller, bought, at })
    values[slots.buyer] = String(firstIds.buyer + (world.buyerOf[index] as number))
    for (const { table, stencil } of template.rows) put.row(table, filled(stencil, values))
    put.row('bench_cells', cellLine(template, { seller, bought, at }))
    if (put.isFull()) await put.drained()
    if (index % 500_000 === 499_999) say(`${index + 1} orders …`)
  }
  for (const line of userLines(world, now)) {
    put.row('users', line)
    if (put.isFull()) await put.drained()
  }
  say('building keys and indexes …')
  await put.close()
  say('counting …')
  await countOrders(client)
  say('gathering statistics …')
  await client.query('vacuum analyze')
  await client.end()
  return world
}

/** What is not written by the templates. */
const ownTables: [table: string, columns: readonly string[]][] = [
  ['order_kinds', ['seller_id', 'kind', 'facets']],
  ['order_baskets', ['seller_id', 'basket', 'words']],
  ['bench_cells', ['seller_id', 'kind', 'basket', 'created_day', 'sort_day', 'updated_day']],
  ['bench_words', ['seller_id', 'basket', 'word']],
  [
    'users',
    [
      'id',
      'site_id',
      'nickname',
      'profile',
      'nickname_folded',
      'as_buyer',
      'as_buyer_new',
      'as_seller',
      'date_created',
      'last_updated',
    ],
  ],
]

interface Pair {
  weight: number
  one: Template
  two: Template
}

function drawFor(templates: readonly Template[], age: 'old' | 'young'): Draw<Pair> {
  const fitting = templates.filter(({ story }) => story.age === age || story.age === 'any')
  const pairs = fitting
    .filter(({ lines }) => lines === 1)
    .map((one) => {
      const two = fitting.find(({ story, lines }) => story === one.story && lines === 2) as Template
      return { weight: one.story.weight, one, two }
    })
  return drawOf(pairs)
}

/** Lines bought together: their texts as COPY writes them. */
interface Bought {
  isNew: boolean
  goods: Seller['listings']
  itemSet: string
  words: string
  /** The numbers of the words, by which orders are counted. */
  numbers: readonly string[]
}

/** The kinds and baskets that each seller has had so far. */
class Seen {
  readonly #itemSets = new Map<string, Bought>()
  readonly #kinds = new Set<string>()

  isNewKind({ id }: Seller, kind: string): boolean {
    const before = this.#kinds.size
    return this.#kinds.add(`${id} ${kind}`).size > before
  }

  itemSet({ listings }: Seller, lines: 1 | 2, random: Random): Bought {
    const first = skewed(listings.length, random)
    const second = (first + 1 + skewed(listings.length - 1, random)) % listings.length
    const places = lines === 1 ? [first] : [first, second].sort((a, b) => a - b)
    const goods = places.map((place) => listings[place] as Seller['listings'][number])
    const key = goods.map(({ id }) => id).join()
    const known = this.#itemSets.get(key)
    if (known) {
      known.isNew = false
      return known
    }
    const items = goods.map(({ id, title }) => ({ item: { id, title } }))
    const { itemSet, words } = itemSetOf({ items } as unknown as Order)
    const text = `{${words.map((word) => `"${word}"`).join()}}`
    const made = { isNew: true, goods, itemSet, words: text, numbers: words.map(wordNumber) }
    this.#itemSets.set(key, made)
    return made
  }
}

function itemSetLine({ id }: Seller, { itemSet, words }: Bought): string {
  return `${id}\t${itemSet}\t${words}\n`
}

/** When it was created, paid, carried and ended: within days, and never later than now. */
function momentsOf(of: { created: number; ageMs: number; random: Random }): number[] {
  const { created, ageMs, random } = of
  const span = Math.min(ageMs, (2 + 6 * random.share()) * dayMs)
  const [paid, carried] = [0.002 * random.share(), 0.1 + 0.7 * random.share()]
  return [created, ...[paid, carried, 1].map((share) => created + Math.floor(span * share))]
}

function cellLine(
  { kind, closedAt, lastMoment }: Template,
  { seller, bought, at }: { seller: Seller; bought: Bought; at: readonly number[] },
): string {
  const days = [0, closedAt ?? 0, lastMoment].map((each) => Math.floor((at[each] ?? 0) / dayMs))
  return `${seller.id}\t${kind}\t${bought.itemSet}\t${days.join('\t')}\n`
}

function valuesOf(
  { expiresAfterMs, paidBeyond }: Template,
  of: { index: number; seller: Seller; bought: Bought; at: readonly number[] },
): string[] {
  const { index, seller, bought, at } = of
  const [first, second] = bought.goods
  const cents = (first?.price ?? 0) + (second?.price ?? 0)
  const values: string[] = []
  values[slots.order] = String(firstIds.order + index)
  values[slots.pack] = String(firstIds.pack + index)
  values[slots.seller] = String(seller.id)
  values[slots.shipment] = String(firstIds.shipment + index)
  values[slots.payment] = String(firstIds.payment + index)
  values[slots.claim] = String(firstIds.claim + index)
  values[slots.item1] = first?.id ?? ''
  values[slots.item2] = second?.id ?? ''
  values[slots.title1] = first?.title ?? ''
  values[slots.title2] = second?.title ?? ''
  values[slots.price1] = money(first?.price ?? 0)
  values[slots.price2] = money(second?.price ?? 0)
  values[slots.total] = money(cents)
  values[slots.paid] = money(cents + paidBeyond)
  values[slots.itemSet] = bought.itemSet
  values[slots.words] = bought.words
  for (let each = 0; each < at.length; each++) values[slots.moments + each] = moment(at[each] ?? 0)
  values[slots.expires] = moment((at[0] ?? 0) + expiresAfterMs)
  return values
}

const money = (cents: number) => String(cents / 100)
const moment = (ms: number) => new Date(ms).toISOString()

function* userLines({ sellers, buyers }: World, now: Date): Generator<string> {
  const at = now.toISOString()
  const phone = { area_code: '11', number: '5555-0100', extension: '', verified: true }
  const alternativePhone = { area_code: '', number: '', extension: '' }
  const line = (id: number, nickname: string) => {
    const profile = {
      email: `${nickname.toLowerCase()}@example.com`,
      firstName: 'Prueba',
      lastName: nickname.slice(0, 4),
      phone,
      alternativePhone,
      billingInfo: { doc_type: 'DNI', doc_number: '99000100' },
    }
    const texts = partyTexts({ id, siteId: 'MLA', nickname, ...profile })
    const written = [id, 'MLA', nickname, JSON.stringify(profile), fold(nickname)]
    return `${[...written, texts.asBuyer, texts.asBuyerNew, texts.asSeller, at, at].join('\t')}\n`
  }
  for (const [index, { id }] of sellers.entries()) yield line(id, `VENDE_${index}`)
  for (let index = 0; index < buyers; index++) {
    yield line(firstIds.buyer + index, nicknameOf(index))
  }
}
