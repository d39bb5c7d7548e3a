import { listPersonalChanges, type PersonalChange } from '../audit/store.ts'
import { findClaim } from '../claims/store.ts'
import { listClaimIds } from '../claims/store-erasure.ts'
import { authorOf } from '../feedback/feedback.ts'
import { listFeedback } from '../feedback/store.ts'
import { listOwnedApplications } from '../identity/admin/store.ts'
import { applicationView } from '../identity/applications/settings.ts'
import { listAccess, listNetworks } from '../identity/store-erasure.ts'
import type { User } from '../identity/user.ts'
import { userView } from '../identity/view.ts'
import { timestamp } from '../kernel/clock.ts'
import { findQuotation } from '../listings/quotations/store.ts'
import { findDescription } from '../listings/sell/store-descriptions.ts'
import { listItemIds, listPictureErrors, listQuotationsOf } from '../listings/store-erasure.ts'
import { readItems } from '../listings/store-read.ts'
import { itemView } from '../listings/view.ts'
import { openAttachment } from '../messages/attachments/read.ts'
import { findAttachment } from '../messages/attachments/store.ts'
import { listUploadIds } from '../messages/attachments/store-erasure.ts'
import { listMessageBodies } from '../messages/store-erasure.ts'
import { type AttemptRow, listAttempts } from '../notifications/feed/store.ts'
import { listListeners } from '../notifications/listen/store.ts'
import { listStoredSecrets } from '../notifications/signing/store.ts'
import { listOrderNotes } from '../orders/details/store.ts'
import { orderNoteView } from '../orders/details/view.ts'
import { allDiscounts } from '../orders/discount.ts'
import type { PartyRole } from '../orders/erasure.ts'
import { invoiceView } from '../orders/invoices/routes.ts'
import { findInvoice } from '../orders/invoices/store.ts'
import { isCancelled } from '../orders/status.ts'
import { loadOrder } from '../orders/store.ts'
import {
  findShipmentId,
  listInvoiceIds,
  listPurchaseKeys,
  listSaleKeys,
} from '../orders/store-erasure.ts'
import { bodyText } from '../orders/view.ts'
import type { Context } from '../platform/context.ts'
import type { RowKey } from '../platform/walks/store.ts'
import { findQuestions } from '../questions/store.ts'
import { listAnsweredQuestions, listAskedQuestions } from '../questions/store-erasure.ts'
import { findShipment } from '../shipments/store.ts'

/** One line of an export. */
interface ExportLine {
  kind: string
  data: object
}

/** Rows that are held in memory at once. */
const pageSize = 100

/** What the next row of an export follows: a part, and the key of the last row that was written of it. */
export interface ExportPosition {
  part: number
  after: RowKey | null
}

/** A row of a user with its lines, which are read once, before the next row. */
interface ExportedRow {
  lines: AsyncIterable<ExportLine>
  /** Where the export goes on after this row. */
  next: ExportPosition
}

/**
 * Yields everything that is stored about a user, row by row: what the user is, has, did and wrote, and the messages that
 * the user received. What is about a counterpart only is left out. Files follow in pieces.
 */
export async function* exportRows(
  ctx: Context,
  user: User,
  from: ExportPosition = firstPosition,
): AsyncGenerator<ExportedRow> {
  const input = { ctx, user, userId: user.id }
  for (const [index, part] of parts.entries()) {
    if (index < from.part) continue
    let after = index === from.part ? from.after : null
    for (let isLast = false; !isLast; ) {
      const page = await part.list(input, after)
      isLast = page.length < pageSize
      for (const row of page) {
        const next = part.keyOf(row)
        yield {
          lines: part.lines(input, row, after),
          next: { part: index, after: next },
        }
        after = next
      }
    }
  }
}

/** Returns the last line of a complete export. */
export function endLine(lines: number): string {
  return `${JSON.stringify({ kind: 'end', data: { lines } })}\n`
}

const firstPosition: ExportPosition = { part: 0, after: null }

interface ExportInput {
  ctx: Context
  userId: number
  user: User
}

/** One kind of rows of a user. */
interface ExportPart<Row> {
  /** Lists the rows after a key, or the first ones, at most `pageSize`. */
  list(input: ExportInput, after: RowKey | null): Promise<Row[]>
  keyOf(row: Row): RowKey
  /** Yields the lines of a row. `previous` is the key of the row before it. */
  lines(input: ExportInput, row: Row, previous: RowKey | null): AsyncGenerator<ExportLine>
}

/** Returns the part. It only infers and checks the types. */
function exportPart<Row>(part: ExportPart<Row>): ExportPart<unknown> {
  return part
}

const numberIn = (key: RowKey | null) => Number(key?.[0] ?? 0)
const textIn = (key: RowKey | null, index = 0) => String(key?.[index] ?? '')

const profile = exportPart<User>({
  list: async ({ user }, after) => (after === null ? [user] : []),
  keyOf: ({ id }) => [id],
  async *lines(_, user) {
    yield { kind: 'user', data: userView(user) }
  },
})

const access = exportPart<Awaited<ReturnType<typeof listAccess>>[number]>({
  list: ({ ctx, userId }, after) =>
    listAccess(ctx.db, { userId, after: [textIn(after), textIn(after, 1)], limit: pageSize }),
  keyOf: ({ kind, id }) => [kind, id],
  async *lines(_, { kind, data }) {
    yield { kind, data: JSON.parse(data) }
  },
})

const applications = exportPart<Awaited<ReturnType<typeof listOwnedApplications>>[number]>({
  list: ({ ctx, userId }, after) =>
    listOwnedApplications(ctx.db, { ownerId: userId, after: numberIn(after), limit: pageSize }),
  keyOf: ({ id }) => [id],
  async *lines({ ctx }, application) {
    const networks = await listNetworks(ctx.db, application.id)
    yield {
      kind: 'application',
      data: {
        ...applicationView(application),
        networks: networks.map(({ network, expiresAt }) => ({
          network,
          date_expires: timestamp(expiresAt),
        })),
      },
    }
    yield* listenerLines(ctx, application.id)
    yield* secretLines(ctx, application.id)
  },
})

async function* listenerLines({ db }: Context, applicationId: number): AsyncGenerator<ExportLine> {
  for (const listener of await listListeners(db, applicationId)) {
    const { name, cursorSeq, dateCreated, lastSeen } = listener
    yield {
      kind: 'listener',
      data: {
        application_id: applicationId,
        name,
        cursor: cursorSeq,
        date_created: timestamp(dateCreated),
        last_seen: timestamp(lastSeen),
      },
    }
  }
}

/** Yields the signing secrets of an application, without the secrets. */
async function* secretLines({ db }: Context, applicationId: number): AsyncGenerator<ExportLine> {
  for (const { id, dateCreated, expiresAt } of await listStoredSecrets(db, applicationId)) {
    yield {
      kind: 'signing_secret',
      data: {
        application_id: applicationId,
        id,
        date_created: timestamp(dateCreated),
        date_expires: timestamp(expiresAt),
      },
    }
  }
}

interface DeliveryAttempt extends AttemptRow {
  applicationId: number
}

/** Every attempt to notify an application of the user, application by application. */
const deliveryAttempts = exportPart<DeliveryAttempt>({
  async list({ ctx: { db }, userId }, key) {
    const rows: DeliveryAttempt[] = []
    let applicationAfter = numberIn(key) - 1
    while (rows.length < pageSize) {
      const next = { ownerId: userId, after: applicationAfter, limit: 1 }
      const [application] = await listOwnedApplications(db, next)
      if (!application) break
      const { id: applicationId } = application
      const after = positionOfAttempt(applicationId === key?.[0] ? key : null)
      const limit = pageSize - rows.length
      const attempts = await listAttempts(db, { applicationId, after, limit })
      rows.push(...attempts.map((attempt) => ({ ...attempt, applicationId })))
      applicationAfter = applicationId
    }
    return rows
  },
  keyOf: ({ applicationId, seq, attempt, sent }) => [applicationId, seq, attempt, sent.getTime()],
  async *lines(_, attempt) {
    yield {
      kind: 'delivery_attempt',
      data: {
        application_id: attempt.applicationId,
        seq: attempt.seq,
        attempt: attempt.attempt,
        date_sent: timestamp(attempt.sent),
        outcome: attempt.outcome,
        url: attempt.url,
        request_headers: JSON.parse(attempt.requestHeaders),
        request_body: attempt.requestBody,
        http_code: attempt.httpCode,
        response_headers: attempt.responseHeaders,
        response_body: attempt.responseBody,
      },
    }
  },
})

function positionOfAttempt(key: RowKey | null): Pick<AttemptRow, 'seq' | 'attempt' | 'sent'> {
  const [, seq = 0, attempt = 0, sent = 0] = key ?? []
  return { seq: Number(seq), attempt: Number(attempt), sent: new Date(Number(sent)) }
}

const items = exportPart<string>({
  list: ({ ctx, userId }, after) =>
    listItemIds(ctx.db, { sellerId: userId, after: textIn(after), limit: pageSize }),
  keyOf: (id) => [id],
  async *lines({ ctx: { db, config }, userId }, id) {
    const item = (await readItems(db, [id])).get(id)
    if (!item) return
    const description = await findDescription(db, { sellerId: userId, itemId: id })
    const view = itemView(item, { reader: userId, base: config.http.publicUrl ?? '' })
    yield {
      kind: 'item',
      data: { ...view, description: description?.plainText ?? null },
    }
  },
})

const pictures = exportPart<Awaited<ReturnType<typeof listPictureErrors>>[number]>({
  list: ({ ctx, userId }, after) =>
    listPictureErrors(ctx.db, { sellerId: userId, after: textIn(after), limit: pageSize }),
  keyOf: ({ pictureId }) => [pictureId],
  async *lines(_, { pictureId, itemId, source, message }) {
    yield { kind: 'picture_error', data: { id: pictureId, item_id: itemId, source, message } }
  },
})

const questions = exportPart<{ id: number; sellerId: number }>({
  list: ({ ctx, userId }, after) =>
    listAskedQuestions(ctx.db, { userId, after: numberIn(after), limit: pageSize }),
  keyOf: ({ id }) => [id],
  async *lines({ ctx }, { id, sellerId }) {
    const [question] = await findQuestions(ctx.db, { sellerId, ids: [id] })
    if (!question) return
    const { itemId, status, text, answer, dateCreated } = question
    yield {
      kind: 'question',
      data: {
        id,
        item_id: itemId,
        seller_id: sellerId,
        status,
        text,
        answer: answer && { text: answer.text, date_created: answer.date_created },
        date_created: timestamp(dateCreated),
      },
    }
  },
})

const answers = exportPart<number>({
  list: ({ ctx, userId }, after) =>
    listAnsweredQuestions(ctx.db, { userId, after: numberIn(after), limit: pageSize }),
  keyOf: (id) => [id],
  async *lines({ ctx, userId }, id) {
    const [question] = await findQuestions(ctx.db, { sellerId: userId, ids: [id] })
    if (!question?.answer) return
    const { text, date_created } = question.answer
    yield {
      kind: 'answer',
      data: { question_id: id, item_id: question.itemId, text, date_created },
    }
  },
})

const quotations = exportPart<{ id: number; sellerId: number }>({
  list: ({ ctx, userId }, after) =>
    listQuotationsOf(ctx.db, { userId, after: numberIn(after), limit: pageSize }),
  keyOf: ({ id }) => [id],
  async *lines({ ctx }, key) {
    const quotation = await findQuotation(ctx.db, key)
    if (!quotation) return
    const { id, sellerId, itemId, status, price, currencyId, contact, comments } = quotation
    yield {
      kind: 'quotation',
      data: {
        id,
        seller_id: sellerId,
        item_id: itemId,
        status,
        price,
        currency_id: currencyId,
        contact,
        comments,
        date_created: timestamp(quotation.dateCreated),
      },
    }
  },
})

/** Returns the sales in which the user is one party, each with what belongs to it. */
function salesAs(role: PartyRole) {
  const list = role === 'seller' ? listSaleKeys : listPurchaseKeys
  return exportPart<{ id: number; sellerId: number; packId: number }>({
    list: ({ ctx, userId }, after) =>
      list(ctx.db, { userId, after: numberIn(after), limit: pageSize }),
    keyOf: ({ id, packId }) => [id, packId],
    async *lines({ ctx, userId }, { id, sellerId, packId }, previous) {
      const { db } = ctx
      const order = await loadOrder(db, { sellerId, id })
      if (!order) return
      const { buyerId, details } = order
      yield {
        kind: 'order',
        data: {
          ...JSON.parse(`{${bodyText(order)}}`),
          role,
          seller_id: sellerId,
          buyer_id: buyerId,
          product_attributes: details.product_attributes ?? [],
          // Those of a cancelled sale are the buyer's alone to read.
          discounts: role === 'seller' && isCancelled(order.status) ? [] : allDiscounts(order),
        },
      }
      yield* shipmentLines(ctx, { role, sellerId, id })
      yield* claimLines(ctx, { sellerId, orderId: id })
      yield* ratingLines(ctx, { sellerId, orderId: id, userId })
      for (const note of await listOrderNotes(db, { sellerId, orderId: id, authorId: userId })) {
        yield { kind: 'note', data: { order_id: id, ...orderNoteView(note) } }
      }
      // Orders of a pack have one conversation. They have nearly always ids that follow each other.
      if (packId !== previous?.[1]) yield* messageLines(ctx, { sellerId, packId, userId })
    },
  })
}

async function* claimLines(
  { db }: Context,
  { sellerId, orderId }: { sellerId: number; orderId: number },
): AsyncGenerator<ExportLine> {
  for (const claimId of await listClaimIds(db, { sellerId, orderId })) {
    const claim = await findClaim(db, { sellerId, id: claimId })
    if (!claim) continue
    const { type, stage, status, openedBy, reasonId, resolution, dateCreated } = claim
    yield {
      kind: 'claim',
      data: {
        id: claimId,
        order_id: orderId,
        type,
        stage,
        status,
        opened_by: openedBy,
        reason_id: reasonId,
        resolution,
        date_created: timestamp(dateCreated),
      },
    }
  }
}

async function* ratingLines(
  { db }: Context,
  { sellerId, orderId, userId }: { sellerId: number; orderId: number; userId: number },
): AsyncGenerator<ExportLine> {
  for (const rating of await listFeedback(db, { sellerId, orderId })) {
    const isOwn = authorOf(rating) === userId
    if (!isOwn && rating.visibilityDate === null) continue
    const { fulfilled, message, reason, reply, dateCreated } = rating
    yield {
      kind: 'rating',
      data: {
        id: rating.id,
        order_id: orderId,
        is_author: isOwn,
        rating: rating.rating,
        fulfilled,
        message,
        reason,
        reply,
        date_created: timestamp(dateCreated),
      },
    }
  }
}

async function* shipmentLines(
  { db }: Context,
  { role, sellerId, id }: { role: PartyRole; sellerId: number; id: number },
): AsyncGenerator<ExportLine> {
  const shipmentId = await findShipmentId(db, { sellerId, id })
  if (shipmentId === null) return
  const shipment = await findShipment(db, { sellerId, id: shipmentId })
  if (!shipment) return
  const { sender_address, receiver_address, receiver_name, receiver_phone, comments, ...others } =
    shipment.details
  const own =
    role === 'seller'
      ? { sender_address }
      : { receiver_address, receiver_name, receiver_phone, comments }
  const { status, substatus, mode, history, dateCreated } = shipment
  yield {
    kind: 'shipment',
    data: {
      id: shipmentId,
      order_id: id,
      status,
      substatus,
      mode,
      ...others,
      ...own,
      ...history,
      date_created: timestamp(dateCreated),
    },
  }
}

async function* messageLines(
  { db }: Context,
  { userId, ...conversation }: { sellerId: number; packId: number; userId: number },
): AsyncGenerator<ExportLine> {
  const range = { ...conversation, userId, limit: pageSize }
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: { id: string; body: string }[] = await listMessageBodies(db, { ...range, after })
    for (const { body } of page) yield { kind: 'message', data: JSON.parse(body) }
    after = page.length < pageSize ? undefined : page.at(-1)?.id
  }
}

const invoices = exportPart<number>({
  list: ({ ctx, userId }, after) =>
    listInvoiceIds(ctx.db, { userId, after: numberIn(after), limit: pageSize }),
  keyOf: (id) => [id],
  async *lines({ ctx, userId }, id) {
    const invoice = await findInvoice(ctx.db, { userId, id })
    if (invoice) yield { kind: 'invoice', data: invoiceView(invoice) }
  },
})

const auditEntries = exportPart<PersonalChange>({
  list: ({ ctx, userId }, key) => {
    const [ms, entryId] = key ?? []
    const after = ms === undefined ? undefined : { recordedAt: new Date(ms), entryId: `${entryId}` }
    return listPersonalChanges(ctx.db, { userId, after, limit: pageSize })
  },
  keyOf: ({ recordedAt, entryId }) => [recordedAt.getTime(), entryId],
  async *lines(_, { recordedAt, entryId, operation, targetKind, targetId, before, after }) {
    yield {
      kind: 'audit_entry',
      data: {
        id: entryId,
        date_created: timestamp(recordedAt),
        operation,
        target: { kind: targetKind, id: targetId },
        before: before === null ? null : JSON.parse(before),
        after: after === null ? null : JSON.parse(after),
      },
    }
  },
})

/** Bytes of a file in one line, before base64. */
const pieceBytes = 48 * 1024

const attachments = exportPart<string>({
  list: ({ ctx, userId }, after) =>
    listUploadIds(ctx.db, { userId, after: textIn(after), limit: pageSize }),
  keyOf: (id) => [id],
  async *lines({ ctx, userId }, id) {
    const attachment = await findAttachment(ctx.db, { userId, id })
    if (!attachment) return
    const { originalFilename, type, size, sha256, dateCreated, attachedTo } = attachment
    yield {
      kind: 'attachment',
      data: {
        id,
        original_filename: originalFilename,
        type,
        size,
        sha256,
        message_id: attachedTo?.messageId ?? null,
        date_created: timestamp(dateCreated),
      },
    }
    for (let offset = 0; offset < size; offset += pieceBytes) {
      const end = Math.min(offset + pieceBytes, size) - 1
      const pieces: Buffer[] = []
      for await (const piece of await openAttachment(ctx, attachment, { start: offset, end })) {
        pieces.push(piece)
      }
      const content = Buffer.concat(pieces).toString('base64')
      yield { kind: 'file', data: { attachment_id: id, offset, content } }
    }
  },
})

/** The parts in the order of the file. Positions of stored jobs count them: add new ones at the end. */
const parts: readonly ExportPart<unknown>[] = [
  profile,
  access,
  applications,
  deliveryAttempts,
  items,
  pictures,
  questions,
  answers,
  quotations,
  salesAs('buyer'),
  salesAs('seller'),
  invoices,
  auditEntries,
  attachments,
]

/** How many parts an export has. */
export const exportPartCount = parts.length
