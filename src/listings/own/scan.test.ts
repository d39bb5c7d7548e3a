import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  anaId,
  carlaId,
  createTestMarket,
  type MarketTokens,
} from '../../../test/harness/market.ts'
import { minuteMs } from '../../kernel/clock.ts'
import { scrollFields, scrollIdOf } from '../../kernel/scroll.ts'
import { addListings } from '../commands/commands.ts'
import { type Listing, listingDefaults, noVariation } from '../listing.ts'
import { itemScanKeyOf } from './scan.ts'

let app: TestApp
let market: MarketTokens
const count = 1_050
before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
  // Some thirty of each moment: of those the id decides.
  for (let from = 0; from < count; from += 30) {
    await add(Array.from({ length: 30 }, (_, index) => listing(from + index)))
    app.advance(minuteMs)
  }
})
after(() => app.close())

const idOf = (index: number) => `MLA${7_000_000 + index}`

function listing(index: number, more: Partial<Listing> = {}): Listing {
  return {
    ...listingDefaults,
    id: idOf(index),
    sellerId: carlaId,
    siteId: 'MLA',
    title: `Taza ${index}`,
    price: '10',
    categoryId: 'MLA1443',
    currencyId: 'ARS',
    condition: 'new',
    warranty: null,
    status: index % 3 === 0 ? 'paused' : 'active',
    listingTypeId: 'gold_special',
    sellerCustomField: null,
    sellerSku: index % 5 === 0 ? 'FIVE' : null,
    manufacturingDays: null,
    stock: [{ variationId: noVariation, availableQuantity: 1, attributes: [], sellerSku: null }],
    ...more,
  }
}

async function add(listings: readonly Listing[]): Promise<void> {
  const { catalog } = app.ctx.catalog.served
  await app.ctx.db.bulk((tx) =>
    addListings(tx, listings, {
      at: app.ctx.now(),
      catalog,
      factors: app.ctx.config.search.factors,
    }),
  )
}

const search = (query: string, user = carlaId, token = market.carlaToken) =>
  app.client.get(`/users/${user}/items/search?${query}`, token)

/** Follows a scan until a page is empty; `afterPage` runs between its pages. */
async function scan(query: string, afterPage = async (_page: number) => {}): Promise<string[]> {
  const itemIds: string[] = []
  let scroll = ''
  for (let page = 0; page < 100; page++) {
    const { status, body, text } = await search(
      `search_type=scan&limit=100&${scroll === '' ? query : `scroll_id=${scroll}`}`,
    )
    assert.equal(status, 200, text)
    if (body.results.length === 0) {
      assert.equal(body.scroll_id, null)
      return itemIds
    }
    itemIds.push(...body.results)
    scroll = body.scroll_id
    await afterPage(page)
  }
  throw new Error('a scan ends')
}

const all = Array.from({ length: count }, (_, index) => index)
const ids = (indexes: readonly number[]) => indexes.map(idOf).sort()

contract(
  ['4.6', 'catalog'],
  'a scan walks through all of a seller’s items, each once',
  async () => {
    for (const order of ['start_time_desc', 'start_time_asc']) {
      const itemIds = await scan(`orders=${order}`)
      assert.equal(new Set(itemIds).size, itemIds.length)
      assert.deepEqual(itemIds.toSorted(), ids(all), order)
    }
  },
)

contract('catalog', 'the filters of its first page hold through a scan', async () => {
  const cases: [query: string, is: (index: number) => boolean][] = [
    ['status=paused', (index) => index % 3 === 0],
    ['sku=FIVE', (index) => index % 5 === 0],
    ['seller_sku=FIVE&status=active', (index) => index % 5 === 0 && index % 3 !== 0],
    ['sku=NONE', () => false],
  ]
  for (const [query, is] of cases) {
    assert.deepEqual((await scan(query)).sort(), ids(all.filter(is)), query)
  }
  const { body } = await search('search_type=scan&status=paused')
  for (const more of ['status=active', 'orders=start_time_asc', 'sku=X', 'seller_sku=X']) {
    const { status, body: refused } = await search(`scroll_id=${body.scroll_id}&${more}`)
    assert.equal(status, 400)
    assert.match(refused.message, new RegExp(`^${more.split('=')[0]}: expected what the scan`))
  }
  assert.equal((await search(`scroll_id=${body.scroll_id}&status=paused`)).status, 200)
})

contract('catalog', 'a scan is whole and without doubles while items come and go', async () => {
  let next = count
  const closedIds = new Set<string>()
  const itemIds = await scan('orders=start_time_asc', async (page) => {
    if (page >= 10) return
    await add([listing(next++), listing(next++)])
    app.advance(minuteMs)
    // One that was passed and one that is still to come.
    for (const id of [idOf(page * 100), idOf(page * 100 + 200)]) {
      const put = (body: object) =>
        app.client.send('PUT', `/items/${id}`, { token: market.carlaToken, body })
      const { status, text } = await put({ status: 'closed', deleted: true })
      if (status === 200) closedIds.add(id)
      else assert.match(text, /item_closed|not_found/)
    }
  })
  assert.equal(new Set(itemIds).size, itemIds.length)
  const stayed = Array.from({ length: next }, (_, index) => idOf(index)).filter(
    (id) => !closedIds.has(id),
  )
  assert.deepEqual(
    stayed.filter((id) => !itemIds.includes(id)),
    [],
  )
})

contract('catalog', 'each page of a scan may be asked for again, and has its total', async () => {
  const first = (await search('search_type=scan&limit=7')).body
  assert.equal(first.results.length, 7)
  const again = () => search(`search_type=scan&limit=7&scroll_id=${first.scroll_id}`)
  const [one, other] = [await again(), await again()]
  assert.deepEqual(one.body, other.body)
  assert.equal(one.body.paging.total, first.paging.total)
  const plain = await search('limit=14')
  assert.deepEqual([...first.results, ...one.body.results], plain.body.results)
  assert.equal('scroll_id' in plain.body, false, 'only a scan has a scroll_id')
})

contract(['7', 'catalog'], 'a wrong parameter of a scan is refused by its name', async () => {
  const { body } = await search('search_type=scan&limit=1')
  const fields = scrollFields(body.scroll_id, itemScanKeyOf(carlaId))
  const scrollIdWith = (index: number, value: unknown) =>
    scrollIdOf(itemScanKeyOf(carlaId), fields.with(index, value))
  const cases: [query: string, field: string][] = [
    ['scroll_id=nonsense', 'scroll_id'],
    ['scroll_id=', 'scroll_id'],
    ...[
      scrollIdWith(0, 'price_asc'),
      scrollIdWith(1, 'x'),
      scrollIdWith(2, 'a\0b'),
      scrollIdWith(2, '\ud800'),
      scrollIdWith(3, -1),
    ].map((id): [string, string] => [`scroll_id=${id}`, 'scroll_id']),
    ...[
      scrollIdWith(4, '2026-02-30T00:00:00.000Z'),
      scrollIdWith(5, "MLA1'"),
      scrollIdWith(5, null),
    ].map((id): [string, string] => [`scroll_id=${id}`, 'scroll_id']),
    ['search_type=scan&offset=1', 'offset'],
    ['search_type=scan&orders=price_asc', 'orders'],
    ['search_type=scan&limit=0', 'limit'],
    ['search_type=scan&limit=101', 'limit'],
    ['search_type=walk', 'search_type'],
  ]
  for (const [query, field] of cases) {
    const { status, body: refused } = await search(query)
    assert.equal(status, 400, query)
    assert.match(refused.message, new RegExp(`^${field}: expected `), query)
  }
})

contract(
  'catalog',
  'a scroll id of another seller or operation, or of an earlier release, is refused',
  async () => {
    const { body } = await search('search_type=scan&limit=1')
    const ofOrders = scrollIdOf(
      ['orders', carlaId],
      scrollFields(body.scroll_id, itemScanKeyOf(carlaId)),
    )
    const earlier = Buffer.from(
      JSON.stringify(scrollFields(body.scroll_id, itemScanKeyOf(carlaId))),
    ).toString('base64url')
    for (const answer of [
      await search(`scroll_id=${body.scroll_id}`, anaId, market.anaToken),
      await search(`scroll_id=${ofOrders}`),
      await search(`scroll_id=${earlier}`),
    ]) {
      assert.equal(answer.status, 400)
      const words = 'scroll_id: expected the one that the last page of the same search returned'
      assert.equal(answer.body.message, words)
    }
  },
)

contract('catalog', 'a SKU is found wherever it stands, deleted items are not', async () => {
  const sku = { id: 'SELLER_SKU', name: 'SKU', value_id: null, value_name: 'WANTED' }
  const stock = (more: Partial<Listing['stock'][number]>) => ({
    stock: [{ variationId: 5, availableQuantity: 1, attributes: [], sellerSku: null, ...more }],
  })
  const details = {
    picture_ids: [],
    attributes: [],
    seller_custom_field: null,
    catalog_product_id: null,
    inventory_id: null,
  }
  const there: Partial<Listing>[] = [
    { sellerCustomField: 'WANTED' },
    { sellerSku: 'WANTED' },
    { attributes: [sku] },
    stock({ sellerSku: 'WANTED' }),
    stock({ details: { ...details, seller_custom_field: 'WANTED' } }),
    stock({ details: { ...details, attributes: [sku] } }),
  ]
  const elsewhere: Partial<Listing>[] = [
    { sellerCustomField: 'WANTED', subStatus: ['deleted'], status: 'closed' },
    { attributes: [{ ...sku, id: 'MODEL' }] },
    { sellerSku: 'wanted' },
  ]
  const listings = [...there, ...elsewhere].map((more, index) =>
    listing(9_000 + index, { sellerSku: null, ...more }),
  )
  await add(listings)
  const expected = listings.slice(0, there.length).map(({ id }) => id)
  for (const name of ['sku', 'seller_sku']) {
    const { body } = await search(`${name}=WANTED`)
    assert.deepEqual(body.results.sort(), expected, name)
    assert.equal(body.paging.total, there.length)
  }
})
