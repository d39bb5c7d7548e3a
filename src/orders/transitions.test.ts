import assert from 'node:assert/strict'
import { contract } from '../../test/harness/contract.ts'
import { minimalOrder, withOrderParts } from '../../test/harness/order.ts'
import type { ShipmentStatus } from '../shipments/shipment.ts'
import { type Order, transitionOrder, withStockReturned } from './order.ts'
import { canBecome, type OrderStatus, orderStatuses, transitions } from './status.ts'

const day = (number: number) => new Date(Date.UTC(2026, 2, number))

contract(
  ['3.1', 'orders'],
  'every status can be reached from the beginning, and leads to known ones only',
  () => {
    const reached = new Set<OrderStatus>(['confirmed', 'payment_required'])
    for (const status of reached)
      for (const next of transitions[status]) {
        assert.ok(orderStatuses.includes(next), next)
        assert.notEqual(next, status)
        reached.add(next)
      }
    assert.deepEqual(reached, new Set(orderStatuses))
  },
)

contract(['3.1', 'orders'], 'cancelled, invalid and manually_cancelled are the only ends', () => {
  const ends = orderStatuses.filter((status) => transitions[status].length === 0)
  assert.deepEqual(ends.sort(), ['cancelled', 'invalid', 'manually_cancelled'])
  assert.ok(!canBecome('cancelled', 'paid'))
  assert.ok(canBecome('confirmed', 'paid'))
})

contract(
  ['2.2', '3.1'],
  'date_closed is set when the status first is confirmed or paid, and once',
  () => {
    for (const status of orderStatuses) {
      const closes = status === 'confirmed' || status === 'paid'
      const open = transitionOrder(minimalOrder(), status, day(1))
      assert.deepEqual(open.dateClosed, closes ? day(1) : null, status)
      assert.deepEqual(
        transitionOrder(minimalOrder({ dateClosed: day(1) }), status, day(2)).dateClosed,
        day(1),
      )
      assert.equal(open.status, status)
    }
  },
)

contract('2.2', 'stock is taken when date_closed is set, and then only', () => {
  for (const status of orderStatuses) {
    const open = transitionOrder(minimalOrder({ status: 'payment_required' }), status, day(1))
    assert.equal(open.parts.stock, open.dateClosed === null ? 'untouched' : 'taken', status)
    const again = transitionOrder(minimalOrder({ dateClosed: day(1) }), status, day(2))
    assert.equal(again.parts.stock, 'untouched', `${status}, closed before`)
  }
})

contract('2.2', 'stock is given back when a sale ends before anything was sent, and once', () => {
  const stockTaken = withOrderParts({ stock: 'taken' })
  const at = (status: ShipmentStatus) =>
    withOrderParts({ stock: 'taken', shipping: { status, substatus: null, serviceId: null } })
  const cases: [why: string, before: Partial<Order>, to: OrderStatus, stock: string][] = [
    ['cancelled', stockTaken, 'cancelled', 'returned'],
    ['cancelled by hand', stockTaken, 'manually_cancelled', 'returned'],
    ['invalid', stockTaken, 'invalid', 'returned'],
    ['about to be cancelled', stockTaken, 'pending_cancel', 'taken'],
    ['paid', stockTaken, 'paid', 'taken'],
    ['never taken', {}, 'cancelled', 'untouched'],
    ['given back before', withOrderParts({ stock: 'returned' }), 'cancelled', 'returned'],
    ['ended already', { ...stockTaken, status: 'cancelled' }, 'cancelled', 'taken'],
    ['delivered by hand', { ...stockTaken, tags: ['delivered'] }, 'cancelled', 'taken'],
    ...(['shipped', 'delivered', 'not_delivered'] as const).map(
      (sent): [string, Partial<Order>, OrderStatus, string] => [sent, at(sent), 'invalid', 'taken'],
    ),
    ...(['to_be_agreed', 'pending', 'handling', 'ready_to_ship', 'cancelled'] as const).map(
      (here): [string, Partial<Order>, OrderStatus, string] => [
        here,
        at(here),
        'invalid',
        'returned',
      ],
    ),
  ]
  for (const [why, before, to, stock] of cases) {
    const after = transitionOrder(minimalOrder({ dateClosed: day(1), ...before }), to, day(2))
    assert.equal(after.parts.stock, stock, why)
  }
})

contract('2.2', 'pieces are given back by hand once, and only if they were taken', () => {
  const [untouched, taken] = [minimalOrder(), minimalOrder(withOrderParts({ stock: 'taken' }))]
  assert.equal(withStockReturned(untouched), untouched)
  const returned = withStockReturned(taken)
  assert.equal(returned.parts.stock, 'returned')
  assert.equal(withStockReturned(returned), returned)
})

contract('6.2', 'what was paid at some time stays so, whatever becomes of it', () => {
  for (const status of orderStatuses) {
    assert.equal(
      transitionOrder(minimalOrder(), status, day(1)).parts.wasPaid,
      status === 'paid',
      status,
    )
    const paid = transitionOrder(minimalOrder(withOrderParts({ wasPaid: true })), status, day(1))
    assert.equal(paid.parts.wasPaid, true, status)
  }
})
