import { setImmediate, setTimeout } from 'node:timers/promises'
import { addRate } from '../../catalog/currencies/store.ts'
import { copyClaims } from '../../claims/store.ts'
import { copyFeedback } from '../../feedback/store.ts'
import { tokenScopes } from '../../http/scopes.ts'
import { saveApplication } from '../../identity/applications/store.ts'
import { hashPassword } from '../../identity/passwords/password.ts'
import { savePassword } from '../../identity/passwords/store.ts'
import { findApplication, findUserIds, saveAuthorization, saveUsers } from '../../identity/store.ts'
import { digestOf } from '../../identity/token.ts'
import { amount } from '../../kernel/money.ts'
import { addListings } from '../../listings/commands/commands.ts'
import { type Listing, noVariation } from '../../listings/listing.ts'
import { pictureOwners, savePictureError } from '../../listings/pictures/store.ts'
import { quotationOwners, saveQuotation } from '../../listings/quotations/store.ts'
import { addSoldQuantities, itemOwners, type SoldQuantity } from '../../listings/store.ts'
import { storageKeyOf, unattachedLifetimeMs } from '../../messages/attachments/attachment.ts'
import { attachFiles } from '../../messages/attachments/commands.ts'
import { insertUpload, markStored } from '../../messages/attachments/store.ts'
import { copyMessages, saveConversations } from '../../messages/store-copy.ts'
import { insertOrderNote } from '../../orders/details/store.ts'
import { insertInvoice } from '../../orders/invoices/store.ts'
import type { Order } from '../../orders/order.ts'
import { copyOrders, packOwners } from '../../orders/store.ts'
import type { Context } from '../../platform/context.ts'
import type { BulkTx, Db, Tx } from '../../platform/database/database.ts'
import { insertQuestion, questionOwners } from '../../questions/store.ts'
import { copyShipments } from '../../shipments/store.ts'
import { countDemoOrders, isSandboxEmpty } from '../read-model.ts'
import { tryLockDemoData } from '../store.ts'
import type { DemoConversation, SentFile } from './conversation-builder.ts'
import { createDemoData, type DemoData, type DemoOrder } from './demo.ts'
import type { DemoExtras } from './extras.ts'
import { demoApplication, demoBuyerId, demoSellerId, firstDemoIds, mostDemoOrders } from './ids.ts'

/** Printed when a sandbox starts. It protects only demo data. */
export const demoApplicationSecret = 'feria-demo-application-secret'
export const demoPassword = 'feria-demo-password'
/** Redirect URIs of the demo application. The examples listen at port 3000. */
export const demoRedirectUris = [
  'http://localhost:3000/callback',
  'http://127.0.0.1:3000/callback',
] as const

const defaultSeed = 1
const defaultOrders = 500
const batchSize = 500
/** Generating yields to the event loop after this many orders, so that saving goes on meanwhile. */
const turnSize = 25

type Tools = Pick<
  Context,
  'catalog' | 'config' | 'db' | 'now' | 'files' | 'random' | 'passwordCost'
>

/** Pause between checks whether another process has made the demo data. */
const lockPauseMs = 200

/**
 * Fills an empty sandbox with demo data. Does nothing if it is not empty. It is one transaction: a killed start leaves
 * the sandbox empty, and the next one begins again.
 */
export async function prepareDemoData(ctx: Tools, say: (step: string) => void): Promise<void> {
  if (!(await isSandboxEmpty(ctx.db))) return
  say(`making the demo data: ${defaultOrders} orders …`)
  if (await tryCreateDemoData(ctx)) return
  say('another process is making the demo data, waiting for it …')
  while (!(await tryCreateDemoData(ctx))) await setTimeout(lockPauseMs)
}

/** Returns false while another process makes the demo data. */
async function tryCreateDemoData(ctx: Tools): Promise<boolean> {
  return ctx.db.bulk(async (tx) => {
    if (!(await tryLockDemoData(tx))) return false
    if (!(await isSandboxEmpty(tx))) return true
    const now = ctx.now()
    const data = createDemoData({ orders: defaultOrders, seed: defaultSeed, now })
    await saveDemoPrerequisites(tx, ctx, data, now)
    const orders = [...data.orders]
    await uploadFilesOf(ctx, orders)
    await insertBatch(tx, orders)
    return true
  })
}

/** Adds the demo users, listings, rates and application that do not exist yet. */
export async function prepareDemoUsers(ctx: Tools): Promise<void> {
  const at = ctx.now()
  const { users, listings, dollarRates } = createDemoData({ orders: 0, seed: defaultSeed, now: at })
  await ctx.db.bulk(async (tx) => {
    const existing = new Set(
      await findUserIds(
        tx,
        users.map(({ id }) => id),
      ),
    )
    const missing = users.filter(({ id }) => !existing.has(id))
    if (missing.length > 0) await saveUsers(tx, missing, at)
    await addMissingListings(tx, ctx, { listings, at })
    if (await findApplication(tx, demoApplication.id)) return
    await saveDemoApplication(tx, ctx, at)
    await addDemoRates(tx, dollarRates, at)
  })
}

/**
 * Adds demo orders after the existing ones, with the users and listings that they need. Calls `progress` with the
 * number of saved orders. An interrupted run leaves complete orders, and the next one continues after them.
 */
export async function seedOrders(
  ctx: Tools,
  options: { orders: number; seed: number; progress: (done: number) => void },
): Promise<void> {
  const now = ctx.now()
  const after = await countDemoOrders(ctx.db, { first: firstDemoIds.order, most: mostDemoOrders })
  const data = createDemoData({ ...options, now, after })
  await ctx.db.bulk((tx) => saveDemoPrerequisites(tx, ctx, data, now))
  let batch: DemoOrder[] = []
  let done = 0
  // One batch is saved while the next one is generated.
  let saving = Promise.resolve()
  const flush = async () => {
    const full = batch
    batch = []
    await saving
    saving = saveBatch(ctx, full).then(() => {
      done += full.length
      options.progress(done)
    })
    // The next `await saving` reports the error; without this handler it would count as unhandled.
    saving.catch(() => {})
  }
  for (const order of data.orders) {
    const isSamePack = order.shipment !== undefined && order.shipment === batch.at(-1)?.shipment
    if (batch.length >= batchSize && !isSamePack) await flush()
    batch.push(order)
    if (batch.length % turnSize === 0) await setImmediate()
  }
  if (batch.length > 0) await flush()
  await saving
}

async function saveBatch(ctx: Tools, batch: readonly DemoOrder[]): Promise<void> {
  await uploadFilesOf(ctx, batch)
  await ctx.db.bulk((tx) => insertBatch(tx, batch))
}

/** Saves what the demo orders need: users, listings, rates, the application, and the extras. */
async function saveDemoPrerequisites(
  tx: BulkTx,
  ctx: Tools,
  { users, listings, extras, dollarRates }: DemoData,
  at: Date,
): Promise<void> {
  await saveUsers(tx, users, at)
  await addMissingListings(tx, ctx, { listings: [...listings, ...extras.listings], at })
  await saveDemoApplication(tx, ctx, at)
  await authorizeDemoExtras(tx, extras, { applicationId: demoApplication.id, now: at })
  await saveDemoExtras(tx, extras)
  await addDemoRates(tx, dollarRates, at)
}

/** Adds the listings that do not exist. Existing ones may have been sold or changed. */
async function addMissingListings(
  tx: BulkTx,
  ctx: Tools,
  { listings, at }: { listings: readonly Listing[]; at: Date },
): Promise<void> {
  const { catalog } = ctx.catalog.served
  const existing = await itemOwners.findMany(
    tx,
    listings.map(({ id }) => id),
  )
  const missing = listings.filter(({ id }) => !existing.has(id))
  await addListings(tx, missing, { at, catalog, factors: ctx.config.search.factors })
}

async function addDemoRates(
  db: Db,
  rates: DemoData['dollarRates'],
  dateCreated: Date,
): Promise<void> {
  for (const { currency, rate } of rates) {
    await addRate(db, { base: 'USD', quote: currency, rate: amount(rate), dateCreated })
  }
}

/** Saves the demo application, and its authorizations and passwords of the demo seller and buyer. */
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
  return uploadDemoFiles(
    ctx,
    batch.flatMap(({ conversation }) => conversation ?? []),
  )
}

/** Writes orders to the tables as the commands would leave them. Demo history is not notified. */
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
  await saveDemoConversations(
    tx,
    batch.flatMap(({ conversation }) => conversation ?? []),
  )
  for (const { notes } of batch) {
    for (const { notebook, note } of notes) await insertOrderNote(tx, notebook, note)
  }
  for (const [sellerId, sold] of soldBySeller(orders)) {
    await addSoldQuantities(tx, { sellerId, sold: [...sold.values()] })
  }
}

/** Returns the sold quantities by seller, sorted, so that concurrent seedings lock in the same order. */
function soldBySeller(
  orders: readonly Order[],
): [sellerId: number, sold: Map<string, SoldQuantity>][] {
  const bySeller = new Map<number, Map<string, SoldQuantity>>()
  for (const { sellerId, items, parts } of orders) {
    if (parts.stock !== 'taken') continue
    const sold = bySeller.get(sellerId) ?? new Map<string, SoldQuantity>()
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

/** Stores the files of demo messages before their rows exist. A repeated run stores the same files by the same names. */
async function uploadDemoFiles(
  { files }: Pick<Context, 'files'>,
  conversations: readonly DemoConversation[],
): Promise<void> {
  const sentFiles = conversations.flatMap((conversation) => conversation.files)
  await Promise.all(
    sentFiles.map(({ attachment: { id }, content }) =>
      files.put(storageKeyOf(id), chunksOf(content)),
    ),
  )
}

async function* chunksOf(content: Uint8Array) {
  yield content
}

/** Saves conversations as the commands would leave them. Their files must be stored already. */
async function saveDemoConversations(
  tx: BulkTx,
  conversations: readonly DemoConversation[],
): Promise<void> {
  await copyMessages(
    tx,
    conversations.flatMap(({ messages }) => messages),
  )
  const marked = conversations.filter(
    ({ thread }) => thread.block || Object.keys(thread.spent).length > 0,
  )
  const bySeller = [...Map.groupBy(marked, ({ sellerId }) => sellerId)]
  for (const [sellerId, threads] of bySeller.sort(([one], [other]) => one - other)) {
    await saveConversations(tx, { sellerId, threads })
  }
  for (const { files } of conversations) {
    for (const file of files) await attach(tx, file)
  }
}

/** Writes the rows that an upload and its message leave. */
async function attach(tx: Tx, { attachment, to }: SentFile): Promise<void> {
  const { id, userId, dateCreated: now, potentialSecurityThreat: isThreat, ...fields } = attachment
  const expiresAt = new Date(now.getTime() + unattachedLifetimeMs)
  await insertUpload(tx, { ...fields, id, userId, now, expiresAt })
  await markStored(tx, { userId, id }, { ...fields, isThreat, expiresAt })
  await attachFiles(tx, { userId, ids: [id], ...to, now })
}

/** Saves the demo questions, quotation, invoice and picture error unless they exist. Demo history is not notified. */
async function saveDemoExtras(
  tx: Tx,
  { questions, quotation, invoice, pictureError }: DemoExtras,
): Promise<void> {
  // A concurrent seeding waits here, and then finds the questions.
  await quotationOwners.claimLocked(tx, quotation.record)
  if (await questionOwners.find(tx, firstDemoIds.question)) return
  for (const question of questions) insertQuestion(tx, question)
  saveQuotation(tx, quotation.record, quotation.at)
  await pictureOwners.claimLocked(tx, {
    ...pictureError.record,
    id: pictureError.record.pictureId,
  })
  savePictureError(tx, pictureError.record, pictureError.at)
  await insertInvoice(tx, invoice.record, invoice.at)
}

/** Records that the sellers of the demo quotation and invoice authorize the application. */
async function authorizeDemoExtras(
  db: Db,
  { quotation, invoice }: DemoExtras,
  { applicationId, now }: { applicationId: number; now: Date },
): Promise<void> {
  for (const userId of [quotation.record.sellerId, invoice.record.userId]) {
    await saveAuthorization(db, { userId, applicationId, scopes: tokenScopes }, now)
  }
}
