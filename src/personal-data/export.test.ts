import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, operatorToken, type TestApp } from '../../test/harness/app.ts'
import {
  authorize,
  brunoId,
  createTestMarket,
  issueToken,
  placeOrder,
  putApplication,
  putItem,
  putUser,
} from '../../test/harness/market.ts'
import { openReceiver, type Receiver } from '../../test/harness/receiver.ts'

const ownerId = 6006
const ownedApplicationId = 810810

let app: TestApp
let receiver: Receiver
before(async () => {
  receiver = await openReceiver()
  app = await openTestApp()
  await createTestMarket(app.client, null)
  await putUser(app.client, ownerId)
  await putApplication(app.client, ownedApplicationId, {
    callback_url: receiver.url,
    topics: ['orders_v2', 'items'],
    owner_id: ownerId,
  })
  await authorize(app.client, ownedApplicationId, ownerId)
})
after(async () => {
  await app.close()
  await receiver.close()
})

const path = (id: number) => `/operator/users/${id}/personal-data`

interface Line {
  kind: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into lines of every kind
  data: any
}

async function exportOf(id: number): Promise<{ lines: Line[]; text: string }> {
  const { status, text } = await app.client.operator('GET', path(id))
  assert.equal(status, 200)
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line): Line => JSON.parse(line))
  return { lines, text }
}

test('the export has the listeners, the deliveries and the signing secrets of an application, without the secrets', async () => {
  const listener = `/operator/applications/${ownedApplicationId}/listeners/erp`
  assert.equal((await app.client.operator('PUT', listener, {})).status, 201)
  app.advance(1_000)
  const secrets = `/operator/applications/${ownedApplicationId}/signing-secrets`
  const { body } = await app.client.operator('POST', secrets, {})
  // More attempts than one page of the export.
  for (let n = 0; n < 101; n++) {
    await putItem(app.client, `MLA${810_000 + n}`, { seller_id: ownerId })
  }
  await app.runPendingWork()
  const { lines, text } = await exportOf(ownerId)
  const of = (kind: string) => lines.filter((line) => line.kind === kind).map(({ data }) => data)
  assert.deepEqual(
    of('listener').map(({ application_id, name }) => [application_id, name]),
    [[ownedApplicationId, 'erp']],
  )
  assert.deepEqual(
    of('signing_secret').map(({ id, date_expires }) => [id === body.id, date_expires === null]),
    [
      [false, false],
      [true, true],
    ],
  )
  assert.ok(!text.includes('whsec_'))
  const attempts = of('delivery_attempt')
  assert.ok(attempts.length > 100)
  assert.equal(new Set(attempts.map(({ seq }) => seq)).size, receiver.received.length)
  const [first] = attempts
  assert.deepEqual(
    [first.application_id, first.url, first.http_code, first.attempt],
    [ownedApplicationId, receiver.url, 200, 1],
  )
  assert.equal(JSON.parse(first.request_body).user_id, ownerId)
  assert.equal(lines.at(-1)?.kind, 'end')
})

test('the export has the discounts of a sale, for the seller until it is cancelled', async () => {
  await putItem(app.client, 'MLA820000', { seller_id: ownerId, available_quantity: 5 })
  const items = [{ id: 'MLA820000', quantity: 1, amounts: { total: 10, seller: 4 } }]
  const order = await placeOrder(app.client, {
    buyer_id: brunoId,
    lines: [{ item_id: 'MLA820000', quantity: 1 }],
    discounts: [{ type: 'discount', items, supplier: { offer_id: 'zqoffer' } }],
  })
  const discountsOf = async (id: number) => {
    const { lines } = await exportOf(id)
    const sale = lines.find(({ kind, data }) => kind === 'order' && data.id === order.id)
    return JSON.stringify(sale?.data.discounts)
  }
  assert.match(await discountsOf(ownerId), /zqoffer/)
  assert.match(await discountsOf(brunoId), /zqoffer/)
  const cancelled = await app.client.operator('PATCH', `/operator/orders/${order.id}`, {
    status: 'cancelled',
  })
  assert.equal(cancelled.status, 200)
  assert.equal(await discountsOf(ownerId), '[]')
  assert.match(await discountsOf(brunoId), /zqoffer/)
})

test('the export has the test users that a user created', async () => {
  const token = await issueToken(app.client, { user_id: ownerId })
  const body = { site_id: 'MLA' }
  const made = await app.client.send('POST', '/users/test_user', { token, body })
  assert.equal(made.status, 201, made.text)
  const kinds = async (id: number) =>
    (await exportOf(id)).lines.filter(({ kind }) => kind.startsWith('test_user'))
  const [line] = await kinds(ownerId)
  assert.deepEqual([line?.kind, line?.data.user_id], ['test_user', made.body.id])
  const [other] = await kinds(made.body.id)
  assert.deepEqual([other?.kind, other?.data.user_id], ['test_user_of', ownerId])
})

test('HEAD of an export says its type, and no length that it does not have', async () => {
  for (const url of [path(ownerId), '/operator/exports/listings', '/operator/audit-log/export']) {
    const { status, headers } = await fetch(app.address + url, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${operatorToken}` },
    })
    assert.deepEqual([status, headers.get('content-length')], [200, null], url)
    assert.match(headers.get('content-type') ?? '', /^application\/x-ndjson/)
  }
})
