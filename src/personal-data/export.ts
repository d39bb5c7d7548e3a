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
import { findQuestions } from '../questions/store.ts'
import { listAnsweredQuestions, listAskedQuestions } from '../questions/store-erasure.ts'
import { findShipment } from '../shipments/store.ts'

/** One line of an export. */
export interface ExportLine {
  kind: string
  data: object
}

/** Rows that are held in memory at once. */
const pageSize = 100

/**
 * Yields everything that is stored about a user, row by row: what the user is, has, did and wrote, and the messages that
 * the user received. What is about a counterpart only is left out. Files follow in pieces.
 */
export async function* exportLines(ctx: Context, user: User): AsyncGenerator<ExportLine> {
  yield { kind: 'user', data: userView(user) }
  const input = { ctx, userId: user.id }
  for (const part of parts) yield* part(input)
}

interface ExportInput {
  ctx: Context
  userId: number
}

const parts: readonly ((input: ExportInput) => AsyncGenerator<ExportLine>)[] = [
  accessLines,
  applicationLines,
  itemLines,
  pictureLines,
  questionLines,
  answerLines,
  quotationLines,
  (input) => saleLines(input, 'buyer'),
  (input) => saleLines(input, 'seller'),
  invoiceLines,
  auditLines,
  attachmentLines,
]

/** Yields rows page by page. `list` returns those after the last one. */
async function* pagesOf<Row>(list: (last: Row | undefined) => Promise<Row[]>): AsyncGenerator<Row> {
  let last: Row | undefined
  for (let page = await list(last); page.length > 0; page = await list(last)) {
    yield* page
    if (page.length < pageSize) return
    last = page.at(-1)
  }
}

async function* accessLines({ ctx, userId }: ExportInput): AsyncGenerator<ExportLine> {
  const rows = pagesOf<Awaited<ReturnType<typeof listAccess>>[number]>((last) =>
    listAccess(ctx.db, { userId, after: [last?.kind ?? '', last?.id ?? ''], limit: pageSize }),
  )
  for await (const { kind, data } of rows) yield { kind, data: JSON.parse(data) }
}

async function* applicationLines({ ctx, userId }: ExportInput): AsyncGenerator<ExportLine> {
  const applications = pagesOf<Awaited<ReturnType<typeof listOwnedApplications>>[number]>((last) =>
    listOwnedApplications(ctx.db, { ownerId: userId, after: last?.id ?? 0, limit: pageSize }),
  )
  for await (const application of applications) {
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
    yield* deliveryLines(ctx, application.id)
  }
}

/** Yields how an application is notified: its listeners, its signing secrets without the secrets, and every attempt. */
async function* deliveryLines({ db }: Context, applicationId: number): AsyncGenerator<ExportLine> {
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
  const attempts = pagesOf<AttemptRow>((last) =>
    listAttempts(db, {
      applicationId,
      after: last ?? { seq: 0, attempt: 0, sent: new Date(0) },
      limit: pageSize,
    }),
  )
  for await (const attempt of attempts) {
    yield {
      kind: 'delivery_attempt',
      data: {
        application_id: applicationId,
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
  }
}

async function* itemLines({ ctx, userId }: ExportInput): AsyncGenerator<ExportLine> {
  const { db, config } = ctx
  const ids = pagesOf<string>((last) =>
    listItemIds(db, { sellerId: userId, after: last ?? '', limit: pageSize }),
  )
  for await (const id of ids) {
    const item = (await readItems(db, [id])).get(id)
    if (!item) continue
    const description = await findDescription(db, { sellerId: userId, itemId: id })
    const view = itemView(item, { reader: userId, base: config.http.publicUrl ?? '' })
    yield {
      kind: 'item',
      data: { ...view, description: description?.plainText ?? null },
    }
  }
}

async function* pictureLines({ ctx, userId }: ExportInput): AsyncGenerator<ExportLine> {
  const errors = pagesOf<Awaited<ReturnType<typeof listPictureErrors>>[number]>((last) =>
    listPictureErrors(ctx.db, {
      sellerId: userId,
      after: last?.pictureId ?? '',
      limit: pageSize,
    }),
  )
  for await (const { pictureId, itemId, source, message } of errors) {
    yield { kind: 'picture_error', data: { id: pictureId, item_id: itemId, source, message } }
  }
}

async function* questionLines({ ctx, userId }: ExportInput): AsyncGenerator<ExportLine> {
  const questions = pagesOf<{ id: number; sellerId: number }>((last) =>
    listAskedQuestions(ctx.db, { userId, after: last?.id ?? 0, limit: pageSize }),
  )
  for await (const { id, sellerId } of questions) {
    const [question] = await findQuestions(ctx.db, { sellerId, ids: [id] })
    if (!question) continue
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
  }
}

async function* answerLines({ ctx, userId }: ExportInput): AsyncGenerator<ExportLine> {
  const ids = pagesOf<number>((last) =>
    listAnsweredQuestions(ctx.db, { userId, after: last ?? 0, limit: pageSize }),
  )
  for await (const id of ids) {
    const [question] = await findQuestions(ctx.db, { sellerId: userId, ids: [id] })
    if (!question?.answer) continue
    const { text, date_created } = question.answer
    yield {
      kind: 'answer',
      data: { question_id: id, item_id: question.itemId, text, date_created },
    }
  }
}

async function* quotationLines({ ctx, userId }: ExportInput): AsyncGenerator<ExportLine> {
  const quotations = pagesOf<{ id: number; sellerId: number }>((last) =>
    listQuotationsOf(ctx.db, { userId, after: last?.id ?? 0, limit: pageSize }),
  )
  for await (const key of quotations) {
    const quotation = await findQuotation(ctx.db, key)
    if (!quotation) continue
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
  }
}

/** Yields the sales in which the user is one party, each with what belongs to it. */
async function* saleLines(
  { ctx, userId }: ExportInput,
  role: PartyRole,
): AsyncGenerator<ExportLine> {
  const { db } = ctx
  const list = role === 'seller' ? listSaleKeys : listPurchaseKeys
  const sales = pagesOf<{ id: number; sellerId: number; packId: number }>((last) =>
    list(db, { userId, after: last?.id ?? 0, limit: pageSize }),
  )
  let lastPack = 0
  for await (const { id, sellerId, packId } of sales) {
    const order = await loadOrder(db, { sellerId, id })
    if (!order) continue
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
    yield* shipmentLines({ ctx, userId }, { role, sellerId, id })
    for (const claimId of await listClaimIds(db, { sellerId, orderId: id })) {
      const claim = await findClaim(db, { sellerId, id: claimId })
      if (!claim) continue
      const { type, stage, status, openedBy, reasonId, resolution, dateCreated } = claim
      yield {
        kind: 'claim',
        data: {
          id: claimId,
          order_id: id,
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
    for (const rating of await listFeedback(db, { sellerId, orderId: id })) {
      const isOwn = authorOf(rating) === userId
      if (!isOwn && rating.visibilityDate === null) continue
      const { fulfilled, message, reason, reply, dateCreated } = rating
      yield {
        kind: 'rating',
        data: {
          id: rating.id,
          order_id: id,
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
    for (const note of await listOrderNotes(db, { sellerId, orderId: id, authorId: userId })) {
      yield { kind: 'note', data: { order_id: id, ...orderNoteView(note) } }
    }
    // Orders of a pack have one conversation. They have nearly always ids that follow each other.
    if (packId !== lastPack) yield* messageLines({ ctx, userId }, { sellerId, packId })
    lastPack = packId
  }
}

async function* shipmentLines(
  { ctx }: ExportInput,
  { role, sellerId, id }: { role: PartyRole; sellerId: number; id: number },
): AsyncGenerator<ExportLine> {
  const shipmentId = await findShipmentId(ctx.db, { sellerId, id })
  if (shipmentId === null) return
  const shipment = await findShipment(ctx.db, { sellerId, id: shipmentId })
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
  { ctx, userId }: ExportInput,
  conversation: { sellerId: number; packId: number },
): AsyncGenerator<ExportLine> {
  const messages = pagesOf<{ id: string; body: string }>((last) =>
    listMessageBodies(ctx.db, {
      ...conversation,
      userId,
      after: last?.id ?? '',
      limit: pageSize,
    }),
  )
  for await (const { body } of messages) yield { kind: 'message', data: JSON.parse(body) }
}

async function* invoiceLines({ ctx, userId }: ExportInput): AsyncGenerator<ExportLine> {
  const ids = pagesOf<number>((last) =>
    listInvoiceIds(ctx.db, { userId, after: last ?? 0, limit: pageSize }),
  )
  for await (const id of ids) {
    const invoice = await findInvoice(ctx.db, { userId, id })
    if (invoice) yield { kind: 'invoice', data: invoiceView(invoice) }
  }
}

async function* auditLines({ ctx, userId }: ExportInput): AsyncGenerator<ExportLine> {
  const values = pagesOf<PersonalChange>((after) =>
    listPersonalChanges(ctx.db, { userId, after, limit: pageSize }),
  )
  for await (const value of values) {
    const { recordedAt, entryId, operation, targetKind, targetId, before, after } = value
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
  }
}

/** Bytes of a file in one line, before base64. */
const pieceBytes = 48 * 1024

async function* attachmentLines({ ctx, userId }: ExportInput): AsyncGenerator<ExportLine> {
  const ids = pagesOf<string>((last) =>
    listUploadIds(ctx.db, { userId, after: last ?? '', limit: pageSize }),
  )
  for await (const id of ids) {
    const attachment = await findAttachment(ctx.db, { userId, id })
    if (!attachment) continue
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
  }
}
