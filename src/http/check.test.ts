import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Type } from 'typebox'
import { contract } from '../../test/harness/contract.ts'
import { Failure } from '../kernel/failure.ts'
import { Id, IdText, Money, OrNull, StrictObject, Text, Timestamp } from '../kernel/schema.ts'
import { isHttpUrl, makeBodyCheck, makeTextCheck } from './check.ts'

const body = makeBodyCheck(
  StrictObject({
    name: Text(5),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
    price: Type.Optional(Money),
    mode: Type.Optional(Type.Enum(['me1', 'me2'])),
    note: Type.Optional(OrNull(Text(5))),
    at: Type.Optional(Timestamp),
    url: Type.Optional(Type.String({ format: 'http-url' })),
    done: Type.Optional(Type.Boolean()),
    tag: Type.Optional(Type.String({ pattern: '^[a-z]+$' })),
    number: Type.Optional(IdText),
    lines: Type.Optional(
      Type.Array(
        StrictObject({ id: Id, parts: Type.Optional(Type.Array(StrictObject({ size: Id }))) }),
        {
          minItems: 1,
          maxItems: 2,
        },
      ),
    ),
    flags: Type.Optional(Type.Array(Type.String(), { uniqueItems: true })),
    address: Type.Optional(
      OrNull(Type.Record(Type.String(), Type.Unknown(), { maxProperties: 2 })),
    ),
  }),
)

function wordsOf(check: (value: unknown) => unknown, value: unknown): string {
  try {
    check(value)
  } catch (error) {
    assert.ok(error instanceof Failure)
    assert.equal(error.code, 'bad_request')
    return error.message
  }
  return 'accepted'
}

/** As it arrives: out of JSON text. */
const parsed = (text: string) => JSON.parse(text) as unknown

contract('errors', 'every kind of wrong value names its field and what was expected there', () => {
  const aTimestamp = 'an ISO 8601 timestamp such as 2026-01-31T13:45:00.000Z'
  const cases: [text: string, words: string][] = [
    ['{"name":"a"}', 'accepted'],
    ['null', 'body: expected a JSON object'],
    ['[]', 'body: expected object'],
    ['"x"', 'body: expected object'],
    ['7', 'body: expected object'],
    ['{}', 'name: expected a value, this field is required'],
    ['{"name":null}', 'name: expected string'],
    ['{"name":7}', 'name: expected string'],
    ['{"name":["a"]}', 'name: expected string'],
    ['{"name":""}', 'name: expected at least 1 characters'],
    ['{"name":"abcdef"}', 'name: expected at most 5 characters'],
    ['{"name":"a","nome":"b"}', 'nome: expected no such field'],
    ['{"name":"a","":"b"}', '"": expected no such field'],
    ['{"name":"a","__proto__":{"x":1}}', '__proto__: expected no such field'],
    ['{"name":"a","constructor":1}', 'constructor: expected no such field'],
    ['{"name":"a","count":"3"}', 'count: expected integer'],
    ['{"name":"a","count":1.5}', 'count: expected integer'],
    ['{"name":"a","count":1e400}', 'count: expected integer'],
    ['{"name":"a","count":0}', 'count: expected a number >= 1'],
    ['{"name":"a","count":10}', 'count: expected a number <= 9'],
    ['{"name":"a","price":-0.01}', 'price: expected a number >= 0'],
    ['{"name":"a","price":1e13}', 'price: expected a number < 10000000000000'],
    ['{"name":"a","price":1e400}', 'price: expected number'],
    ['{"name":"a","mode":"me3"}', 'mode: expected one of me1, me2'],
    ['{"name":"a","mode":null}', 'mode: expected one of me1, me2'],
    ['{"name":"a","note":null}', 'accepted'],
    ['{"name":"a","note":7}', 'note: expected string or null'],
    ['{"name":"a","note":"abcdef"}', 'note: expected at most 5 characters'],
    ['{"name":"a","at":"2026-02-30T00:00:00.000Z"}', `at: expected ${aTimestamp}`],
    ['{"name":"a","at":1700000000}', 'at: expected string'],
    [
      '{"name":"a","url":"ftp://x"}',
      'url: expected an address that starts with http:// or https://',
    ],
    ['{"name":"a","done":"true"}', 'done: expected boolean'],
    ['{"name":"a","tag":"A1"}', 'tag: expected text that matches ^[a-z]+$'],
    ['{"name":"a","number":"012"}', 'number: expected a whole number'],
    ['{"name":"a","lines":{}}', 'lines: expected array'],
    ['{"name":"a","lines":[]}', 'lines: expected at least 1 elements'],
    ['{"name":"a","lines":[{"id":1},{"id":1},{"id":1}]}', 'lines: expected at most 2 elements'],
    ['{"name":"a","lines":[{"id":1},7]}', 'lines[1]: expected object'],
    ['{"name":"a","lines":[{}]}', 'lines[0].id: expected a value, this field is required'],
    ['{"name":"a","lines":[{"id":1,"no":1}]}', 'lines[0].no: expected no such field'],
    [
      '{"name":"a","lines":[{"id":1,"parts":[{"size":"x"}]}]}',
      'lines[0].parts[0].size: expected integer',
    ],
    ['{"name":"a","flags":["x","x"]}', 'flags: expected no element twice'],
    ['{"name":"a","address":{"a":1,"b":{"c":[]}}}', 'accepted'],
    ['{"name":"a","address":{"a":1,"b":2,"c":3}}', 'address: expected at most 2 fields'],
    ['{"name":"a","address":[]}', 'address: expected object or null'],
    ['{"name":"a\\u0000"}', 'name: expected valid Unicode text without NUL'],
    ['{"name":"\\ud800"}', 'name: expected valid Unicode text without NUL'],
    ['{"name":"\\udc00x"}', 'name: expected valid Unicode text without NUL'],
    ['"\\u0000"', 'body: expected valid Unicode text without NUL'],
    ['{"a\\u0000":1}', 'body: expected valid Unicode text without NUL'],
    [
      '{"name":"a","address":{"b":[{"c":"\\u0000"}]}}',
      'address.b[0].c: expected valid Unicode text without NUL',
    ],
    ['{"name":"a","address":{"b\\ud800":1}}', 'address: expected valid Unicode text without NUL'],
  ]
  for (const [text, words] of cases) assert.equal(wordsOf(body, parsed(text)), words, text)
})

test('nesting without end is refused before anything walks it', () => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const deep = `${open.repeat(50_000)}1${close.repeat(50_000)}`
    assert.match(
      wordsOf(body, parsed(`{"name":"a","address":{"b":${deep}}}`)),
      /^address\.b.*levels/,
    )
    assert.match(wordsOf(body, parsed(`{"name":"a","flags":[${deep}]}`)), /^flags.*levels/)
    assert.match(wordsOf(body, parsed(deep)), /levels/)
  }
})

test("a refusal stays short, however long a field's name is", () => {
  const long = 'x'.repeat(100_000)
  assert.ok(wordsOf(body, { name: 'a', [long]: 1 }).length < 300)
  assert.ok(wordsOf(body, { name: 'a', address: { [long]: '\0' } }).length < 300)
})

test('whatever a body is, it is accepted or refused in words', () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true, maxDepth: 4 }), (value) => {
      fc.pre(value !== undefined)
      assert.match(wordsOf(body, value), /^(accepted|.+: expected .+)$/s)
    }),
  )
})

const query = makeTextCheck(
  Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    done: Type.Optional(Type.Boolean()),
    q: Type.Optional(Type.String()),
    seller_id: Type.Optional(Id),
  }),
  'query',
)

contract('leniency', 'numbers and booleans of a query are read strictly', () => {
  const wrong: [name: string, text: string][] = [
    ...[
      '',
      ' ',
      '1.5',
      '1.0',
      '01',
      '-0',
      '1e1',
      '0x10',
      '+5',
      '5 ',
      ' 5',
      '٥',
      'abc',
      'NaN',
      '1,000',
      '5n',
    ].map((text): [string, string] => ['limit', text]),
    ...['', '1', 'TRUE', 'yes', 'toString', '__proto__', 'constructor'].map(
      (text): [string, string] => ['done', text],
    ),
    ['seller_id', '9007199254740992'],
    ['seller_id', '99999999999999999'],
  ]
  for (const [name, text] of wrong) {
    assert.match(wordsOf(query, { [name]: text }), new RegExp(`^${name}: expected `), text)
  }
  assert.equal(wordsOf(query, { limit: '0' }), 'limit: expected a number >= 1')
  assert.equal(wordsOf(query, { limit: '101' }), 'limit: expected a number <= 100')
  assert.equal(wordsOf(query, { q: 'a\0' }), 'q: expected valid Unicode text without NUL')
  assert.deepEqual(query({ limit: '100', done: 'false', q: '7', other: 'x' }), {
    limit: 100,
    done: false,
    q: '7',
    other: 'x',
  })
})

contract('leniency', 'a parameter that stands there more than once is refused as such', () => {
  const cases: [values: string[], words: string][] = [
    [['1', '1'], 'stands here 2 times'],
    [['1', '2'], 'stands here 2 times with different values'],
    [['1', '1', 'x'], 'stands here 3 times with different values'],
  ]
  for (const [values, words] of cases) {
    for (const name of ['limit', 'done', 'q']) {
      const expected = `${name}: expected one value, this parameter ${words}`
      assert.equal(wordsOf(query, { [name]: values }), expected)
    }
  }
})

contract(
  'notifications',
  'an address for callbacks is http or https, with a host and without a password',
  () => {
    const cases: [text: string, good: boolean][] = [
      ['http://example.com', true],
      ['https://example.com:8443/a?b#c', true],
      ['HTTPS://EXAMPLE.COM', true],
      ['http://[::1]/', true],
      ['http://', false],
      ['http:example.com', false],
      ['//example.com', false],
      ['ftp://example.com', false],
      ['javascript:alert(1)', false],
      ['http://user@example.com', false],
      ['http://user:secret@example.com', false],
      ['http://:secret@example.com', false],
      ['http://exa mple.com', false],
      ['http://example.com:99999', false],
      ['', false],
    ]
    for (const [text, good] of cases) assert.equal(isHttpUrl(text), good, text)
  },
)
