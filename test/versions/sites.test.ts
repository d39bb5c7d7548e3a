import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hourMs } from '../../src/kernel/clock.ts'
import { createSiteMarket, type SiteMarket } from '../authorization/site-market.ts'
import { openTestApp, operatorToken, type TestApp } from '../harness/app.ts'
import { openAccount, succeed } from '../harness/operators.ts'

/** Conflicts of operators who are limited to a site. `operator-sites.test.ts` sends every operation with a condition. */

let app: TestApp
let chile: SiteMarket
let brazil: SiteMarket
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
})
after(() => app.close())

const send = (token: string, method: string, path: string, body?: object, ifMatch?: string) =>
  app.client.send(method, path, {
    token,
    body,
    headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
  })

const unknownId = 77_001

test('a condition on what another site has is answered as one on what nobody has', async () => {
  const user = { site_id: 'MLC', nickname: 'zzother' }
  const requests = (userId: number, claimId: number) => [
    { path: `/operator/users/${userId}`, body: user },
    { path: `/operator/claims/${claimId}`, body: { order_id: chile.order } },
  ]
  const foreign = requests(brazil.seller, brazil.claim)
  const nothing = requests(unknownId, unknownId)
  for (const [index, { path, body }] of foreign.entries()) {
    for (const condition of ['*', '"old.0"']) {
      const refused = await send(inChile, 'PUT', path, body, condition)
      const unknown = await send(inChile, 'PUT', nothing[index]?.path ?? '', body, condition)
      assert.deepEqual([refused.status, refused.body.error], [409, 'version_conflict'])
      assert.deepEqual([refused.body.etag, refused.body.changes], [null, []])
      assert.equal(refused.text, unknown.text)
    }
  }
  const kept = await succeed(send(inBrazil, 'GET', `/operator/users/${brazil.seller}`))
  assert.equal(kept.site_id, 'MLB')
})

const rules = '/operator/moderation/rules'
const rule = 'link.short'

async function ruleEtag(token: string, query: string): Promise<string> {
  const { results } = await succeed(send(token, 'GET', `${rules}${query}`))
  return results.find((listed: { rule: string }) => listed.rule === rule).etag
}

const switchRule = (token: string, site: string | null, etag?: string) =>
  send(token, 'PUT', `${rules}/${rule}`, { enabled: false, site_id: site }, etag)

test('of a rule of moderation, operators are told of the switches of their sites and that of all', async () => {
  const etag = await ruleEtag(inChile, '?site_id=MLC')
  const every = await ruleEtag(operatorToken, '')
  app.advance(hourMs)
  await succeed(switchRule(inBrazil, 'MLB'))
  assert.equal((await ruleEtag(inChile, '?site_id=MLC')).split('.')[0], etag.split('.')[0])
  const told = await switchRule(operatorToken, null, every)
  assert.equal(told.status, 409, 'who acts on all sites is told of each')
  assert.deepEqual(actorsOf(told.body), ['brazil'])

  const own = await switchRule(inChile, 'MLC', etag)
  assert.equal(own.status, 200, own.text)
  await succeed(switchRule(operatorToken, null))
  const refused = await switchRule(inChile, 'MLC', '"old.0"')
  assert.equal(refused.status, 409)
  assert.deepEqual(actorsOf(refused.body), [null, 'chile'])
  assert.doesNotMatch(refused.text, /MLB|brazil/i)
  assert.equal(refused.body.etag, await ruleEtag(inChile, '?site_id=MLC'))

  const log = await succeed(
    send(operatorToken, 'GET', `/operator/audit-log?target=moderation_rule:${rule}`),
  )
  assert.equal(log.results.length, 3, 'the log shows all of them under the rule')
})

function actorsOf({ changes }: { changes: { actor_name: string | null }[] }) {
  return changes.map(({ actor_name }) => actor_name)
}
