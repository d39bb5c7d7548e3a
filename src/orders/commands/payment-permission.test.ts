import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { createTestMarket, placeOrder, putKettle } from '../../../test/harness/market.ts'
import { createKey, openAccount, sendAs, succeed } from '../../../test/harness/operators.ts'
import { changesWhatWasPaid, type OrderStatus, orderStatuses, transitions } from '../status.ts'

let app: TestApp
let support: string
let both: string
before(async () => {
  app = await openTestApp()
  await createTestMarket(app.client, null)
  await putKettle(app.client, 'MLA1001', 200)
  support = (await openAccount(app, { email: 'support@example.com', role: 'support' })).token
  const permissions = ['orders:read', 'orders:write', 'finance:write']
  await succeed(app.client.operator('PUT', '/operator/roles/billing', { permissions }))
  both = (await createKey(app, { role: 'billing' })).key
})
after(() => app.close())

const approved = { transaction_amount: 109_999, status: 'approved' }

const patch = (token: string, id: number, body: object) =>
  sendAs(app, token, 'PATCH', `/operator/orders/${id}`, body)

async function orderIn(status: OrderStatus): Promise<number> {
  const { id } = await placeOrder(app.client)
  if (status !== 'confirmed') {
    await succeed(app.client.operator('PATCH', `/operator/orders/${id}`, { status }))
  }
  return id
}

test('orders:write alone changes neither the taxes nor the statuses that say what was paid', async () => {
  for (const [from, body] of [
    ['confirmed', { status: 'paid' }],
    ['confirmed', { status: 'partially_paid' }],
    ['confirmed', { status: 'payment_in_process' }],
    ['paid', { status: 'partially_refunded' }],
    ['paid', { status: 'confirmed' }],
    ['confirmed', { taxes: { amount: 5 } }],
    ['confirmed', { status: 'paid', comments: 'a gift' }],
  ] as const) {
    const id = await orderIn(from)
    const { body: stored } = await app.client.operator('GET', `/operator/orders/${id}`)
    const refused = await patch(support, id, body)
    assert.deepEqual([refused.status, refused.body.error], [403, 'permission_denied'])
    assert.match(refused.body.message, /finance:write/)
    assert.deepEqual((await app.client.operator('GET', `/operator/orders/${id}`)).body, stored)
    assert.equal((await patch(both, id, body)).status, 200)
  }
})

test('support changes everything else of an order, and cancels it, paid or not', async () => {
  const id = await orderIn('paid')
  for (const body of [
    { tags: { add: ['vip'] }, comments: 'calls back', fulfilled: true },
    { status: 'paid', taxes: { amount: 0 } },
    { status: 'pending_cancel' },
    { status: 'cancelled' },
  ]) {
    const { status, text } = await patch(support, id, body)
    assert.equal(status, 200, text)
  }
  const unpaid = await orderIn('confirmed')
  assert.equal((await patch(support, unpaid, { status: 'payment_required' })).status, 200)
  assert.equal((await patch(support, unpaid, { status: 'confirmed' })).status, 200)
  assert.equal((await patch(support, unpaid, { status: 'invalid' })).status, 200)
})

test('a status is set by two at a time with the permission of each', async () => {
  const id = await orderIn('confirmed')
  const answers = await Promise.all([
    patch(support, id, { status: 'paid' }),
    patch(both, id, { status: 'paid' }),
  ])
  // After the change of the other one, setting the same status changes nothing.
  assert.ok([200, 403].includes(answers[0]?.status ?? 0))
  assert.equal(answers[1]?.status, 200)
})

test('a paid order that waits to be cancelled becomes unpaid by finance alone, in any number of steps', async () => {
  const { id } = await placeOrder(app.client)
  const path = `/operator/orders/${id}`
  await succeed(app.client.operator('POST', `${path}/payments`, approved))
  await patch(support, id, { status: 'pending_cancel' })
  for (const status of ['confirmed', 'paid']) {
    const refused = await patch(support, id, { status })
    assert.deepEqual([refused.status, refused.body.error], [403, 'permission_denied'])
  }
  assert.equal((await patch(both, id, { status: 'confirmed' })).status, 200)
  assert.equal((await patch(support, id, { status: 'payment_required' })).status, 403)
  assert.equal((await patch(support, id, { status: 'cancelled' })).status, 200)
})

test('an order that was set to paid without a payment is a paid one, also when it waits to be cancelled', async () => {
  const unpaid = await orderIn('pending_cancel')
  assert.equal((await patch(support, unpaid, { status: 'confirmed' })).status, 200)
  const id = await orderIn('paid')
  await patch(support, id, { status: 'pending_cancel' })
  assert.equal((await patch(support, id, { status: 'confirmed' })).status, 403)
})

test('a payment that is approved while support confirms an order is not denied by it', async () => {
  const id = await orderIn('pending_cancel')
  const [payment, confirmed] = await Promise.all([
    app.client.operator('POST', `/operator/orders/${id}/payments`, approved),
    patch(support, id, { status: 'confirmed' }),
  ])
  assert.equal(payment.status, 201)
  const { body } = await app.client.operator('GET', `/operator/orders/${id}`)
  // Who came first decides: a payment of a confirmed order makes it paid.
  assert.deepEqual(
    [confirmed.status, body.status],
    confirmed.status === 200 ? [200, 'paid'] : [403, 'pending_cancel'],
  )
})

test('a paid order only leaves its status by finance, or by being cancelled', () => {
  const endings = ['cancelled', 'manually_cancelled', 'invalid']
  for (const hasMoney of [false, true]) {
    const allowed = orderStatuses.flatMap((status) =>
      transitions[status].flatMap((to) =>
        changesWhatWasPaid({ status, hasMoney }, to) ? [] : [`${status} > ${to}`],
      ),
    )
    const expected = orderStatuses.flatMap((from) =>
      transitions[from]
        .filter(
          (to) =>
            [...endings, 'pending_cancel'].includes(to) ||
            (!hasMoney &&
              ['payment_required', 'confirmed', 'pending_cancel'].includes(from) &&
              ['payment_required', 'confirmed'].includes(to)),
        )
        .map((to) => `${from} > ${to}`),
    )
    assert.deepEqual(allowed, expected)
  }
})
