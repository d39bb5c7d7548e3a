import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serialize } from 'node:v8'
import { createContext } from '../src/app/context.ts'
import { saveUsers } from '../src/identity/store.ts'
import { noPhone, type User } from '../src/identity/user.ts'
import { listingDefaults } from '../src/listings/listing.ts'
import { itemOwners, saveListing } from '../src/listings/store.ts'
import type { Checkout } from '../src/orders/commands/bodies.ts'
import { createOrder } from '../src/orders/commands/commands.ts'
import { loadRenderedOrder } from '../src/orders/read.ts'
import { readConfig, sandboxOperatorToken } from '../src/platform/config.ts'
import type { Context } from '../src/platform/context.ts'
import type { Tx } from '../src/platform/database/database.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import type { Sql } from '../src/platform/database/sql.ts'
import { Lifecycle } from '../src/platform/lifecycle.ts'
import { makeLog } from '../src/platform/log.ts'
import { compareInTurn } from './compare-in-turn.ts'
import { startDatabase, withClient } from './database.ts'
import { mainFile, makeFolder, startServer } from './measure.ts'
import type { Figure } from './run.ts'

const connections = 16
const sellers = 20
const itemsPerSeller = 10
const buyers = 200

/**
 * `POST /operator/orders` against its floor: the same checkouts, by 16 clients, of 200 items of 20
 * sellers, one of ten with two lines. The floor is reached over HTTP as well: whoever makes the load
 * takes its share of the same two cores then from both.
 */
export async function orderIntake({ short }: { short: boolean }): Promise<Figure[]> {
  const seconds = short ? 1 : 15
  const rounds = short ? 1 : 5
  const folder = makeFolder()
  const database = await startDatabase({ dataDirectory: folder.path })
  try {
    const models = await prepare(database.url)
    const modelsFile = join(folder.path, 'models')
    writeFileSync(modelsFile, serialize(models))
    const env = { DATABASE_URL: database.url, FERIA_MODE: 'sandbox', FERIA_DEMO: 'off' }
    const floorFile = fileURLToPath(new URL('./intake-floor.ts', import.meta.url))
    const floor = await startServer([floorFile], {
      ...env,
      MODELS: modelsFile,
      FIRST_ID: String(5e15),
    })
    const program = await startServer([mainFile, 'serve'], {
      ...env,
      DATABASE_POOL: String(connections),
      FERIA_RATE_PER_MINUTE: '100000000',
    })
    const next = () => ({
      path: '/operator/orders',
      token: sandboxOperatorToken,
      body: (models[Math.floor(Math.random() * models.length)] as CheckoutModel).request,
    })
    try {
      const {
        floor: bare,
        program: whole,
        ratio,
      } = await compareInTurn({
        name: 'order-intake',
        connections,
        seconds,
        rounds,
        floor: { address: floor.address, next },
        program: { address: program.address, next },
        settle: () => checkpoint(database.url),
      })
      return [
        { name: 'order-intake.floor', value: bare, unit: 'orders/s' },
        { name: 'order-intake.program', value: whole, unit: 'orders/s' },
        { name: 'order-intake.ratio', value: ratio, unit: 'of the floor' },
      ]
    } finally {
      await program.stop()
      await floor.stop()
    }
  } finally {
    await database.stop()
    folder.remove()
  }
}

/** A checkout, and what its order was written with. */
export interface CheckoutModel {
  request: string
  answer: string
  orderId: number
  shipmentId: number
  now: Date
  expires: Date
  statements: readonly { name: string; text: string; values: readonly unknown[] }[]
}

async function prepare(url: string): Promise<CheckoutModel[]> {
  await migrate(url)
  const config = readConfig({ FERIA_MODE: 'sandbox', FERIA_LOG_LEVEL: 'warn' })
  const log = makeLog('warn')
  const lifecycle = new Lifecycle(5_000, log)
  const ctx = await createContext({ config, databaseUrl: url, log }, lifecycle)
  try {
    await saveUsers(ctx.db, makeUsers(), ctx.now())
    const checkouts: Checkout[] = []
    for (let seller = 0; seller < sellers; seller++)
      checkouts.push(...(await createSellerCheckouts(ctx, seller)))
    const models: CheckoutModel[] = []
    for (const checkout of checkouts) models.push(await modelOf(ctx, checkout))
    return models
  } finally {
    await lifecycle.close()
  }
}

function makeUsers(): User[] {
  return Array.from({ length: sellers + buyers }, (_, index) => ({
    id: 1_000_000 + index,
    siteId: 'MLA',
    nickname: `PRUEBA_${index}`,
    email: `prueba.${index}@example.com`,
    firstName: 'Prueba',
    lastName: 'Feria',
    phone: { area_code: '11', number: '5555-0100', extension: '', verified: true },
    alternativePhone: noPhone,
    billingInfo: { doc_type: 'DNI', doc_number: '99000100' },
  }))
}

/** A seller's listings, and a checkout of each: every tenth with a second line. */
async function createSellerCheckouts({ db, now }: Context, seller: number): Promise<Checkout[]> {
  const sellerId = 1_000_000 + seller
  const ids = Array.from(
    { length: itemsPerSeller },
    (_, index) => `MLA${1_000_000 + seller * itemsPerSeller + index}`,
  )
  for (const id of ids) {
    await db.transaction(async (tx) => {
      await itemOwners.claim(tx, { id, sellerId })
      await saveListing(
        tx,
        {
          id,
          sellerId,
          siteId: 'MLA',
          title: `Termo de acero de medio litro ${id}`,
          categoryId: 'MLA30010',
          currencyId: 'ARS',
          price: '15999.90',
          status: 'active',
          condition: 'new',
          listingTypeId: 'gold_special',
          warranty: '6 meses',
          sellerCustomField: null,
          sellerSku: `SKU-${id}`,
          manufacturingDays: null,
          ...listingDefaults,
          stock: [{ variationId: 0, availableQuantity: 9e6, attributes: [], sellerSku: null }],
        },
        now(),
      )
    })
  }
  return ids.map((item_id, index) => ({
    buyer_id: 1_000_000 + sellers + ((seller * itemsPerSeller + index) % buyers),
    currency_id: 'ARS',
    lines: [item_id, ...(index === 0 ? ids.slice(5, 6) : [])].map((id) => ({
      item_id: id,
      quantity: 1,
    })),
    shipping: {
      mode: 'me2',
      logistic_type: 'drop_off',
      cost: 990.5,
      receiver_address: {
        city: { name: 'Buenos Aires' },
        street_name: 'Calle 9',
        zip_code: '1406',
      },
    },
  }))
}

/** Creates the order, and keeps what was written. */
async function modelOf(ctx: Context, checkout: Checkout): Promise<CheckoutModel> {
  const now = ctx.now()
  const statements: Sql[] = []
  const db = {
    transaction: (work: (tx: Tx) => Promise<unknown>) =>
      ctx.db.transaction((tx) => {
        statements.length = 0
        const rows: Tx['rows'] = (statement) => {
          statements.push(statement)
          return tx.rows(statement)
        }
        const write: Tx['write'] = (statement) => {
          statements.push(statement)
          tx.write(statement)
        }
        const row: Tx['row'] = async (statement) => (await rows(statement))[0] as never
        return work({ ...tx, rows, row, write })
      }),
  } as Context['db']
  const createdOrder = await createOrder(
    { ...ctx, db, now: () => now },
    { checkout, key: undefined },
  )
  const order = await ctx.db.row<{ sellerId: number; shipmentId: number; expires: Date }>({
    ...(statements[0] as Sql),
    name: 'model',
    text: `select seller_id as "sellerId", shipment_id as "shipmentId", expiration_date as expires
      from orders where id = $1`,
    values: [createdOrder.id],
  })
  if (!order) throw new Error('the order was not made')
  const readInput = { ...order, id: createdOrder.id, newFormat: false, reader: 'operator' } as const
  return {
    ...order,
    request: JSON.stringify(checkout),
    answer: (await loadRenderedOrder(ctx, readInput))?.text ?? '',
    orderId: createdOrder.id,
    now,
    statements: statements
      .filter(({ text }) => /^\s*(insert|update)/.test(text))
      .map(({ name, text, values }) => ({ name: name ?? '', text, values })),
  }
}

/** What a round has written is on disk before the next one begins. */
async function checkpoint(url: string): Promise<void> {
  await withClient(url, (client) => client.query('checkpoint'))
}
