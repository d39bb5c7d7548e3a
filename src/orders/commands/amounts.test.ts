import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import fc from 'fast-check'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import { createTestMarket, placeOrder, putKettle } from '../../../test/harness/market.ts'
import { propertyRuns } from '../../../test/harness/tier.ts'
import { sql } from '../../platform/database/sql.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
  await createTestMarket(app.client, null)
})
after(() => app.close())

contract(
  '2.2',
  'amounts of an order are the exact sums of its cents, whatever they are',
  async () => {
    const cents = fc.integer({ min: 1, max: 9_999_999 })
    const payment = fc.record({
      status: fc.constantFrom('approved', 'in_mediation', 'pending', 'rejected', 'refunded'),
      amount: cents,
      shipping: cents,
      taxes: cents,
      coupon: fc.nat({ max: 100 }),
    })
    const price = fc.record({ cents, quantity: fc.integer({ min: 1, max: 3 }) })
    await fc.assert(
      fc.asyncProperty(
        fc.array(price, { minLength: 1, maxLength: 3 }),
        fc.array(payment, { minLength: 1, maxLength: 3 }),
        async (prices, payments) => {
          await putKettle(app.client, 'MLA1001', 1_000)
          const order = await placeOrder(app.client, {
            shipping: undefined,
            lines: prices.map(({ cents, quantity }) => ({
              item_id: 'MLA1001',
              quantity,
              unit_price: cents / 100,
            })),
          })
          const total = prices.reduce((sum, { cents, quantity }) => sum + cents * quantity, 0)
          assert.equal(order.total_amount, total / 100)
          let [paid, credited] = [0, 0]
          for (const payment of payments) {
            const { status, amount, shipping, taxes, coupon } = payment
            const isCredited = status === 'approved' || status === 'in_mediation'
            if (isCredited) paid += amount + shipping + taxes - Math.min(coupon, amount)
            if (isCredited) credited += amount
            const path = `/operator/orders/${order.id}/payments`
            const answer = await app.client.operator('POST', path, {
              status,
              transaction_amount: amount / 100,
              shipping_cost: shipping / 100,
              taxes_amount: taxes / 100,
              coupon_amount: Math.min(coupon, amount) / 100,
            })
            assert.equal(answer.body.paid_amount, paid / 100)
            assert.equal(answer.body.status === 'paid', credited >= total)
          }
          const [row] = await app.ctx.db.rows<{ total: string; paid: string }>(sql`
          select total_amount as total, paid_amount as paid from orders
          where seller_id = ${order.seller.id} and id = ${order.id}`)
          assert.equal(Math.round(Number(row?.total) * 100), total, 'as the database keeps it')
          assert.equal(Math.round(Number(row?.paid) * 100), paid)
        },
      ),
      { numRuns: propertyRuns(25) },
    )
  },
)
