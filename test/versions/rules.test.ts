import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { routes } from '../../src/app/routes.ts'
import { takesCondition } from '../../src/http/versioned-route.ts'
import { etagOf } from '../../src/http/versions.ts'
import { dayMs, hourMs, minuteMs } from '../../src/kernel/clock.ts'
import { versionedOrder } from '../../src/orders/commands/versioned-order.ts'
import { versionedShipment } from '../../src/orders/commands/versioned-shipment.ts'
import { openTestApp, type TestApp } from '../harness/app.ts'
import {
  anaId,
  applicationId,
  brunoId,
  createLongLivedTokens,
  type MarketTokens,
  placeOrder,
  putKettle,
  putUser,
} from '../harness/market.ts'
import { openAccount, succeed } from '../harness/operators.ts'
import { createVersionedMarket, linkIdentity } from './changes.ts'

/** Why these operations have no condition: they change nothing that an operator has read before. */
const creates = 'creates something'
const isOwn = 'is about the own account, which nobody else changes'
const movesOn = 'ends or moves what runs by itself: its version would be old at once'
const unshown = 'no operation of the operator shows what was there before'
const ofSandbox = 'steers the sandbox as a whole'
const withoutVersion: Record<string, string> = {
  'POST /operator/orders': creates,
  'POST /operator/accounts': creates,
  'POST /operator/keys': creates,
  'POST /operator/jobs': creates,
  'POST /operator/jobs/import': creates,
  'POST /operator/tokens': creates,
  'POST /operator/import': creates,
  'POST /operator/applications/:application_id/replays': creates,
  'POST /operator/applications/:application_id/signing-secrets': creates,
  'PUT /operator/applications/:application_id/listeners/:name': 'keeps a listener that exists',
  'POST /operator/moderation/try': 'changes nothing',
  'POST /operator/moderation/preview': 'changes nothing',
  'DELETE /operator/sessions/:session_id': isOwn,
  'POST /operator/sessions/verify': isOwn,
  'POST /operator/sessions/verify/openid/begin': isOwn,
  'POST /operator/sessions/verify/openid': isOwn,
  'POST /operator/accounts/me/identity/begin': isOwn,
  'POST /operator/accounts/me/identity': isOwn,
  'DELETE /operator/accounts/me/identity': isOwn,
  'PUT /operator/accounts/me/password': isOwn,
  'POST /operator/accounts/me/two-factor': isOwn,
  'POST /operator/accounts/me/two-factor/confirm': isOwn,
  'DELETE /operator/accounts/me/two-factor': isOwn,
  'POST /operator/accounts/me/recovery-codes': isOwn,
  'PATCH /operator/applications/:application_id/replays/:replay_id': movesOn,
  'POST /operator/applications/:application_id/notifications/:notification_id/retry': movesOn,
  'DELETE /operator/accounts/:id/sessions': movesOn,
  'POST /operator/jobs/:id/cancel': movesOn,
  'POST /operator/jobs/:id/retry': movesOn,
  'POST /operator/tokens/revoke': unshown,
  'PUT /operator/authorizations/:application_id/:user_id': unshown,
  'DELETE /operator/authorizations/:application_id/:user_id': unshown,
  'PUT /operator/users/:id/password': unshown,
  'PUT /operator/pictures/:picture_id/errors': unshown,
  'DELETE /operator/pictures/:picture_id/errors': unshown,
  'PUT /operator/users/:user_id/invoices/:invoice_id': unshown,
  'POST /operator/users/:id/erasure':
    'is final: the user asked for it, whatever was changed before',
  'POST /operator/messages/:message_id/overrule': 'is done once: a second one is refused',
  'POST /operator/clock': ofSandbox,
  'DELETE /operator/sandbox/receiver-faults': ofSandbox,
  'DELETE /operator/sandbox/answer-faults': ofSandbox,
  'POST /operator/sandbox/triggers/:name': ofSandbox,
  'POST /operator/sandbox/simulations': ofSandbox,
  'POST /operator/sandbox/simulations/:simulation_id/stop': ofSandbox,
  'PUT /operator/sandbox/snapshots/:name': ofSandbox,
  'POST /operator/sandbox/snapshots/:name/load': ofSandbox,
  'DELETE /operator/sandbox/snapshots/:name': ofSandbox,
}

const changing = routes.filter(({ scope, method }) => scope === 'operator' && method !== 'GET')

test('every change by an operator takes a condition, or there is a reason why not', () => {
  const without = changing.filter((route) => !takesCondition(route))
  assert.deepEqual(
    without.map(({ method, url }) => `${method} ${url}`).toSorted(),
    Object.keys(withoutVersion).toSorted(),
    'Give the operation a `versioned` thing, or write here why it has none.',
  )
})

let app: TestApp
let tokens: MarketTokens
before(async () => {
  app = await openTestApp({ env: { FERIA_RATE_PER_MINUTE: '1000000' } })
  await createVersionedMarket(app)
  tokens = await createLongLivedTokens(app.client)
  await putKettle(app.client, 'MLA1001', 1_000)
})
after(() => app.close())

const change = (method: string, path: string, body?: object, ifMatch?: string) =>
  app.client.operator(method, path, body, ifMatch === undefined ? {} : { 'if-match': ifMatch })

async function etagAt(path: string): Promise<string> {
  const answer = await change('GET', path)
  return answer.headers.get('etag') ?? assert.fail(`${path} answers no ETag: ${answer.text}`)
}

async function makeOrder(): Promise<string> {
  return `/operator/orders/${(await placeOrder(app.client)).id}`
}

test('an operation without versions refuses a condition instead of ignoring it', async () => {
  const { status, body } = await change('DELETE', '/operator/sandbox/answer-faults', undefined, '*')
  assert.deepEqual([status, body.error], [400, 'bad_request'])
  assert.match(body.message, /^If-Match: expected no such header/)
})

test('without a condition the last change wins, as before', async () => {
  const path = await makeOrder()
  for (const comments of ['one', 'two']) {
    assert.equal((await change('PATCH', path, { comments })).status, 200)
  }
  assert.equal((await change('GET', path)).body.comments, 'two')
})

test('without a condition no statement is sent for the version', async (t) => {
  const path = await makeOrder()
  const { shipping } = await succeed(change('GET', path))
  const unexpected = () => assert.fail('locked')
  const locks = [versionedOrder, versionedShipment].map((thing) =>
    t.mock.method(thing, 'lock', unexpected),
  )
  const shipment = `/operator/shipments/${shipping.id}`
  await succeed(change('GET', shipment))
  await succeed(change('PATCH', shipment, { tracking_number: 'T-2' }))
  await succeed(change('PATCH', path, { comments: 'x' }))
  const payment = { status: 'approved', transaction_amount: 10 }
  const paid = await change('POST', `${path}/payments`, payment)
  assert.equal(paid.headers.get('etag'), await etagAt(path), 'its answer shows the whole order')
  await makeOrder()
  assert.deepEqual(
    locks.map(({ mock }) => mock.callCount()),
    [0, 0],
  )
})

test('`*` is any version of something that exists', async () => {
  const user = { site_id: 'MLA', nickname: 'OTRA' }
  const missing = await change('PUT', '/operator/users/77001', user, '*')
  assert.deepEqual([missing.status, missing.body.error], [409, 'version_conflict'])
  assert.equal(missing.body.etag, null)
  assert.equal((await change('GET', '/operator/users/77001')).status, 404)
  await putUser(app.client, 77_001)
  assert.equal((await change('PUT', '/operator/users/77001', user, '*')).status, 200)
})

test('one of several versions is enough, and a proxy may have made them weak', async () => {
  const path = await makeOrder()
  const etag = await etagAt(path)
  const first = await change('PATCH', path, { comments: 'a' }, `"other", W/${etag}`)
  assert.equal(first.status, 200, first.text)
  assert.equal((await change('PATCH', path, { comments: 'b' }, `"other" , ${etag}`)).status, 409)
})

test('a malformed condition is refused and changes nothing', async () => {
  const path = await makeOrder()
  for (const header of ['', 'abc', '"abc', '"a" "b"', '*, "a"', `"${'a'.repeat(9_000)}`]) {
    const { status, body } = await change('PATCH', path, { comments: 'x' }, header)
    assert.deepEqual([status, body.error], [400, 'bad_request'], header.slice(0, 20))
  }
  // Its time is no time, so everything that is kept is listed.
  const odd = await change('PATCH', path, { comments: 'x' }, `"a.${'z'.repeat(300)}"`)
  assert.deepEqual([odd.status, odd.body.error], [409, 'version_conflict'])
  assert.equal((await change('GET', path)).body.comments, null)
})

test('the version is that of the state, whoever reads it and in whatever format', async () => {
  const path = await makeOrder()
  const [digest] = (await etagAt(path)).split('.')
  app.advance(hourMs)
  assert.equal((await etagAt(`${path}?as=seller`)).split('.')[0], digest)
  const { headers } = await app.client.operator('GET', path, undefined, { 'x-format-new': 'true' })
  assert.equal(headers.get('etag')?.split('.')[0], digest)
  const now = app.ctx.now()
  assert.equal(etagOf({ a: 1, b: { c: 2, d: 3 } }, now), etagOf({ b: { d: 3, c: 2 }, a: 1 }, now))
  assert.notEqual(etagOf({ a: [1, 2] }, now), etagOf({ a: [2, 1] }, now))
})

test('integrators get no version of an order, and their condition is none', async () => {
  const { id } = await placeOrder(app.client)
  const { headers } = await app.client.get(`/orders/${id}`, tokens.anaToken)
  assert.equal(headers.get('etag'), null)
  const note = await app.client.send('POST', `/orders/${id}/notes`, {
    token: tokens.anaToken,
    body: { note: 'x' },
    headers: { 'if-match': '"x"' },
  })
  assert.equal(note.status, 201, note.text)
})

test('what sellers and buyers change is a conflict as well, without an entry of an operator', async () => {
  app.advance(dayMs)
  const order = await placeOrder(app.client)
  const path = `/operator/orders/${order.id}`
  app.advance(hourMs)
  const etag = await etagAt(path)
  const rating = { fulfilled: true, rating: 'positive', message: 'Todo bien' }
  const token = tokens.brunoToken
  await succeed(app.client.send('POST', `/orders/${order.id}/feedback`, { token, body: rating }))
  const { status, body } = await change('PATCH', path, { comments: 'x' }, etag)
  assert.deepEqual([status, body.error, body.changes], [409, 'version_conflict', []])

  const item = `/operator/items/MLA1001?seller_id=${anaId}`
  const beforeSale = await etagAt(item)
  await placeOrder(app.client)
  assert.notEqual(await etagAt(item), beforeSale)
})

test('messages of the parties do not stand in the way of a block', async () => {
  const { id } = await placeOrder(app.client, { shipping: { mode: 'custom' } })
  const path = `/operator/conversations/packs/${id}/sellers/${anaId}`
  const etag = await etagAt(path)
  const text = { from: { user_id: String(anaId) }, to: { user_id: String(brunoId) }, text: 'Hola' }
  const sent = await app.client.send(
    'POST',
    `/messages/packs/${id}/sellers/${anaId}?tag=post_sale`,
    { token: tokens.anaToken, body: text },
  )
  assert.ok(sent.status < 300, sent.text)
  const { status } = await change('PATCH', path, { block: 'blocked_by_buyer' }, etag)
  assert.equal(status, 200)
})

test('a conflict says who changed what and when since the read, and of personal values only the names', async () => {
  app.advance(dayMs)
  await putUser(app.client, 77_002, { nickname: 'EVA', email: 'eva@example.com' })
  const path = '/operator/users/77002'
  app.advance(hourMs)
  const etag = await etagAt(path)
  const { token } = await openAccount(app, { email: 'maria@example.com', role: 'owner' })
  app.advance(minuteMs)
  const changedAt = app.ctx.now().toISOString()
  const body = {
    site_id: 'MLA',
    nickname: 'EVA_2',
    email: 'otra@example.com',
    status: 'deactivated',
  }
  const headers = { 'x-feria-reason': 'ticket 4711' }
  await succeed(app.client.send('PUT', path, { token, body, headers }))
  const refused = await change('PUT', path, { site_id: 'MLA', nickname: 'X' }, etag)
  assert.equal(refused.status, 409, refused.text)
  const [only, ...others] = refused.body.changes
  assert.deepEqual(others, [], 'nothing from before the read')
  const { id, before: old, after: current, ...rest } = only
  assert.ok(id)
  assert.deepEqual(rest, {
    date: changedAt,
    actor: rest.actor,
    actor_name: 'maria',
    operation: 'PUT /operator/users/{id}',
    target: { kind: 'user', id: '77002' },
    reason: 'ticket 4711',
    personal: [{ user_id: 77_002, fields: ['nickname', 'email'] }],
  })
  assert.deepEqual([old, current], [{ status: 'active' }, { status: 'deactivated' }])
  assert.doesNotMatch(refused.text, /example\.com|EVA/)
  assert.equal(refused.headers.get('etag'), refused.body.etag)
  const again = await change('PUT', path, { site_id: 'MLA', nickname: 'X' }, refused.body.etag)
  assert.equal(again.status, 200, 'the version of the refusal is the present one')
})

test('changes of a shipment and a claim are told to who changes their order', async () => {
  const order = await placeOrder(app.client)
  const path = `/operator/orders/${order.id}`
  app.advance(hourMs)
  const etag = await etagAt(path)
  const shipment = `/operator/shipments/${order.shipping.id}`
  const payment = { status: 'approved', transaction_amount: 5_000 }
  await succeed(change('POST', `${path}/payments`, payment))
  await succeed(change('PATCH', shipment, { tracking_number: 'T-1' }))
  await succeed(change('PUT', '/operator/claims/77003', { order_id: order.id }))
  const { status, body } = await change('PATCH', path, { comments: 'x' }, etag)
  assert.equal(status, 409)
  assert.deepEqual(
    body.changes.map(({ operation }: { operation: string }) => operation).toSorted(),
    [
      'PATCH /operator/shipments/{shipping_id}',
      'POST /operator/orders/{order_id}/payments',
      'PUT /operator/claims/{id}',
    ],
  )
})

test('what an operator changes of the questions of a user is no change of the user', async () => {
  app.advance(dayMs)
  const path = `/operator/users/${brunoId}`
  const etag = await etagAt(path)
  const options = { token: tokens.brunoToken, body: { item_id: 'MLA1001', text: '¿Hay?' } }
  const { id } = await succeed(app.client.send('POST', '/questions', options))
  await succeed(change('PATCH', `/operator/questions/${id}`, { hold: true }))
  const [version] = etag.split('.')
  assert.equal((await etagAt(path)).split('.')[0], version)
  const { status, body } = await change('PUT', path, { site_id: 'MLA', nickname: 'X' }, '"old.0"')
  assert.equal(status, 409)
  assert.deepEqual(
    [...new Set(body.changes.map(({ target }: { target: { kind: string } }) => target.kind))],
    ['user'],
  )
  assert.ok(body.changes.every((entry: object) => !('related' in entry)))
})

test('the sites of an account and its link to an identity are part of its version', async () => {
  const { id } = await openAccount(app, { email: 'sites@example.com', role: 'support' })
  const path = `/operator/accounts/${id}`
  const digest = async () => (await etagAt(path)).split('.')[0]
  const digests = [await digest()]
  await succeed(change('PATCH', path, { sites: ['MLA'] }))
  digests.push(await digest())
  await linkIdentity(app, id)
  digests.push(await digest())
  assert.equal(new Set(digests).size, 3)
})

test('a refusal of the operation itself, and a crash before the commit, leave the version', async () => {
  const path = await makeOrder()
  const etag = await etagAt(path)
  const refused = await change('PATCH', path, { tags: { add: ['paid'] } }, etag)
  assert.equal(refused.status, 400)
  const day = app.ctx.now().toISOString().slice(0, 10).replaceAll('-', '')
  const run = (text: string) => app.ctx.db.rows({ text, name: undefined, values: [] })
  // The entry cannot be written, so the transaction fails with its last statement.
  await run(`alter table audit_log rename to audit_log_away`)
  try {
    assert.ok((await change('PATCH', path, { comments: 'lost' }, etag)).status >= 500, day)
  } finally {
    await run('alter table audit_log_away rename to audit_log')
  }
  assert.equal((await change('PATCH', path, { comments: 'kept' }, etag)).status, 200)
})

test('of ten operators with the same version exactly one changes an order', async () => {
  const path = await makeOrder()
  const etag = await etagAt(path)
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => change('PATCH', path, { comments: `n${n}` }, etag)),
  )
  const winners = answers.filter(({ status }) => status === 200)
  assert.equal(winners.length, 1)
  assert.ok(answers.every(({ status }) => status === 200 || status === 409))
  assert.equal((await change('GET', path)).body.comments, winners[0]?.body.comments)
})

test('an order whose stored text is of an earlier release has the version that its lock finds', async () => {
  const order = await placeOrder(app.client)
  const path = `/operator/orders/${order.id}`
  await app.ctx.db.rows({
    text: 'update orders set body_version = 0, body = $1 where seller_id = $2 and id = $3',
    name: undefined,
    values: ['"id":1', anaId, order.id],
  })
  const changed = await change('PATCH', path, { comments: 'x' }, await etagAt(path))
  assert.equal(changed.status, 200, changed.text)
})

test('a queue without a row has a version', async () => {
  const path = `/operator/applications/${applicationId}/queue`
  const changed = await change('PATCH', path, { coalesces: true }, await etagAt(path))
  assert.equal(changed.status, 200, changed.text)
  assert.equal(changed.headers.get('etag'), await etagAt(path))
})
