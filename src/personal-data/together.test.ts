import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { anaId, issueToken, placeOrder, putUser } from '../../test/harness/market.ts'
import {
  createMessagingMarket,
  messagesPath,
  placeCustomShippingOrder,
} from '../../test/harness/messaging.ts'
import { drain } from '../../test/harness/wait.ts'
import { sql } from '../platform/database/sql.ts'
import { eraseNextBatch, eraseNextBatches } from './commands.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
  await createMessagingMarket(app.client)
})
after(() => app.close())

let lastId = 7000

/** A buyer with so many purchases, each with a comment. */
async function putBuyer(purchases: number): Promise<{ id: number; orderIds: number[] }> {
  const id = ++lastId
  await putUser(app.client, id)
  const orderIds: number[] = []
  for (let n = 0; n < purchases; n++) {
    const order = await placeCustomShippingOrder(app.client, {
      buyer_id: id,
      comments: 'zqcomment',
    })
    orderIds.push(order.id)
  }
  return { id, orderIds }
}

async function start(id: number): Promise<void> {
  const { status, text } = await app.client.operator('POST', `/operator/users/${id}/erasure`)
  assert.equal(status, 202, text)
}

const erasureOf = async (id: number) =>
  (await app.client.operator('GET', `/operator/users/${id}/erasure`)).body

async function countComments(orderIds: readonly number[]): Promise<number> {
  const row = await app.ctx.db.row<{ n: number }>(sql`
    select count(*) as n from orders
    where id = any(${orderIds}::bigint[]) and details::text || body like '%zqcomment%'`)
  return row?.n ?? 0
}

test('two processes that erase a user at a time erase every row once', async () => {
  const { id, orderIds } = await putBuyer(60)
  assert.equal(await countComments(orderIds), 60)
  await start(id)
  await Promise.all(
    [1, 2].map(() =>
      drain(async () => {
        await start(id)
        return eraseNextBatches(app.ctx)
      }),
    ),
  )
  // The last of the two may have started it once more.
  await drain(() => eraseNextBatches(app.ctx))
  const erasure = await erasureOf(id)
  assert.deepEqual([erasure.state, erasure.erased.orders], ['finished', 60])
  assert.equal(await countComments(orderIds), 0)
})

test('of several erasures of a user that start at once, none loses the counts of the account', async () => {
  const { id } = await putBuyer(0)
  const path = `/operator/users/${id}/password`
  await app.client.operator('PUT', path, { password: 'a long password' })
  await Promise.all([1, 2, 3, 4, 5, 6].map(() => start(id)))
  await drain(() => eraseNextBatches(app.ctx))
  const { state, erased } = await erasureOf(id)
  // The row of the user and the password.
  assert.deepEqual([state, erased.account], ['finished', 2])
})

test('what is written while the erasure runs is erased by its next pass', async () => {
  const { id, orderIds } = await putBuyer(1)
  await start(id)
  while ((await erasureOf(id)).step !== 'sales') await eraseNextBatch(app.ctx, id)
  assert.equal(await countComments(orderIds), 0)
  const path = `/operator/orders/${orderIds[0]}`
  const patched = await app.client.operator('PATCH', path, { comments: 'zqcomment' })
  assert.equal(patched.status, 200)
  await drain(() => eraseNextBatches(app.ctx))
  assert.equal((await erasureOf(id)).state, 'finished')
  assert.equal(await countComments(orderIds), 0)
})

test('what is written after the erasure is erased when it is started again', async () => {
  const { id, orderIds } = await putBuyer(1)
  await start(id)
  await drain(() => eraseNextBatches(app.ctx))
  const path = `/operator/orders/${orderIds[0]}`
  await app.client.operator('PATCH', path, { comments: 'zqcomment' })
  await start(id)
  await drain(() => eraseNextBatches(app.ctx))
  const erasure = await erasureOf(id)
  assert.deepEqual([erasure.state, erasure.erased.orders], ['finished', 2])
  assert.equal(await countComments(orderIds), 0)
})

test('a sale of an erased buyer is found, counted and answered as before', async () => {
  const { id, orderIds } = await putBuyer(1)
  const anaToken = await issueToken(app.client, { user_id: anaId })
  const read = async () => (await app.client.get(`/orders/${orderIds[0]}`, anaToken)).body
  const search = async () => {
    await app.runPendingWork()
    const path = `/orders/search?seller=${anaId}&order.status=confirmed`
    return (await app.client.get(path, anaToken)).body.paging.total
  }
  const [before, total] = [await read(), await search()]
  await start(id)
  await drain(() => eraseNextBatches(app.ctx))
  const after = await read()
  assert.deepEqual(
    { ...after, buyer: null, comments: null },
    { ...before, buyer: null, comments: null },
  )
  assert.equal(after.comments, null)
  assert.equal(after.buyer.nickname, `ERASED_${id}`)
  assert.equal(await search(), total)
})

test('the other party can still read the conversation with an erased user', async () => {
  const { id, orderIds } = await putBuyer(1)
  const packId = orderIds[0] ?? 0
  const application_id = 700700
  const path = `/operator/authorizations/${application_id}/${id}`
  await app.client.operator('PUT', path, {})
  const token = await issueToken(app.client, { user_id: id, application_id })
  const sent = await app.client.send('POST', `${messagesPath(packId)}?tag=post_sale`, {
    token,
    body: { from: { user_id: `${id}` }, to: { user_id: `${anaId}` }, text: 'zqmessage' },
  })
  assert.equal(sent.status, 201, sent.text)
  await start(id)
  await drain(() => eraseNextBatches(app.ctx))
  const anaToken = await issueToken(app.client, { user_id: anaId })
  const page = await app.client.get(`${messagesPath(packId)}?tag=post_sale`, anaToken)
  assert.equal(page.status, 200, page.text)
  assert.deepEqual(
    page.body.messages.map(({ text }: { text: string }) => text),
    ['[erased]'],
  )
})

test('an order that a checkout has just made is not left with an address', async () => {
  const id = ++lastId
  await putUser(app.client, id)
  const order = await placeOrder(app.client, {
    buyer_id: id,
    shipping: {
      mode: 'me2',
      logistic_type: 'drop_off',
      cost: 1,
      receiver_address: { address_line: 'zqaddress' },
    },
  })
  assert.match(JSON.stringify(order), /zqaddress/)
  await start(id)
  await drain(() => eraseNextBatches(app.ctx))
  const { body } = await app.client.operator('GET', `/operator/orders/${order.id}`)
  assert.equal(body.shipping.receiver_address, null)
  const shipment = await app.client.operator('GET', `/operator/shipments/${order.shipping.id}`)
  assert.doesNotMatch(shipment.text, /zqaddress/)
})
