import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createSiteMarket, type SiteMarket } from '../../test/authorization/site-market.ts'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { openAccount, sendAs } from '../../test/harness/operators.ts'

/** Ids that the caller chooses, sent by operators who are limited to a site with a listing of their own. */

let app: TestApp
let chile: SiteMarket
let brazil: SiteMarket
let inChile: string
let inBrazil: string
before(async () => {
  app = await openTestApp()
  chile = await createSiteMarket(app, { site: 'MLC', digit: 1 })
  brazil = await createSiteMarket(app, { site: 'MLB', digit: 2 })
  const owner = async (site: string) =>
    (await openAccount(app, { email: `${site}@example.com`, role: 'owner', sites: [site] })).token
  inChile = await owner('MLC')
  inBrazil = await owner('MLB')
})
after(() => app.close())

test('whether a quotation exists is not shown to operators of other sites', async () => {
  const body = { item_id: brazil.estate }
  const save = (id: number) => sendAs(app, inBrazil, 'PUT', `/operator/quotations/${id}`, body)
  const existing = await save(chile.quotation)
  assert.deepEqual([existing.status, existing.body.error], [400, 'bad_request'])
  assert.deepEqual((await save(chile.quotation + 1)).body, existing.body)
  const own = { item_id: chile.estate, price: 1 }
  const saved = await sendAs(app, inChile, 'PUT', `/operator/quotations/${chile.quotation}`, own)
  assert.equal(saved.status, 200, saved.text)
})
