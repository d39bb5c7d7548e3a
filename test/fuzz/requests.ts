import fc from 'fast-check'
import type { Route } from '../../src/http/route.ts'
import { operatorToken } from '../harness/app.ts'
import { anaId, applicationId, brunoId, type MarketTokens } from '../harness/market.ts'
import { formContentType, multipartForm } from '../harness/upload.ts'
import {
  almostValidValues,
  deepValueMarker,
  type KnownValues,
  oddTexts,
  oddValues,
  validValues,
} from './values.ts'

export interface FuzzRequest {
  path: string
  headers: Record<string, string>
  body: string | undefined
}

interface FuzzFixture {
  market: MarketTokens
  orderId: number
  /** What was made around that order, by the names under which it is asked for. */
  relatedIds: KnownValues
}

function knownValuesOf(route: Route, { orderId, market, relatedIds }: FuzzFixture): KnownValues {
  const [, , kind = ''] = route.url.split('/')
  const ids = {
    users: [anaId, brunoId],
    applications: [applicationId],
    items: ['MLA1001', 'MLA1002'],
  }[kind]
  const talked = route.url.startsWith('/messages/action_guide')
    ? relatedIds['guided_id']
    : route.url.startsWith('/messages')
      ? relatedIds['talk_id']
      : undefined
  const own = { claims: relatedIds['claim_id'], moderation: relatedIds['term_id'] }[kind]
  const ofRoute: Record<string, string> = {
    'POST /questions': 'others_item_id',
    'POST /items/:item_id/description': 'undescribed_id',
  }
  const items = ofRoute[`${route.method} ${route.url}`] ?? (kind === 'quotations' ? 'flat_id' : '')
  const billed = route.url.startsWith('/operator/users/:user_id/')
    ? relatedIds['billed_id']
    : undefined
  return {
    id: ids ?? own ?? [],
    order_id: [orderId],
    pack_id: talked ?? [orderId, 424242],
    text: ['Hola'],
    plain: ['Hola'],
    option_id: ['OTHER'],
    resource_id: relatedIds['talk_id'] ?? [],
    user_id: billed ?? [anaId, brunoId],
    seller_id: [anaId],
    buyer_id: [brunoId],
    payer_id: [brunoId],
    item_id: relatedIds[items] ?? ['MLA1001', 'MLA1002'],
    application_id: [applicationId],
    app_id: [applicationId],
    site_id: ['MLA'],
    currency_id: ['ARS'],
    access_token: [market.brunoToken],
    token: [market.brunoToken],
    owner_id: [anaId],
    advance: ['90s', '12h'],
    from: ['USD'],
    to: ['USD'],
    ...(route.url.includes('/listeners') ? { name: ['laptop'], seq: [0], wait: [0] } : {}),
    ...relatedIds,
    ...(route.url.startsWith('/operator/reports/') ? spanOfDays : {}),
    ...(route.url === '/items' ? listable : {}),
  }
}

const spanOfDays: KnownValues = { from: ['2026-03-01'], to: ['2026-03-31'] }

/** What a category asks of a listing, of the default catalogue. */
const listable: KnownValues = {
  needed: ['title', 'category_id', 'price', 'available_quantity', 'attributes'],
  title: ['Celular'],
  category_id: ['MLA1443'],
  price: [10],
  available_quantity: [1],
  attributes: [
    [
      { id: 'BRAND', value_name: 'Samsung' },
      { id: 'MODEL', value_name: 'Galaxy A15' },
    ],
  ],
}

/** Requests at one operation: most of them wrong in one place, some of them in all. */
export function fuzzRequestsAt(route: Route, world: FuzzFixture): fc.Arbitrary<FuzzRequest> {
  const { market } = world
  const knownValues = knownValuesOf(route, world)
  return fc.record<FuzzRequest>({
    path: fc
      .tuple(pathOf(route, knownValues), queryOf(route, knownValues, market))
      .map(([path, query]) => path + query),
    headers: headersOf(route, world),
    body: bodyOf(route, knownValues),
  })
}

const usually = <T>(right: fc.Arbitrary<T>, odd: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 6, arbitrary: right }, { weight: 1, arbitrary: odd })

const oddPaths = fc.constantFrom(
  ...[
    '%',
    '%zz',
    '%00',
    '%ff',
    '%c0%af',
    '..',
    '.',
    '%2e%2e%2f',
    '%2F%2F',
    '%3F',
    '%3Fa=b',
    ';a=b',
  ],
  '%25%32%66',
  '1%2F2',
  '*',
  ':id',
  '',
  '%20',
  '{id}',
  'null',
  'undefined',
  'a'.repeat(501),
)
const encoded = (text: string) => encodeURIComponent(text.toWellFormed().slice(0, 2_000))

function pathOf(route: Route, knownValues: KnownValues): fc.Arbitrary<string> {
  const parts = route.url.split('/').map((part) => {
    if (!part.startsWith(':')) return fc.constant(part)
    const schema = route.params?.properties[part.slice(1)] ?? { type: 'string' }
    const right = validValues(schema, knownValues, part.slice(1)).map((value) =>
      encoded(String(value)),
    )
    return usually(right, fc.oneof(oddPaths, oddTexts.map(encoded)))
  })
  return fc.tuple(...parts).map((all) => all.join('/'))
}

function queryOf(
  route: Route,
  knownValues: KnownValues,
  market: MarketTokens,
): fc.Arbitrary<string> {
  const pair = (name: string, value: unknown) => `${encoded(name)}=${encoded(String(value))}`
  const right = validValues(route.query ?? { type: 'object', properties: {} }, knownValues).map(
    (query) => Object.entries(query as object).map(([name, value]) => pair(name, value)),
  )
  const names = [...Object.keys(route.query?.properties ?? {}), 'attributes', 'limit', '__proto__']
  const odd = fc.oneof(
    fc.tuple(fc.constantFrom(...names), oddTexts).map(([name, value]) => pair(name, value)),
    fc.constantFrom(
      '&&',
      '=',
      'a[b]=c',
      'limit=1&limit=2',
      '%zz=%zz',
      '?',
      `access_token=${market.carlaToken}`,
    ),
  )
  const odds = fc.array(odd, { maxLength: 2 })
  return fc.tuple(right, usually(fc.constant<string[]>([]), odds)).map(([all, more]) => {
    const pairs = [...all, ...more]
    return pairs.length > 0 ? `?${pairs.join('&')}` : ''
  })
}

const latin = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((c) => c !== 0x7f)
    .map((c) => String.fromCharCode(c)),
  maxLength: 300,
})

function headersOf(
  route: Route,
  { market, relatedIds }: FuzzFixture,
): fc.Arbitrary<Record<string, string>> {
  // An application as a whole is its owner's in person.
  const users = route.url.startsWith('/applications') ? market.ownerToken : market.anaToken
  const [ownToken = operatorToken] =
    route.permission === 'own-account' ? (relatedIds['operator_token'] ?? []) : []
  const token = route.scope === 'operator' ? String(ownToken) : users
  const oddTokens = fc.oneof(
    latin,
    latin.map((text) => `Bearer ${text}`),
    fc.constantFrom(
      `Bearer ${market.brunoToken}`,
      `bearer  ${token}`,
      'Basic YTpi',
      `Bearer APP_USR-1-010101-${'0'.repeat(32)}-9999999999999999`,
    ),
  )
  const types = fc.constantFrom(
    'text/plain',
    'application/json; charset=latin1',
    'application/x-www-form-urlencoded',
    ';',
    'application/json;;',
    'multipart/form-data',
  )
  const cookie = relatedIds['cookie']?.map(String)
  return fc.record(
    {
      ...(cookie ? { cookie: usually(fc.constantFrom(...cookie), latin) } : {}),
      authorization: fc.oneof(
        { weight: 12, arbitrary: fc.constant(`Bearer ${token}`) },
        { weight: 1, arbitrary: oddTokens },
      ),
      'content-type': fc.oneof(
        {
          weight: 12,
          arbitrary: fc.constant(route.takesFiles ? formContentType : 'application/json'),
        },
        { weight: 1, arbitrary: types },
      ),
      'idempotency-key': usually(fc.uuid(), latin),
      'x-format-new': fc.constantFrom('true', 'false', '1'),
      accept: latin,
    },
    { requiredKeys: ['authorization', 'content-type', ...(cookie ? (['cookie'] as const) : [])] },
  )
}

const deepText = `${'{"a":['.repeat(10_000)}1${']}'.repeat(10_000)}`

const oddBodies = fc.constantFrom(
  ...[
    '',
    '{',
    '[',
    'null',
    '"x"',
    '1',
    '[]',
    '{}',
    '{"a":1e999}',
    '{"__proto__":{"x":1}}',
    '\ufeff{}',
  ],
  '{"constructor":{"prototype":1}}',
  '{"a":1}{"b":2}',
  "{'a':1}",
  '\0',
  '{"a":"\\ud800"}',
  '['.repeat(100_000),
  deepText,
)

/** Forms with the files that an operation takes, most of them wrong somewhere, some cut short. */
function formsOf(route: Route, knownValues: KnownValues): fc.Arbitrary<string> {
  const fields = Object.keys((route.body as { properties?: object })?.properties ?? {})
  const parts = fields.map((field) => {
    const right = fc.constantFrom(...(knownValues[field] ?? ['x']).map(String))
    return fc.record({
      field: usually(fc.constant(field), oddTexts),
      filename: usually(fc.constant('a.txt'), oddTexts),
      content: usually(right, oddTexts),
    })
  })
  return fc
    .tuple(
      fc.tuple(...parts),
      usually(fc.constant<string[]>([]), fc.array(oddBodies, { maxLength: 3 })),
      usually(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
    )
    .map(([right, more, share]) => {
      const others = more.map((content) => ({ filename: 'b', content }))
      const form = multipartForm(...right, ...others).toString()
      return form.slice(0, Math.ceil(form.length * share))
    })
}

function bodyOf(route: Route, knownValues: KnownValues): fc.Arbitrary<string | undefined> {
  if (route.method === 'GET') return fc.constant(undefined)
  if (route.takesFiles) return formsOf(route, knownValues)
  const text = (value: unknown) =>
    JSON.stringify(value)?.replaceAll(JSON.stringify(deepValueMarker), deepText)
  const schema = route.body ?? { type: 'object', properties: {} }
  return fc.oneof(
    { weight: 4, arbitrary: validValues(schema, knownValues).map(text) },
    { weight: 8, arbitrary: almostValidValues(schema, knownValues).map(text) },
    { weight: 1, arbitrary: fc.oneof(oddBodies, oddValues.map(text), fc.constant(undefined)) },
  )
}
