import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  anaId,
  brunoId,
  createTestMarket,
  type MarketTokens,
  placeOrder,
} from '../../../test/harness/market.ts'

/**
 * The fields of the recorded answers with their types: `n` number, `s` text, `t` timestamp, `a` list of
 * text, `0` null. A letter after `0` is what the field is once somebody has told it.
 */
const placeFields = (name: string) => `${name}.id 0s, ${name}.name 0s`
const address = (path: string, id: string) =>
  [
    ...[id, 'latitude', 'longitude'].map((name) => `${name} 0n`),
    ...['address_line', 'street_name', 'street_number', 'comment', 'zip_code'].map(
      (name) => `${name} 0s`,
    ),
    ...['city', 'state', 'country', 'neighborhood', 'municipality'].map(placeFields),
    'geolocation_type 0s',
    'types a',
  ]
    .join(', ')
    .split(', ')
    .map((field) => `${path}.${field}`)
const agency = (path: string) =>
  `carrier_id 0n, agency_id 0s, description 0s, phone 0s, open_hours 0s`
    .split(', ')
    .map((field) => `${path}.agency.${field}`)
const option = (path: string) =>
  `currency_id s, cost n, list_cost n, delivery_type s, estimated_schedule_limit.date 0t,
  estimated_delivery_time.type s, estimated_delivery_time.date 0t, estimated_delivery_time.unit s,
  estimated_delivery_time.offset.date 0t, estimated_delivery_time.offset.shipping 0n,
  estimated_delivery_time.time_frame.from 0s, estimated_delivery_time.time_frame.to 0s,
  estimated_delivery_time.pay_before 0t, estimated_delivery_time.shipping 0n,
  estimated_delivery_time.handling 0n, estimated_delivery_time.schedule 0n,
  estimated_delivery_limit.date 0t, estimated_delivery_limit.offset 0n,
  estimated_delivery_final.date 0t, estimated_delivery_final.offset 0n,
  estimated_delivery_extended.date 0t, estimated_delivery_extended.offset 0n,
  estimated_handling_limit.date 0t`
    .split(/,\s+/)
    .map((field) => `${path}.${field}`)

const newerFields = [
  ...`id n, external_reference 0s, status s, substatus 0s, date_created t, last_updated t,
  declared_value n, dimensions.height 0n, dimensions.width 0n, dimensions.length 0n,
  dimensions.weight 0n, logistic.direction s, logistic.mode s, logistic.type 0s, source.site_id s,
  source.market_place s, source.application_id 0s, tracking_number 0s, origin.type s,
  origin.sender_id n, destination.type s, destination.receiver_id n, destination.receiver_name 0s,
  destination.receiver_phone 0s, destination.comments 0s,
  destination.shipping_address.delivery_preference 0s, lead_time.option_id 0n,
  lead_time.shipping_method.id 0n, lead_time.shipping_method.name 0s,
  lead_time.shipping_method.type 0s, lead_time.shipping_method.deliver_to 0s, lead_time.cost_type s,
  lead_time.service_id 0n, lead_time.delay a, tags a`.split(/,\s+/),
  ...option('lead_time'),
  ...['origin', 'destination'].flatMap((end) => [
    ...address(`${end}.shipping_address`, 'address_id'),
    ...agency(`${end}.shipping_address`),
  ]),
]
const history = ['cancelled', 'delivered', 'first_visit', 'handling', 'not_delivered']
const widerFields = [
  ...`id n, mode s, created_by s, order_id n, order_cost n, base_cost n, site_id s, status s,
  substatus 0s, date_created t, last_updated t, tracking_number 0s, tracking_method 0s,
  service_id 0n, carrier_info 0, sender_id n, receiver_id n, receiver_address.receiver_name 0s,
  receiver_address.receiver_phone 0s, receiver_address.delivery_preference 0s, shipping_items a,
  shipping_option.id 0n, shipping_option.shipping_method_id 0n, shipping_option.name 0s,
  comments 0s, date_first_printed 0t, market_place s, type s, logistic_type 0s, return_details 0,
  tags a, delay a, application_id 0s, cost_components.special_discount n,
  cost_components.loyal_discount n, cost_components.compensation n, cost_components.gap_discount n,
  cost_components.ratio n`.split(/,\s+/),
  ...[...history, 'ready_to_ship', 'shipped', 'returned'].map(
    (name) => `status_history.date_${name} 0t`,
  ),
  ...option('shipping_option'),
  ...address('sender_address', 'id'),
  ...address('receiver_address', 'id'),
]

/** Every field of an answer with the type that it has, objects entered. */
function fieldsOf(value: object, path = ''): string[] {
  return Object.entries(value).flatMap(([name, fieldValue]) =>
    fieldValue !== null && typeof fieldValue === 'object' && !Array.isArray(fieldValue)
      ? fieldsOf(fieldValue, `${path}${name}.`)
      : [`${path}${name} ${typeOf(fieldValue)}`],
  )
}

function typeOf(value: unknown): string {
  if (value === null) return '0'
  if (Array.isArray(value)) return 'a'
  const isTime = typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/.test(value)
  return isTime ? 't' : (typeof value).charAt(0)
}

const newer = { 'x-format-new': 'true' }
const formats = [
  { headers: newer, fields: newerFields, agencies: [] },
  { headers: {}, fields: widerFields, agencies: ['sender_address', 'receiver_address'] },
]

const where = {
  id: 123456789,
  address_line: 'Avenida del Molino 1234',
  street_name: 'Avenida del Molino',
  street_number: '1234',
  comment: 'Piso 3',
  zip_code: '1406',
  city: { id: 'C-1', name: 'Buenos Aires' },
  state: { id: 'AR-C', name: 'Capital Federal' },
  country: { id: 'AR', name: 'Argentina' },
  neighborhood: { id: 'N-1', name: 'Centro' },
  municipality: { id: 'M-1', name: 'Centro' },
  agency: {
    carrier_id: 17,
    agency_id: 'A-1',
    description: 'Kiosco',
    phone: '11',
    open_hours: '9-18',
  },
  types: ['shipping'],
  latitude: -34.5,
  longitude: -58.25,
  geolocation_type: 'ROOFTOP',
  delivery_preference: 'residential',
}
const soon = { date: '2026-03-12T00:00:00.000-03:00', offset: 24 }
/** Everything that can be said of a shipment. */
const fullShipping = {
  mode: 'me2',
  logistic_type: 'drop_off',
  external_reference: 'R-1',
  application_id: '99',
  cost: 120.5,
  list_cost: 350,
  cost_type: 'partially_free',
  declared_value: 2000,
  cost_components: { loyal_discount: 10.25, ratio: 23.35 },
  dimensions: { height: 9, width: 25, length: 32.5, weight: 310 },
  tracking_number: '1011234567890',
  tracking_method: 'Expreso',
  service_id: 22,
  option_id: 1964123456,
  shipping_method: { id: 182, name: 'Expreso', type: 'express', deliver_to: 'address' },
  delivery_type: 'estimated',
  estimated_schedule_limit: { date: soon.date },
  estimated_handling_limit: { date: soon.date },
  estimated_delivery_time: {
    type: 'known_frame',
    date: soon.date,
    unit: 'hour',
    offset: { date: soon.date, shipping: 24 },
    time_frame: { from: '09:00', to: '18:00' },
    pay_before: soon.date,
    shipping: 24,
    handling: 24,
    schedule: 0,
  },
  estimated_delivery_limit: soon,
  estimated_delivery_final: soon,
  estimated_delivery_extended: soon,
  delay: ['handling_delayed'],
  sender_address: where,
  receiver_address: where,
  receiver_name: 'Bruno Prueba',
  receiver_phone: '11 4444-0000',
  comments: 'Tocar timbre',
  date_first_printed: '2026-03-10T12:00:00.000Z',
  tags: ['test_shipment'],
}

let app: TestApp
let market: MarketTokens
// biome-ignore lint/suspicious/noExplicitAny: orders as JSON
let full: any, bare: any

before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
  full = await placeOrder(app.client, { shipping: fullShipping })
  bare = await placeOrder(app.client)
})
after(() => app.close())

const read = async (id: number, headers: Record<string, string>, token = market.anaToken) =>
  app.client.send('GET', `/shipments/${id}`, { token, headers })

contract(
  ['4.3', '9', 'orders'],
  'both formats have the recorded fields, no other, in the recorded types',
  async () => {
    for (const { headers, fields, agencies } of formats)
      for (const order of [full, bare]) {
        const { status, body } = await read(order.shipping.id, headers)
        assert.equal(status, 200)
        const isFull = order === full
        const expected = [
          ...fields.map((field) => {
            const [path = '', types = ''] = field.split(' ')
            return [path, isFull ? types.replace(/^0(?=.)/, '') : types] as const
          }),
          ...agencies.flatMap((path) =>
            isFull
              ? agency(path).map(
                  (field) => [field.split(' ')[0] ?? '', field.at(-1) ?? ''] as const,
                )
              : [[`${path}.agency`, '0'] as const],
          ),
        ]
        const actualTypes = new Map(
          fieldsOf(body).map((field) => field.split(' ') as [string, string]),
        )
        // Not told: these the shipment only reaches later.
        const later = /^(substatus|status_history\.|return_details|carrier_info)/
        for (const [path, types] of expected) {
          const allowed = later.test(path) ? '0st' : types
          assert.ok(actualTypes.has(path), `${path} is there`)
          assert.ok(
            allowed.includes(actualTypes.get(path) ?? '-'),
            `${path} ${actualTypes.get(path)} of ${types}`,
          )
        }
        const expectedPaths = new Set(expected.map(([path]) => path))
        assert.deepEqual(
          [...actualTypes.keys()].filter((path) => !expectedPaths.has(path)),
          [],
        )
      }
  },
)

contract(['4.3', 'orders'], 'what was told of a shipment is answered value by value', async () => {
  const { body } = await read(full.shipping.id, newer)
  const { date_created, last_updated, lead_time, origin, destination, ...own } = body
  const { id: address_id, delivery_preference, ...address } = where
  assert.deepEqual(own, {
    id: full.shipping.id,
    external_reference: 'R-1',
    status: 'pending',
    substatus: null,
    declared_value: 2000,
    dimensions: fullShipping.dimensions,
    logistic: { direction: 'forward', mode: 'me2', type: 'drop_off' },
    source: { site_id: 'MLA', market_place: 'PLATFORM', application_id: '99' },
    tracking_number: '1011234567890',
    tags: ['test_shipment'],
  })
  assert.deepEqual([date_created, last_updated], [full.date_created, full.date_created])
  assert.deepEqual(origin, {
    type: 'selling_address',
    sender_id: anaId,
    shipping_address: { address_id, ...address },
  })
  assert.deepEqual(destination, {
    type: 'buying_address',
    receiver_id: brunoId,
    receiver_name: 'Bruno Prueba',
    receiver_phone: '11 4444-0000',
    comments: 'Tocar timbre',
    shipping_address: { address_id, ...address, delivery_preference },
  })
  const date = '2026-03-12T03:00:00.000Z'
  assert.deepEqual(lead_time, {
    option_id: 1964123456,
    shipping_method: fullShipping.shipping_method,
    currency_id: 'ARS',
    cost: 120.5,
    list_cost: 350,
    cost_type: 'partially_free',
    service_id: 22,
    delivery_type: 'estimated',
    estimated_schedule_limit: { date },
    estimated_delivery_time: {
      ...fullShipping.estimated_delivery_time,
      date,
      offset: { date, shipping: 24 },
      pay_before: date,
    },
    estimated_delivery_limit: { date, offset: 24 },
    estimated_delivery_final: { date, offset: 24 },
    estimated_delivery_extended: { date, offset: 24 },
    estimated_handling_limit: { date },
    delay: ['handling_delayed'],
  })
})

contract(
  ['9', 'orders'],
  'the wider format tells the order, its items and the option under their older names',
  async () => {
    const { body } = await read(full.shipping.id, {})
    assert.deepEqual([body.order_id, body.order_cost, body.base_cost], [full.id, 1999.9, 350])
    const dimensions = '9.0x25.0x32.5,310.0'
    assert.deepEqual(body.shipping_items, [
      { id: 'MLA1001', description: 'Pava eléctrica de acero', quantity: 1, dimensions },
    ])
    const { loyal_discount, ratio, gap_discount } = body.cost_components
    assert.deepEqual([loyal_discount, ratio, gap_discount], [10.25, 23.35, 0])
    const { shipping_method_id, name, cost, list_cost } = body.shipping_option
    assert.deepEqual([shipping_method_id, name, cost, list_cost], [182, 'Expreso', 120.5, 350])
    assert.equal(body.receiver_address.receiver_name, 'Bruno Prueba')
    assert.equal(body.sender_address.id, 123456789)
    assert.equal(body.date_first_printed, '2026-03-10T12:00:00.000Z')
  },
)
