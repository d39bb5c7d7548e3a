import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { routes } from '../../src/app/routes.ts'
import { bodyBounds, formLimit, mostFields } from '../../src/http/bounds.ts'
import type { JsonSchema } from '../fuzz/values.ts'
import { openTestApp, type TestApp } from '../harness/app.ts'
import type { TestResponse } from '../harness/client.ts'
import { contract } from '../harness/contract.ts'
import { anaId, brunoId } from '../harness/market.ts'
import {
  createMessagingMarket,
  type MessagingTokens,
  placeCustomShippingOrder,
  sendTestMessage,
} from '../harness/messaging.ts'
import { schemaPositionsOf } from './requests.ts'

/** What bounds the work of a request lies above the limits of the contract, which speak in their own words. */

let app: TestApp
let messagingTokens: MessagingTokens
before(async () => {
  app = await openTestApp({ env: { FERIA_RATE_PER_MINUTE: '100000000' } })
  messagingTokens = await createMessagingMarket(app.client)
})
after(() => app.close())

/** Whether a schema bounds a list by its elements, and a text by a length, a pattern or a format of one. */
function isBounded({ type, maxItems, maxLength, pattern, format, ...rest }: JsonSchema): boolean {
  if (type === 'array') return maxItems !== undefined
  if (type !== 'string' || 'const' in rest) return true
  const isPatternBounded =
    pattern !== undefined && /^\^.*\$$/.test(pattern) && !/[*+]/.test(pattern)
  return maxLength !== undefined || format !== undefined || isPatternBounded
}

test('every list and every text that a request may hold is bounded by its schema', () => {
  const unbounded = routes.flatMap((route) => {
    // What files hold is bounded by whoever reads them.
    const body = route.takesFiles ? undefined : route.body
    return Object.entries({ query: route.query, body }).flatMap(([part, schema]) =>
      (schema ? schemaPositionsOf(schema) : [])
        .filter(({ schema: each }) => !isBounded(each))
        .map(({ path }) => `${route.method} ${route.url} ${part}.${path.join('.')}`),
    )
  })
  assert.deepEqual(unbounded, [])
})

test('what is past a bound is refused by its place, before any of it is read', async () => {
  const { values, keys, elements, depth, text } = bodyBounds
  const keyed = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 0]))
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  const own = { name: 'x', callback_url: null, topics: [] }
  const cases: [path: string, body: unknown, words: string][] = [
    [
      '/applications',
      `[${'0,'.repeat(values)}0]`,
      `body: expected at most ${values} values in all`,
    ],
    ['/applications', keyed(keys + 1), `body: expected at most ${keys} fields`],
    [
      '/applications',
      { ...own, topics: Array(elements + 1).fill('orders') },
      `topics: expected at most ${elements} elements`,
    ],
    [
      '/applications',
      { ...own, topics: Array(elements).fill('orders') },
      'topics: expected at most 100 elements',
    ],
    [
      '/applications',
      { ...own, scopes: Array(4).fill('read') },
      'scopes: expected at most 3 elements',
    ],
    ['/applications', { ...own, scopes: ['read', 'read'] }, 'scopes: expected no element twice'],
    [
      '/applications',
      `{"name":${nested(depth + 2)}}`,
      `name[0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]: expected at most ${depth} levels inside each other`,
    ],
    [
      '/applications',
      { ...own, name: 'x'.repeat(text + 1) },
      `name: expected at most ${text} characters`,
    ],
    ['/items', { variations: Array(251).fill({}) }, 'variations: expected at most 250 elements'],
    // The contract's own order begins behind the bounds.
    ['/messages', keyed(keys + 1), `body: expected at most ${keys} fields`],
  ]
  for (const [path, body, words] of cases) {
    const token =
      path === '/applications' ? messagingTokens.tokenWithoutApplication : messagingTokens.anaToken
    const answer = await app.client.send('POST', path, { token, body })
    assert.deepEqual([answer.status, answer.body.message], [400, words], path)
  }
})

test('a form of too many fields, or of too many bytes, is refused before it is read', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const post = (path: string, body: string) => app.client.send('POST', path, { body, headers })
  const fields = (count: number) =>
    Array.from({ length: count }, (_, index) => `client_id=${index}`).join('&')
  const { body: most } = await post('/oauth/token', fields(mostFields))
  assert.equal(most.message, 'client_id: expected string or integer')
  const { body: more } = await post('/oauth/token', fields(mostFields + 1))
  assert.equal(more.message, `body: expected at most ${mostFields} fields`)
  assert.equal((await post('/oauth/token', 'a'.repeat(formLimit + 1))).status, 413)
})

interface LimitCase {
  name: string
  maximum: number
  send(n: number): Promise<TestResponse>
  /** Of one more; at the limit there are none, or others. */
  expectedMessage: string
}

contract(
  ['4.2', '4.4', '7.3', '8', 'leniency'],
  'every limit holds at its number and is refused at one more, in words of its own',
  async () => {
    const { id: packId } = await placeCustomShippingOrder(app.client)
    const { anaToken: seller, brunoToken: buyer } = messagingTokens
    const tooLong = (most: number) =>
      `The message content is too long, max characters allowed are ${most}`
    const get = (path: string) => (n: number) => app.client.get(path.replace('{n}', `${n}`), seller)
    const repeated = (path: string, piece: string) => (n: number) =>
      app.client.get(path.replace('{n}', encodeURIComponent(piece.repeat(n))), seller)
    const ids = (n: number) => Array.from({ length: n }, (_, index) => `${anaId}_${index}.txt`)
    const limits: LimitCase[] = [
      {
        name: 'characters of a seller',
        maximum: 350,
        send: (n) => sendTestMessage(app.client, { token: seller, packId, text: 'a'.repeat(n) }),
        expectedMessage: tooLong(350),
      },
      {
        name: 'characters of a buyer',
        maximum: 3_500,
        send: (n) =>
          sendTestMessage(app.client, { token: buyer, by: brunoId, packId, text: 'b'.repeat(n) }),
        expectedMessage: tooLong(3_500),
      },
      {
        name: 'emoji of a buyer, the longest that there are',
        maximum: 3_500,
        send: (n) =>
          sendTestMessage(app.client, {
            token: buyer,
            by: brunoId,
            packId,
            text: '👩🏻‍❤️‍💋‍👩🏼'.repeat(n),
          }),
        expectedMessage: tooLong(3_500),
      },
      {
        name: 'attachments',
        maximum: 25,
        send: (n) =>
          sendTestMessage(app.client, { token: seller, packId, more: { attachments: ids(n) } }),
        expectedMessage: 'The message exceeds the allowed number of attachments: 25',
      },
      {
        name: 'predictions',
        maximum: 8,
        send: get('/sites/MLA/domain_discovery/search?q=celular&limit={n}'),
        expectedMessage: 'limit: expected a number <= 8',
      },
      {
        name: 'characters of a title to predict',
        maximum: 500,
        send: repeated('/sites/MLA/domain_discovery/search?q={n}', 'a'),
        expectedMessage: 'q: expected a title of 1 to 500 characters',
      },
      {
        name: 'values',
        maximum: 1_000,
        send: (n) =>
          app.client.send(
            'POST',
            `/catalog_domains/MLA-MOBILE_SMART_PHONES/attributes/BRAND/top_values?limit=${n}`,
          ),
        expectedMessage: 'limit: expected a number <= 1000',
      },
      {
        name: 'orders of a page',
        maximum: 100,
        send: get(`/orders/search?seller=${anaId}&limit={n}`),
        expectedMessage: 'limit: expected a number <= 100',
      },
      {
        name: 'characters to find listings by',
        maximum: 250,
        send: repeated('/sites/MLA/search?q={n}', 'a'),
        expectedMessage: 'q: expected at most 250 characters, none of them a control character',
      },
      {
        name: 'characters to suggest searches for',
        maximum: 250,
        send: repeated('/sites/MLA/autosuggest?q={n}', 'a'),
        expectedMessage: 'q: expected at most 250 characters',
      },
      {
        name: 'messages of a page',
        maximum: 1_000,
        send: get(`/messages/packs/${packId}/sellers/${anaId}?limit={n}`),
        expectedMessage: 'Invalid limit param',
      },
      {
        name: 'characters of a note',
        maximum: 300,
        send: (n) =>
          app.client.send('POST', `/orders/${packId}/notes`, {
            token: seller,
            body: { note: '😀'.repeat(n) },
          }),
        expectedMessage: 'note: expected text of 1 to 300 characters',
      },
    ]
    for (const { name, maximum, send, expectedMessage } of limits) {
      const [at, past] = [await send(maximum), await send(maximum + 1)]
      assert.equal(past.status, 400, `${name}: ${past.text}`)
      assert.equal(past.body.message, expectedMessage, name)
      assert.notEqual(at.body.message, past.body.message, `${name}: ${at.text.slice(0, 300)}`)
    }
  },
)
