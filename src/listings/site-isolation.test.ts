import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createSiteMarket, type SiteMarket } from '../../test/authorization/site-market.ts'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { putItem } from '../../test/harness/market.ts'
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

test('an operator can neither take nor try out the ids of pictures of another site', async () => {
  const random = '0123456789abcdef0123456789abcdef'
  await putItem(app.client, brazil.item, {
    seller_id: brazil.seller,
    site_id: 'MLB',
    currency_id: 'BRL',
    category_id: 'MLB1580',
    pictures: [chile.picture, random].map((id) => ({ id, url: 'https://example.com/1.jpg' })),
  })
  const report = (token: string, id: string, itemId: string) =>
    sendAs(app, token, 'PUT', `/operator/pictures/${id}/errors`, {
      item_id: itemId,
      message: 'x',
      source: 'https://example.com/1.jpg',
    })
  const existing = await report(inBrazil, chile.picture, brazil.item)
  assert.deepEqual([existing.status, existing.body.error], [400, 'bad_request'])
  const free = chile.picture.replace('_', '1_')
  for (const unknown of [free, '0123', 'xyz']) {
    assert.equal((await report(inBrazil, unknown, brazil.item)).text, existing.text, unknown)
  }
  assert.equal((await report(inChile, free, chile.item)).status, 201)
  assert.equal((await report(inBrazil, random, brazil.item)).status, 201)
  assert.equal((await report(inBrazil, `1-${brazil.item}_092026`, brazil.item)).status, 201)
})
