import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  createTestMarket,
  type MarketTokens,
  placeOrder,
  putKettle,
} from '../../../test/harness/market.ts'

let app: TestApp
let market: MarketTokens

before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
  await putKettle(app.client, 'MLA1001', 1_000)
})
after(() => app.close())

const call = (method: string, path: string, body?: unknown, token = market.anaToken) =>
  app.client.send(method, path, { token, body })
const textsOf = async (orderId: number, token = market.anaToken) => {
  const { body } = await call('GET', `/orders/${orderId}/notes`, undefined, token)
  return body[0].results.map(({ note }: { note: string }) => note)
}

contract(['1', '4.3', 'orders'], 'a note is written, read, rewritten and deleted', async () => {
  const order = await placeOrder(app.client)
  const path = `/orders/${order.id}/notes`
  const written = app.ctx.now().toISOString()
  const posted = await call('POST', path, { note: 'Frágil' })
  assert.equal(posted.status, 201, posted.text)
  const { id } = posted.body.note
  const note = { id, date_created: written, date_last_updated: written, note: 'Frágil' }
  assert.deepEqual(posted.body, { note })
  assert.deepEqual((await call('GET', path)).body, [{ results: [note], order_id: order.id }])

  app.advance(1_000)
  const put = await call('PUT', `${path}/${id}`, { note: 'Muy frágil' })
  assert.equal(put.status, 200)
  const later = { ...note, note: 'Muy frágil', date_last_updated: app.ctx.now().toISOString() }
  assert.deepEqual(put.body, { note: later })
  assert.deepEqual((await call('GET', path)).body[0].results, [later])

  const deleted = await call('DELETE', `${path}/${id}`)
  assert.equal(deleted.status, 200)
  assert.deepEqual(deleted.body, { note: null })
  assert.deepEqual((await call('GET', path)).body, [{ results: [], order_id: order.id }])
  assert.equal((await call('DELETE', `${path}/${id}`)).status, 404)
})

contract(
  ['4.3', 'orders'],
  'notes are answered newest first, also those of one moment',
  async () => {
    const order = await placeOrder(app.client)
    const path = `/orders/${order.id}/notes`
    for (const note of ['one', 'two']) await call('POST', path, { note })
    app.advance(1_000)
    await call('POST', path, { note: 'three' })
    assert.deepEqual(await textsOf(order.id), ['three', 'two', 'one'])
  },
)

contract(
  ['4.3', 'orders'],
  'the other party neither sees nor changes a note, nor can tell that there is one',
  async () => {
    const order = await placeOrder(app.client)
    const path = `/orders/${order.id}/notes`
    const mine = (await call('POST', path, { note: 'Cliente difícil' })).body.note
    const theirs = (await call('POST', path, { note: 'Regalo' }, market.brunoToken)).body.note
    assert.deepEqual(await textsOf(order.id), ['Cliente difícil'])
    assert.deepEqual(await textsOf(order.id, market.brunoToken), ['Regalo'])
    const tries: [method: string, id: number, token: string][] = [
      ['PUT', mine.id, market.brunoToken],
      ['DELETE', mine.id, market.brunoToken],
      ['PUT', theirs.id, market.anaToken],
      ['DELETE', theirs.id, market.anaToken],
      ['PUT', 999, market.anaToken],
      ['DELETE', 999, market.anaToken],
    ]
    for (const [method, id, token] of tries) {
      const body = method === 'PUT' ? { note: 'otra cosa' } : undefined
      const refused = await call(method, `${path}/${id}`, body, token)
      assert.equal(refused.status, 404, `${method} ${id}`)
      assert.equal(refused.body.message, `Note not found: ${id}`)
    }
    const elsewhere = await placeOrder(app.client)
    const astray = await call('DELETE', `/orders/${elsewhere.id}/notes/${mine.id}`)
    assert.equal(astray.status, 404, 'a note is found on its own order only')
    assert.deepEqual(await textsOf(order.id), ['Cliente difícil'])
    assert.deepEqual(await textsOf(order.id, market.brunoToken), ['Regalo'])
    const shown = await app.client.operator('GET', `/operator/orders/${order.id}`)
    assert.ok(!shown.text.includes('Regalo') && !shown.text.includes('Cliente'))
  },
)

contract(
  ['5', '7.5', 'orders'],
  'strangers have no notes on an order, and no token means no note',
  async () => {
    const order = await placeOrder(app.client)
    const path = `/orders/${order.id}/notes`
    const { id } = (await call('POST', path, { note: 'mía' })).body.note
    const cases: [path: string, token: string | undefined, status: number, error: string][] = [
      [`/orders/${order.id}/notes`, market.carlaToken, 403, 'not_owned_order'],
      [`/orders/${order.id}/notes`, undefined, 401, 'not_identified_user'],
      ['/orders/123456/notes', market.anaToken, 404, 'order_not_found'],
      ['/orders/x/notes', market.anaToken, 400, 'invalid_order_id'],
    ]
    for (const [at, token, status, error] of cases) {
      const asking = token === undefined ? {} : { token }
      const tries = [
        await app.client.send('POST', at, { ...asking, body: { note: 'x' } }),
        await app.client.send('PUT', `${at}/${id}`, { ...asking, body: { note: 'x' } }),
        await app.client.send('DELETE', `${at}/${id}`, asking),
      ]
      for (const refused of tries) {
        assert.equal(refused.status, status, at)
        assert.equal(refused.body.error, error, at)
      }
    }
    assert.deepEqual(await textsOf(order.id), ['mía'])
  },
)

contract(['4.3', 'orders'], 'a note has 1 to 300 characters, as a person counts them', async () => {
  const order = await placeOrder(app.client)
  const path = `/orders/${order.id}/notes`
  for (const note of ['x', 'ñ'.repeat(300), '🎁'.repeat(300)]) {
    const posted = await call('POST', path, { note })
    assert.equal(posted.status, 201, posted.text)
    assert.equal(posted.body.note.note, note)
  }
  const { id } = (await call('POST', path, { note: 'stays' })).body.note
  const before = await textsOf(order.id)
  for (const note of [
    '',
    'x'.repeat(301),
    '🎁'.repeat(301),
    `${'e\u0301'.repeat(150)}x`,
    5,
    null,
  ]) {
    for (const refused of [
      await call('POST', path, { note }),
      await call('PUT', `${path}/${id}`, { note }),
    ]) {
      assert.equal(refused.status, 400, String(note))
      assert.ok(refused.body.message.startsWith('note: expected'), refused.body.message)
    }
  }
  assert.equal((await call('POST', path, {})).status, 400)
  assert.equal((await call('POST', path)).status, 400)
  const odd = await call('PUT', `${path}/x`, { note: 'y' })
  assert.ok(odd.status === 400 && odd.body.message.startsWith('note_id: expected'))
  assert.deepEqual(await textsOf(order.id), before)
})

contract(
  ['4.3', 'orders'],
  'an author keeps at most 100 notes on an order, however many come at once',
  async () => {
    const order = await placeOrder(app.client)
    const path = `/orders/${order.id}/notes`
    const posts = Array.from({ length: 120 }, () => call('POST', path, { note: 'n' }))
    const answers = await Promise.all(posts)
    const refused = answers.filter(({ status }) => status !== 201)
    assert.equal(refused.length, 20)
    for (const { status, body } of refused) {
      assert.equal(status, 400)
      assert.match(body.message, /^note: expected at most 100 notes/)
    }
    assert.equal((await textsOf(order.id)).length, 100)
    const theirs = await call('POST', path, { note: 'n' }, market.brunoToken)
    assert.equal(theirs.status, 201, 'the other party has a hundred of its own')
  },
)
