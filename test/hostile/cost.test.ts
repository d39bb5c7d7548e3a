import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { routes } from '../../src/app/routes.ts'
import type { Route } from '../../src/http/route.ts'
import { openTestApp, operatorToken, type TestApp } from '../harness/app.ts'
import { tier } from '../harness/tier.ts'
import { formContentType, multipartForm } from '../harness/upload.ts'
import { assertCostBounded, slowestRequests } from './cost.ts'
import { createHostileFixture, type HostileFixture } from './fixture.ts'
import {
  type HostileCase,
  halfAndWhole,
  hostileBodies,
  hostileBodiesOf,
  hostileForms,
  hostileHeaders,
  hostileQueriesOf,
} from './requests.ts'

/**
 * What hostile requests cost, at every operation: within 50 ms of processor time, and no more than in step with
 * their size. The fast tier sends a fiftieth of them. `COST_SLOWEST=20 npm test -- test/hostile/cost.test.ts` prints
 * the slowest.
 */
const share = tier === 'fast' ? 50 : 1

let app: TestApp
let world: HostileFixture
before(async () => {
  app = await openTestApp({ env: { FERIA_RATE_PER_MINUTE: '100000000' } })
  world = await createHostileFixture(app)
})
after(() => app.close())

/** What an operator starts for its own sake, however long it takes: only what is refused is sent. */
const isJob = ({ url }: Route) => /^\/operator\/(sandbox|clock|faults)/.test(url)
/** Bodies that arrive in pieces: their costs are held by their lengths, below. */
const isStreamed = ({ streams, takesFiles }: Route) => Boolean(streams) || takesFiles === true

function hostileCasesOf(route: Route): HostileCase[] {
  const takesBody = route.method !== 'GET' && !isStreamed(route) && !(isJob(route) && !route.body)
  return [
    ...(isJob(route) && route.method !== 'GET' ? [] : hostileQueriesOf(route)),
    ...(takesBody ? hostileBodies : []),
    ...(route.takesFields ? hostileForms : []),
    ...(takesBody && route.body && !isJob(route)
      ? hostileBodiesOf(route, { knownValues: world.knownValues, base: world.bodyOf(route) })
      : []),
  ]
}

for (const [at, route] of routes.entries()) {
  test(`${route.method} ${route.url} costs in step with what is sent, and little`, async () => {
    const target = world.targetOf(route)
    const chosen = hostileCasesOf(route).filter((_, index) => index % share === at % share)
    for (const hostile of chosen) await assertCostBounded(app, { target, hostile })
  })
}

test('a listing may be as large and as wrong as the bounds allow', async () => {
  const route = routes.find(({ method, url }) => method === 'POST' && url === '/items')
  assert.ok(route)
  const values = {
    'attributes that no category has': (n: number) => ({ id: `X${n}`, value_name: 'x' }),
    'one attribute repeated': () => ({ id: 'COLOR', value_name: 'rojo' }),
    'long values': (n: number) => ({
      id: n === 0 ? 'COLOR' : `X${n}`,
      value_name: '\u0315\u0300'.repeat(10),
    }),
  }
  const attributeCount = 20
  for (const [name, value] of Object.entries(values)) {
    const variation = (index: number) => ({
      available_quantity: 1,
      attribute_combinations: [
        { id: 'SIZE', value_name: `${index}` },
        ...Array.from({ length: attributeCount - 1 }, (_, n) => value(n)),
      ],
    })
    const hostile: HostileCase = {
      name,
      sizes: halfAndWhole(250),
      requestOfSize: (size) => {
        const body = world.bodyOf(route) as object
        const variations = Array.from({ length: size }, (_, index) => variation(index))
        const payload = Buffer.from(JSON.stringify({ ...body, variations }))
        return { headers: { 'content-type': 'application/json' }, payload }
      },
    }
    await assertCostBounded(app, { target: world.targetOf(route), hostile })
  }
})

test('no header costs more than its length', async () => {
  const urls = [
    ...[
      '/orders/search',
      '/login',
      '/items',
      '/sites/:site_id/categories/all',
      '/categories/:category_id',
    ],
    '/operator/orders/search',
    '/messages/attachments/:attachment_id',
  ]
  for (const url of urls) {
    const route = routes.find((each) => each.method === 'GET' && each.url === url)
    assert.ok(route, url)
    const target = world.targetOf(route)
    for (const hostile of hostileHeaders) await assertCostBounded(app, { target, hostile })
  }
})

/** Lines that are refused cost 4 to 10 µs each, where nothing else runs. */
const maxCpuMsPerThousand = 50

test('an import costs so much a line, whatever the lines are', async () => {
  const route = routes.find((each) => each.url === '/operator/import')
  assert.ok(route)
  const target = world.targetOf(route)
  const headers = { 'content-type': 'application/x-ndjson' }
  const whole = (text: string) => `{"type":"order","lines":[${text}`
  const long: HostileCase[] = [
    ...hostileBodies,
    ...['{},', '{"a":0},', '"\\u00e9",', '[],'].map((piece) => ({
      name: `one line of ${piece}`,
      sizes: halfAndWhole(1_000_000),
      requestOfSize: (size: number) => ({
        payload: Buffer.from(whole(piece.repeat(Math.floor(size / piece.length)))),
      }),
    })),
  ]
  for (const hostile of long) {
    const at = (size: number) => ({ ...hostile.requestOfSize(size), headers })
    await assertCostBounded(app, { target, hostile: { ...hostile, requestOfSize: at } })
  }
  for (const line of ['\n', 'x\n', '{}\n', '{"type":"user"}\n']) {
    const hostile = {
      name: `lines of ${JSON.stringify(line)}`,
      sizes: halfAndWhole(10_000),
      requestOfSize: (count: number) => ({ headers, payload: Buffer.from(line.repeat(count)) }),
    }
    await assertCostBounded(app, { target, hostile, boundMs: 10 * maxCpuMsPerThousand })
  }
})

test('a form with files costs so much a megabyte, whatever its parts are', async () => {
  for (const url of ['/messages/attachments', '/operator/catalog/import']) {
    const route = routes.find((each) => each.method === 'POST' && each.url === url)
    assert.ok(route)
    const baseTarget = world.targetOf(route)
    const target = { ...baseTarget, path: `${baseTarget.path}?site_id=MLA` }
    const headers = {
      'content-type': formContentType,
      ...(route.scope === 'operator' ? { authorization: `Bearer ${operatorToken}` } : {}),
    }
    const forms: Record<string, (size: number) => Buffer> = {
      'a file of text': (size) =>
        multipartForm({ filename: 'a.txt', content: Buffer.alloc(size, 'a') }),
      'a file of line ends': (size) =>
        multipartForm({ filename: 'a.txt', content: Buffer.alloc(size, '\r\n--') }),
      'a field': (size) => multipartForm({ field: 'a', content: Buffer.alloc(size, 'a') }),
      'a name': (size) => multipartForm({ filename: 'a'.repeat(size), content: 'a' }),
      parts: (size) =>
        multipartForm(...Array.from({ length: size / 200 }, () => ({ content: 'a' }))),
      'no form': (size) => Buffer.alloc(size, '\r\n-'),
    }
    for (const [name, form] of Object.entries(forms)) {
      const at = (size: number) => ({ headers, payload: form(size) })
      await assertCostBounded(app, {
        target,
        hostile: { name, sizes: halfAndWhole(1_000_000), requestOfSize: at },
        boundMs: 100,
      })
    }
  }
})

test('the slowest are named to those who ask', () => {
  const most = Number(process.env['COST_SLOWEST'] ?? 0)
  const first = slowestRequests.toSorted((one, other) => other.ms - one.ms).slice(0, most)
  for (const { name, ms } of first) console.log(`${ms.toFixed(1)} ms ${name}`)
})
