import { runIdempotent } from '../../http/store-idempotency.ts'
import { parseTimestamp, timestamp } from '../../kernel/clock.ts'
import { badField, Failure } from '../../kernel/failure.ts'
import type { Listing } from '../../listings/listing.ts'
import { findListings, itemOwners } from '../../listings/store.ts'
import type { Context } from '../../platform/context.ts'
import type { Db } from '../../platform/database/database.ts'
import { OwnIdTaken, untilFree } from '../../platform/database/ids.ts'
import { orderPart } from '../../shipments/view.ts'
import { type Order, transitionOrder, withFollowingTags } from '../order.ts'
import { paidAmount, paymentWith, wrongAmount } from '../payment.ts'
import { followPayments } from '../refund.ts'
import { canBecome } from '../status.ts'
import { insertOrder, orderOwners, packOwners, paymentOwners } from '../store.ts'
import { readBuyer, readSeller } from '../store-read.ts'
import type { OwnTexts, PartTexts } from '../view.ts'
import type { Checkout, OrderPatch, PaymentBody } from './bodies.ts'
import { isNewChargeback } from './chargebacks/chargeback.ts'
import { commitChargeback, lockShipmentOf } from './chargebacks/commit.ts'
import { checkAmounts, largestAmount, orderOf, shipmentOf } from './checkout.ts'
import { commitOrder, lockOwned, notifyOf } from './commit.ts'
import { following, joinShipment } from './shipping.ts'

type Tools = Pick<Context, 'db' | 'ids' | 'now'>

/**
 * A checkout becomes an order. Answers its id, and what a read of it would bring when it was made just
 * now; a repeated key answers the first one's id. What is only read goes down the pipeline, beside the
 * transaction: what must be certain is the stock, and that is taken under its lock.
 */
export async function createOrder(
  { db, reads, ids, now }: Tools & Pick<Context, 'reads'>,
  { checkout, key }: { checkout: Checkout; key: string | undefined },
): Promise<{ id: number; made: (OwnTexts & PartTexts) | undefined }> {
  const request = ['order', checkout]
  let made: (OwnTexts & PartTexts) | undefined
  const draw = async () => ({
    orderId: checkout.id ?? (await ids.next('order')),
    shipmentId: checkout.shipping ? (checkout.shipping.id ?? (await ids.next('shipment'))) : null,
  })
  const done = await untilFree(draw, ({ orderId, shipmentId }) =>
    db.transaction((tx) =>
      runIdempotent(tx, { key, request, now: now() }, async () => {
        const [{ listings, seller }, { buyer }] = await Promise.all([
          findSold(reads, checkout),
          readBuyer(reads, checkout.buyer_id),
        ])
        if (buyer === null) throw badField('buyer_id', 'a registered user')
        const order = orderOf(checkout, { listings, now: now(), orderId, shipmentId })
        if (!(await orderOwners.claim(tx, order))) {
          if (checkout.id === undefined) throw new OwnIdTaken()
          throw new Failure('id_taken', `id: ${orderId} is an order already`)
        }
        if (order.packId !== null) {
          const pack = await packOwners.claimOrFind(tx, { ...order, id: order.packId })
          if (pack.owner.buyerId !== order.buyerId) {
            throw new Failure('id_taken', "pack_id: expected a pack of this buyer's")
          }
        }
        const shipment = shipmentOf(checkout, order)
        const isNamed = checkout.shipping?.id !== undefined
        const joined = shipment && (await joinShipment(tx, shipment, { isNamed }))
        if (shipment && !joined) throw new OwnIdTaken()
        const placed = joined ? withFollowingTags(following(order, joined)) : order
        const own = insertOrder(tx, placed)
        await notifyOf(tx, undefined, placed)
        const shipping = joined ? orderPart(joined) : null
        made = { ...own, buyer, seller, shipping, sale: null, purchase: null, mediations: null }
        return String(order.id)
      }),
    ),
  )
  return { id: Number(done.result), made: done.repeated ? undefined : made }
}

/** A payment arrives, or news of one that is known by its id. Answers the payment's id. */
export async function recordPayment(
  { db, ids, now }: Tools,
  { orderId, payment, key }: { orderId: number; payment: PaymentBody; key: string | undefined },
): Promise<{ orderId: number; paymentId: number }> {
  const request = ['payment', orderId, payment]
  const draw = async () => payment.id ?? (await ids.next('payment'))
  const done = await untilFree(draw, (paymentId) =>
    db.transaction((tx) =>
      runIdempotent(tx, { key, request, now: now() }, async () => {
        if (payment.status === 'charged_back') await lockShipmentOf(tx, orderId)
        const before = await lockOwned(tx, orderId)
        const { sellerId } = before
        const claimed = await paymentOwners.claimOrFind(tx, { id: paymentId, sellerId, orderId })
        if (!claimed.isNew && payment.id === undefined) throw new OwnIdTaken()
        if (claimed.owner.orderId !== orderId) {
          throw new Failure(
            'id_taken',
            `id: expected a payment of this order, ${paymentId} is another's`,
          )
        }
        const paid = withPayment(before, payment, { id: paymentId, now: timestamp(now()) })
        if (isNewChargeback(before, paid, paymentId)) {
          await commitChargeback(tx, { before, paid, paymentId, now: now() })
        } else {
          const decided = followPayments(paid, now())
          await commitOrder(tx, { before, decided, now: now() })
        }
        return String(paymentId)
      }),
    ),
  )
  return { orderId, paymentId: Number(done.result) }
}

/** The order with a first payment or with news of one; its status has not followed yet. */
export function withPayment(
  order: Order,
  body: PaymentBody,
  at: { id: number; now: string },
): Order {
  const known = order.payments.find(({ id }) => id === at.id)
  if (!known && body.transaction_amount === undefined) {
    throw badField('transaction_amount', 'an amount, for a payment that is not known yet')
  }
  const amounts = Object.entries(body).filter(([name]) => /amount|cost|fee/.test(name))
  checkAmounts(amounts as [string, number][], order.currencyId)
  const { id: _, ...news } = body
  const title = order.items[0]?.item.title ?? ''
  const after = paymentWith(
    known,
    definedOnly({ ...news, date_approved: exactTime(news.date_approved) }),
    { ...order, title },
    at,
  )
  const wrong = wrongAmount(after)
  if (wrong) throw badField(...wrong)
  const payments = known
    ? order.payments.map((each) => (each.id === at.id ? after : each))
    : [...order.payments, after]
  if (paidAmount(payments).gte(largestAmount)) {
    throw badField('total_paid_amount', `less than ${largestAmount} for all payments of an order`)
  }
  return { ...order, payments }
}

/** The operator changes an order. Throws `status_not_reachable` where the drawing has no arrow. */
export async function changeOrder(
  { db, now }: Tools,
  { orderId, patch }: { orderId: number; patch: OrderPatch },
): Promise<void> {
  await db.transaction(async (tx) => {
    const before = await lockOwned(tx, orderId)
    const decided = patched(before, patch, now())
    refuseLostTags(patch.tags, withFollowingTags(decided).tags)
    await commitOrder(tx, { before, decided, now: now() })
  })
}

/** What a patch makes of an order: pure, so that every rule of it can be a row of a table. */
export function patched(order: Order, patch: OrderPatch, now: Date): Order {
  const { status, tags, expiration_date, taxes, cancel_detail: cancel, ...details } = patch
  if (status !== undefined && status !== order.status && !canBecome(order.status, status)) {
    throw new Failure('status_not_reachable', `status: ${order.status} can not become ${status}`)
  }
  if (taxes) checkAmounts([['taxes.amount', taxes.amount]], order.currencyId)
  const kept = order.tags.filter((tag) => !tags?.remove?.includes(tag))
  const known = order.details
  const news = definedOnly({
    ...details,
    manufacturing_ending_date: exactTime(details.manufacturing_ending_date),
    order_request: details.order_request && {
      change: withExactDate(details.order_request.change),
      return: withExactDate(details.order_request.return),
    },
    taxes: taxes && { amount: taxes.amount, currency_id: order.currencyId, id: null },
    cancel_detail: cancel && {
      ...cancel,
      application_id: cancel.application_id ?? null,
      date: exactTime(cancel.date) ?? known.cancel_detail?.date ?? timestamp(now),
    },
  })
  const changed: Order = {
    ...order,
    tags: [...new Set([...kept, ...(tags?.add ?? [])])],
    expirationDate: parseTimestamp(expiration_date ?? '') ?? order.expirationDate,
    details: { ...known, ...news },
  }
  return transitionOrder(changed, status ?? order.status, now)
}

/** Refuses tags that would not be set, or would stay: those follow from the order itself. */
function refuseLostTags(wanted: OrderPatch['tags'], tags: readonly string[]): void {
  const { add = [], remove = [] } = wanted ?? {}
  const refuse = (field: string, tag: string) => {
    throw badField(field, `no tag that follows from the order itself, as ${tag} does`)
  }
  for (const [index, tag] of add.entries()) {
    if (!tags.includes(tag)) refuse(`tags.add[${index}]`, tag)
  }
  for (const [index, tag] of remove.entries()) {
    if (tags.includes(tag) && !add.includes(tag)) refuse(`tags.remove[${index}]`, tag)
  }
}

/** A timestamp as all of ours are written; the operator's may lack milliseconds. */
function exactTime<T extends string | null | undefined>(text: T): T {
  return (typeof text === 'string' ? timestamp(parseTimestamp(text) ?? null) : text) as T
}

function withExactDate<T extends { date_created: string }>(detail: T | null): T | null {
  return detail && { ...detail, date_created: exactTime(detail.date_created) }
}

/** The listings of a checkout's lines, which must all be one seller's, and how orders show that one. */
async function findSold(
  db: Db,
  checkout: Checkout,
): Promise<{ listings: ReadonlyMap<string, Listing>; seller: string | null }> {
  const ids = [...new Set(checkout.lines.map((line) => line.item_id))]
  const owners = await itemOwners.findMany(db, ids)
  const sellers = new Set([...owners.values()].map(({ sellerId }) => sellerId))
  if (sellers.size > 1) throw badField('lines', 'items of one seller; a pack joins several orders')
  const [sellerId] = sellers
  if (sellerId === undefined) return { listings: new Map(), seller: null }
  const [listings, { seller }] = await Promise.all([
    findListings(db, { sellerId, ids }),
    readSeller(db, sellerId),
  ])
  return { listings, seller }
}

function definedOnly<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }
}
