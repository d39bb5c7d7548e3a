import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { contract } from '../../test/harness/contract.ts'
import { dayMs, timestamp } from '../kernel/clock.ts'
import {
  type ConversationFacts,
  type ConversationRecord,
  conversationStatusOf,
  emptyConversation,
  type Substatus,
  substatuses,
} from './conversation.ts'
import { type ConversationSale, guidedMode, type SaleOrder, type SaleShipment } from './sale.ts'

const sold = new Date('2026-03-10T12:00:00.000Z')
const later = (days: number) => new Date(sold.getTime() + days * dayMs)

const order: SaleOrder = {
  id: 1,
  status: 'paid',
  dateCreated: sold,
  lastUpdated: later(1),
  cancelGroup: null,
  isFraudRisk: false,
  isRefunded: false,
  isMadeToOrder: false,
  isClassified: false,
  mediations: [],
}
const agreed: SaleShipment = {
  id: 77,
  logisticType: null,
  status: 'pending',
  promisedAt: null,
}
const sent = (logisticType: SaleShipment['logisticType'], status = 'shipped') =>
  ({ ...agreed, logisticType, status }) as SaleShipment

interface Case {
  site?: ConversationSale['siteId']
  orders?: Partial<SaleOrder>[]
  shipment?: SaleShipment | null
  isDeserted?: boolean
  thread?: Partial<ConversationRecord>
  hasOptions?: boolean
  /** Days after the sale. */
  day?: number
}

function factsOf(scenario: Case, viewpoint: ConversationFacts['viewpoint']): ConversationFacts {
  const { site = 'MLA', orders = [{}], shipment = agreed, isDeserted = false, day = 2 } = scenario
  const sale: ConversationSale = {
    sellerId: 10,
    buyerId: 20,
    packId: 1,
    siteId: site,
    shipment,
    isDeserted,
    orders: orders.map((changes) => ({ ...order, ...changes })),
  }
  const thread = { ...emptyConversation, ...scenario.thread }
  return { sale, thread, viewpoint, hasOptions: scenario.hasOptions ?? true, now: later(day) }
}

const dispute = { id: 9, stage: 'dispute', status: 'opened', openedBy: 'buyer' } as const
const claim = { ...dispute, stage: 'claim' } as const
const wrote = { lastMessageAt: later(1), buyerWroteAt: later(1) }

/** What each party sees; the buyer sees the same as the seller where nothing else is said. */
const cases: [what: string, given: Case, seller: Substatus | null, buyer?: Substatus | null][] = [
  ['a paid sale', {}, null],
  ['a sale without a shipment', { shipment: null }, null],
  ['ended by the operator', set('blocked_by_restrictions'), 'blocked_by_restrictions'],
  ['ended by the buyer', set('blocked_by_buyer'), 'blocked_by_buyer', null],
  ['an account closed', { isDeserted: true }, 'blocked_by_deactivated_account'],
  [
    '18 months later',
    { day: 550, thread: { lastMessageAt: later(549) } },
    'blocked_by_conversation_expired',
  ],
  ['a day less than 18 months later', { day: 548, thread: { lastMessageAt: later(547) } }, null],
  [
    'a dispute in Brazil',
    { site: 'MLB', orders: [{ mediations: [dispute] }] },
    'blocked_by_mediation',
  ],
  ['a dispute elsewhere', { orders: [{ mediations: [dispute] }] }, null],
  ['a claim in Brazil', { site: 'MLB', orders: [{ mediations: [claim] }] }, null],
  [
    'a closed dispute in Brazil',
    { site: 'MLB', orders: [{ mediations: [{ ...dispute, status: 'closed' }] }] },
    null,
  ],
  [
    'fulfillment on its way',
    { shipment: sent('fulfillment'), thread: wrote },
    'blocked_by_fulfillment',
  ],
  [
    'fulfillment, cancelled',
    { shipment: sent('fulfillment', 'pending'), orders: [{ status: 'cancelled' }], thread: wrote },
    'blocked_by_cancelled_order',
  ],
  [
    'a dispute in Brazil that the operator ended too',
    {
      site: 'MLB',
      orders: [{ mediations: [dispute] }],
      thread: { block: 'blocked_by_restrictions', blockedAt: later(1) },
    },
    'blocked_by_mediation',
  ],
  ['fulfillment, delivered', { shipment: sent('fulfillment', 'delivered'), thread: wrote }, null],
  ['not paid for', { orders: [{ status: 'payment_required' }] }, 'blocked_by_payment'],
  ['being paid for', { orders: [{ status: 'payment_in_process' }] }, 'blocked_by_payment'],
  ['half paid for', { orders: [{ status: 'partially_paid' }] }, 'blocked_by_payment'],
  ['confirmed, to be paid on delivery', { orders: [{ status: 'confirmed' }] }, null],
  ['a pack of which one is paid for', { orders: [{ status: 'payment_required' }, {}] }, null],
  [
    'a pack of which one is cancelled and one not paid for',
    { orders: [{ status: 'payment_required' }, { status: 'cancelled' }] },
    'blocked_by_payment',
  ],
  ['cancelled', { orders: [{ status: 'cancelled' }] }, 'blocked_by_cancelled_order'],
  [
    'cancelled by hand',
    { orders: [{ status: 'manually_cancelled' }] },
    'blocked_by_cancelled_order',
  ],
  ['invalid', { orders: [{ status: 'invalid' }] }, 'blocked_by_cancelled_order'],
  ['a pack of which one is cancelled', { orders: [{ status: 'cancelled' }, {}] }, null],
  [
    'cancelled and refunded',
    { orders: [{ status: 'cancelled', isRefunded: true }] },
    'blocked_by_refund',
  ],
  [
    'cancelled for fraud',
    { orders: [{ status: 'cancelled', cancelGroup: 'fraud', isRefunded: true }] },
    'blocked_by_cancelled_order_by_fraud',
  ],
  [
    'cancelled with the tag of fraud',
    { orders: [{ status: 'cancelled', isFraudRisk: true }] },
    'blocked_by_cancelled_order_by_fraud',
  ],
  ['nothing said for 30 days', { day: 31, thread: wrote }, 'blocked_by_time', null],
  ['nothing said for a day less', { day: 30.9, thread: wrote }, null],
  ['nothing ever said for 30 days', { day: 30 }, 'blocked_by_time', null],
  ...(['cross_docking', 'xd_drop_off', 'drop_off', 'self_service'] as const).map(
    (type): (typeof cases)[number] => [
      `${type}, nothing said`,
      { shipment: sent(type) },
      'blocked_by_conversation_initiated_by_seller_limited',
      null,
    ],
  ),
  [
    'fulfillment, delivered, nothing said',
    { shipment: sent('fulfillment', 'delivered') },
    'blocked_by_conversation_initiated_by_seller_limited',
    null,
  ],
  [
    'drop off, every option used',
    { shipment: sent('drop_off'), hasOptions: false, thread: { lastMessageAt: later(1) } },
    'blocked_by_conversation_initiated_by_seller',
    null,
  ],
  ['drop off, the buyer wrote', { shipment: sent('drop_off'), thread: wrote }, null],
  [
    'drop off of what is made to order',
    { shipment: sent('drop_off'), orders: [{}, { isMadeToOrder: true }] },
    null,
  ],
  ['transport of the default type', { shipment: sent('default') }, null],
]

function set(block: ConversationRecord['block']): Case {
  return { thread: { block, blockedAt: later(1) } }
}

for (const [what, scenario, seller, buyer = seller] of cases) {
  contract(
    ['2.12', '3.3', '7.3', 'errors', 'messages'],
    `${what}: ${seller ?? 'active'} for the seller, ${buyer ?? 'active'} for the buyer`,
    () => {
      for (const [viewpoint, expected] of [
        ['seller', seller],
        ['buyer', buyer],
      ] as const) {
        const { status, substatus } = conversationStatusOf(factsOf(scenario, viewpoint))
        assert.deepEqual([status, substatus], [expected ? 'blocked' : 'active', expected])
      }
    },
  )
}

contract(
  ['3.3', 'messages'],
  'docs/api/messages.md has every substatus, in the order in which they are looked for',
  () => {
    const page = readFileSync(new URL('../../docs/api/messages.md', import.meta.url), 'utf8')
    const rows = [...page.matchAll(/^\| `(blocked_by_\w+)` \| (both|the seller) \|/gm)]
    assert.deepEqual(
      rows.map(([, substatus]) => substatus),
      [...substatuses],
    )
    for (const [, substatus, whom] of rows) {
      const own = cases.filter(([, , seller]) => seller === substatus)
      for (const [what, , , buyer = substatus] of own) {
        assert.equal(buyer === null, whom === 'the seller', `${what}: ${substatus}`)
      }
    }
  },
)

contract(
  ['3.3', 'messages'],
  'every reason but the guide’s own is one that a conversation comes to',
  () => {
    const met = new Set(cases.flatMap(([, , seller, buyer]) => [seller, buyer]))
    const missing = substatuses.filter((substatus) => !met.has(substatus))
    assert.deepEqual(missing, ['blocked_by_conversation_use_message_api'])
  },
)

contract(
  '2.12',
  'a conversation says since when it stands as it does, and for which claim or shipment',
  () => {
    const expectations: [Case, object][] = [
      [{}, { since: sold }],
      [{ thread: wrote }, { since: later(1) }],
      [set('blocked_by_restrictions'), { since: later(1) }],
      [{ day: 40, thread: wrote }, { since: later(31) }],
      [{ orders: [{ status: 'cancelled' }] }, { since: later(1) }],
      [
        { site: 'MLB', orders: [{ mediations: [dispute] }] },
        { since: later(1), claimId: 9 },
      ],
      [{ shipment: sent('fulfillment') }, { since: sold, shippingId: 77 }],
    ]
    for (const [scenario, expected] of expectations) {
      const { since, claimId, shippingId } = conversationStatusOf(factsOf(scenario, 'seller'))
      assert.deepEqual(
        { since, claimId, shippingId },
        { claimId: null, shippingId: null, ...expected },
      )
    }
    const { since } = conversationStatusOf(
      factsOf({ day: 600, thread: { lastMessageAt: later(599) } }, 'buyer'),
    )
    assert.equal(timestamp(since), '2027-09-10T12:00:00.000Z')
  },
)

contract('4.1', 'the shipping modes that begin with an option are the four of the contract', () => {
  const modes = [
    ...([
      ['drop_off', 'drop_off'],
      ['xd_drop_off', 'cross_docking'],
    ] as const),
    ...([
      ['cross_docking', 'cross_docking'],
      ['fulfillment', 'fulfillment'],
    ] as const),
    ...([
      ['self_service', 'flex'],
      ['default', null],
      [null, null],
    ] as const),
  ]
  for (const [type, mode] of modes) assert.equal(guidedMode({ shipment: sent(type) }), mode)
  assert.equal(guidedMode({ shipment: null }), null)
})
