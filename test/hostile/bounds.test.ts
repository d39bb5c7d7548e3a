import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { routes } from '../../src/app/routes.ts'
import { bodyBounds, formLimit, mostFields } from '../../src/http/bounds.ts'
import { openTestApp, type TestApp } from '../harness/app.ts'
import type { Answered } from '../harness/client.ts'
import { contract } from '../harness/contract.ts'
import { ana, bruno } from '../harness/sale.ts'
import { openTalk, say, sellFreely, type Talk } from '../harness/talk.ts'
import type { Schema } from '../rubbish/values.ts'
import { placesOf } from './requests.ts'

/** What bounds the work of a request lies above the limits of the contract, which speak in their own words. */

let app: TestApp
let people: Talk
before(async () => {
  app = await openTestApp({ env: { FERIA_RATE_PER_MINUTE: '100000000' } })
  people = await openTalk(app.client)
})
after(() => app.close())

/** Whether a schema bounds a list by its elements, and a text by a length, a pattern or a format of one. */
function isBounded({ type, maxItems, maxLength, pattern, format, ...rest }: Schema): boolean {
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
      (schema ? placesOf(schema) : [])
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
    const token = path === '/applications' ? people.bare : people.ana
    const answer = await app.client.call('POST', path, { token, body })
    assert.deepEqual([answer.status, answer.body.message], [400, words], path)
  }
})

test('a form of too many fields, or of too many bytes, is refused before it is read', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const post = (path: string, body: string) => app.client.call('POST', path, { body, headers })
  const fields = (count: number) =>
    Array.from({ length: count }, (_, index) => `client_id=${index}`).join('&')
  const { body: most } = await post('/oauth/token', fields(mostFields))
  assert.equal(most.message, 'client_id: expected string or integer')
  const { body: more } = await post('/oauth/token', fields(mostFields + 1))
  assert.equal(more.message, `body: expected at most ${mostFields} fields`)
  assert.equal((await post('/oauth/token', 'a'.repeat(formLimit + 1))).status, 413)
})

interface Limit {
  name: string
  most: number
  send(n: number): Promise<Answered>
  /** Of one more; at the limit there are none, or others. */
  words: string
}

contract(
  ['4.2', '4.4', '7.3', '8', 'leniency'],
  'every limit holds at its number and is refused at one more, in words of its own',
  async () => {
    const { id: packId } = await sellFreely(app.client)
    const { ana: seller, bruno: buyer } = people
    const tooLong = (most: number) =>
      `The message content is too long, max characters allowed are ${most}`
    const get = (path: string) => (n: number) => app.client.get(path.replace('{n}', `${n}`), seller)
    const repeated = (path: string, piece: string) => (n: number) =>
      app.client.get(path.replace('{n}', encodeURIComponent(piece.repeat(n))), seller)
    const ids = (n: number) => Array.from({ length: n }, (_, index) => `${ana}_${index}.txt`)
    const limits: Limit[] = [
      {
        name: 'characters of a seller',
        most: 350,
        send: (n) => say(app.client, { token: seller, packId, text: 'a'.repeat(n) }),
        words: tooLong(350),
      },
      {
        name: 'characters of a buyer',
        most: 3_500,
        send: (n) => say(app.client, { token: buyer, by: bruno, packId, text: 'b'.repeat(n) }),
        words: tooLong(3_500),
      },
      {
        name: 'emoji of a buyer, the longest that there are',
        most: 3_500,
        send: (n) =>
          say(app.client, { token: buyer, by: bruno, packId, text: '👩🏻‍❤️‍💋‍👩🏼'.repeat(n) }),
        words: tooLong(3_500),
      },
      {
        name: 'attachments',
        most: 25,
        send: (n) => say(app.client, { token: seller, packId, more: { attachments: ids(n) } }),
        words: 'The message exceeds the allowed number of attachments: 25',
      },
      {
        name: 'predictions',
        most: 8,
        send: get('/sites/MLA/domain_discovery/search?q=celular&limit={n}'),
        words: 'limit: expected a number <= 8',
      },
      {
        name: 'characters of a title to predict',
        most: 500,
        send: repeated('/sites/MLA/domain_discovery/search?q={n}', 'a'),
        words: 'q: expected a title of 1 to 500 characters',
      },
      {
        name: 'values',
        most: 1_000,
        send: (n) =>
          app.client.call(
            'POST',
            `/catalog_domains/MLA-MOBILE_SMART_PHONES/attributes/BRAND/top_values?limit=${n}`,
          ),
        words: 'limit: expected a number <= 1000',
      },
      {
        name: 'orders of a page',
        most: 100,
        send: get(`/orders/search?seller=${ana}&limit={n}`),
        words: 'limit: expected a number <= 100',
      },
      {
        name: 'characters to find listings by',
        most: 250,
        send: repeated('/sites/MLA/search?q={n}', 'a'),
        words: 'q: expected at most 250 characters, none of them a control character',
      },
      {
        name: 'messages of a page',
        most: 1_000,
        send: get(`/messages/packs/${packId}/sellers/${ana}?limit={n}`),
        words: 'Invalid limit param',
      },
      {
        name: 'characters of a note',
        most: 300,
        send: (n) =>
          app.client.call('POST', `/orders/${packId}/notes`, {
            token: seller,
            body: { note: '😀'.repeat(n) },
          }),
        words: 'note: expected text of 1 to 300 characters',
      },
    ]
    for (const { name, most, send, words } of limits) {
      const [at, past] = [await send(most), await send(most + 1)]
      assert.equal(past.status, 400, `${name}: ${past.text}`)
      assert.equal(past.body.message, words, name)
      assert.notEqual(at.body.message, past.body.message, `${name}: ${at.text.slice(0, 300)}`)
    }
  },
)
