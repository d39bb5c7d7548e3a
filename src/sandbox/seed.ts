import { setImmediate } from 'node:timers/promises'
import { addRate } from '../catalog/currencies/store.ts'
import { shelfOf } from '../catalog/open.ts'
import { copyClaims } from '../claims/store.ts'
import { copyFeedback } from '../feedback/store.ts'
import { saveApplication } from '../identity/applications/store.ts'
import { hashPassword } from '../identity/passwords/password.ts'
import { savePassword } from '../identity/passwords/store.ts'
import { saveAuthorization, saveUsers } from '../identity/store.ts'
import { digestOf } from '../identity/token.ts'
import { copyPacks } from '../imports/store.ts'
import { amount } from '../kernel/money.ts'
import { sites } from '../kernel/sites.ts'
import { addListings } from '../listings/commands.ts'
import { type Listing, noVariation } from '../listings/listing.ts'
import { findItemOwners } from '../listings/store.ts'
import { insertNote } from '../orders/details/store.ts'
import type { Order } from '../orders/order.ts'
import { copyOrders } from '../orders/store.ts'
import type { Context } from '../platform/context.ts'
import { copyShipments } from '../shipments/store.ts'
import { authorizeAround, saveAround } from './around.ts'
import { demoAround } from './demo/around/around.ts'
import { dollarOn } from './demo/listings.ts'
import { demoSites } from './demo/places.ts'
import {
  type DemoOrder,
  demoApplication,
  demoBuyerId,
  demoFirstId,
  demoSellerId,
  demoWorld,
  mostDemoOrders,
} from './demo/world.ts'
import {
  countDemoOrders,
  countSold,
  findKnownUsers,
  hasDemo,
  isEmptyWorld,
  type Sold,
} from './store.ts'
import { saveTalks, uploadFiles } from './talks.ts'

/** Printed at the start of a sandbox, where it protects nothing but made-up data. */
export const demoApplicationSecret = 'feria-demo-application-secret'
export const demoPassword = 'feria-demo-password'
/** Where the demo application takes its codes: on this machine, where an example usually listens. */
export const demoRedirectUris = [
  'http://localhost:3000/callback',
  'http://127.0.0.1:3000/callback',
] as const

const usualSeed = 1
const usualOrders = 500
const batchSize = 500
/** After so many are made, what is being saved has its turn. */
const turnSize = 25

type Tools = Pick<Context, 'db' | 'now' | 'files' | 'random' | 'passwordCost'>

/** Fills an empty sandbox with the demo world; does nothing to one that is not empty. */
export async function prepareDemo(ctx: Tools, say: (step: string) => void): Promise<void> {
  if (!(await isEmptyWorld(ctx.db))) return
  say(`making the demo world: ${usualOrders} orders …`)
  await seedOrders(ctx, { orders: usualOrders, seed: usualSeed, progress: () => {} })
}

/** Adds the people, listings and rates of the demo world that are not there yet, and its application. */
export async function preparePeople(ctx: Tools & object): Promise<void> {
  const { db, now } = ctx
  const at = now()
  const { users, listings } = demoWorld({ orders: 0, seed: usualSeed, now: at })
  const known = await findKnownUsers(
    db,
    users.map(({ id }) => id),
  )
  const missing = users.filter(({ id }) => !known.has(id))
  if (missing.length > 0) await saveUsers(db, missing, at)
  await addMissing(ctx, listings, at)
  if (await hasDemo(db, demoApplication.id)) return
  await saveDemoApplication(ctx, at)
  await addDemoRates(db, at)
}

/**
 * Adds demo orders, with the people and listings that they need, after those that are there.
 * `progress` is told how many are done. A run that was cut short left whole orders only, and the
 * next one goes on behind them.
 */
export async function seedOrders(
  ctx: Tools,
  wanted: { orders: number; seed: number; progress: (done: number) => void },
): Promise<void> {
  const { db, now, files } = ctx
  const at = now()
  const after = await countDemoOrders(db, { first: demoFirstId.order, most: mostDemoOrders })
  const world = demoWorld({ ...wanted, now: at, after })
  await saveUsers(db, world.users, at)
  const around = demoAround(at)
  await addMissing(ctx, [...world.listings, ...around.listings], at)
  await saveDemoApplication(ctx, at)
  await authorizeAround(db, around, { applicationId: demoApplication.id, now: at })
  await saveAround(db, around)
  await addDemoRates(db, at)
  let batch: DemoOrder[] = []
  let done = 0
  // One batch is saved while the next one is made.
  let saving = Promise.resolve()
  const flush = async () => {
    const made = batch
    batch = []
    await saving
    saving = insertBatch({ db, files }, made).then(() => {
      done += made.length
      wanted.progress(done)
    })
    // Whoever waits for it next learns what it fails with.
    saving.catch(() => {})
  }
  for (const made of world.orders) {
    const isSamePack = made.shipment !== undefined && made.shipment === batch.at(-1)?.shipment
    if (batch.length >= batchSize && !isSamePack) await flush()
    batch.push(made)
    if (batch.length % turnSize === 0) await setImmediate()
  }
  if (batch.length > 0) await flush()
  await saving
}

/** Those that are not there yet: what is there may have been sold or changed since. */
async function addMissing(ctx: Tools, listings: readonly Listing[], at: Date) {
  const { db } = ctx
  const { catalog } = shelfOf(ctx)
  const known = await findItemOwners(
    db,
    listings.map(({ id }) => id),
  )
  await db.bulk((tx) =>
    addListings(
      tx,
      listings.filter(({ id }) => !known.has(id)),
      { at, catalog },
    ),
  )
}

/** The round numbers with which the demo world's prices are made; made up, as they are. */
async function addDemoRates(db: Context['db'], dateCreated: Date): Promise<void> {
  for (const site of demoSites) {
    const rate = amount(dollarOn(site))
    await addRate(db, { base: 'USD', quote: sites[site].currency, rate, dateCreated })
  }
}

async function saveDemoApplication(
  { db, random, passwordCost }: Pick<Context, 'db' | 'random' | 'passwordCost'>,
  now: Date,
): Promise<void> {
  const { id, name, topics } = demoApplication
  const secretHash = digestOf(demoApplicationSecret)
  const client = { redirectUris: demoRedirectUris, ownerId: demoSellerId }
  await saveApplication(db, { id, name, topics, callbackUrl: null, secretHash, client, now })
  const hash = await hashPassword({ random, passwordCost }, demoPassword)
  for (const userId of [demoSellerId, demoBuyerId]) {
    const scopes = ['read', 'write']
    await saveAuthorization(db, { userId, applicationId: id, scopes }, now)
    await savePassword(db, { userId, hash, now })
  }
}

/** Straight into the tables, as the commands would have left them; history is told to nobody. */
async function insertBatch(
  { db, files }: Pick<Context, 'db' | 'files'>,
  batch: readonly DemoOrder[],
): Promise<void> {
  const talks = batch.flatMap(({ talk }) => talk ?? [])
  await uploadFiles({ files }, talks)
  await db.bulk(async (tx) => {
    const orders = batch.map(({ order }) => order)
    const shipments = new Map(
      batch.flatMap(({ shipment }) => (shipment ? [[shipment.id, shipment]] : [])),
    )
    const packs = new Map(
      orders.flatMap(({ packId, buyerId }) => (packId === null ? [] : [[packId, buyerId]])),
    )
    await copyShipments(tx, [...shipments.values()])
    await copyOrders(tx, orders)
    await copyPacks(tx, packs)
    await copyFeedback(
      tx,
      batch.flatMap(({ feedback }) => feedback),
    )
    await copyClaims(
      tx,
      batch.flatMap(({ claims }) => claims),
    )
    await saveTalks(tx, talks)
    for (const { notes } of batch) {
      for (const { notebook, note } of notes) await insertNote(tx, notebook, note)
    }
    for (const [sellerId, sold] of soldIn(orders)) {
      await countSold(tx, { sellerId, sold: [...sold.values()] })
    }
  })
}

/** By seller: what was taken and not given back. In one order by everybody, so that two that seed at
 * once wait for each other once. */
function soldIn(orders: readonly Order[]): [sellerId: number, sold: Map<string, Sold>][] {
  const bySeller = new Map<number, Map<string, Sold>>()
  for (const { sellerId, items, parts } of orders) {
    if (parts.stock !== 'taken') continue
    const sold = bySeller.get(sellerId) ?? new Map<string, Sold>()
    bySeller.set(sellerId, sold)
    for (const { item, quantity } of items) {
      const variationId = item.variation_id ?? noVariation
      const key = `${item.id}/${variationId}`
      const before = sold.get(key)?.quantity ?? 0
      sold.set(key, { itemId: item.id, variationId, quantity: before + quantity })
    }
  }
  return [...bySeller].sort(([one], [other]) => one - other)
}
