import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { routes } from '../../src/app/routes.ts'
import type { Route } from '../../src/http/route.ts'
import { allSites, noSite, ownAccountOnly } from '../../src/http/site-rule.ts'
import { takesCondition } from '../../src/http/versioned-route.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { openTestApp, operatorToken, type TestApp } from '../harness/app.ts'
import type { TestResponse } from '../harness/client.ts'
import { openAccount } from '../harness/operators.ts'
import { createSiteMarket, type SiteMarket, unknownMarket } from './site-market.ts'
import { type SiteRequest, siteRequests } from './site-requests.ts'

/**
 * Sends every operation as operators who are limited to a site, at what another site has and at what theirs has. A new
 * operation fails here until it has requests, or a rule that needs none.
 */

const nameOf = ({ method, url }: Route) => `${method} ${url}`
const operatorRoutes = routes.filter(({ scope }) => scope === 'operator')

/** Operations that have nothing of a site. */
const withoutSite = ['GET /operator/currency_rates']

let app: TestApp
let chile: SiteMarket
let brazil: SiteMarket
/** Sessions of owners who are limited to a site. */
let inChile: string
let inBrazil: string
before(async () => {
  app = await openTestApp({ env: { FERIA_RATE_PER_MINUTE: '1000000' } })
  chile = await createSiteMarket(app, { site: 'MLC', digit: 1 })
  brazil = await createSiteMarket(app, { site: 'MLB', digit: 2 })
  const owner = (email: string, site: string) =>
    openAccount(app, { email, role: 'owner', sites: [site] })
  inChile = (await owner('chile@example.com', 'MLC')).token
  inBrazil = (await owner('brazil@example.com', 'MLB')).token
  await app.runPendingWork()
})
after(() => app.close())

function send(
  name: string,
  { path, body }: SiteRequest,
  token: string,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  return app.client.send(name.split(' ')[0] ?? '', path, { token, body, headers })
}

const versioned = new Set(operatorRoutes.filter(takesCondition).map(nameOf))

/** Returns the conditions to send with an operation: none, and if it takes one, any version and one that is long gone. */
function conditionsOf(name: string): Record<string, string>[] {
  return [{}, ...(versioned.has(name) ? [{ 'if-match': '*' }, { 'if-match': '"old.0"' }] : [])]
}

/** Returns a digest of each table, without those that sign-ins and ids change. */
async function digestTables(): Promise<Map<string, string>> {
  const tables = await app.ctx.db.rows<{ name: string }>(sql`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'id_blocks'
      and relname not like 'operator_%' order by relname`)
  const digests = new Map<string, string>()
  for (const { name } of tables) {
    const text = `select md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as digest from ${name} t`
    const [row] = await app.ctx.db.rows<{ digest: string }>({ name: undefined, text, values: [] })
    digests.set(name, row?.digest ?? '')
  }
  return digests
}

/** Returns an answer in which the ids of a market have names. */
function withoutIds({ status, text }: TestResponse, market: SiteMarket): string {
  const ids = Object.entries(market).sort((a, b) => String(b[1]).length - String(a[1]).length)
  return ids.reduce((all, [name, id]) => all.replaceAll(String(id), name), `${status} ${text}`)
}

test('every operation has a rule of sites that is shown here to hold', () => {
  const shown = Object.keys(siteRequests)
  const expected = operatorRoutes.filter(
    ({ sites }) => sites && ![allSites, noSite, ownAccountOnly].includes(sites),
  )
  assert.deepEqual(shown.toSorted(), expected.map(nameOf).toSorted())
  const without = operatorRoutes.filter(({ sites }) => sites === noSite)
  assert.deepEqual(without.map(nameOf), withoutSite)
  const own = operatorRoutes.filter(({ sites }) => sites === ownAccountOnly)
  assert.ok(own.every(({ permission }) => permission === 'own-account'))
})

test('operations about all sites are refused to operators of some, whatever they send', async () => {
  const wrong: string[] = []
  for (const route of operatorRoutes.filter(({ sites = allSites }) => sites === allSites)) {
    const path = route.url.replaceAll(/:[a-z_]+/g, 'nothing')
    const body = route.method === 'GET' ? undefined : { of: { no: 'sense' } }
    const { status, body: answer } = await app.client.send(route.method, path, {
      token: inChile,
      body,
    })
    if (status !== 403 || answer.error !== 'site_denied') wrong.push(`${nameOf(route)}: ${status}`)
  }
  assert.deepEqual(wrong, [])
})

test('nothing of another site is read or changed, and it answers as what does not exist', async () => {
  const before = await digestTables()
  const wrong: string[] = []
  for (const [name, requestsOf] of Object.entries(siteRequests)) {
    for (const [market, token] of [
      [chile, inBrazil],
      [brazil, inChile],
    ] as const) {
      const unknown = unknownMarket(market)
      const requests = requestsOf(market)
      const unknownRequests = requestsOf(unknown)
      for (const [index, request] of requests.entries()) {
        for (const headers of conditionsOf(name)) {
          const foreign = await send(name, request, token, headers)
          const nothing = await send(name, unknownRequests[index] as SiteRequest, token, headers)
          const [one, other] = [withoutIds(foreign, market), withoutIds(nothing, unknown)]
          if (foreign.status < 400 || one !== other) wrong.push(`${name}: ${one}, not ${other}`)
        }
      }
    }
  }
  assert.deepEqual(wrong, [])
  assert.deepEqual(await digestTables(), before)
})

test('on the own site, operators get what others with all sites get', async () => {
  const wrong: string[] = []
  for (const [name, requestsOf] of Object.entries(siteRequests)) {
    for (const [market, token] of [
      [chile, inChile],
      [brazil, inBrazil],
    ] as const) {
      for (const request of requestsOf(market)) {
        if (name.includes('/jobs/:id/retry')) {
          await app.ctx.db.rows(sql`update jobs set state = 'failed' where id = ${market.job}`)
        }
        const limited = await send(name, request, token)
        if (limited.status >= 400) wrong.push(`${name}: ${limited.status} ${limited.text}`)
        if (!name.startsWith('GET')) continue
        const unlimited = await send(name, request, operatorToken)
        if (limited.text !== unlimited.text)
          wrong.push(`${name}: ${limited.text} not ${unlimited.text}`)
      }
    }
  }
  assert.deepEqual(wrong, [])
})

test('what an operator reads of the own site has no word of another', async () => {
  const words = [/zzmlb/i, RegExp(String(brazil.seller)), RegExp(brazil.item)]
  for (const [name, requestsOf] of Object.entries(siteRequests)) {
    if (!name.startsWith('GET')) continue
    for (const request of requestsOf(chile)) {
      const { text } = await send(name, request, inChile)
      for (const word of words) assert.doesNotMatch(text, word, name)
    }
  }
})
