import { erasePersonalValues } from '../audit/store.ts'
import { eraseClaims } from '../claims/store-erasure.ts'
import { eraseFeedback } from '../feedback/erase.ts'
import { deleteIdempotencyKeysOf } from '../http/store-idempotency.ts'
import { eraseAccount, eraseOwnedApplication } from '../identity/erase.ts'
import { findOwnedApplicationId, removeOwner } from '../identity/store-erasure.ts'
import { removeFilesWithUser } from '../jobs/remove-files.ts'
import { eraseListings } from '../listings/commands/erase.ts'
import { eraseTrainingLog } from '../listings/learning/erase.ts'
import { deletePictureErrors, eraseQuotations } from '../listings/store-erasure.ts'
import { eraseAttachments } from '../messages/attachments/erase.ts'
import { eraseMessages } from '../messages/erase.ts'
import { eraseDeliveries } from '../notifications/erase.ts'
import { eraseOrder } from '../orders/commands/erase.ts'
import type { PartyRole } from '../orders/erasure.ts'
import {
  eraseInvoices,
  findShipmentId,
  listPurchaseKeys,
  listSaleKeys,
  type SaleKey,
} from '../orders/store-erasure.ts'
import type { Context } from '../platform/context.ts'
import type { Tx } from '../platform/database/database.ts'
import type { RowKey } from '../platform/walks/store.ts'
import {
  eraseAnswers,
  eraseQuestion,
  listAnsweredQuestions,
  listAskedQuestions,
} from '../questions/store-erasure.ts'
import { eraseShipment } from '../shipments/erase.ts'
import type { BatchResult, ErasureStepName } from './erasure.ts'
import { jobKinds } from './job-kinds.ts'
import { removeSnapshotsWithUser } from './snapshots.ts'
import type { Erasure } from './store.ts'

/** Rows of one batch: short transactions, which hold the locks of sales only for moments. */
const batchSize = 25

interface BatchInput {
  ctx: Context
  tx: Tx
  userId: number
  key: RowKey | null
  erasure: Erasure
  now: Date
}

/** Erases one batch of a step in the transaction that saves the progress. */
type TransactionStep = (input: BatchInput) => Promise<BatchResult>

/** Erases one batch of a step outside of transactions, because it removes files. It may be repeated at any time. */
type FileStep = (ctx: Context, erasure: Erasure) => Promise<BatchResult>

type FileStepName = 'snapshots' | 'attachments' | 'job files'

/** Steps that remove files. */
const fileSteps: Record<FileStepName, FileStep> = {
  async snapshots(ctx, { userId }) {
    const snapshots = await removeSnapshotsWithUser(ctx, userId)
    return { erased: { snapshots }, next: 'done' }
  },

  async attachments(ctx, { userId }) {
    const { removed, hasMore } = await eraseAttachments(ctx, userId)
    // Removed rows are gone, so the step begins anew without a key.
    return { erased: { attachments: removed }, next: hasMore ? [] : 'done' }
  },

  async 'job files'(ctx, { userId, pass, found }) {
    // A later pass that has found nothing follows exports that could not read what the first one erased.
    if (pass > 1 && found === 0) return { erased: {}, next: 'done' }
    const { jobs, mustWait } = await removeFilesWithUser(ctx, { kinds: jobKinds, userId })
    return { erased: { 'job files': jobs }, next: mustWait ? 'wait' : 'done' }
  },
}

/** Returns a step that removes files, or undefined if it is another one. */
export function fileStepOf(step: ErasureStepName): FileStep | undefined {
  return isFileStep(step) ? fileSteps[step] : undefined
}

export function isFileStep(step: ErasureStepName): step is FileStepName {
  return step in fileSteps
}

export const transactionSteps: Record<Exclude<ErasureStepName, FileStepName>, TransactionStep> = {
  async account({ tx, userId, now }) {
    return { erased: { account: (await eraseAccount(tx, { userId, now })) ?? 0 }, next: 'done' }
  },

  async applications({ tx, userId, key, now }) {
    const after = numberIn(key)
    const application = await eraseOwnedApplication(tx, { userId, after, now })
    if (!application) return { erased: {}, next: 'done' }
    const { id, erased, isDone } = application
    return { erased: { applications: erased }, next: [isDone ? id : after] }
  },

  async items({ ctx, tx, userId, key, now }) {
    const { erased, last } = await eraseListings(tx, {
      sellerId: userId,
      after: String(key?.[0] ?? ''),
      limit: batchSize,
      at: now,
      catalog: ctx.catalog.served.catalog,
      factors: ctx.config.search.factors,
    })
    if (last !== null) return { erased: { items: erased }, next: [last] }
    const pictures = await deletePictureErrors(tx, userId)
    return { erased: { items: erased, pictures }, next: 'done' }
  },

  async questions({ tx, userId, key }) {
    const range = { userId, after: numberIn(key), limit: batchSize }
    const questions = await listAskedQuestions(tx, range)
    const erased = await Promise.all(questions.map((question) => eraseQuestion(tx, question)))
    return {
      erased: { questions: erased.filter(Boolean).length },
      next: nextOf(questions.map(({ id }) => id)),
    }
  },

  async answers({ tx, userId, key }) {
    const range = { userId, after: numberIn(key), limit: batchSize }
    const ids = await listAnsweredQuestions(tx, range)
    return { erased: { answers: await eraseAnswers(tx, { userId, ids }) }, next: nextOf(ids) }
  },

  async quotations({ tx, userId, now }) {
    return { erased: { quotations: await eraseQuotations(tx, { userId, now }) }, next: 'done' }
  },

  purchases: (input) => eraseSales(input, 'buyer'),
  'messages to sellers': (input) => eraseConversations(input, 'buyer'),
  sales: (input) => eraseSales(input, 'seller'),
  'messages to buyers': (input) => eraseConversations(input, 'seller'),

  async invoices({ tx, userId, now }) {
    return { erased: { invoices: await eraseInvoices(tx, { userId, now }) }, next: 'done' }
  },

  async requests({ tx, userId }) {
    return { erased: { requests: await deleteIdempotencyKeysOf(tx, userId) }, next: 'done' }
  },

  async 'audit log'({ tx, userId }) {
    return { erased: { 'audit log': await erasePersonalValues(tx, userId) }, next: 'done' }
  },

  async 'training examples'({ tx, userId, key, erasure, now }) {
    // A pass that has found nothing has not removed an item, so the log has nothing of the seller.
    if (erasure.found === 0) return { erased: {}, next: 'done' }
    const upTo = key === null ? null : numberIn(key)
    const position = await eraseTrainingLog(tx, { sellerId: userId, upTo, now })
    if (position === 'done') return { erased: {}, next: 'done' }
    return { erased: {}, next: position === null || upTo !== null ? 'wait' : [position] }
  },

  async deliveries({ tx, userId, key }) {
    const [previous, after] = [numberIn(key), Number(key?.[1] ?? 0)]
    // A key of one number is an application that is done, a key of two one that is not.
    const isNext = key?.length !== 2
    const applicationId = isNext
      ? await findOwnedApplicationId(tx, { ownerId: userId, after: previous })
      : previous
    if (applicationId === undefined) return { erased: {}, next: 'done' }
    const { erased, last } = await eraseDeliveries(tx, { applicationId, after })
    const next = last === null ? [applicationId] : [applicationId, last]
    return { erased: { deliveries: erased }, next }
  },

  async ownership({ tx, userId }) {
    removeOwner(tx, userId)
    return { erased: {}, next: 'done' }
  },
}

/** Erases a batch of sales in which the user is one party, with their shipments, claims and ratings. */
async function eraseSales(
  { tx, userId, key, now }: BatchInput,
  role: PartyRole,
): Promise<BatchResult> {
  const range = { userId, after: numberIn(key), limit: batchSize }
  const sales = await (role === 'seller' ? listSaleKeys : listPurchaseKeys)(tx, range)
  const erased = { orders: 0, notes: 0, shipments: 0, claims: 0, ratings: 0 }
  for (const sale of sales) {
    const { id, sellerId } = sale
    // A shipment is locked before its orders.
    const shipmentId = await shipmentOf(tx, sale)
    if (shipmentId !== null && (await eraseShipment(tx, { sellerId, id: shipmentId, role })))
      erased.shipments++
    const { orders, notes } = await eraseOrder(tx, { sellerId, id, userId, role })
    erased.orders += orders
    erased.notes += notes
    erased.claims += await eraseClaims(tx, { sellerId, orderId: id })
    erased.ratings += await eraseFeedback(tx, { sellerId, orderId: id, userId, now })
  }
  return { erased, next: nextOf(sales.map(({ id }) => id)) }
}

async function shipmentOf(
  tx: Tx,
  sale: Pick<SaleKey, 'id' | 'sellerId'> & Partial<SaleKey>,
): Promise<number | null> {
  return sale.shipmentId === undefined ? findShipmentId(tx, sale) : sale.shipmentId
}

/** Erases what the user wrote in the conversations of a batch of sales. */
async function eraseConversations(
  { tx, userId, key }: BatchInput,
  role: PartyRole,
): Promise<BatchResult> {
  const range = { userId, after: numberIn(key), limit: batchSize }
  const sales = await (role === 'seller' ? listSaleKeys : listPurchaseKeys)(tx, range)
  let messages = 0
  for (const { sellerId, packId } of sales) {
    messages += await eraseMessages(tx, { sellerId, packId, userId })
  }
  return { erased: { messages }, next: nextOf(sales.map(({ id }) => id)) }
}

/** Returns the key after which a step goes on, or that it is done: a short batch is the last. */
function nextOf(ids: readonly number[]): BatchResult['next'] {
  const last = ids.at(-1)
  return last === undefined || ids.length < batchSize ? 'done' : [last]
}

function numberIn(key: RowKey | null): number {
  return Number(key?.[0] ?? 0)
}
