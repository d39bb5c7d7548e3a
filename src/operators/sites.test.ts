import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  checkoutOf,
  createSiteMarket,
  jobOf,
  type SiteMarket,
} from '../../test/authorization/site-market.ts'
import { openTestApp, operatorToken, type TestApp } from '../../test/harness/app.ts'
import { openTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { putItem, putUser } from '../../test/harness/market.ts'
import { createKey, openAccount, sendAs, succeed } from '../../test/harness/operators.ts'
import { pollUntil } from '../../test/harness/wait.ts'
import { sql } from '../platform/database/sql.ts'

let database: TestDatabase
let app: TestApp
/** Another process on the same database. */
let other: TestApp
let chile: SiteMarket
let brazil: SiteMarket
/** Keys with all permissions on some sites. */
let inChile: string
let inBoth: string
before(async () => {
  database = await openTestDatabase()
  app = await openTestApp({ databaseUrl: database.url })
  other = await openTestApp({ databaseUrl: database.url })
  chile = await createSiteMarket(app, { site: 'MLC', digit: 1 })
  brazil = await createSiteMarket(app, { site: 'MLB', digit: 2 })
  inChile = (await createKey(app, { role: 'owner', sites: ['MLC'] })).key
  inBoth = (await createKey(app, { role: 'owner', sites: ['MLC', 'MLB'] })).key
})
after(async () => {
  await other.close()
  await app.close()
  await database.drop()
})

const get = (path: string, token = inChile) => sendAs(app, token, 'GET', `/operator/${path}`)
const codeOf = async (answer: ReturnType<typeof get>) => {
  const { status, body } = await answer
  return `${status} ${body?.error ?? ''}`
}
const idsOf = (users: { id: number }[]) => users.map(({ id }) => id)

test('a list is of the only site, and with several it names one of them', async () => {
  const own = await succeed(get('users'))
  assert.deepEqual(idsOf(own.users), [chile.seller, chile.buyer])
  assert.equal(await codeOf(get('users', inBoth)), '403 site_denied')
  const named = await succeed(get('users?site_id=MLB', inBoth))
  assert.deepEqual(idsOf(named.users), [brazil.seller, brazil.buyer])
  assert.equal(await codeOf(get('users?site_id=MLA', inBoth)), '403 site_denied')
})

test('pages and cursors of a list count nothing of other sites', async () => {
  await putUser(app.client, brazil.buyer + 1, { site_id: 'MLB' })
  const page = await succeed(get(`users?limit=2`))
  assert.deepEqual([idsOf(page.users), page.next_after], [[chile.seller, chile.buyer], null])
  const byName = await succeed(get('users?nickname=zz'))
  assert.equal(byName.users.length, 2)
})

test('a seller with a listing on another site is not searched, because sales may be there too', async () => {
  await putUser(app.client, 901, { site_id: 'MLC' })
  const search = () => codeOf(get('orders/search?seller=901'))
  assert.equal(await search(), '200 ')
  const listing = { seller_id: 901, site_id: 'MLB', currency_id: 'BRL' } as const
  await putItem(app.client, 'MLB901', { ...listing, category_id: 'MLB1580' })
  assert.equal(await search(), '403 site_denied')
  assert.equal(await codeOf(get('conversations?seller_id=901')), '403 site_denied')
  assert.equal(await codeOf(get('orders/search?seller=901', inBoth)), '200 ')
  assert.equal(await codeOf(get(`orders/search?buyer=${chile.buyer}`)), '403 site_denied')
})

test('an order of another site is not made, nor one for a buyer from there', async () => {
  const order = (body: object) => sendAs(app, inChile, 'POST', '/operator/orders', body)
  assert.equal((await order(checkoutOf(chile))).status, 201)
  const foreignBuyer = await order(checkoutOf({ ...chile, buyer: brazil.buyer }))
  const noBuyer = await order(checkoutOf({ ...chile, buyer: 99 }))
  assert.deepEqual([foreignBuyer.status, foreignBuyer.body], [400, noBuyer.body])
  const foreignItem = await order(checkoutOf({ ...chile, item: brazil.item }))
  assert.match(foreignItem.body.message, /^lines\[0\]\.item_id: expected a registered item/)
})

test('a listing is put into no category of another site, whose public counts stay as they are', async () => {
  const count = async () => {
    const { body } = await app.client.send('GET', '/categories/MLB1580', {})
    return body.total_items_in_this_category
  }
  const before = await count()
  const listing = {
    seller_id: chile.seller,
    site_id: 'MLC',
    title: 'Pava',
    currency_id: 'CLP',
    price: 1,
    available_quantity: 1,
  }
  const put = (category_id: string, token = inChile) =>
    sendAs(app, token, 'PUT', '/operator/items/MLC777', { ...listing, category_id })
  for (const category of ['MLB1580', 'MLB99999', 'zz']) {
    const { status, body } = await put(category)
    assert.equal(status, 400)
    assert.match(body.message, /^category_id: expected a category of MLC/)
  }
  assert.equal((await put('MLC1580')).status, 201)
  assert.equal(await count(), before)
})

test('idempotency keys of an account or API key are its own, and those of the token stay', async () => {
  const { key } = await createKey(app, { role: 'support' })
  const post = (token: string, path: string, body: object, repeated = 'k1') =>
    app.client.send('POST', `/operator/${path}`, {
      token,
      body,
      headers: { 'idempotency-key': repeated },
    })
  const orders: number[] = []
  for (const token of [operatorToken, key, inChile]) {
    const first = await post(token, 'orders', checkoutOf(chile))
    assert.deepEqual([first.status, first.headers.get('idempotent-replayed')], [201, null])
    const again = await post(token, 'orders', checkoutOf(chile))
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    assert.equal(again.body.id, first.body.id)
    orders.push(first.body.id)
  }
  assert.equal(new Set(orders).size, 3)
  const reused = await post(inChile, 'orders', { ...checkoutOf(chile), comments: 'x' })
  assert.equal(reused.body.error, 'idempotency_key_reused')
  const payment = { status: 'pending', transaction_amount: 10 }
  for (const token of [operatorToken, inChile]) {
    assert.equal((await post(token, `orders/${chile.order}/payments`, payment, 'p1')).status, 201)
  }
  const stored = await app.ctx.db.rows<{ key: string }>(sql`
    select key from idempotency_keys where key in ('k1', 'p1') order by key`)
  assert.deepEqual(
    stored.map(({ key }) => key),
    ['k1', 'p1'],
  )
})

test('nobody limited joins a pack or a shipment with an order of another site, whoever its buyer is', async () => {
  const order = (body: object, token = inChile) =>
    sendAs(app, token, 'POST', '/operator/orders', body)
  const abroad = { ...brazil, buyer: chile.buyer }
  const shipping = { mode: 'me2', logistic_type: 'drop_off', cost: 1 }
  const single = await succeed(order(checkoutOf(abroad), operatorToken))
  await succeed(order({ ...checkoutOf(abroad), pack_id: 71 }, operatorToken))
  // A seller with listings on both sites, and a shipment that carries an order of each.
  const both = `MLB${chile.seller}`
  await putItem(app.client, both, {
    seller_id: chile.seller,
    site_id: 'MLB',
    currency_id: 'CLP',
    category_id: 'MLB1580',
    available_quantity: 10,
  })
  const lines = [{ item_id: both, quantity: 1 }]
  const mixed = { ...checkoutOf(chile), lines, shipping: { ...shipping, id: 72 } }
  await succeed(order(mixed, operatorToken))
  const before = await app.ctx.db.rows(sql`select * from orders order by id`)
  const refused = [
    { pack_id: brazil.order },
    { pack_id: single.id },
    { pack_id: 71 },
    { id: 71 },
    { shipping: { ...shipping, id: 72 } },
  ]
  for (const fields of refused) {
    const { status, body } = await order({ ...checkoutOf(chile), ...fields })
    const [name = ''] = Object.keys(fields)
    assert.deepEqual([status, body.error], [409, 'id_taken'], body.message)
    assert.match(body.message, RegExp(`^${name === 'shipping' ? 'shipping.id' : name}: expected`))
  }
  assert.deepEqual(await app.ctx.db.rows(sql`select * from orders order by id`), before)
  const own = await succeed(order({ ...checkoutOf(chile), pack_id: 73 }))
  for (const fields of [{ pack_id: 73 }, { id: 74, pack_id: 74 }, { pack_id: own.id }]) {
    await succeed(order({ ...checkoutOf(chile), ...fields }))
  }
})

test('of two operators of other sites who join a pack at once, one is refused', async () => {
  const inPeru = (await createKey(app, { role: 'owner', sites: ['MLC', 'MPE'] })).key
  await putUser(app.client, 902, { site_id: 'MPE' })
  const listing = {
    seller_id: 902,
    site_id: 'MPE',
    currency_id: 'PEN',
    available_quantity: 100,
  } as const
  await putItem(app.client, 'MPE902', { ...listing, category_id: 'MPE1580' })
  const ofBrazil = checkoutOf({ ...brazil, buyer: chile.buyer })
  const ofPeru = checkoutOf({ site: 'MPE', buyer: chile.buyer, item: 'MPE902' })
  const order = (at: TestApp, token: string, body: object) =>
    sendAs(at, token, 'POST', '/operator/orders', body)
  for (let id = 6_000; id < 6_030; id++) {
    const kind = id % 3
    // The pack is new, or has an order of a site that both may see, or one of them makes an order with its id.
    if (kind === 1) await succeed(order(app, inChile, { ...checkoutOf(chile), pack_id: id }))
    const answers = await Promise.all([
      order(app, inBoth, { ...ofBrazil, ...(kind === 2 ? { id } : { pack_id: id }) }),
      order(other, inPeru, { ...ofPeru, pack_id: id }),
    ])
    const statuses = answers.map(({ status }) => status)
    assert.deepEqual(statuses.toSorted(), [201, 409], `${id} ${answers[0].text} ${answers[1].text}`)
  }
})

test('a buyer of another site is read in an order of the own site, and not as a user', async () => {
  const body = checkoutOf({ ...chile, buyer: brazil.buyer })
  const { id } = await succeed(app.client.operator('POST', '/operator/orders', body))
  const read = await succeed(get(`orders/${id}`))
  assert.equal(read.buyer.id, brazil.buyer)
  assert.equal(await codeOf(get(`users/${brazil.buyer}`)), '404 not_found')
  const applications = async (token: string) => {
    const { applications } = await succeed(get(`orders/${id}/notifications`, token))
    return idsOf(applications).toSorted()
  }
  assert.deepEqual(await applications(inChile), [chile.application])
  assert.deepEqual(await applications(inBoth), [chile.application, brazil.application])
})

test('ids of other sites are taken, and stay as they are', async () => {
  const put = (path: string, body: object) => sendAs(app, inChile, 'PUT', `/operator/${path}`, body)
  const answers = [
    await put(`users/${brazil.buyer}`, { site_id: 'MLC', nickname: 'MINE' }),
    await put(`claims/${brazil.claim}`, { order_id: chile.order }),
    await put(`pictures/${brazil.picture}/errors`, {
      item_id: chile.item,
      message: 'x',
      source: 'https://example.com/a.jpg',
    }),
  ]
  assert.deepEqual(
    answers.map(({ status, body }) => `${status} ${body.error}`),
    ['409 id_taken', '409 id_taken', '400 bad_request'],
  )
  const user = await succeed(get(`users/${brazil.buyer}`, operatorToken))
  assert.equal(user.site_id, 'MLB')
})

test('of two who create a user at once, the one of another site is not overruled', async () => {
  for (let id = 5_000; id < 5_020; id++) {
    const body = { site_id: 'MLC', nickname: 'LIMITED' }
    const [limited] = await Promise.all([
      sendAs(app, inChile, 'PUT', `/operator/users/${id}`, body),
      putUser(other.client, id, { site_id: 'MLB' }),
    ])
    assert.ok([201, 409].includes(limited.status), limited.text)
    assert.equal((await succeed(get(`users/${id}`, operatorToken))).site_id, 'MLB')
  }
})

test('a switch and a note about another site are not shown with a rule of moderation', async () => {
  const path = '/operator/moderation/rules/link.short'
  const body = { enabled: false, site_id: 'MLB', note: 'for Brazil' }
  await succeed(app.client.operator('PUT', path, body))
  const own = { enabled: true, site_id: 'MLC' }
  const { switches } = await succeed(sendAs(app, inChile, 'PUT', path, own))
  assert.deepEqual(
    switches.map(({ site_id }: { site_id: string }) => site_id),
    ['MLC'],
  )
  const { text } = await get('moderation/rules')
  assert.doesNotMatch(text, /Brazil/)
  const forAll = await sendAs(app, inChile, 'PUT', path, { enabled: false })
  assert.equal(forAll.body.error, 'site_denied')
})

test('a job without a site, or of a release without sites, is started and seen by nobody limited', async () => {
  const start = (body: object) => sendAs(app, inChile, 'POST', '/operator/jobs', body)
  const { id } = await succeed(start(jobOf('MLC')))
  assert.equal(await codeOf(get(`jobs/${id}`)), '200 ')
  for (const body of [
    { kind: 'reindex', parameters: { of: 'orders' } },
    jobOf('MLB'),
    {
      kind: 'bulk_listing_change',
      parameters: { filter: { seller_id: chile.seller }, change: { status: 'paused' } },
    },
  ]) {
    assert.equal(await codeOf(start(body)), '403 site_denied')
  }
  await app.ctx.db.rows(sql`update jobs set site_id = null where id = ${id}`)
  assert.equal(await codeOf(get(`jobs/${id}`)), '404 not_found')
  const { jobs } = await succeed(get('jobs'))
  assert.ok(jobs.every((job: { id: string }) => job.id !== id))
})

test('an explanation is for operators of the site, and others are anybody', async () => {
  const explain = (site: string) =>
    sendAs(app, inChile, 'GET', `/sites/${site}/search?q=zz&explain=true`)
  assert.equal((await explain('MLC')).status, 200)
  assert.equal((await explain('MLB')).body.error, 'operator_only')
  assert.equal((await sendAs(app, inChile, 'GET', '/sites/MLB/search?q=zz')).status, 200)
})

test('a credential of an operator is no access token of a user', async () => {
  const { status } = await sendAs(app, inChile, 'GET', `/orders/${chile.order}`)
  assert.equal(status, 401)
})

test('sites that an account gets or loses count at once, in every process', async () => {
  const email = 'a@example.com'
  const { id, token } = await openAccount(app, { email, role: 'support', sites: ['MLC'] })
  const read = (at: TestApp, market: SiteMarket) =>
    sendAs(at, token, 'GET', `/operator/orders/${market.order}`)
  for (const at of [app, other]) {
    assert.equal((await read(at, chile)).status, 200)
    assert.equal((await read(at, brazil)).status, 404)
  }
  const path = `/operator/accounts/${id}`
  const changed = await app.client.operator('PATCH', path, { sites: ['MLB'] })
  assert.deepEqual(changed.body.sites, ['MLB'])
  assert.equal((await read(app, chile)).status, 404)
  await pollUntil('the other process knows', async () => (await read(other, chile)).status === 404)
  assert.equal((await read(other, brazil)).status, 200)
  const own = await succeed(sendAs(app, token, 'GET', '/operator/accounts/me'))
  assert.deepEqual(own.sites, ['MLB'])
  const all = await app.client.operator('PATCH', path, { sites: null })
  assert.equal(all.body.sites, null)
  assert.equal((await read(app, chile)).status, 200)
})

test('a rotated key keeps its sites', async () => {
  const { id } = await createKey(app, { role: 'support', sites: ['MLC'] })
  const rotated = await succeed(app.client.operator('POST', `/operator/keys/${id}/rotate`, {}))
  assert.deepEqual(rotated.sites, ['MLC'])
  assert.equal(await codeOf(get(`orders/${brazil.order}`, rotated.key)), '404 order_not_found')
})

test('an owner of some sites gives nobody access, and is not the last owner', async () => {
  const some = await openAccount(app, { email: 's@example.com', role: 'owner', sites: ['MLC'] })
  const invited = { email: 'i@example.com', name: 'I', role: 'support', sites: ['MLC'] }
  const invite = sendAs(app, some.token, 'POST', '/operator/accounts', invited)
  assert.equal(await codeOf(invite), '403 site_denied')
  const off = () => app.client.operator('PUT', '/operator/token', { is_enabled: false })
  assert.equal((await off()).body.error, 'owner_required')
  const all = await openAccount(app, { email: 'o@example.com', role: 'owner' })
  const path = `/operator/accounts/${all.id}`
  const narrowed = await app.client.operator('PATCH', path, { sites: ['MLC'] })
  assert.equal(narrowed.body.error, 'last_owner')
})

test('no sites at all and unknown ones are refused', async () => {
  for (const sites of [[], ['XXX'], ['MLA', 'MLA']]) {
    const body = { name: 'K', role: 'support', sites }
    const { status } = await app.client.operator('POST', '/operator/keys', body)
    assert.equal(status, 400)
  }
})
