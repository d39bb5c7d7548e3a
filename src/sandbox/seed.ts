import { setImmediate, setTimeout } from 'node:timers/promises'
import { addRate } from '../catalog/currencies/store.ts'
import { servedCatalogOf } from '../catalog/open.ts'
import { copyClaims } from '../claims/store.ts'
import { copyFeedback } from '../feedback/store.ts'
import { tokenScopes } from '../http/scopes.ts'
import { saveApplication } from '../identity/applications/store.ts'
import { hashPassword } from '../identity/passwords/password.ts'
import { savePassword } from '../identity/passwords/store.ts'
import { findApplication, findUserIds, saveAuthorization, saveUsers } from '../identity/store.ts'
import { digestOf } from '../identity/token.ts'
import { amount } from '../kernel/money.ts'
import { sites } from '../kernel/sites.ts'
import { addListings } from '../listings/commands.ts'
import { type Listing, noVariation } from '../listings/listing.ts'
import { countSold, itemOwners, type SoldCount } from '../listings/store.ts'
import { insertNote } from '../orders/details/store.ts'
import type { Order } from '../orders/order.ts'
import { copyOrders, packOwners } from '../orders/store.ts'
import type { Context } from '../platform/context.ts'
import type { BulkTx, Db } from '../platform/database/database.ts'
import { copyShipments } from '../shipments/store.ts'
import { authorizeAround, saveAround } from './around.ts'
import { demoAround } from './demo/around/around.ts'
import { dollarOn } from './demo/listings.ts'
import { demoSites } from './demo/places.ts'
import {
  type DemoOrder,
  type DemoWorld,
  demoApplication,
  demoBuyerId,
  demoFirstId,
  demoSellerId,
  demoWorld,
  mostDemoOrders,
} from './demo/world.ts'
import { countDemoOrders, isEmptyWorld, tryLockWorld } from './store.ts'
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

/** Before it is asked again whether another process has made the demo world. */
const lockPauseMs = 200

/**
 * Fills an empty sandbox with the demo world; does nothing to one that is not empty. All of it is one
 * transaction: a start that is killed on the way leaves the sandbox empty, and the next one begins anew.
 */
export async function prepareDemo(ctx: Tools, say: (step: string) => void): Promise<void> {
  if (!(await isEmptyWorld(ctx.db))) return
  say(`making the demo world: ${usualOrders} orders …`)
  if (await tryMakeDemo(ctx)) return
  say('another process is making the demo world, waiting for it …')
  while (!(await tryMakeDemo(ctx))) await setTimeout(lockPauseMs)
}

/** Returns false while another process makes it. */
async function tryMakeDemo(ctx: Tools): Promise<boolean> {
  return ctx.db.bulk(async (tx) => {
    if (!(await tryLockWorld(tx))) return false
    if (!(await isEmptyWorld(tx))) return true
    const now = ctx.now()
    const world = demoWorld({ orders: usualOrders, seed: usualSeed, now })
    await saveSurroundings(tx, ctx, world, now)
    const orders = [...world.orders]
    await uploadFilesOf(ctx, orders)
    await insertBatch(tx, orders)
    return true
  })
}

/** Adds the people, listings and rates of the demo world that are not there yet, and its application. */
export async function preparePeople(ctx: Tools): Promise<void> {
  const at = ctx.now()
  const { users, listings } = demoWorld({ orders: 0, seed: usualSeed, now: at })
  await ctx.db.bulk(async (tx) => {
    const known = new Set(
      await findUserIds(
        tx,
        users.map(({ id }) => id),
      ),
    )
    const missing = users.filter(({ id }) => !known.has(id))
    if (missing.length > 0) await saveUsers(tx, missing, at)
    await addMissing(tx, ctx, { listings, at })
    if (await findApplication(tx, demoApplication.id)) return
    await saveDemoApplication(tx, ctx, at)
    await addDemoRates(tx, at)
  })
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
  const now = ctx.now()
  const after = await countDemoOrders(ctx.db, { first: demoFirstId.order, most: mostDemoOrders })
  const world = demoWorld({ ...wanted, now, after })
  await ctx.db.bulk((tx) => saveSurroundings(tx, ctx, world, now))
  let batch: DemoOrder[] = []
  let done = 0
  // One batch is saved while the next one is made.
  let saving = Promise.resolve()
  const flush = async () => {
    const made = batch
    batch = []
    await saving
    saving = saveBatch(ctx, made).then(() => {
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

async function saveBatch(ctx: Tools, batch: readonly DemoOrder[]): Promise<void> {
  await uploadFilesOf(ctx, batch)
  await ctx.db.bulk((tx) => insertBatch(tx, batch))
}

/** Saves whatever the orders of a demo world need, and what is read around its listings. */
async function saveSurroundings(
  tx: BulkTx,
  ctx: Tools,
  { users, listings }: DemoWorld,
  at: Date,
): Promise<void> {
  await saveUsers(tx, users, at)
  const around = demoAround(at)
  await addMissing(tx, ctx, { listings: [...listings, ...around.listings], at })
  await saveDemoApplication(tx, ctx, at)
  await authorizeAround(tx, around, { applicationId: demoApplication.id, now: at })
  await saveAround(tx, around)
  await addDemoRates(tx, at)
}

/** Those that are not there yet: what is there may have been sold or changed since. */
async function addMissing(
  tx: BulkTx,
  ctx: Tools,
  { listings, at }: { listings: readonly Listing[]; at: Date },
): Promise<void> {
  const { catalog } = servedCatalogOf(ctx)
  const known = await itemOwners.findMany(
    tx,
    listings.map(({ id }) => id),
  )
  const missing = listings.filter(({ id }) => !known.has(id))
  await addListings(tx, missing, { at, catalog })
}

/** The round numbers with which the demo world's prices are made; made up, as they are. */
async function addDemoRates(db: Db, dateCreated: Date): Promise<void> {
  for (const site of demoSites) {
    const rate = amount(dollarOn(site))
    await addRate(db, { base: 'USD', quote: sites[site].currency, rate, dateCreated })
  }
}

async function saveDemoApplication(
  db: Db,
  { random, passwordCost }: Pick<Context, 'random' | 'passwordCost'>,
  now: Date,
): Promise<void> {
  const { id, name, topics } = demoApplication
  const secretHash = digestOf(demoApplicationSecret)
  const client = { redirectUris: demoRedirectUris, ownerId: demoSellerId }
  await saveApplication(db, { id, name, topics, callbackUrl: null, secretHash, client, now })
  const hash = await hashPassword({ random, passwordCost }, demoPassword)
  for (const userId of [demoSellerId, demoBuyerId]) {
    await saveAuthorization(db, { userId, applicationId: id, scopes: tokenScopes }, now)
    await savePassword(db, { userId, hash, now })
  }
}

function uploadFilesOf(ctx: Tools, batch: readonly DemoOrder[]): Promise<void> {
  return uploadFiles(
    ctx,
    batch.flatMap(({ talk }) => talk ?? []),
  )
}

/** Straight into the tables, as the commands would have left them; history is told to nobody. */
async function insertBatch(tx: BulkTx, batch: readonly DemoOrder[]): Promise<void> {
  const orders = batch.map(({ order }) => order)
  const shipments = new Map(
    batch.flatMap(({ shipment }) => (shipment ? [[shipment.id, shipment]] : [])),
  )
  const packs = new Map(
    orders.flatMap(({ packId: id, buyerId }) => (id === null ? [] : [[id, { id, buyerId }]])),
  )
  await copyShipments(tx, [...shipments.values()])
  await copyOrders(tx, orders)
  await packOwners.copyMany(tx, [...packs.values()])
  await copyFeedback(
    tx,
    batch.flatMap(({ feedback }) => feedback),
  )
  await copyClaims(
    tx,
    batch.flatMap(({ claims }) => claims),
  )
  await saveTalks(
    tx,
    batch.flatMap(({ talk }) => talk ?? []),
  )
  for (const { notes } of batch) {
    for (const { notebook, note } of notes) await insertNote(tx, notebook, note)
  }
  for (const [sellerId, sold] of soldIn(orders)) {
    await countSold(tx, { sellerId, sold: [...sold.values()] })
  }
}

/** By seller: what was taken and not given back. In one order by everybody, so that two that seed at
 * once wait for each other once. */
function soldIn(orders: readonly Order[]): [sellerId: number, sold: Map<string, SoldCount>][] {
  const bySeller = new Map<number, Map<string, SoldCount>>()
  for (const { sellerId, items, parts } of orders) {
    if (parts.stock !== 'taken') continue
    const sold = bySeller.get(sellerId) ?? new Map<string, SoldCount>()
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
