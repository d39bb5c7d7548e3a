import { saveUsers } from '../../src/identity/store.ts'
import { noPhone, type User } from '../../src/identity/user.ts'
import { dayMs, hourMs } from '../../src/kernel/clock.ts'
import { filingVersion, orderCountKeyOf, type StoredOrder } from '../../src/orders/facets.ts'
import type { Order, OrderItem, OrderParts, Rating } from '../../src/orders/order.ts'
import type { OrderStatus } from '../../src/orders/status.ts'
import { copyOrders } from '../../src/orders/store.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { type SeededRandom, seededRandom } from '../../src/sandbox/random.ts'

/** Orders that differ in everything that searches filter on, for tests of searches. */

export const orderSellerIds = [7001, 7002, 7003]
export const orderBuyerIds = [8001, 8002, 8003, 8004, 8005]

const nicknames: Record<number, string> = {
  7001: 'Ñandú_Vende',
  7002: 'NANDU100%',
  7003: 'CASA.AZUL',
  8001: 'Bruno',
  8002: 'BRUNO_2',
  8003: 'pava',
  8004: 'Ana_María',
  8005: 'X%Y',
}

export const variedNickname = (id: number) => nicknames[id] ?? ''

export const sampleItems = [
  { id: 'MLA71', title: 'Pava eléctrica de acero' },
  { id: 'MLA72', title: 'Mate de calabaza y pava' },
  { id: 'MLA73', title: 'ÑANDÚ de peluche, 30 cm' },
  { id: 'MLA74', title: 'Acero inoxidable: olla' },
  { id: 'MLA75', title: 'Repuesto MLA71 original' },
]

const statuses: OrderStatus[] = [
  ...(['paid', 'paid', 'confirmed', 'payment_required', 'payment_required'] as const),
  ...(['cancelled', 'manually_cancelled', 'partially_refunded', 'invalid'] as const),
]
const tags = ['paid', 'delivered', 'not_delivered', 'shops', 'own_tag', 'pack_order']
const shippingSummaries: OrderParts['shipping'][] = [
  null,
  { status: 'pending', substatus: null, serviceId: null },
  { status: 'shipped', substatus: 'in_hub', serviceId: 61 },
  { status: 'delivered', substatus: null, serviceId: 64 },
]

export function variedUsers(): User[] {
  return [...orderSellerIds, ...orderBuyerIds].map((id) => ({
    id,
    siteId: 'MLA',
    nickname: variedNickname(id),
    email: null,
    firstName: 'Pava',
    lastName: 'Bruno',
    phone: noPhone,
    alternativePhone: noPhone,
    billingInfo: { doc_type: null, doc_number: null },
  }))
}

/** These orders lie in the week before `now`, many of them at the very edges of days. */
export function variedOrders(of: {
  seed: number
  count: number
  firstId: number
  now: Date
}): Order[] {
  const random = seededRandom(of.seed)
  return Array.from({ length: of.count }, (_, index) =>
    variedOrder(random, { id: of.firstId + index, now: of.now }),
  )
}

function variedOrder(random: SeededRandom, { id, now }: { id: number; now: Date }): Order {
  const day = Math.floor(now.getTime() / dayMs) * dayMs - random.between(1, 6) * dayMs
  const edge = random.pick([0, -1, 1, 12 * hourMs, random.between(0, dayMs)])
  const created = day + edge
  const closed = random.chance(0.7) ? created + random.pick([0, 1, hourMs, dayMs]) : null
  const updated = (closed ?? created) + random.pick([0, 1, hourMs, 2 * dayMs])
  const bought = [
    random.pick(sampleItems),
    ...(random.chance(0.3) ? [random.pick(sampleItems)] : []),
  ]
  // The database asks for the moment at which it was closed.
  const status = random.pick(statuses.filter((s) => closed || !['paid', 'confirmed'].includes(s)))
  const sale = randomRating(random)
  const purchase = randomRating(random)
  return {
    id,
    sellerId: random.pick(orderSellerIds.slice(0, random.chance(0.7) ? 1 : 3)),
    buyerId: random.pick(orderBuyerIds),
    siteId: 'MLA',
    status,
    packId: null,
    shipmentId: null,
    currencyId: 'ARS',
    isClassified: false,
    items: bought.map((good) => orderItemOf(good, random.between(1, 5) * 10.5)),
    payments: [],
    tags: tags.filter(() => random.chance(0.4)),
    dateCreated: new Date(created),
    dateClosed: closed === null ? null : new Date(closed),
    expirationDate: new Date(created + 21 * dayMs),
    lastUpdated: new Date(updated),
    parts: {
      feedback: { sale, purchase, isFreed: (sale && purchase) !== null || random.chance(0.3) },
      mediations: Array.from({ length: random.pick([0, 0, 0, 1, 2]) }, (_, index) => ({
        id: id * 10 + index,
        stage: random.pick(['claim', 'dispute', 'recontact']),
        status: random.pick(['opened', 'closed'] as const),
        openedBy: random.pick(['buyer', 'seller'] as const),
      })),
      shipping: random.pick(shippingSummaries),
      stock: 'untouched',
      wasPaid: false,
    },
    details: {
      status_detail: null,
      comments: null,
      pickup_id: null,
      order_request: { change: null, return: null },
      fulfilled: null,
      coupon: { id: null, amount: 0 },
      manufacturing_ending_date: null,
      buying_mode: 'buy_equals_pay',
      hidden_for_seller: false,
      shipping_cost: 0,
      application_id: null,
      taxes: { amount: null, currency_id: null, id: null },
      cancel_detail: null,
      context: { channel: 'marketplace', site: 'MLA', flows: [] },
    },
  }
}

function randomRating(random: SeededRandom): Rating | null {
  if (random.chance(0.5)) return null
  return {
    rating: random.pick(['positive', 'neutral', 'negative'] as const),
    fulfilled: random.chance(0.5),
  }
}

function orderItemOf({ id, title }: { id: string; title: string }, price: number): OrderItem {
  return {
    item: {
      id,
      title,
      variation_id: null,
      variation_attributes: [],
      category_id: 'MLA1580',
      seller_custom_field: null,
      seller_sku: null,
      condition: 'new',
      warranty: null,
    },
    quantity: 1,
    unit_price: price,
    full_unit_price: price,
    sale_fee: 0,
    listing_type_id: 'gold',
    currency_id: 'ARS',
    base_currency_id: null,
    base_exchange_rate: null,
    differential_pricing_id: null,
    manufacturing_days: null,
  }
}

export async function saveVariedOrders(
  db: Database,
  { orders, now }: { orders: readonly Order[]; now: Date },
): Promise<void> {
  await saveUsers(db, variedUsers(), now)
  await db.bulk((tx) => copyOrders(tx, orders))
}

/** The order as a lock would return it, had this release filed it. */
export function asStoredOrder(order: Order): StoredOrder {
  return { ...order, storedCountKey: { ...orderCountKeyOf(order), version: filingVersion } }
}
