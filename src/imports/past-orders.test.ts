import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../../test/harness/contract.ts'
import { pastOrderLine } from '../../test/harness/import-lines.ts'
import { anaId } from '../../test/harness/market.ts'
import { type Listing, listingDefaults } from '../listings/listing.ts'
import { ImportLineSchema, type OrderLine, parseImportLine } from './bodies.ts'
import { buildPastOrder } from './history.ts'

const listing = {
  id: 'MLA1001',
  sellerId: anaId,
  siteId: 'MLA',
  title: 'Pava',
  categoryId: 'MLA1580',
  currencyId: 'ARS',
  price: '100',
  status: 'active',
  condition: 'new',
  sellerSku: null,
  listingTypeId: 'gold_special',
  warranty: null,
  sellerCustomField: null,
  manufacturingDays: null,
  ...listingDefaults,
  stock: [{ variationId: 0, availableQuantity: 0, attributes: [], sellerSku: null }],
} as Listing

/** The order that a line of two pieces at 100 makes. */
function orderOf(more: object) {
  const line = parseImportLine(JSON.stringify(pastOrderLine(1, more))) as OrderLine
  return buildPastOrder(line, {
    listings: new Map([[listing.id, listing]]),
    storedShipment: undefined,
  })
}

const on = (day: number) => new Date(Date.UTC(2025, 0, day))
const created = new Date('2025-01-02T03:04:05.000Z')
const paid = (day: number, more: object = {}) => ({
  payments: [
    { id: 7, status: 'approved', transaction_amount: 200, date_created: on(day), ...more },
  ],
})

contract(['2.2', '3.1'], 'what a line leaves out follows from what it says', () => {
  const cases: [
    why: string,
    line: object,
    expected: [status: string, dateClosed: Date | null, lastUpdated: Date],
  ][] = [
    ['nothing said', {}, ['confirmed', created, created]],
    ['paid later', paid(5), ['paid', created, on(5)]],
    ['paid in part', paid(5, { transaction_amount: 50 }), ['partially_paid', created, on(5)]],
    ['not paid yet', paid(5, { status: 'pending' }), ['payment_in_process', created, on(5)]],
    ['waiting for payment', { status: 'payment_required' }, ['payment_required', null, created]],
    ['called paid', { status: 'paid' }, ['paid', created, created]],
    ['called paid, and paid', { status: 'paid', ...paid(5) }, ['paid', on(5), on(5)]],
    ['cancelled', { status: 'cancelled' }, ['cancelled', null, created]],
    ['cancelled after all', { status: 'cancelled', ...paid(5) }, ['cancelled', on(5), on(5)]],
    ['closed when it says', { date_closed: on(3), ...paid(5) }, ['paid', on(3), on(5)]],
    ['never closed', { status: 'invalid', date_closed: null }, ['invalid', null, created]],
    ['updated when it says', { last_updated: on(9), ...paid(5) }, ['paid', created, on(9)]],
    ['approved later than made', paid(5, { date_approved: on(6) }), ['paid', created, on(6)]],
  ]
  for (const [why, line, expected] of cases) {
    const { order } = orderOf(line)
    assert.deepEqual([order.status, order.dateClosed, order.lastUpdated], expected, why)
  }
})

contract(
  '6.2',
  'that a sale was once paid is known from its payments, whatever became of them',
  () => {
    const refunded = { status: 'refunded', transaction_amount_refunded: 200, date_approved: on(5) }
    const cases: [line: object, wasPaid: boolean][] = [
      [paid(5), true],
      [{ status: 'cancelled', ...paid(5, refunded) }, true],
      [{ status: 'cancelled', ...paid(5, { ...refunded, date_approved: null }) }, false],
      [{ status: 'partially_refunded' }, true],
      [{}, false],
    ]
    for (const [line, wasPaid] of cases)
      assert.equal(orderOf(line).order.parts.wasPaid, wasPaid, JSON.stringify(line))
  },
)

contract(
  ['2.2', '3.1'],
  'a sale of the past that was refunded whole is cancelled, in whatever order its payments stand',
  () => {
    const refunded = { id: 1, status: 'refunded', transaction_amount: 200, date_approved: on(5) }
    const approved = { id: 2, status: 'approved', transaction_amount: 200 }
    const cases: [payments: object[], line: object, status: string, group: string | undefined][] = [
      [[refunded], {}, 'cancelled', 'internal'],
      [[refunded, approved], {}, 'paid', undefined],
      [[approved, refunded], {}, 'paid', undefined],
      [[refunded], { status: 'confirmed' }, 'confirmed', undefined],
    ]
    for (const [payments, line, status, group] of cases) {
      const { order } = orderOf({ ...line, payments })
      const { cancel_detail } = order.details
      assert.deepEqual([order.status, cancel_detail?.group], [status, group], JSON.stringify(line))
      assert.equal(order.parts.wasPaid, true)
      assert.equal(order.parts.stock, 'untouched')
    }
    const shipping = { id: 9, mode: 'custom', status: 'delivered', last_updated: on(4) }
    const { order } = orderOf({ payments: [refunded], shipping })
    assert.deepEqual([order.status, order.tags.includes('delivered')], ['cancelled', true])
  },
)

contract('2.2', 'what arrived is delivered, unless the order has ended', () => {
  const shipping = { id: 9, mode: 'custom', status: 'delivered', last_updated: on(8) }
  const { order, shipment } = orderOf({ shipping })
  assert.deepEqual([order.tags.includes('delivered'), order.details.fulfilled], [true, true])
  assert.equal(shipment?.history.date_delivered, on(8).toISOString())
  const ended = orderOf({ shipping, status: 'cancelled' }).order
  assert.deepEqual([ended.tags.includes('delivered'), ended.details.fulfilled], [false, null])
  const delivered = orderOf({ shipping: { ...shipping, history: { date_delivered: on(7) } } })
  assert.equal(delivered.shipment?.history.date_delivered, on(7).toISOString())
})

test('the stock of today has nothing to do with it, however it went', () => {
  for (const line of [{}, paid(5), { status: 'cancelled', ...paid(5) }])
    assert.equal(orderOf(line).order.parts.stock, 'untouched')
})

test('no field of a line may hold whatever it likes', () => {
  // Lines are not searched for what must not be stored unless their text may hold it: see `parseImportLine`.
  const open: string[] = []
  const walk = (schema: Record<string, unknown>, path: string) => {
    const keys = ['type', 'enum', 'const', 'anyOf']
    if (!keys.some((key) => key in schema) || 'patternProperties' in schema) open.push(path)
    const {
      properties = {},
      anyOf = [],
      items,
    } = schema as {
      properties?: Record<string, Record<string, unknown>>
      anyOf?: Record<string, unknown>[]
      items?: Record<string, unknown>
    }
    if (schema['type'] === 'object' && schema['additionalProperties'] !== false) open.push(path)
    for (const [name, property] of Object.entries(properties)) walk(property, `${path}.${name}`)
    for (const alternative of anyOf) walk(alternative, path)
    if (items) walk(items, `${path}[]`)
  }
  walk(ImportLineSchema as unknown as Record<string, unknown>, 'line')
  assert.deepEqual(open, [])
})
