import { saveApplication, saveAuthorization, saveUsers } from '../identity/store.ts'
import { digestOf } from '../identity/token.ts'
import { saveListing } from '../listings/store.ts'
import { claimPack, copyOrders } from '../orders/store.ts'
import type { Context } from '../platform/context.ts'
import { copyShipments } from '../shipments/store.ts'
import {
  type DemoOrder,
  demoApplication,
  demoBuyerId,
  demoFirstId,
  demoSellerId,
  demoWorld,
  mostDemoOrders,
} from './demo/world.ts'
import { countDemoOrders, isEmptyWorld } from './store.ts'

/** Printed at the start of a sandbox, where it protects nothing but made-up data. */
export const demoApplicationSecret = 'feria-demo-application-secret'

const usualSeed = 1
const usualOrders = 500
const batchSize = 500

type Tools = Pick<Context, 'db' | 'now'>

/** Fills an empty sandbox with the demo world; does nothing to one that is not empty. */
export async function prepareDemo(ctx: Tools, say: (step: string) => void): Promise<void> {
  if (!(await isEmptyWorld(ctx.db))) return
  say(`making the demo world: ${usualOrders} orders …`)
  await seedOrders(ctx, { orders: usualOrders, seed: usualSeed, progress: () => {} })
}

/**
 * Adds demo orders, with the people and listings that they need, after those that are there.
 * `progress` is told how many are done. A run that was cut short left whole orders only, and the
 * next one goes on behind them.
 */
export async function seedOrders(
  { db, now }: Tools,
  wanted: { orders: number; seed: number; progress: (done: number) => void },
): Promise<void> {
  const at = now()
  const after = await countDemoOrders(db, { first: demoFirstId.order, most: mostDemoOrders })
  const world = demoWorld({ ...wanted, now: at, after })
  await saveUsers(db, world.users, at)
  for (const listing of world.listings) {
    await db.transaction((tx) => saveListing(tx, listing, at))
  }
  await saveDemoApplication(db, at)
  let batch: DemoOrder[] = []
  let done = 0
  const flush = async () => {
    await insertBatch(db, batch)
    done += batch.length
    wanted.progress(done)
    batch = []
  }
  for (const made of world.orders) {
    const isSamePack = made.shipment !== undefined && made.shipment === batch.at(-1)?.shipment
    if (batch.length >= batchSize && !isSamePack) await flush()
    batch.push(made)
  }
  if (batch.length > 0) await flush()
}

async function saveDemoApplication(db: Context['db'], now: Date): Promise<void> {
  const { id, name, topics } = demoApplication
  const secretHash = digestOf(demoApplicationSecret)
  await saveApplication(db, { id, name, topics, callbackUrl: null, secretHash, now })
  for (const userId of [demoSellerId, demoBuyerId]) {
    const scopes = ['read', 'write']
    await saveAuthorization(db, { userId, applicationId: id, scopes }, now)
  }
}

/** Straight into the tables, as the commands would have left them; history is told to nobody. */
async function insertBatch(db: Context['db'], batch: readonly DemoOrder[]): Promise<void> {
  await db.transaction(async (tx) => {
    const orders = batch.map(({ order }) => order)
    const shipments = new Map(batch.map(({ shipment }) => [shipment?.id, shipment]))
    await copyShipments(
      tx,
      [...shipments.values()].filter((shipment) => shipment !== undefined),
    )
    await copyOrders(tx, orders)
    for (const { packId, buyerId } of orders) {
      if (packId !== null) await claimPack(tx, { packId, buyerId })
    }
  })
}
