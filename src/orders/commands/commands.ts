import type { SiteLimit } from '../../http/site-rule.ts'
import { runIdempotent } from '../../http/store-idempotency.ts'
import { parseTimestamp, timestamp } from '../../kernel/clock.ts'
import { badField, Failure } from '../../kernel/failure.ts'
import type { OperatorActor } from '../../kernel/operator-actor.ts'
import type { Listing } from '../../listings/listing.ts'
import { findListings, itemOwners } from '../../listings/store.ts'
import type { Context } from '../../platform/context.ts'
import type { Db } from '../../platform/database/database.ts'
import { GeneratedIdTaken, withFreeIds } from '../../platform/database/ids.ts'
import { renderOrderShipping } from '../../shipments/view.ts'
import { auditOrder } from '../audited.ts'
import { hasMoney, type Order, transitionOrder, withDerivedTags } from '../order.ts'
import { readCheckoutBuyer, readCheckoutSeller } from '../order-read-model.ts'
import { applyPaymentUpdate, findAmountConflict, paidAmount } from '../payment.ts'
import { applyPaymentStatus } from '../refund.ts'
import { canBecome, changesWhatWasPaid } from '../status.ts'
import { insertOrder, orderOwners, paymentOwners } from '../store.ts'
import type { OrderBodyRow, OrderPartTexts } from '../view.ts'
import type { Checkout, OrderPatch, PaymentBody } from './bodies.ts'
import { isNewChargeback } from './chargebacks/chargeback.ts'
import { commitChargeback, lockShipmentAndOrders } from './chargebacks/commit.ts'
import { buildOrder, buildShipment, checkAmounts, largestAmount } from './checkout.ts'
import { commitOrder, lockOrderById, recordOrderChanges } from './commit.ts'
import { enterPack } from './pack.ts'
import { insertOrLockShipment, withShipmentState } from './shipping.ts'

type Tools = Pick<Context, 'audit' | 'db' | 'ids' | 'now'>

interface KeyedRequest {
  /** The `Idempotency-Key`. */
  key: string | undefined
  /** Who chose it. Undefined for the program itself. */
  operator?: OperatorActor
}

/**
 * Creates an order from a checkout. Returns its id and, unless the key is a repeated one, the texts of its answer. A
 * repeated key returns the id of the first order. `sites` are those of a limited operator, whose listings and buyer
 * are checked already. Listings and users are read outside the transaction, on pipelined
 * connections: only the stock must be exact, and it is taken under its lock.
 */
export async function createOrder(
  { audit, db, reads, ids, now }: Tools & Pick<Context, 'reads'>,
  {
    checkout,
    key,
    operator,
    sites = null,
  }: KeyedRequest & { checkout: Checkout; sites?: SiteLimit },
): Promise<{ id: number; created: (OrderBodyRow & OrderPartTexts) | undefined }> {
  const request = ['order', checkout]
  let created: (OrderBodyRow & OrderPartTexts) | undefined
  const drawIds = async () => ({
    orderId: checkout.id ?? (await ids.next('order')),
    shipmentId: checkout.shipping ? (checkout.shipping.id ?? (await ids.next('shipment'))) : null,
  })
  const outcome = await withFreeIds(drawIds, ({ orderId, shipmentId }) =>
    db.transaction(async (tx) => {
      const outcome = await runIdempotent(
        tx,
        { key, chosenBy: operator, request, now: now() },
        async () => {
          const [{ listings, seller }, party] = await Promise.all([
            loadCheckoutListings(reads, checkout),
            readCheckoutBuyer(reads, checkout.buyer_id),
          ])
          if (!party) throw badField('buyer_id', 'a registered user')
          if (party.isErased) throw new Failure('user_erased', String(checkout.buyer_id))
          const { buyer } = party
          const order = buildOrder(checkout, { listings, now: now(), orderId, shipmentId })
          if (!(await orderOwners.claim(tx, order))) {
            if (checkout.id === undefined) throw new GeneratedIdTaken()
            throw new Failure(
              'id_taken',
              `id: expected an unused id, order ${orderId} exists already`,
            )
          }
          await enterPack(tx, order, { sites, isGenerated: checkout.id === undefined })
          const shipment = buildShipment(checkout, order)
          const isNamed = checkout.shipping?.id !== undefined
          const orderShipment =
            shipment && (await insertOrLockShipment(tx, shipment, { isNamed, sites }))
          if (shipment && !orderShipment) throw new GeneratedIdTaken()
          const placed = orderShipment
            ? withDerivedTags(withShipmentState(order, orderShipment))
            : order
          const ownTexts = insertOrder(tx, placed)
          await recordOrderChanges(tx, undefined, placed)
          auditOrder(audit, undefined, placed)
          const shipping = orderShipment ? renderOrderShipping(orderShipment) : null
          const parts = { buyer, seller, shipping, sale: null, purchase: null, mediations: null }
          created = { ...ownTexts, ...parts }
          return String(order.id)
        },
      )
      audit.target(outcome.result)
      return outcome
    }),
  )
  return { id: Number(outcome.result), created: outcome.repeated ? undefined : created }
}

/** Records a payment of an order, or an update of the one with this id. Returns the ids of the order and payment. */
export async function recordPayment(
  { audit, db, ids, now }: Tools,
  { orderId, payment, key, operator }: KeyedRequest & { orderId: number; payment: PaymentBody },
): Promise<{ orderId: number; paymentId: number }> {
  const request = ['payment', orderId, payment]
  const drawId = async () => payment.id ?? (await ids.next('payment'))
  const outcome = await withFreeIds(drawId, (paymentId) =>
    db.transaction((tx) =>
      runIdempotent(tx, { key, chosenBy: operator, request, now: now() }, async () => {
        if (payment.status === 'charged_back') await lockShipmentAndOrders(tx, orderId)
        const before = await lockOrderById(tx, orderId)
        const { sellerId } = before
        const paymentKey = { id: paymentId, sellerId, orderId }
        const { owner, isNew } = await paymentOwners.claimOrFind(tx, paymentKey)
        if (!isNew && payment.id === undefined) throw new GeneratedIdTaken()
        if (owner.orderId !== orderId) {
          throw new Failure(
            'id_taken',
            `id: expected a payment of this order, but payment ${paymentId} is of another order`,
          )
        }
        const paid = withPayment(before, payment, { id: paymentId, now: timestamp(now()) })
        auditOrder(audit, before, paid)
        if (isNewChargeback(before, paid, paymentId)) {
          await commitChargeback(tx, { before, paid, paymentId, now: now() })
        } else {
          const decided = applyPaymentStatus(paid, now())
          auditOrder(audit, before, withDerivedTags(decided))
          await commitOrder(tx, { before, decided, now: now() })
        }
        return String(paymentId)
      }),
    ),
  )
  return { orderId, paymentId: Number(outcome.result) }
}

/** Returns the order with a new or updated payment, still in its old status. Throws a `bad_request`. */
export function withPayment(
  order: Order,
  body: PaymentBody,
  at: { id: number; now: string },
): Order {
  const previous = order.payments.find(({ id }) => id === at.id)
  if (!previous && body.transaction_amount === undefined) {
    throw badField('transaction_amount', 'an amount: this payment does not exist yet')
  }
  const amounts = Object.entries(body).filter(([name]) => /amount|cost|fee/.test(name))
  checkAmounts(amounts as [string, number][], order.currencyId)
  const { id: _, ...news } = body
  const title = order.items[0]?.item.title ?? ''
  const after = applyPaymentUpdate(
    previous,
    definedOnly({ ...news, date_approved: exactTime(news.date_approved) }),
    { ...order, title },
    at,
  )
  const wrong = findAmountConflict(after)
  if (wrong) throw badField(...wrong)
  const payments = previous
    ? order.payments.map((payment) => (payment.id === at.id ? after : payment))
    : [...order.payments, after]
  if (paidAmount(payments).gte(largestAmount)) {
    throw badField('total_paid_amount', `less than ${largestAmount} for all payments of an order`)
  }
  return { ...order, payments }
}

/**
 * Applies the operator's patch to an order. Throws `status_not_reachable` for a status that cannot follow, and
 * `permission_denied` for an operator who may not change what was paid.
 */
export async function updateOrder(
  { audit, db, now }: Tools,
  {
    orderId,
    patch,
    mayChangePayment,
  }: { orderId: number; patch: OrderPatch; mayChangePayment: boolean },
): Promise<void> {
  await db.transaction(async (tx) => {
    const before = await lockOrderById(tx, orderId)
    const decided = applyOrderPatch(before, patch, now())
    if (!mayChangePayment && changesPayment(before, decided)) {
      throw new Failure('permission_denied', 'finance:write')
    }
    const after = withDerivedTags(decided)
    refuseDerivedTags(patch.tags, after.tags)
    auditOrder(audit, before, after)
    await commitOrder(tx, { before, decided, now: now() })
  })
}

/** Returns whether a patch changes what was paid: by the status, or by the taxes. */
function changesPayment(before: Order, after: Order): boolean {
  const taxesOf = ({ details }: Order) => details.taxes.amount ?? 0
  const { status } = before
  return (
    changesWhatWasPaid({ status, hasMoney: hasMoney(before) }, after.status) ||
    taxesOf(before) !== taxesOf(after)
  )
}

/** Returns the patched order. It has no side effects, so that tests can tabulate its rules. */
export function applyOrderPatch(order: Order, patch: OrderPatch, now: Date): Order {
  const { status, tags, expiration_date, taxes, cancel_detail: cancel, ...details } = patch
  if (status !== undefined && status !== order.status && !canBecome(order.status, status)) {
    throw new Failure('status_not_reachable', `status: ${order.status} cannot become ${status}`)
  }
  if (taxes) checkAmounts([['taxes.amount', taxes.amount]], order.currencyId)
  const remainingTags = order.tags.filter((tag) => !tags?.remove?.includes(tag))
  const changedDetails = definedOnly({
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
      date: exactTime(cancel.date) ?? order.details.cancel_detail?.date ?? timestamp(now),
    },
  })
  const changed: Order = {
    ...order,
    tags: [...new Set([...remainingTags, ...(tags?.add ?? [])])],
    expirationDate: parseTimestamp(expiration_date ?? '') ?? order.expirationDate,
    details: { ...order.details, ...changedDetails },
  }
  return transitionOrder(changed, status ?? order.status, now)
}

/** Throws a `bad_request` for a change of a derived tag, which would have no effect on `tags`. */
function refuseDerivedTags(patch: OrderPatch['tags'], tags: readonly string[]): void {
  const { add = [], remove = [] } = patch ?? {}
  const refuse = (field: string, tag: string) => {
    throw badField(field, `a tag that you can change; ${tag} follows from the order itself`)
  }
  for (const [index, tag] of add.entries()) {
    if (!tags.includes(tag)) refuse(`tags.add[${index}]`, tag)
  }
  for (const [index, tag] of remove.entries()) {
    if (tags.includes(tag) && !add.includes(tag)) refuse(`tags.remove[${index}]`, tag)
  }
}

/** Formats a timestamp with milliseconds, which those of the operator may lack. */
function exactTime<T extends string | null | undefined>(text: T): T {
  return (typeof text === 'string' ? timestamp(parseTimestamp(text) ?? null) : text) as T
}

function withExactDate<T extends { date_created: string }>(detail: T | null): T | null {
  return detail && { ...detail, date_created: exactTime(detail.date_created) }
}

/** Loads the listings of a checkout and its seller's text. Throws a `bad_request` for items of several sellers, and
 * `user_erased`. */
async function loadCheckoutListings(
  db: Db,
  checkout: Checkout,
): Promise<{ listings: ReadonlyMap<string, Listing>; seller: string | null }> {
  const ids = [...new Set(checkout.lines.map((line) => line.item_id))]
  const owners = await itemOwners.findMany(db, ids)
  const sellers = new Set([...owners.values()].map(({ sellerId }) => sellerId))
  if (sellers.size > 1) throw badField('lines', 'items of one seller; a pack joins several orders')
  const [sellerId] = sellers
  if (sellerId === undefined) return { listings: new Map(), seller: null }
  const [listings, party] = await Promise.all([
    findListings(db, { sellerId, ids }),
    readCheckoutSeller(db, sellerId),
  ])
  if (party?.isErased) throw new Failure('user_erased', String(sellerId))
  return { listings, seller: party?.seller ?? null }
}

function definedOnly<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(value).filter(([, field]) => field !== undefined)
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> }
}
