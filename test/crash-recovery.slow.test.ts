import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { TestClient } from './harness/client.ts'
import { contract } from './harness/contract.ts'
import {
  anaId,
  applicationId,
  brunoId,
  checkoutBody,
  createTestMarket,
  type MarketTokens,
} from './harness/market.ts'
import { type Program, startProgram } from './harness/program.ts'
import { openReceiver, type Receiver } from './harness/receiver.ts'
import { pollUntil } from './harness/wait.ts'

/**
 * One sale, walked from end to end against the started program: its embedded database, its loops,
 * a real receiver. Between each two steps everything is killed, now the program alone, now its
 * database with it, and started again on what they left.
 */
let dataDirectory: string
let receiver: Receiver
let program: Program
let testClient: TestClient
let crashes = 0

async function start(): Promise<void> {
  program = await startProgram({
    env: { FERIA_DATA: dataDirectory, FERIA_DEMO: 'off', FERIA_LOG_LEVEL: 'warn' },
  })
  testClient = new TestClient(program.address)
}

async function crash(): Promise<void> {
  await program.kill({ database: crashes++ % 2 === 1 })
  await start()
}

/** Deliveries by topic; the same one may come more than once (at least once), so attempts count. */
function deliveriesOf(topic: string): { attempts: number; resource: string }[] {
  return receiver.received.map(({ body }) => body).filter((body) => body.topic === topic)
}

before(async () => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'feria-crash-recovery-'))
  receiver = await openReceiver()
  await start()
})
after(async () => {
  await program?.stop()
  await receiver?.close()
  rmSync(dataDirectory, { recursive: true, force: true })
})

contract(
  ['4.5', '6.2', '6.3'],
  'a sale from end to end, with a crash between each two steps',
  async (t) => {
    let market: MarketTokens
    // biome-ignore lint/suspicious/noExplicitAny: an order as JSON
    let order: any
    const steps: [name: string, walk: () => Promise<void>][] = [
      [
        'the operator registers users, an application, its authorisation, tokens and listings',
        async () => {
          market = await createTestMarket(testClient, receiver.url)
        },
      ],
      [
        'a checkout makes the order, takes the stock and tells orders_v2',
        async () => {
          const body = checkoutBody({ coupon: { id: 77, amount: 100 }, pack_id: 424242 })
          const key = { 'idempotency-key': 'checkout-1' }
          const response = await testClient.operator('POST', '/operator/orders', body, key)
          assert.equal(response.status, 201, response.text)
          order = response.body
          assert.equal(order.status, 'confirmed')
          assert.ok(order.date_closed, 'date_closed is set when it is first confirmed')
          const item = await testClient.operator(
            'GET',
            `/operator/items/MLA1001?seller_id=${anaId}`,
          )
          assert.equal(item.body.stock[0].available_quantity, 9)
          await pollUntil(
            'the notification of the new sale',
            () => deliveriesOf('orders_v2').length > 0,
          )
        },
      ],
      [
        'the same checkout again is the same order, and takes no stock again',
        async () => {
          const body = checkoutBody({ coupon: { id: 77, amount: 100 }, pack_id: 424242 })
          const key = { 'idempotency-key': 'checkout-1' }
          const again = await testClient.operator('POST', '/operator/orders', body, key)
          assert.equal(again.status, 201)
          assert.equal(again.body.id, order.id)
          assert.equal(again.headers.get('idempotent-replayed'), 'true')
          const item = await testClient.operator(
            'GET',
            `/operator/items/MLA1001?seller_id=${anaId}`,
          )
          assert.equal(item.body.stock[0].available_quantity, 9)
        },
      ],
      [
        'more than the stock is refused',
        async () => {
          const lines = [{ item_id: 'MLA1002', quantity: 2 }]
          const refused = await testClient.operator(
            'POST',
            '/operator/orders',
            checkoutBody({ lines }),
          )
          assert.equal(refused.status, 409)
          assert.match(refused.body.message, /^lines\[0\]\.quantity: /)
        },
      ],
      [
        'seller and buyer read the order; others are refused',
        async () => {
          for (const token of [market.anaToken, market.brunoToken]) {
            const { status, body } = await testClient.get(`/orders/${order.id}`, token)
            assert.equal(status, 200)
            assert.deepEqual([body.seller.id, body.buyer.id], [anaId, brunoId])
          }
          const refusals: [path: string, token: string | undefined, error: string][] = [
            [`/orders/${order.id}`, undefined, 'not_identified_user'],
            [`/orders/${order.id}`, 'unknown', 'not_found'],
            [`/orders/${order.id}`, market.carlaToken, 'not_owned_order'],
            ['/orders/x', market.anaToken, 'invalid_order_id'],
            ['/orders/1', market.anaToken, 'order_not_found'],
          ]
          for (const [path, token, error] of refusals) {
            assert.equal((await testClient.get(path, token)).body.error, error)
          }
        },
      ],
      [
        'a payment is refused by the receiver with a 500 and parked',
        async () => {
          receiver.responseStatus = 500
          const path = `/operator/orders/${order.id}/payments`
          const payment = { id: 5551, status: 'approved', transaction_amount: 1999.9 }
          const paid = await testClient.operator('POST', path, payment)
          assert.equal(paid.status, 201, paid.text)
          assert.equal(paid.body.status, 'paid')
          await pollUntil(
            'the refused notification of the payment',
            () => deliveriesOf('payments').length > 0,
          )
          await pollUntil('its place in the missed feed', async () => {
            const missed = await testClient.get(
              `/missed_feeds?app_id=${applicationId}`,
              market.anaToken,
            )
            return missed.body.messages.some((each: { topic: string }) => each.topic === 'payments')
          })
          receiver.responseStatus = 200
        },
      ],
      [
        'moving the clock brings the retry',
        async () => {
          receiver.received.length = 0
          const moved = await testClient.operator('POST', '/operator/clock', { advance: '12h' })
          assert.equal(moved.status, 200, moved.text)
          await pollUntil('the second attempt at the payment', () =>
            deliveriesOf('payments').some((body) => body.attempts === 2),
          )
          await pollUntil('an empty missed feed', async () => {
            // The tokens of before have expired: twelve hours have passed.
            market = await createTestMarket(testClient, receiver.url)
            const missed = await testClient.get(
              `/missed_feeds?app_id=${applicationId}`,
              market.anaToken,
            )
            return missed.body.messages.length === 0
          })
        },
      ],
      [
        'a change of the order is told; one that changes nothing is not',
        async () => {
          receiver.received.length = 0
          const path = `/operator/orders/${order.id}`
          const patch = { tags: { add: ['fraud_risk_detected'] } }
          for (let times = 0; times < 2; times++) {
            const changed = await testClient.operator('PATCH', path, patch)
            assert.equal(changed.status, 200, changed.text)
            assert.ok(changed.body.tags.includes('fraud_risk_detected'))
          }
          await pollUntil('the notification of the tag', () => deliveriesOf('orders_v2').length > 0)
        },
      ],
      [
        'the feed shows what was sent and what came back',
        async () => {
          // Created, paid, tagged; the change that was none is not there. What was under way when the
          // last crash came is sent, and written down, once the dead worker's hold has run out.
          const feed = await pollUntil('three notifications of the order', async () => {
            const read = await testClient.get(`/myfeeds?app_id=${applicationId}`, market.anaToken)
            assert.equal(read.status, 200)
            const tellings = read.body.messages.filter(
              (each: { topic: string }) => each.topic === 'orders_v2',
            )
            assert.ok(tellings.length <= 3)
            return tellings.length === 3 && read
          })
          const payment = feed.body.messages.find(
            (each: { topic: string }) => each.topic === 'payments',
          )
          assert.equal(payment.resource, '/collections/5551')
          assert.equal(payment.attempts, 2)
          assert.deepEqual(Object.keys(JSON.parse(payment.request.data)), [
            '_id',
            'resource',
            'user_id',
            'topic',
            'application_id',
            'attempts',
            'sent',
            'received',
          ])
          assert.equal(payment.request.url, receiver.url)
          assert.equal(payment.response.http_code, 200)
          assert.equal(payment.response.body, 'thank you')
          const topics = new Set(feed.body.messages.map((each: { topic: string }) => each.topic))
          assert.deepEqual([...topics].sort(), [
            'created_orders',
            'orders',
            'orders_v2',
            'payments',
          ])
        },
      ],
    ]
    for (const [index, [name, walk]] of steps.entries()) {
      if (index > 0) await crash()
      await t.test(name, walk)
    }
    assert.equal(crashes, steps.length - 1)
  },
)

test('SIGTERM ends it cleanly and the next start finds everything', async () => {
  assert.equal(await program.stop(), 0)
  await start()
  const clock = await testClient.operator('GET', '/operator/clock')
  assert.equal(clock.body.ahead_seconds, 12 * 3600)
})
