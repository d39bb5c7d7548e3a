import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Type } from 'typebox'
import { contract } from '../../test/harness/contract.ts'
import { CommaSeparated, Id, IdText, Money, OrNull, Site, Timestamp } from '../kernel/schema.ts'
import { convertPath, IgnoredNames, makeBodyConverter, makeQueryConverter } from './input.ts'

const schema = Type.Object({
  quantity: Type.Optional(Type.Integer()),
  price: Type.Optional(OrNull(Money)),
  user_id: Type.Optional(Id),
  value_id: Type.Optional(OrNull(Type.String())),
  question_id: Type.Optional(Type.Union([Id, IdText])),
  site_id: Type.Optional(Site),
  status: Type.Optional(Type.Enum(['active', 'paused'])),
  reason: Type.Optional(OrNull(Type.Enum(['late', 'lost']))),
  deleted: Type.Optional(Type.Union([Type.Boolean(), Type.Enum(['true', 'false'])])),
  anything: Type.Optional(Type.Unknown()),
  title: Type.Optional(Type.String()),
  place: Type.Optional(OrNull(Type.Object({ id: Type.Optional(Type.String()) }))),
  value_name: Type.Optional(Type.String()),
  done: Type.Optional(Type.Boolean()),
  since: Type.Optional(Timestamp),
  until: Type.Optional(Timestamp),
  lines: Type.Optional(
    Type.Array(Type.Object({ price: Type.Number(), parts: Type.Array(Type.Integer()) })),
  ),
  address: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})

function accepted(value: unknown): { value: unknown; ignored: string | undefined } {
  const ignored = new IgnoredNames({ isStrict: false })
  return { value: makeBodyConverter(schema)(value, ignored), ignored: ignored.header }
}

contract('leniency', 'a body is read in the spellings of existing clients', () => {
  const cases: [given: object, read: object][] = [
    [{ quantity: '12' }, { quantity: 12 }],
    [{ quantity: '-3' }, { quantity: -3 }],
    [{ quantity: '0' }, { quantity: 0 }],
    [{ quantity: '012' }, { quantity: 12 }],
    [{ quantity: '-0' }, { quantity: 0 }],
    [{ price: '01.5' }, { price: 1.5 }],
    [{ quantity: '9007199254740991' }, { quantity: 9007199254740991 }],
    [{ price: '1999.90' }, { price: 1999.9 }],
    [{ price: '12' }, { price: 12 }],
    [{ price: null }, { price: null }],
    [{ user_id: '1001' }, { user_id: 1001 }],
    [{ value_id: 2230284 }, { value_id: '2230284' }],
    [{ question_id: '7' }, { question_id: '7' }],
    [{ question_id: 7 }, { question_id: 7 }],
    [{ site_id: 'mla' }, { site_id: 'MLA' }],
    [{ place: [] }, { place: {} }],
    [{ title: null, quantity: null, lines: null }, {}],
    [{ site_id: null, status: null, deleted: null }, {}],
    [
      { reason: null, anything: null },
      { reason: null, anything: null },
    ],
    [{ value_name: 7790001000019 }, { value_name: '7790001000019' }],
    [{ since: '2026-03-01' }, { since: '2026-03-01T00:00:00.000Z' }],
    [{ until: '2026-03-01' }, { until: '2026-03-01T23:59:59.999Z' }],
    [{ lines: [{ price: '1.5', parts: ['1', 2] }] }, { lines: [{ price: 1.5, parts: [1, 2] }] }],
  ]
  for (const [input, read] of cases) {
    assert.deepEqual(accepted(input), { value: read, ignored: undefined }, JSON.stringify(input))
  }
})

contract('leniency', 'what is no exact number, id or date is left for the check to refuse', () => {
  const cases: object[] = [
    ...['1e3', ' 12', '12 ', '1.5', '1.0', '+1', '', '0x1', '9007199254740992', '1_000'].map(
      (quantity) => ({ quantity }),
    ),
    ...['1e3', ' 1', '1,5', '1.', '.5', '+1', '9007199254740992', 'NaN', ''].map((price) => ({
      price,
    })),
    { value_id: 1.5 },
    { value_id: 2 ** 53 },
    { title: 7 },
    { done: 'true' },
    { site_id: 'Mla' },
    { since: '2026-3-1' },
    { lines: [{ price: '1e2', parts: {} }] },
    { lines: 'x' },
    { lines: [{ price: null, parts: [] }] },
    { place: [1] },
  ]
  for (const input of cases) {
    assert.deepEqual(accepted(input), { value: input, ignored: undefined }, JSON.stringify(input))
  }
})

contract('leniency', 'unknown fields are left out at every depth and named once', () => {
  const input = {
    title: 'a',
    channels: ['x'],
    lines: [
      { price: 1, parts: [], x: 1 },
      { price: '2', parts: [], x: 2, y: {} },
    ],
    address: { free: { form: true } },
    'a b': 1,
  }
  assert.deepEqual(accepted(input), {
    value: {
      title: 'a',
      lines: [
        { price: 1, parts: [] },
        { price: 2, parts: [] },
      ],
      address: { free: { form: true } },
    },
    ignored: 'channels, lines.x, lines.y, a%20b',
  })
  assert.equal(input.lines.length, 2)
  assert.equal('channels' in input, true, 'nothing is changed in place')
})

contract('leniency', 'at most 20 names and 1 KB of them are told, however they are written', () => {
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`field${index}`, 1]))
  assert.equal(accepted(many).ignored?.split(', ').length, 20)
  const long = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`${index}${'ñ'.repeat(190)}`, 1]),
  )
  assert.ok((accepted(long).ignored ?? '').length <= 1_024)
  const odd = accepted({ '\ud800': 1, 'a\r\nSet-Cookie: x': 1, '': 1 }).ignored ?? ''
  assert.match(odd, /^[\x21-\x7e ]+$/)
  assert.doesNotMatch(odd, /[\r\n:]/)
})

test('whatever a body is, it is read without an error and never changed in place', () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true, maxDepth: 4 }), (value) => {
      const before = JSON.stringify(value)
      accepted(value)
      assert.equal(JSON.stringify(value), before)
    }),
  )
})

const query = Type.Object(
  {
    seller: Type.Optional(Id),
    buyer: Type.Optional(Id),
    seller_id: Type.Optional(Id),
    site_id: Type.Optional(Type.String()),
    ids: Type.Optional(CommaSeparated(100)),
    sort: Type.Optional(Type.String()),
    'date.from': Type.Optional(Timestamp),
    'date.to': Type.Optional(Timestamp),
  },
  { 'x-other-parameters': '^[A-Z]' },
)

contract('leniency', 'a query is read in the spellings of existing clients', () => {
  const cases: [given: object, read: object, ignored?: string][] = [
    [
      { seller: 'me', buyer: 'me' },
      { seller: '1001', buyer: '1001' },
    ],
    [{ seller_id: 'me' }, { seller_id: '1001' }],
    [
      { seller: '007', buyer: '+7' },
      { seller: 7, buyer: '+7' },
    ],
    [{ sort: 'me' }, { sort: 'me' }],
    [{ site_id: 'mlb' }, { site_id: 'MLB' }],
    [{ ids: ['a', 'b'] }, { ids: 'a,b' }],
    [{ ids: ['a', 'a'] }, { ids: 'a' }],
    [{ sort: ['a', 'a'] }, { sort: 'a' }],
    [{ sort: ['a', 'b'] }, { sort: ['a', 'b'] }],
    [{ 'date.from': '2026-03-01' }, { 'date.from': '2026-03-01T00:00:00.000Z' }],
    [{ 'date.to': '2026-03-01' }, { 'date.to': '2026-03-01T23:59:59.999Z' }],
    [
      { 'date.to': '2026-03-01T10:00:00.000 05:30' },
      { 'date.to': '2026-03-01T10:00:00.000+05:30' },
    ],
    [{ BRAND: 'x' }, { BRAND: 'x' }],
    [{ access_token: 'x', attributes: 'id' }, {}],
    [{ seler: '1', 'caller.id': '2' }, {}, 'seler, caller.id'],
  ]
  for (const [input, read, named] of cases) {
    const ignored = new IgnoredNames({ isStrict: false })
    assert.deepEqual(makeQueryConverter(query)(input, { ignored, callerId: 1001 }), read)
    assert.equal(ignored.header, named)
  }
})

contract('leniency', 'a path may say me for the caller, and name a site in lower case', () => {
  const params = { user_id: 'me', seller_id: 'me', site_id: 'mla', item_id: 'me' }
  const read = { user_id: '1001', seller_id: '1001', site_id: 'MLA', item_id: 'me' }
  assert.deepEqual(convertPath(params, 1001), read)
  assert.deepEqual(convertPath({ user_id: 'me' }, undefined), { user_id: 'me' })
})
