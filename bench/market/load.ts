import { partyTexts, partyTextVersion } from '../../src/identity/view.ts'
import { dayMs } from '../../src/kernel/clock.ts'
import { fold } from '../../src/kernel/text.ts'
import { filingVersion, itemSetOf, itemSetsSince, wordHash } from '../../src/orders/facets.ts'
import type { Order } from '../../src/orders/order.ts'
import {
  pickWeighted,
  type SeededRandom,
  seededRandom,
  type WeightedList,
  weightedListOf,
} from '../../src/sandbox/random.ts'
import { openConnection } from '../database.ts'
import { countOrders, makeCountTables } from './counts.ts'
import { fillTextTemplate, placeholderSlots } from './placeholders.ts'
import { makeOrderTemplates, type OrderTemplate } from './rows.ts'
import {
  buyerNickname,
  firstIds,
  generateMarket,
  type MarketSeller,
  type SyntheticMarket,
  skewedIndex,
} from './synthetic-market.ts'
import { openTableWriter } from './tables.ts'

const maxAgeMs = 390 * dayMs
/** Younger orders may be under way, and may still be rated. */
const youngMs = 22 * dayMs

export interface FillOptions {
  orders: number
  now: Date
  log: (step: string) => void
}

/**
 * Fills an empty, migrated database with a market: sellers of very different sizes, their buyers,
 * and 13 months of orders, with every row that the commands would have written. Everything is
 * copied in the order of time, as it would lie there after those months.
 */
export async function fillMarket(
  url: string,
  { orders, now, log }: FillOptions,
): Promise<SyntheticMarket> {
  const world = generateMarket(orders, 11)
  const templates = await makeOrderTemplates()
  const columns = new Map([...ownTables, ...templates.flatMap(({ columns }) => [...columns])])
  const client = await openConnection(url)
  await makeCountTables(client)
  const put = await openTableWriter(url, columns)
  log(`copying ${orders} orders of ${world.sellers.length} sellers, ${world.buyerCount} buyers …`)
  const random = seededRandom(12)
  const sellerFacets = new SellerFacets()
  const oldDraw = drawFor(templates, 'old')
  const youngDraw = drawFor(templates, 'young')
  for (let index = 0; index < orders; index++) {
    const share = (index + random.fraction()) / orders
    const ageMs = Math.floor(maxAgeMs * (1 - share) ** 1.6)
    const pair = pickWeighted(ageMs > youngMs ? oldDraw : youngDraw, random)
    const template = random.chance(0.1) ? pair.twoLines : pair.oneLine
    const seller = world.sellers[world.sellerOf[index] as number] as MarketSeller
    const bought = sellerFacets.itemSet(seller, template.lines, random)
    if (bought.isNew) {
      put.writeRow('order_baskets', itemSetLine(seller, bought))
      for (const word of bought.numbers) {
        put.writeRow('bench_words', `${seller.id}\t${bought.itemSet}\t${word}\n`)
      }
    }
    if (sellerFacets.isNewKind(seller, template.kind)) {
      const { kind, facets } = template
      put.writeRow('order_kinds', `${seller.id}\t${kind}\t${facets}\t${filingVersion}\n`)
    }
    const at = momentsOf({ created: now.getTime() - ageMs, ageMs, random })
    const values = valuesOf(template, { index, seller, bought, at })
    values[placeholderSlots.buyer] = String(firstIds.buyer + (world.buyerOf[index] as number))
    for (const { table, stencil } of template.rows)
      put.writeRow(table, fillTextTemplate(stencil, values))
    put.writeRow('bench_cells', facetLine(template, { seller, bought, at }))
    if (put.isFull()) await put.waitForDrain()
    if (index % 500_000 === 499_999) log(`${index + 1} orders …`)
  }
  for (const line of userLines(world, now)) {
    put.writeRow('users', line)
    if (put.isFull()) await put.waitForDrain()
  }
  log('building keys and indexes …')
  await put.close()
  log('counting …')
  await countOrders(client)
  log('gathering statistics …')
  await client.query('vacuum analyze')
  await client.end()
  return world
}

/** The tables that the templates do not write. Rows of derived data name the version of the program's rule. */
const ownTables: [table: string, columns: readonly string[]][] = [
  ['order_kinds', ['seller_id', 'kind', 'facets', 'version']],
  ['order_baskets', ['seller_id', 'basket', 'words', 'version']],
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
      'text_version',
      'date_created',
      'last_updated',
    ],
  ],
]

interface TemplatePair {
  weight: number
  oneLine: OrderTemplate
  twoLines: OrderTemplate
}

function drawFor(
  templates: readonly OrderTemplate[],
  age: 'old' | 'young',
): WeightedList<TemplatePair> {
  const fitting = templates.filter(
    ({ saleTemplate }) => saleTemplate.age === age || saleTemplate.age === 'any',
  )
  const pairs = fitting
    .filter(({ lines }) => lines === 1)
    .map((oneLine) => {
      const twoLines = fitting.find(
        ({ saleTemplate, lines }) => saleTemplate === oneLine.saleTemplate && lines === 2,
      ) as OrderTemplate
      return { weight: oneLine.saleTemplate.weight, oneLine, twoLines }
    })
  return weightedListOf(pairs)
}

/** Lines bought together: their texts as COPY writes them. */
interface BoughtLines {
  isNew: boolean
  items: MarketSeller['listings']
  itemSet: string
  words: string
  /** The numbers of the words, by which orders are counted. */
  numbers: readonly string[]
}

/** The kinds and baskets that each seller has had so far. */
class SellerFacets {
  readonly #itemSets = new Map<string, BoughtLines>()
  readonly #kinds = new Set<string>()

  isNewKind({ id }: MarketSeller, kind: string): boolean {
    const before = this.#kinds.size
    return this.#kinds.add(`${id} ${kind}`).size > before
  }

  itemSet({ listings }: MarketSeller, lines: 1 | 2, random: SeededRandom): BoughtLines {
    const first = skewedIndex(listings.length, random)
    const second = (first + 1 + skewedIndex(listings.length - 1, random)) % listings.length
    const indexes = lines === 1 ? [first] : [first, second].sort((a, b) => a - b)
    const boughtItems = indexes.map((index) => listings[index] as MarketSeller['listings'][number])
    const key = boughtItems.map(({ id }) => id).join()
    const existing = this.#itemSets.get(key)
    if (existing) {
      existing.isNew = false
      return existing
    }
    const items = boughtItems.map(({ id, title }) => ({ item: { id, title } }))
    const { itemSet, words } = itemSetOf({ items } as unknown as Order)
    const text = `{${words.map((word) => `"${word}"`).join()}}`
    const bought = {
      isNew: true,
      items: boughtItems,
      itemSet,
      words: text,
      numbers: words.map(wordHash),
    }
    this.#itemSets.set(key, bought)
    return bought
  }
}

function itemSetLine({ id }: MarketSeller, { itemSet, words }: BoughtLines): string {
  return `${id}\t${itemSet}\t${words}\t${itemSetsSince}\n`
}

/** When it was created, paid, carried and ended: within days, and never later than now. */
function momentsOf(of: { created: number; ageMs: number; random: SeededRandom }): number[] {
  const { created, ageMs, random } = of
  const span = Math.min(ageMs, (2 + 6 * random.fraction()) * dayMs)
  const [paid, carried] = [0.002 * random.fraction(), 0.1 + 0.7 * random.fraction()]
  return [created, ...[paid, carried, 1].map((share) => created + Math.floor(span * share))]
}

function facetLine(
  { kind, closedAt, lastMoment }: OrderTemplate,
  { seller, bought, at }: { seller: MarketSeller; bought: BoughtLines; at: readonly number[] },
): string {
  const days = [0, closedAt ?? 0, lastMoment].map((each) => Math.floor((at[each] ?? 0) / dayMs))
  return `${seller.id}\t${kind}\t${bought.itemSet}\t${days.join('\t')}\n`
}

function valuesOf(
  { expiresAfterMs, paidBeyond }: OrderTemplate,
  of: { index: number; seller: MarketSeller; bought: BoughtLines; at: readonly number[] },
): string[] {
  const { index, seller, bought, at } = of
  const [first, second] = bought.items
  const cents = (first?.price ?? 0) + (second?.price ?? 0)
  const values: string[] = []
  values[placeholderSlots.order] = String(firstIds.order + index)
  values[placeholderSlots.pack] = String(firstIds.pack + index)
  values[placeholderSlots.seller] = String(seller.id)
  values[placeholderSlots.shipment] = String(firstIds.shipment + index)
  values[placeholderSlots.payment] = String(firstIds.payment + index)
  values[placeholderSlots.claim] = String(firstIds.claim + index)
  values[placeholderSlots.item1] = first?.id ?? ''
  values[placeholderSlots.item2] = second?.id ?? ''
  values[placeholderSlots.title1] = first?.title ?? ''
  values[placeholderSlots.title2] = second?.title ?? ''
  values[placeholderSlots.price1] = money(first?.price ?? 0)
  values[placeholderSlots.price2] = money(second?.price ?? 0)
  values[placeholderSlots.total] = money(cents)
  values[placeholderSlots.paid] = money(cents + paidBeyond)
  values[placeholderSlots.itemSet] = bought.itemSet
  values[placeholderSlots.words] = bought.words
  for (let step = 0; step < at.length; step++)
    values[placeholderSlots.moments + step] = moment(at[step] ?? 0)
  values[placeholderSlots.expires] = moment((at[0] ?? 0) + expiresAfterMs)
  return values
}

const money = (cents: number) => String(cents / 100)
const moment = (ms: number) => new Date(ms).toISOString()

function* userLines({ sellers, buyerCount }: SyntheticMarket, now: Date): Generator<string> {
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
    const derived = [texts.asBuyer, texts.asBuyerNew, texts.asSeller, partyTextVersion]
    return `${[...written, ...derived, at, at].join('\t')}\n`
  }
  for (const [index, { id }] of sellers.entries()) yield line(id, `VENDE_${index}`)
  for (let index = 0; index < buyerCount; index++) {
    yield line(firstIds.buyer + index, buyerNickname(index))
  }
}
