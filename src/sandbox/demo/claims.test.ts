import assert from 'node:assert/strict'

import { Compile } from 'typebox/compile'
import '../../http/check.ts'
import { contract } from '../../../test/harness/contract.ts'
import { ClaimAnswer, claimView } from '../../claims/view.ts'
import { reasons, withRatings, withVisibility } from '../../feedback/feedback.ts'
import { FeedbackAnswer, feedbackView } from '../../feedback/view.ts'
import { dayMs } from '../../kernel/clock.ts'
import { withClaim } from '../../orders/commands/claims.ts'
import { allDiscounts } from '../../orders/discount.ts'
import { withDerivedTags } from '../../orders/order.ts'
import { createDemoData } from './demo.ts'

const now = new Date('2026-03-10T15:00:00.000Z')
const worlds = [1, 2].map((seed) => createDemoData({ seed, now, orders: 500 }))
const users = worlds[0]?.users ?? []
const sales = worlds.flatMap(({ orders }) => [...orders])

contract('2.2', 'an order tells of its ratings and claims what they say', () => {
  for (const { order, feedback, claims } of sales) {
    const ratings = feedback.map((entry) => entry.feedback)
    const rated = ratings.length === 0 ? order : withRatings(order, ratings)
    assert.deepEqual(withDerivedTags(claims.reduce(withClaim, rated)), order, String(order.id))
    assert.equal(order.parts.mediations.length, claims.length)
  }
})

contract(
  '2.2',
  'nothing is hidden any more once the time for ratings is over, or both are given',
  () => {
    for (const { order, feedback } of sales) {
      const ratings = feedback.map((entry) => entry.feedback)
      assert.deepEqual(withVisibility(ratings, { ...order, now }), ratings, String(order.id))
      for (const { visibilityDate, dateCreated } of ratings) {
        if (visibilityDate) assert.ok(visibilityDate >= dateCreated && visibilityDate <= now)
      }
    }
  },
)

contract(['6.2', 'orders'], 'demo ratings and claims are such as are answered', () => {
  const rating = Compile(FeedbackAnswer)
  const claimed = Compile(ClaimAnswer)
  for (const { order, feedback, claims } of sales) {
    for (const { feedback: saleFeedback, lastUpdated } of feedback) {
      const { expirationDate } = order
      const [wrong] = rating.Errors(plain(feedbackView(saleFeedback, { users, expirationDate })))
      assert.equal(wrong, undefined, JSON.stringify(wrong))
      assert.ok(saleFeedback.message.length < 160)
      assert.ok(
        saleFeedback.reason === null ||
          (reasons as readonly string[]).includes(saleFeedback.reason),
      )
      assert.ok(saleFeedback.dateCreated >= order.dateCreated && lastUpdated <= now)
      if (saleFeedback.reply !== null) {
        assert.ok(Number(lastUpdated) - Number(saleFeedback.dateCreated) < 14 * dayMs)
      }
    }
    for (const claim of claims) {
      const [wrong] = claimed.Errors(plain(claimView(claim)))
      assert.equal(wrong, undefined, JSON.stringify(wrong))
      assert.ok(claim.dateCreated >= order.dateCreated && claim.lastUpdated <= order.lastUpdated)
      assert.equal(claim.resolution === null, claim.status === 'opened')
    }
  }
})

contract('2.7', 'demo discounts add up to what was taken off', () => {
  for (const { order } of sales) {
    const cut = order.items.reduce(
      (sum, line) => sum + (line.full_unit_price - line.unit_price) * line.quantity,
      0,
    )
    for (const { type, items, counter_currency } of allDiscounts(order)) {
      const total = items.reduce((sum, item) => sum + item.amounts.total, 0)
      const wanted =
        type === 'coupon'
          ? order.details.coupon.amount
          : type === 'cashback'
            ? counter_currency?.value
            : cut
      assert.ok(wanted !== undefined && Math.abs(total - wanted) < 0.001, String(order.id))
    }
  }
})

const plain = (value: object): unknown => JSON.parse(JSON.stringify(value))
