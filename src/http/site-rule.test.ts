import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Type } from 'typebox'
import { type BareServer, openBareServer } from '../../test/harness/server.ts'
import type { SiteId } from '../kernel/sites.ts'
import { makeLog } from '../platform/log.ts'
import type { Operator } from './operator.ts'
import { ok, type Route, route } from './route.ts'
import { siteInPath, siteInQuery, siteRule } from './site-rule.ts'

const any = {
  method: 'GET',
  tag: 'Test',
  summary: 'A test',
  answers: { 200: Type.Object({}) },
} as const
/** How often the rule was checked. */
let checks = 0
const counted = route({
  ...any,
  url: '/operator/counted',
  scope: 'operator',
  permission: 'orders:read',
  sites: siteRule('counted', async () => {
    checks++
  }),
  handle: async () => ok({}),
})
const listed = route({
  ...any,
  url: '/operator/listed',
  scope: 'operator',
  permission: 'orders:read',
  sites: siteInQuery,
  query: Type.Object({ site_id: Type.Optional(Type.String()) }),
  handle: async (_ctx, { query }) => ok(query),
})
const { sites: _, ...withoutRule } = { ...counted, url: '/operator/forgotten' }
const shown = (url: string, rule: Pick<Route, 'sites'>) =>
  route({
    ...any,
    ...rule,
    url,
    scope: 'public',
    permission: 'orders:read',
    params: Type.Object({ site_id: Type.String() }),
    handle: async (_ctx, { operator }) => ok({ isOperator: operator !== undefined }),
  })
const routes: Route[] = [
  counted,
  listed,
  withoutRule,
  shown('/sites/:site_id/shown', { sites: siteInPath }),
  shown('/sites/:site_id/forgotten', {}),
]

let bare: BareServer
let limit: Operator['sites']
before(async () => {
  const operator = () =>
    ({
      actor: { kind: 'token' },
      permissions: new Set(['orders:read'] as const),
      sites: limit,
    }) as const
  bare = await openBareServer(routes, {
    log: makeLog('silent'),
    authenticateOperator: async () => operator(),
  })
})
after(() => bare.server.close())

async function ask(path: string, ...sites: SiteId[]) {
  limit = sites.length === 0 ? null : new Set(sites)
  const response = await fetch(`http://127.0.0.1:${bare.port}${path}`)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

test('an operator of all sites is served without asking the rule, so that it costs no query', async () => {
  assert.equal((await ask('/operator/counted')).status, 200)
  assert.equal(checks, 0)
  assert.equal((await ask('/operator/counted', 'MLA')).status, 200)
  assert.equal(checks, 1)
})

test('an operation without a rule is refused to operators of some sites', async () => {
  assert.equal((await ask('/operator/forgotten')).status, 200)
  const { status, body } = await ask('/operator/forgotten', 'MLA')
  assert.deepEqual([status, body['error']], [403, 'site_denied'])
})

test('a list gets the only site of the operator, or those of several that the request names', async () => {
  assert.deepEqual((await ask('/operator/listed')).body, {})
  assert.deepEqual((await ask('/operator/listed', 'MLA')).body, { site_id: 'MLA' })
  assert.deepEqual((await ask('/operator/listed?site_id=MLB', 'MLA', 'MLB')).body, {
    site_id: 'MLB',
  })
  assert.deepEqual((await ask('/operator/listed?site_id=MLB,%20MLA', 'MLA', 'MLB')).body, {
    site_id: 'MLB, MLA',
  })
  for (const [path, ...sites] of [
    ['/operator/listed', 'MLA', 'MLB'],
    ['/operator/listed?site_id=MLB', 'MLA'],
    ['/operator/listed?site_id=MLC', 'MLA', 'MLB'],
    ['/operator/listed?site_id=MLA,MLC', 'MLA', 'MLB'],
    ['/operator/listed?site_id=MLA,', 'MLA', 'MLB'],
  ] as const) {
    assert.equal((await ask(path, ...sites)).body['error'], 'site_denied')
  }
})

test('what anybody may call knows an operator on the sites of the operator only', async () => {
  const isOperator = async (path: string, ...sites: SiteId[]) =>
    (await ask(path, ...sites)).body['isOperator']
  assert.equal(await isOperator('/sites/MLB/shown'), true)
  assert.equal(await isOperator('/sites/MLB/shown', 'MLB'), true)
  assert.equal(await isOperator('/sites/MLB/shown', 'MLA'), false)
  assert.equal(await isOperator('/sites/MLB/forgotten'), true)
  assert.equal(await isOperator('/sites/MLB/forgotten', 'MLB'), false)
})
