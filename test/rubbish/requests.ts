import fc from 'fast-check'
import type { Route } from '../../src/http/route.ts'
import { operatorToken } from '../harness/app.ts'
import { ana, applicationId, bruno, type Market } from '../harness/sale.ts'
import { formOf, formType } from '../harness/upload.ts'
import { deepMark, fitting, type KnownIds, nearlyFitting, oddTexts, oddValues } from './values.ts'

export interface Thrown {
  path: string
  headers: Record<string, string>
  body: string | undefined
}

interface World {
  market: Market
  orderId: number
  /** What was made around that order, by the names under which it is asked for. */
  around: KnownIds
}

function knownOf(route: Route, { orderId, market, around }: World): KnownIds {
  const [, , kind = ''] = route.url.split('/')
  const ids = { users: [ana, bruno], applications: [applicationId], items: ['MLA1001', 'MLA1002'] }[
    kind
  ]
  const talked = route.url.startsWith('/messages/action_guide')
    ? around['guided_id']
    : route.url.startsWith('/messages')
      ? around['talk_id']
      : undefined
  const own = { claims: around['claim_id'], moderation: around['term_id'] }[kind]
  const ofRoute: Record<string, string> = {
    'POST /questions': 'others_item_id',
    'POST /items/:item_id/description': 'undescribed_id',
  }
  const items = ofRoute[`${route.method} ${route.url}`] ?? (kind === 'quotations' ? 'flat_id' : '')
  const billed = route.url.startsWith('/operator/users/:user_id/') ? around['billed_id'] : undefined
  return {
    id: ids ?? own ?? [],
    order_id: [orderId],
    pack_id: talked ?? [orderId, 424242],
    text: ['Hola'],
    plain: ['Hola'],
    option_id: ['OTHER'],
    resource_id: around['talk_id'] ?? [],
    user_id: billed ?? [ana, bruno],
    seller_id: [ana],
    buyer_id: [bruno],
    payer_id: [bruno],
    item_id: around[items] ?? ['MLA1001', 'MLA1002'],
    application_id: [applicationId],
    app_id: [applicationId],
    site_id: ['MLA'],
    currency_id: ['ARS'],
    access_token: [market.bruno],
    token: [market.bruno],
    owner_id: [ana],
    advance: ['90s', '12h'],
    from: ['USD'],
    to: ['USD'],
    ...(route.url.includes('/listeners') ? { name: ['laptop'], seq: [0], wait: [0] } : {}),
    ...around,
    ...(route.url === '/items' ? listable : {}),
  }
}

/** What a category asks of a listing, of the default catalogue. */
const listable: KnownIds = {
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
export function thrownAt(route: Route, world: World): fc.Arbitrary<Thrown> {
  const { market } = world
  const known = knownOf(route, world)
  return fc.record<Thrown>({
    path: fc
      .tuple(pathOf(route, known), queryOf(route, known, market))
      .map(([path, query]) => path + query),
    headers: headersOf(route, world),
    body: bodyOf(route, known),
  })
}

const mostly = <T>(right: fc.Arbitrary<T>, odd: fc.Arbitrary<T>) =>
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

function pathOf(route: Route, known: KnownIds): fc.Arbitrary<string> {
  const parts = route.url.split('/').map((part) => {
    if (!part.startsWith(':')) return fc.constant(part)
    const schema = route.params?.properties[part.slice(1)] ?? { type: 'string' }
    const right = fitting(schema, known, part.slice(1)).map((value) => encoded(String(value)))
    return mostly(right, fc.oneof(oddPaths, oddTexts.map(encoded)))
  })
  return fc.tuple(...parts).map((all) => all.join('/'))
}

function queryOf(route: Route, known: KnownIds, market: Market): fc.Arbitrary<string> {
  const pair = (name: string, value: unknown) => `${encoded(name)}=${encoded(String(value))}`
  const right = fitting(route.query ?? { type: 'object', properties: {} }, known).map((query) =>
    Object.entries(query as object).map(([name, value]) => pair(name, value)),
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
      `access_token=${market.carla}`,
    ),
  )
  const odds = fc.array(odd, { maxLength: 2 })
  return fc.tuple(right, mostly(fc.constant<string[]>([]), odds)).map(([all, more]) => {
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

function headersOf(route: Route, { market, around }: World): fc.Arbitrary<Record<string, string>> {
  // An application as a whole is its owner's in person.
  const users = route.url.startsWith('/applications') ? market.owner : market.ana
  const token = route.scope === 'operator' ? operatorToken : users
  const oddTokens = fc.oneof(
    latin,
    latin.map((text) => `Bearer ${text}`),
    fc.constantFrom(
      `Bearer ${market.bruno}`,
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
  const cookie = around['cookie']?.map(String)
  return fc.record(
    {
      ...(cookie ? { cookie: mostly(fc.constantFrom(...cookie), latin) } : {}),
      authorization: fc.oneof(
        { weight: 12, arbitrary: fc.constant(`Bearer ${token}`) },
        { weight: 1, arbitrary: oddTokens },
      ),
      'content-type': fc.oneof(
        { weight: 12, arbitrary: fc.constant(route.takesFiles ? formType : 'application/json') },
        { weight: 1, arbitrary: types },
      ),
      'idempotency-key': mostly(fc.uuid(), latin),
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
function formsOf(route: Route, known: KnownIds): fc.Arbitrary<string> {
  const fields = Object.keys((route.body as { properties?: object })?.properties ?? {})
  const parts = fields.map((field) => {
    const right = fc.constantFrom(...(known[field] ?? ['x']).map(String))
    return fc.record({
      field: mostly(fc.constant(field), oddTexts),
      filename: mostly(fc.constant('a.txt'), oddTexts),
      content: mostly(right, oddTexts),
    })
  })
  return fc
    .tuple(
      fc.tuple(...parts),
      mostly(fc.constant<string[]>([]), fc.array(oddBodies, { maxLength: 3 })),
      mostly(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
    )
    .map(([right, more, share]) => {
      const others = more.map((content) => ({ filename: 'b', content }))
      const form = formOf(...right, ...others).toString()
      return form.slice(0, Math.ceil(form.length * share))
    })
}

function bodyOf(route: Route, known: KnownIds): fc.Arbitrary<string | undefined> {
  if (route.method === 'GET') return fc.constant(undefined)
  if (route.takesFiles) return formsOf(route, known)
  const text = (value: unknown) =>
    JSON.stringify(value)?.replaceAll(JSON.stringify(deepMark), deepText)
  const schema = route.body ?? { type: 'object', properties: {} }
  return fc.oneof(
    { weight: 4, arbitrary: fitting(schema, known).map(text) },
    { weight: 8, arbitrary: nearlyFitting(schema, known).map(text) },
    { weight: 1, arbitrary: fc.oneof(oddBodies, oddValues.map(text), fc.constant(undefined)) },
  )
}
