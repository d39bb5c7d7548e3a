import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Compile } from 'typebox/compile'
import {
  demoApplication,
  demoBuyerId,
  demoSellerId,
  firstDemoIds,
  mainListingId,
  mostDemoOrders,
} from './ids.ts'
import '../../http/check.ts'
import { dayMs } from '../../kernel/clock.ts'
import { firstId } from '../../kernel/ids.ts'
import { amount, fitsCurrency, sum, zero } from '../../kernel/money.ts'
import { type Listing, stockOf } from '../../listings/listing.ts'
import { statusByPayments, totalAmount, withDerivedTags } from '../../orders/order.ts'
import { isCredited, paidAmount } from '../../orders/payment.ts'
import { OrderAnswer } from '../../orders/schemas.ts'
import { hasEnded } from '../../orders/status.ts'
import { bodyText, bodyVersion, renderOrder } from '../../orders/view.ts'
import { createDemoData, type DemoDataOptions, type DemoOrder } from './demo.ts'
import { lastUnitListingId } from './listings.ts'

const now = new Date('2026-03-10T15:00:00.000Z')
const ordersOf = (options: Partial<DemoDataOptions> = {}) => [
  ...createDemoData({ seed: 1, now, orders: 500, ...options }).orders,
]
const world = createDemoData({ seed: 1, now, orders: 500 })
const sales = ordersOf()
const orders = sales.map(({ order }) => order)
/** Hours and seeds with which everything must hold that must not be left to luck. */
const worlds = [
  sales,
  ordersOf({ seed: 2, now: new Date('2024-02-29T03:07:11.123Z') }),
  ordersOf({ seed: 2 ** 40 + 7, now: new Date('2031-12-31T23:59:59.999Z') }),
]

test('the same seed and the same moment make the same world', () => {
  assert.deepEqual(ordersOf(), sales)
  assert.deepEqual([...world.orders], [...world.orders], 'also when it is asked twice')
  assert.notDeepEqual(ordersOf({ seed: 2 }), sales)
})

const unrated = { feedbackDue: null, isRated: false, isDisputed: false }

test('every order is an order of the contract', () => {
  const answer = Compile(OrderAnswer)
  for (const { order } of worlds.flat()) {
    const parts = { buyer: null, seller: null, sale: null, purchase: null, mediations: null }
    const text = renderOrder(
      { ...order, body: bodyText(order), bodyVersion, ...parts, shipping: null, ...unrated },
      { reader: 'operator', newFormat: false, now: order.lastUpdated },
    )
    const [wrong] = answer.Errors(JSON.parse(text))
    assert.equal(wrong, undefined, `${order.id}: ${JSON.stringify(wrong)}`)
  }
})

test('money decides where the contract says so, and tags follow', () => {
  for (const { order } of worlds.flat()) {
    assert.equal(statusByPayments(order), order.status, String(order.id))
    assert.deepEqual(withDerivedTags(order).tags, order.tags)
  }
})

test('amounts add up', () => {
  for (const { order } of worlds.flat()) {
    const { payments, details } = order
    const credited = payments.filter(isCredited)
    for (const payment of payments) {
      const parts = [
        payment.transaction_amount,
        payment.shipping_cost,
        payment.taxes_amount,
        payment.overpaid_amount,
      ]
      const due = sum(parts.map(amount)).minus(payment.coupon_amount)
      assert.ok(due.eq(payment.total_paid_amount))
      if (payment.installment_amount !== null) {
        const whole = amount(payment.installment_amount).times(payment.installments)
        assert.ok(whole.eq(payment.total_paid_amount), `installments of ${payment.id}`)
      }
    }
    if (order.status !== 'paid') continue
    const total = totalAmount(order)
    assert.ok(sum(credited.map((payment) => amount(payment.transaction_amount))).eq(total))
    const extra = sum(credited.map((payment) => amount(payment.overpaid_amount)))
    const paid = total
      .plus(details.shipping_cost)
      .plus(details.taxes.amount ?? 0)
      .minus(details.coupon.amount)
      .plus(extra)
    assert.ok(paidAmount(payments).eq(paid), String(order.id))
  }
})

test('every amount fits its currency', () => {
  for (const { order, shipment } of worlds.flat()) {
    const { taxes, coupon, shipping_cost } = order.details
    const values = [
      taxes.amount ?? 0,
      coupon.amount,
      shipping_cost,
      Number(shipment?.cost ?? 0),
      ...order.items.flatMap((line) => [line.unit_price, line.full_unit_price, line.sale_fee]),
      ...order.payments.flatMap((payment) =>
        Object.entries(payment)
          .filter(([name, value]) => /amount|cost|fee/.test(name) && typeof value === 'number')
          .map(([, value]) => value as number),
      ),
    ]
    for (const value of values) assert.ok(fitsCurrency(value, order.currencyId), String(value))
    assert.ok(totalAmount(order).gt(zero))
  }
})

test('a pack is of one buyer and one seller, and travels as one', () => {
  const packs = Map.groupBy(
    sales.filter(({ order }) => order.packId !== null),
    ({ order }) => order.packId,
  )
  const sizes = new Set([...packs.values()].map((pack) => pack.length))
  assert.deepEqual([...sizes].sort(), [2, 3, 4])
  for (const pack of packs.values()) {
    const one = (pick: (sale: DemoOrder) => unknown) =>
      assert.equal(new Set(pack.map(pick)).size, 1)
    one(({ order }) => order.buyerId)
    one(({ order }) => order.sellerId)
    one(({ order }) => order.shipmentId)
    one(({ shipment }) => shipment)
    assert.ok(pack.every(({ order }) => order.tags.includes('pack_order')))
  }
})

test('a shipment is that of its order and in step with it', () => {
  for (const { order, shipment } of worlds.flat()) {
    assert.equal(shipment?.id ?? null, order.shipmentId)
    if (!shipment) continue
    assert.equal(shipment.buyerId, order.buyerId)
    assert.equal(shipment.sellerId, order.sellerId)
    const isUnpaid = ['payment_required', 'payment_in_process', 'confirmed'].includes(order.status)
    if (isUnpaid) assert.ok(['pending', 'to_be_agreed'].includes(shipment.status))
    const isEnded = hasEnded(order.status)
    if (shipment.status === 'cancelled') assert.ok(isEnded)
    if (!isEnded) {
      assert.equal(order.tags.includes('delivered'), shipment.status === 'delivered')
      const isRated = order.parts.feedback.isFreed
      if (!isRated) {
        assert.equal(order.details.fulfilled === true, shipment.status === 'delivered')
      }
    }
  }
})

test('ids are given once and lie below those that are given out later', () => {
  const later = ordersOf({ after: 500 })
  const all = [...sales, ...later]
  const numbers = {
    order: all.flatMap(({ order }) => order.id),
    pack: [...new Set(all.flatMap(({ order }) => order.packId ?? []))],
    shipment: [...new Set(all.flatMap(({ shipment }) => shipment?.id ?? []))],
    payment: all.flatMap(({ order }) => order.payments.map(({ id }) => id)),
    claim: all.flatMap(({ claims }) => claims.map(({ id }) => id)),
    feedback: all.flatMap(({ feedback }) => feedback.map((entry) => entry.feedback.id)),
    note: all.flatMap(({ notes }) => notes.map(({ note }) => note.id)),
    request: all.flatMap(({ order: { details } }) => details.order_request.change?.id ?? []),
  }
  for (const [kind, ids] of Object.entries(numbers)) {
    assert.equal(new Set(ids).size, ids.length, `${kind} ids are unique`)
    const first = firstDemoIds[kind as keyof typeof firstDemoIds]
    assert.ok(ids.every((id) => id >= first))
  }
  assert.equal(new Set([...numbers.order, ...numbers.pack]).size, 1000 + numbers.pack.length)
  assert.deepEqual(
    numbers.order,
    numbers.order.map((_, index) => firstDemoIds.order + index),
    'without gaps, so that a world that was cut short can be continued',
  )
  assert.equal(firstDemoIds.order + mostDemoOrders, firstId.order)
  assert.equal(firstDemoIds.pack + mostDemoOrders, firstDemoIds.order)
  assert.ok(firstDemoIds.shipment + mostDemoOrders <= firstId.shipment)
  assert.ok(firstDemoIds.payment + 4 * mostDemoOrders <= firstId.payment)
  assert.ok(world.users.every(({ id }) => id < firstId.user))
  assert.ok(world.listings.every(({ id }) => Number(id.slice(3)) < firstId.item))
  assert.ok(firstDemoIds.claim + mostDemoOrders <= firstId.claim)
  assert.ok(firstDemoIds.feedback + 2 * mostDemoOrders <= firstId.feedback)
  assert.ok(firstDemoIds.note + 2 * mostDemoOrders <= firstId.note)
  assert.ok(demoApplication.id < firstId.application)
  assert.equal(new Set(world.users.map(({ id }) => id)).size, world.users.length)
  assert.equal(new Set(world.listings.map(({ id }) => id)).size, world.listings.length)
})

test('what happened lies in the last 13 months but for one sale, in its order, and never after now', () => {
  for (const [index, at] of [now, new Date('2024-02-29T03:07:11.123Z')].entries()) {
    const first = new Date(at)
    first.setUTCMonth(first.getUTCMonth() - 13)
    const ofLongAgo = (worlds[index] ?? []).filter(({ order }) => order.dateCreated < first)
    assert.equal(ofLongAgo.length, 1)
    for (const { order } of worlds[index] ?? []) {
      const moments = [
        order.dateCreated,
        ...order.payments.map((payment) => new Date(payment.date_created)),
        order.lastUpdated,
      ]
      assert.deepEqual(
        moments,
        moments.toSorted((one, other) => Number(one) - Number(other)),
      )
      assert.ok(order.lastUpdated <= at, String(order.id))
      for (const payment of order.payments) {
        assert.ok(new Date(payment.date_last_modified) <= order.lastUpdated)
      }
    }
  }
  const quarter = orders.filter(({ dateCreated }) => Number(now) - Number(dateCreated) < 98 * dayMs)
  assert.ok(quarter.length > orders.length / 3, 'more of them recent')
})

test('date_closed is when an order was first confirmed or paid, and only then', () => {
  for (const order of worlds.flat().map((sale) => sale.order)) {
    const { status, dateClosed, dateCreated, payments } = order
    if (status === 'confirmed' || status === 'paid') assert.ok(dateClosed)
    if (status === 'payment_required') assert.equal(dateClosed, null)
    const approved = payments.map((payment) => payment.date_approved)
    const isFirst = dateClosed?.getTime() === dateCreated.getTime()
    if (dateClosed) assert.ok(isFirst || approved.includes(dateClosed.toISOString()))
  }
})

test('the big seller makes about a quarter of the sales, and the demo buyer buys there', () => {
  const big = ordersOf({ orders: 4_000 }).filter(({ order }) => order.sellerId === demoSellerId)
  assert.ok(big.length > 800 && big.length < 1_200, String(big.length))
  const between = orders.filter(
    (order) => order.sellerId === demoSellerId && order.buyerId === demoBuyerId,
  )
  assert.ok(between.length >= 10)
  assert.ok(between.some(({ status }) => status === 'paid'))
})

test('listings are such as an operator could register, and orders are of listings', () => {
  const byId = new Map<string, Listing>(world.listings.map((listing) => [listing.id, listing]))
  assert.ok(world.listings.length >= 120)
  for (const listing of world.listings) {
    const seller = world.users.find(({ id }) => id === listing.sellerId)
    assert.equal(seller?.siteId, listing.siteId)
    assert.match(listing.id, new RegExp(`^${listing.siteId}[1-9][0-9]{0,14}$`))
    assert.ok(fitsCurrency(Number(listing.price), listing.currencyId))
    assert.ok(Number(listing.price) > 0)
  }
  for (const { siteId, sellerId, items } of orders) {
    for (const { item } of items) {
      const listing = byId.get(item.id)
      assert.equal(listing?.sellerId, sellerId)
      assert.equal(listing?.siteId, siteId)
      assert.ok(listing && stockOf(listing, item.variation_id))
    }
  }
  assert.ok((byId.get(mainListingId)?.stock[0]?.availableQuantity ?? 0) > 1_000)
  assert.deepEqual(
    byId.get(lastUnitListingId())?.stock.map((entry) => entry.availableQuantity),
    [1],
  )
})

test('as many orders as asked for, however few or many', () => {
  for (const count of [0, 1, 6, 7, 62, 100, 501])
    assert.equal(ordersOf({ orders: count }).length, count)
})

test('a million orders are made one by one', () => {
  const million = createDemoData({ seed: 1, now, orders: 1_000_000 }).orders[Symbol.iterator]()
  const first = Array.from({ length: 10 }, () => million.next().value?.order.id)
  assert.deepEqual(
    first,
    orders.slice(0, 10).map(({ id }) => id),
  )
})
