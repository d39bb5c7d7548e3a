import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failure } from '../kernel/failure.ts'
import type { ShippingDetails } from './bodies.ts'
import {
  applyShipmentPatch,
  type ShipmentPatch,
  shippingAmounts,
  withShipmentDetails,
} from './patch.ts'
import type { Shipment } from './shipment.ts'

const now = new Date('2026-03-10T15:00:00.000Z')
const bare = {
  status: 'pending',
  substatus: null,
  cost: '0',
  listCost: null,
  declaredValue: null,
  history: {},
  tags: [],
  details: {},
} as unknown as Shipment

/** As it would come back from the database. */
const asStored = (shipment: Shipment): Shipment => JSON.parse(JSON.stringify(shipment))

const everything: ShippingDetails = {
  external_reference: 'R-1',
  application_id: '99',
  cost: 5,
  list_cost: 10,
  declared_value: 120,
  cost_components: { loyal_discount: 2, ratio: 1.5 },
  dimensions: { height: 9, width: 25, length: 32, weight: 310 },
  tracking_number: '1011',
  tracking_method: 'Expreso',
  service_id: 22,
  option_id: 19,
  shipping_method: { id: 182, name: 'Expreso', type: 'express', deliver_to: 'address' },
  delivery_type: 'estimated',
  estimated_handling_limit: { date: '2026-03-11T00:00:00-03:00' },
  estimated_delivery_time: {
    type: 'known_frame',
    date: '2026-03-12T00:00:00-03:00',
    offset: { date: '2026-03-13T00:00:00-03:00', shipping: 24 },
    pay_before: null,
  },
  estimated_delivery_limit: { date: null, offset: 240 },
  delay: ['handling_delayed'],
  receiver_address: { city: { id: null, name: 'Guarulhos' }, latitude: -0, longitude: -46.5 },
  receiver_name: 'Bruno',
  comments: null,
  date_first_printed: '2026-03-10T12:00:00Z',
}

test('what is said a second time changes nothing, however it is written', () => {
  const once = asStored(withShipmentDetails(bare, everything))
  assert.deepEqual(withShipmentDetails(once, everything), once)
  const otherwise: ShippingDetails = {
    estimated_handling_limit: { date: '2026-03-11T03:00:00.000Z' },
    estimated_delivery_limit: { offset: 240 },
    comments: null,
    external_reference: 'R-1',
  }
  assert.deepEqual(withShipmentDetails(once, otherwise), once)
  assert.deepEqual(
    withShipmentDetails(bare, { delay: [], estimated_schedule_limit: { date: null } }),
    bare,
  )
})

test('times are kept in one writing, to the millisecond', () => {
  const { details } = withShipmentDetails(bare, everything)
  assert.equal(details.estimated_handling_limit?.date, '2026-03-11T03:00:00.000Z')
  assert.equal(details.estimated_delivery_time?.date, '2026-03-12T03:00:00.000Z')
  assert.equal(details.estimated_delivery_time?.offset?.date, '2026-03-13T03:00:00.000Z')
  assert.equal(details.date_first_printed, '2026-03-10T12:00:00.000Z')
})

test('null takes back what was told, and what is not named stays', () => {
  const once = withShipmentDetails(bare, everything)
  const after = withShipmentDetails(once, {
    tracking_number: null,
    list_cost: null,
    receiver_address: null,
  })
  assert.equal('tracking_number' in after.details, false)
  assert.equal('receiver_address' in after.details, false)
  assert.equal(after.listCost, null)
  assert.equal(after.cost, '5')
  assert.equal(after.details.tracking_method, 'Expreso')
})

test('the receiver’s name and phone are one fact, in the address or beside it', () => {
  const inside = withShipmentDetails(bare, {
    receiver_address: { street_name: 'Ceibos', receiver_name: 'Bruno', receiver_phone: '11 4444' },
  })
  const beside = withShipmentDetails(bare, {
    receiver_address: { street_name: 'Ceibos' },
    receiver_name: 'Bruno',
    receiver_phone: '11 4444',
  })
  assert.deepEqual(inside, beside)
  const moved = withShipmentDetails(inside, { receiver_address: { street_name: 'Molino' } })
  assert.equal(moved.details.receiver_name, 'Bruno')
})

test('a cost type that the costs contradict is refused by its name', () => {
  const cases: [said: ShippingDetails, isRight: boolean][] = [
    [{ cost_type: 'free' }, true],
    [{ cost: 5, cost_type: 'free' }, false],
    [{ cost: 5, cost_type: 'charged' }, true],
    [{ cost: 5, list_cost: 9, cost_type: 'charged' }, false],
    [{ cost: 5, list_cost: 9, cost_type: 'partially_free' }, true],
  ]
  for (const [details, isRight] of cases) {
    const tell = () => withShipmentDetails(bare, details, 'shipping.')
    if (isRight) tell()
    else assert.throws(tell, /^Failure: shipping\.cost_type: expected /)
  }
})

test('every amount is held to the coins of its currency, under its own name', () => {
  assert.deepEqual(shippingAmounts(everything, 'shipping.'), [
    ['shipping.cost', 5],
    ['shipping.list_cost', 10],
    ['shipping.declared_value', 120],
    ['shipping.cost_components.loyal_discount', 2],
  ])
  assert.deepEqual(shippingAmounts({ list_cost: null, cost_components: null }), [])
})

test('a substatus goes with its status, a new status has none of its own', () => {
  const cases: [patch: ShipmentPatch, status: string, substatus: string | null][] = [
    [{}, 'ready_to_ship', 'printed'],
    [{ status: 'ready_to_ship' }, 'ready_to_ship', 'printed'],
    [{ substatus: 'in_hub' }, 'ready_to_ship', 'in_hub'],
    [{ substatus: null }, 'ready_to_ship', null],
    [{ status: 'shipped' }, 'shipped', null],
    [{ status: 'shipped', substatus: 'delayed' }, 'shipped', 'delayed'],
  ]
  const printed = { ...bare, status: 'ready_to_ship', substatus: 'printed' } as Shipment
  for (const [patch, status, substatus] of cases) {
    const after = applyShipmentPatch(printed, patch, now)
    assert.deepEqual([after.status, after.substatus], [status, substatus], JSON.stringify(patch))
  }
})

test('a status without an arrow is refused, the same one is not', () => {
  const shipped = { ...bare, status: 'shipped' } as Shipment
  assert.throws(
    () => applyShipmentPatch(shipped, { status: 'handling' }, now),
    (error) => error instanceof Failure && error.code === 'status_not_reachable',
  )
  assert.deepEqual(applyShipmentPatch(shipped, { status: 'shipped' }, now), shipped)
})

test('when the label was printed the operator knows better than the clock', () => {
  const update = { substatus: 'printed', date_first_printed: '2026-03-01T00:00:00.000Z' } as const
  assert.equal(
    applyShipmentPatch(bare, update, now).details.date_first_printed,
    '2026-03-01T00:00:00.000Z',
  )
})

test('tags are added and taken, each once', () => {
  const tagged = applyShipmentPatch(bare, { tags: { add: ['test_shipment', 'a', 'a'] } }, now)
  assert.deepEqual(tagged.tags, ['test_shipment', 'a'])
  assert.deepEqual(applyShipmentPatch(tagged, { tags: { add: ['b'], remove: ['a'] } }, now).tags, [
    'test_shipment',
    'b',
  ])
})
