import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { contract } from '../../test/harness/contract.ts'
import { shippingModes } from '../kernel/shipping-modes.ts'
import { sql } from '../platform/database/sql.ts'
import {
  canShipmentTransition,
  costTypeOf,
  type HistoryDate,
  initialShipmentStatus,
  logisticTypeConflict,
  logisticTypes,
  type Shipment,
  type ShipmentStatus,
  shipmentStatuses,
  shipmentTransitions,
  transitionShipment,
} from './shipment.ts'
import type { ShipmentSubstatus } from './substatus.ts'
import { substatusIds } from './substatus.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
})
after(() => app.close())

const day = (number: number) => new Date(Date.UTC(2026, 2, number))
const on = (number: number) => day(number).toISOString()

/** Only what the rules look at. */
function shipmentAt(status: ShipmentStatus, more: Partial<Shipment> = {}): Shipment {
  return { status, substatus: null, history: {}, details: {}, ...more } as Shipment
}

contract('4.1', 'the platform’s own transport has a logistic type, the seller’s has none', () => {
  for (const mode of shippingModes)
    for (const type of [null, ...logisticTypes]) {
      const isRight = mode === 'me2' ? type !== null : type === null || type === 'default'
      assert.equal(logisticTypeConflict(mode, type) === undefined, isRight, `${mode} ${type}`)
    }
})

test('a shipment begins where its mode says', () => {
  const begins = shippingModes.map((mode) => [mode, initialShipmentStatus(mode)])
  assert.deepEqual(Object.fromEntries(begins), {
    me2: 'pending',
    me1: 'pending',
    custom: 'to_be_agreed',
    not_specified: 'to_be_agreed',
  })
})

test('every status can be reached from where shipments begin, and leads to known ones only', () => {
  const reached = new Set<ShipmentStatus>(shippingModes.map(initialShipmentStatus))
  for (const status of reached)
    for (const next of shipmentTransitions[status]) {
      assert.ok(shipmentStatuses.includes(next), next)
      assert.notEqual(next, status)
      reached.add(next)
    }
  assert.deepEqual(reached, new Set(shipmentStatuses))
})

contract(
  'orders',
  'what has left does not go back, and what is delivered or cancelled stays so',
  () => {
    const packed = ['to_be_agreed', 'pending', 'handling', 'ready_to_ship', 'cancelled'] as const
    for (const current of ['shipped', 'not_delivered'] as const)
      for (const status of packed)
        assert.ok(!canShipmentTransition(current, status), `${current} ${status}`)
    for (const end of ['delivered', 'cancelled'] as const)
      for (const status of shipmentStatuses)
        assert.ok(!canShipmentTransition(end, status), `${end} ${status}`)
    assert.ok(canShipmentTransition('pending', 'shipped'), 'a step may be left out')
    assert.ok(canShipmentTransition('not_delivered', 'shipped'), 'it may be tried again')
  },
)

contract('orders', 'docs/api/orders.md draws the table, arrow by arrow', () => {
  const page = readFileSync(new URL('../../docs/api/orders.md', import.meta.url), 'utf8')
  const drawings = [...page.matchAll(/```mermaid\n(.*?)```/gs)].map(([, text = '']) => text)
  const drawing = drawings.find((text) => text.includes('to_be_agreed')) ?? ''
  const drawn = [...drawing.matchAll(/^ {2}(\S+) --> (\S+)$/gm)].map(
    ([, from, to]) => `${from} ${to}`,
  )
  const begins = new Set(shippingModes.map((mode) => `[*] ${initialShipmentStatus(mode)}`))
  const arrows = shipmentStatuses.flatMap((from) => {
    const to: readonly string[] = shipmentTransitions[from]
    return (to.length > 0 ? to : ['[*]']).map((next) => `${from} ${next}`)
  })
  assert.deepEqual(drawn.sort(), [...begins, ...arrows].sort())
})

test('the database knows the same modes, types and statuses, no more and no fewer', async () => {
  const rows = await app.ctx.db.rows<{ text: string }>(sql`
    select pg_get_constraintdef(oid) as text from pg_constraint
    where conrelid = 'shipments'::regclass and contype = 'c'`)
  const sets = rows.map(({ text }) =>
    [...text.matchAll(/'([a-z_0-9]+)'/g)].map(([, name]) => name).sort(),
  )
  const byFirst = (a: unknown[], b: unknown[]) => String(a).localeCompare(String(b))
  const expected = [shippingModes, logisticTypes, shipmentStatuses].map((set) => [...set].sort())
  assert.deepEqual(sets.sort(byFirst), expected.sort(byFirst))
})

contract(
  'orders',
  'what each status and substatus is the first to reach is dated, and nothing else',
  () => {
    const cases: [
      from: ShipmentStatus,
      to: ShipmentStatus,
      substatus: ShipmentSubstatus | null,
      dated: HistoryDate[],
    ][] = [
      ['to_be_agreed', 'pending', null, []],
      ['pending', 'handling', null, ['date_handling']],
      ['pending', 'ready_to_ship', 'ready_to_print', ['date_ready_to_ship']],
      ['ready_to_ship', 'ready_to_ship', 'printed', []],
      ['pending', 'shipped', null, ['date_shipped']],
      ['shipped', 'shipped', 'receiver_absent', ['date_first_visit']],
      ['shipped', 'delivered', null, ['date_delivered', 'date_first_visit']],
      ['shipped', 'not_delivered', null, ['date_not_delivered']],
      ['shipped', 'not_delivered', 'refused_delivery', ['date_not_delivered', 'date_first_visit']],
      ['not_delivered', 'not_delivered', 'returned', ['date_returned']],
      ['pending', 'cancelled', null, ['date_cancelled']],
      ['delivered', 'delivered', null, []],
    ]
    for (const [from, status, substatus, dated] of cases) {
      const { history } = transitionShipment(shipmentAt(from), { status, substatus }, day(1))
      const expected = Object.fromEntries(dated.map((name) => [name, on(1)]))
      assert.deepEqual(history, expected, `${from} ${status} ${substatus}`)
    }
  },
)

test('the first moment stays, however often a status is reached', () => {
  let shipment = shipmentAt('shipped', { history: { date_shipped: on(1) } })
  const way: [ShipmentStatus, ShipmentSubstatus | null][] = [
    ['not_delivered', 'receiver_absent'],
    ['shipped', null],
    ['delivered', null],
  ]
  for (const [index, [status, substatus]] of way.entries())
    shipment = transitionShipment(shipment, { status, substatus }, day(2 + index))
  assert.deepEqual(shipment.history, {
    date_shipped: on(1),
    date_not_delivered: on(2),
    date_first_visit: on(2),
    date_delivered: on(4),
  })
})

test('the label is first printed when it first says so, unless that is known better', () => {
  const printed = { status: 'ready_to_ship', substatus: 'printed' } as const
  const once = transitionShipment(shipmentAt('ready_to_ship'), printed, day(1))
  assert.equal(once.details.date_first_printed, on(1))
  const waits = transitionShipment(once, { ...printed, substatus: 'in_hub' }, day(2))
  assert.equal(transitionShipment(waits, printed, day(3)).details.date_first_printed, on(1))
})

contract(
  'orders',
  'who pays for the transport follows from what the buyer pays and what it costs',
  () => {
    const cases: [cost: string, listCost: string | null, type: string][] = [
      ['0', '15.45', 'free'],
      ['0', null, 'free'],
      ['0', '0', 'free'],
      ['15.45', '15.45', 'charged'],
      ['15.45', null, 'charged'],
      ['15.45', '10', 'charged'],
      ['0.01', '15.45', 'partially_free'],
      ['9.9', '10', 'partially_free'],
      ['1000', '1000.00', 'charged'],
    ]
    for (const [cost, listCost, type] of cases)
      assert.equal(costTypeOf({ cost, listCost }), type, `${cost} of ${listCost}`)
  },
)

contract('orders', 'substatuses are the forty of the closed list', () => {
  assert.equal(new Set(substatusIds).size, 40)
  for (const id of ['printed', 'ready_to_print', 'receiver_absent', 'returned', 'claimed_me'])
    assert.ok((substatusIds as string[]).includes(id), id)
})
