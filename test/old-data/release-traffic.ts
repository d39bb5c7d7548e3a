import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dayMs, minuteMs } from '../../src/kernel/clock.ts'
import {
  filingVersion,
  itemSetsSince,
  type StoredOrder,
  unversionedFiling,
} from '../../src/orders/facets.ts'
import type { Order } from '../../src/orders/order.ts'
import { parseOrderSearch } from '../../src/orders/search/parameters.ts'
import { lockOrdersSkipLocked } from '../../src/orders/store.ts'
import type { Tx } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { walkRows } from '../../src/platform/walks/row-walk.ts'
import { type SeededRandom, seededRandom } from '../../src/sandbox/random.ts'
import { openTestApp, type TestApp } from '../harness/app.ts'
import { referenceSearch } from '../harness/reference-search.ts'
import { orderSellerIds, saveVariedOrders, variedOrders } from '../harness/varied-orders.ts'
import { drain } from '../harness/wait.ts'
import { assertCountsMatchRecount } from './plain-counts.ts'
import { type LoadedRelease, type MadeUpRelease, Releases } from './releases.ts'

/**
 * Releases in a row, each with another rule for filing orders: the one before goes on selling, changing and
 * searching beside it, while orders are filed anew.
 */

const seed = 310
let app: TestApp
let releases: Releases
let unversionedRelease: LoadedRelease
let ids: { sellerId: number; id: number }[] = []
let nextId = 4_000_000
/** The next release: a facet is added, renamed or removed, or a token added, renamed or removed. */
function nextRelease(before: MadeUpRelease, random: SeededRandom): MadeUpRelease {
  const version = before.version + 1
  const name = `facet${version}`
  const expression = `order.id % ${random.between(2, 4)}`
  const own = Object.keys(before.facets).filter((each) => before.facets[each] !== null)
  const droppedFacet = own.length > 0 ? random.pick(own) : ''
  const { [droppedFacet]: _, ...others } = before.facets
  const token = `token${version}`
  const facets = [
    { ...before.facets, [name]: expression },
    { ...others, [name]: expression },
    others,
    { ...before.facets, isFreed: null },
    { ...before.facets, isFreed: 'order.parts.feedback.isFreed' },
  ]
  const tokens = [
    [...before.tokens, token],
    [...before.tokens.slice(1), token],
    before.tokens.slice(1),
  ]
  return random.chance(0.7) || own.length === 0
    ? { ...before, version, facets: random.pick(facets) }
    : { ...before, version, tokens: random.pick(tokens), tokensSince: version }
}

type SaveOrder = (
  tx: Tx,
  key: { sellerId: number; id: number },
  change: OrderChange,
) => Promise<void>
type OrderChange = (order: Order) => Order

const saveWith =
  ({ store }: Pick<LoadedRelease, 'store'>): SaveOrder =>
  async (tx, key, change) => {
    const before = await store.lockOrder(tx, key)
    if (before) store.saveOrder(tx, before, change(before))
  }

/**
 * A release without versions: it takes an order back from where its own rule would count it, and writes no
 * version of an order.
 */
const saveWithoutVersions: SaveOrder = async (tx, key, change) => {
  const { store, facets } = unversionedRelease
  const before = await store.lockOrder(tx, key)
  if (!before) return
  const { storedCountKey, ...order } = before
  const assumed: StoredOrder = {
    ...order,
    storedCountKey: { ...facets.orderCountKeyOf(order), version: unversionedFiling },
  }
  store.saveOrder(tx, assumed, change(order))
  tx.write(sql`
    update orders set filing_version = ${storedCountKey.version}
    where seller_id = ${key.sellerId} and id = ${key.id}`)
}

/** Orders become like others in what may change of them. */
async function changeOrders(
  save: SaveOrder,
  { count, random, among = ids }: { count: number; random: SeededRandom; among?: typeof ids },
) {
  const models = variedOrders({
    seed: random.between(1, 1e6),
    count: 20,
    firstId: 1,
    now: app.ctx.now(),
  })
  for (let index = 0; index < count; index++) {
    const { tags, parts } = random.pick(models)
    const later = random.pick([0, 1, dayMs])
    await app.ctx.db.transaction((tx) =>
      save(tx, random.pick(among), (order) => ({
        ...order,
        tags,
        parts,
        lastUpdated: new Date(order.lastUpdated.getTime() + later),
      })),
    )
  }
}

/** Orders stay as they are, but for a moment and a comment: the facets of most releases stay, too. */
async function commentOrders(
  save: SaveOrder,
  { count, random }: { count: number; random: SeededRandom },
) {
  for (let index = 0; index < count; index++) {
    await app.ctx.db.transaction((tx) =>
      save(tx, random.pick(ids), (order) => ({
        ...order,
        lastUpdated: new Date(order.lastUpdated.getTime() + random.pick([1, dayMs])),
        details: { ...order.details, comments: `${index}` },
      })),
    )
  }
}

async function createOrders({ store }: Pick<LoadedRelease, 'store'>, count: number): Promise<void> {
  const now = app.ctx.now()
  const orders = variedOrders({ seed: nextId, count, firstId: nextId, now })
  nextId += count
  await app.ctx.db.bulk((tx) => store.copyOrders(tx, orders))
  ids.push(...orders.map(({ sellerId, id }) => ({ sellerId, id })))
}

async function loadAll(): Promise<Order[]> {
  return app.ctx.db.transaction(async (tx) => {
    const all: Order[] = []
    for (const [sellerId, own] of Map.groupBy(ids, (each) => each.sellerId)) {
      for (let start = 0; start < own.length; start += 1_000) {
        const some = own.slice(start, start + 1_000).map(({ id }) => id)
        all.push(...(await lockOrdersSkipLocked(tx, { sellerId, ids: some })))
      }
    }
    return all
  })
}

/** Nothing changes meanwhile: each release finds exactly what a plain filter does. */
async function assertSearchesAgree(running: readonly LoadedRelease[], message: string) {
  const orders = await loadAll()
  for (const userId of orderSellerIds) {
    const searches = [{}, { tags: 'paid' }, { 'shipping.status': 'shipped' }]
    for (const filters of searches) {
      const plain = { isSeller: true, userId, counterpartyId: null, filters, sort: 'date_desc' }
      const expected = referenceSearch(orders, plain).length
      for (const { search, version } of running) {
        const input = parseOrderSearch({ ...filters, seller: userId, limit: 50 }, userId)
        for (const few of [0, 50_000]) {
          const page = await search.findOrders(app.ctx, input, { newFormat: true, few })
          const about = `${message}, by release ${version}: ${JSON.stringify(filters)}`
          assert.deepEqual(
            [page.total, page.rows.length],
            [expected, Math.min(50, expected)],
            about,
          )
        }
      }
    }
  }
}

/** Runs the filing loops of two processes of a release until they find nothing left. */
async function refile({ filing, lostOrders }: LoadedRelease): Promise<void> {
  app.advance(minuteMs)
  await drain(() => walkRows(app.ctx, lostOrders, { batchSize: 100 }))
  const loops = [new filing.OrderReindexer(app.ctx), new filing.OrderReindexer(app.ctx)]
  await Promise.all(
    loops.map(async (loop) => {
      await drain(() => loop.turn())
    }),
  )
}

/** Files every order anew. Nothing else writes meanwhile. */
async function refileAll(release: LoadedRelease): Promise<void> {
  const { filingStore, version } = release
  const countOutdated = () => filingStore.countOutdated(app.ctx.db, { version, limit: 1 })
  for (let round = 0; round < 100 && (round === 0 || (await countOutdated()) > 0); round++) {
    await refile(release)
  }
  assert.equal(await countOutdated(), 0)
}

async function foldAll({ fold }: LoadedRelease): Promise<void> {
  await drain(() => fold.applyCountChanges(app.ctx))
}

/** What `old` and `next` do side by side, with the filing loop of `next` among it. */
async function runSideBySide(old: LoadedRelease, next: LoadedRelease, random: SeededRandom) {
  const count = Math.ceil(ids.length / 40)
  const loop = new next.filing.OrderReindexer(app.ctx)
  await Promise.all([
    changeOrders(saveWith(old), { count, random }),
    changeOrders(saveWith(next), { count, random }),
    createOrders(old, 10),
    createOrders(next, 10),
    old.fold.applyCountChanges(app.ctx),
    next.fold.applyCountChanges(app.ctx),
    (async () => {
      for (let turn = 0; turn < 5; turn++) await loop.turn()
    })(),
  ])
}

/** This release. */
const today: MadeUpRelease = {
  version: filingVersion,
  facets: {},
  tokens: [],
  tokensSince: itemSetsSince,
}

/** This release's rule, filed as releases without versions do. */
const unversioned: MadeUpRelease = {
  ...today,
  version: unversionedFiling,
  tokensSince: unversionedFiling,
}

/** Tests with so many orders, through so many releases. */
export function testReleaseUpgrades({
  orderCount,
  releaseCount,
}: {
  orderCount: number
  releaseCount: number
}): void {
  before(async () => {
    app = await openTestApp()
    releases = new Releases()
    unversionedRelease = await releases.load(unversioned)
    const now = app.ctx.now()
    const orders = variedOrders({ seed, count: orderCount, firstId: 3_200_001, now })
    await saveVariedOrders(app.ctx.db, { orders, now })
    ids = orders.map(({ sellerId, id }) => ({ sellerId, id }))
  })
  after(async () => {
    releases.close()
    await app.close()
  })

  test('releases in a row leave counts as a plain recount has them, under traffic of two at a time', async () => {
    const random = seededRandom(seed)
    let release = today
    let old = await releases.load(release)
    for (let index = 0; index < releaseCount; index++) {
      release = nextRelease(release, random)
      const next = await releases.load(release)
      const about = `release ${release.version} ${JSON.stringify(release)}`
      await runSideBySide(old, next, random)
      await assertCountsMatchRecount(app.ctx.db, `${about}, side by side`)
      await assertSearchesAgree([old, next], `${about}, side by side`)
      await Promise.all([
        refile(next),
        changeOrders(saveWith(old), { count: 20, random }),
        changeOrders(saveWith(next), { count: 20, random }),
      ])
      await refileAll(next)
      // Folding all takes most of the time: some releases leave it to the next one.
      if (index % 5 === 4 || index === releaseCount - 1) await foldAll(next)
      await assertCountsMatchRecount(app.ctx.db, `${about}, filed anew`)
      await assertSearchesAgree([next], `${about}, filed anew`)
      old = next
    }
  })

  test('what a release without versions changes beside a later one is noticed, and its counts are put right', async () => {
    const random = seededRandom(seed + 1)
    const next = await releases.load({
      version: 90,
      facets: { rest: 'order.id % 3' },
      tokens: ['late'],
      tokensSince: 90,
    })
    for (const isFiledFirst of [true, false]) {
      if (isFiledFirst) await refileAll(next)
      await Promise.all([
        changeOrders(saveWithoutVersions, { count: 60, random }),
        changeOrders(saveWith(next), { count: 60, random }),
        changeOrders(saveWithoutVersions, { count: 60, random }),
      ])
      await commentOrders(saveWithoutVersions, { count: 60, random })
      await refileAll(next)
      await foldAll(next)
      await assertCountsMatchRecount(app.ctx.db, 'filed anew')
      await assertSearchesAgree([next], 'filed anew')
    }
  })
  test('a change that follows one of a release without versions notices it before the filing loop does', async () => {
    const random = seededRandom(seed + 2)
    const next = await releases.load({
      version: 91,
      facets: { rest: 'order.id % 3' },
      tokens: [],
      tokensSince: 91,
    })
    await refileAll(next)
    const later = await releases.load({
      version: 92,
      facets: { rest: 'order.id % 4' },
      tokens: [],
      tokensSince: 91,
    })
    const one = { count: 1, random, among: ids.slice(0, 1) }
    await changeOrders(saveWithoutVersions, one)
    await changeOrders(saveWith(next), one)
    const other = { count: 1, random, among: ids.slice(-1) }
    await changeOrders(saveWithoutVersions, other)
    await changeOrders(saveWith(later), other)
    for (const release of [next, later]) await refileAll(release)
    await assertCountsMatchRecount(app.ctx.db, 'put right')
  })
}
