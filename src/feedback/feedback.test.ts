import assert from 'node:assert/strict'
import { contract } from '../../test/harness/contract.ts'
import { minimalOrder, withOrderParts } from '../../test/harness/order.ts'
import type { Order } from '../orders/order.ts'
import {
  applyRatingChanges,
  createFeedback,
  type Feedback,
  type FeedbackRole,
  isReadable,
  type RatingBody,
  validateRating,
  withRatings,
  withReply,
  withVisibility,
} from './feedback.ts'

const at = (day: number, ms = 0) => new Date(Date.UTC(2026, 2, day) + ms)
const line = { item: { id: 'MLA1', title: 'Mate' }, unit_price: 5 } as Order['items'][number]
const order: Order = minimalOrder({
  id: 5,
  sellerId: 1001,
  buyerId: 2002,
  siteId: 'MLA',
  currencyId: 'ARS',
  expirationDate: at(20),
  dateClosed: at(1),
  items: [line],
  ...withOrderParts({ stock: 'taken' }),
})
const good: RatingBody = { fulfilled: true, rating: 'positive', message: 'As agreed' }
const bad: RatingBody = { ...good, fulfilled: false, rating: 'negative', reason: 'OUT_OF_STOCK' }

function feedbackOf(
  role: FeedbackRole,
  { body = good, now = at(1), more = {} as Partial<Feedback> } = {},
) {
  const id = role === 'sale' ? 1 : 2
  return { ...createFeedback(order, { id, role, body, applicationId: null, now }), ...more }
}

contract('7.5', 'fulfilled is true or false, and false needs a reason', () => {
  const refused: object[] = [
    {},
    ...[null, 'true', 1, 0, []].map((fulfilled) => ({ fulfilled, reason: 'OUT_OF_STOCK' })),
    { fulfilled: false },
    { fulfilled: false, reason: null },
  ]
  for (const body of refused)
    for (const role of ['sale', 'purchase'] as const)
      assert.throws(
        () => validateRating(role, { rating: 'positive', message: 'x', ...body }),
        /^Failure: 'fulfilled' parameter must be true or false\.$/,
        JSON.stringify(body),
      )
  assert.equal(validateRating('sale', bad).reason, 'OUT_OF_STOCK')
  assert.equal(
    validateRating('sale', { ...good, reason: 'OUT_OF_STOCK' }).reason,
    null,
    'it was fulfilled',
  )
})

contract('2.2', "what goes back into stock is the seller's word", () => {
  assert.equal(validateRating('sale', { ...bad, restock_item: true }).restockItem, true)
  assert.equal(validateRating('sale', bad).restockItem, false)
  assert.equal(validateRating('purchase', { ...bad, restock_item: false }).restockItem, false)
  assert.throws(
    () => validateRating('purchase', { ...bad, restock_item: true }),
    /^Failure: restock_item: /,
  )
})

contract('2.2', 'after expiration_date a first rating is of a fulfilled sale only', () => {
  const says = /^Failure: You can't submit a not fulfilled feedback after order has expired\.$/
  for (const role of ['sale', 'purchase'] as const) {
    assert.equal(feedbackOf(role, { body: bad, now: at(20) }).fulfilled, false)
    assert.throws(() => feedbackOf(role, { body: bad, now: at(20, 1) }), says)
    assert.equal(feedbackOf(role, { now: at(20, 1) }).fulfilled, true)
  }
})

contract('2.2', 'a rating is shown once both have rated or expiration_date has passed', () => {
  const cases: [why: string, rated: Feedback[], now: Date, shown: (Date | null)[]][] = [
    ['alone', [feedbackOf('sale')], at(2), [null]],
    ['alone, on the last moment', [feedbackOf('sale')], at(20), [null]],
    ['alone, after it', [feedbackOf('sale')], at(25), [at(20)]],
    ['both', [feedbackOf('sale'), feedbackOf('purchase')], at(2), [at(2), at(2)]],
    [
      'one was shown before',
      [feedbackOf('sale', { more: { visibilityDate: at(1) } })],
      at(2),
      [at(1)],
    ],
    ['given after it', [feedbackOf('purchase', { now: at(25) })], at(25), [at(25)]],
    [
      'the second given after it',
      [feedbackOf('sale'), feedbackOf('purchase', { now: at(25) })],
      at(25),
      [at(20), at(25)],
    ],
  ]
  for (const [why, rated, now, shown] of cases)
    assert.deepEqual(
      withVisibility(rated, { ...order, now }).map(({ visibilityDate }) => visibilityDate),
      shown,
      why,
    )
})

contract('2.2', 'who reads a rating: its author always, the other party when it is shown', () => {
  const [seller, buyer, stranger] = [1001, 2002, 3003]
  const cases: [rating: Feedback, now: Date, readers: number[]][] = [
    [feedbackOf('sale'), at(2), [seller]],
    [feedbackOf('purchase'), at(2), [buyer]],
    [feedbackOf('sale'), at(20), [seller]],
    [feedbackOf('sale'), at(20, 1), [seller, buyer]],
    [feedbackOf('purchase', { more: { visibilityDate: at(2) } }), at(2), [seller, buyer]],
  ]
  for (const [rating, now, readers] of cases)
    assert.deepEqual(
      [seller, buyer, stranger].filter((id) => isReadable(rating, id, { ...order, now })),
      readers,
    )
})

contract(
  '2.2',
  'an order says what its ratings say, and fulfilled by them once they are shown',
  () => {
    const shown = { more: { visibilityDate: at(2) } }
    const feedbackState = ({ parts, details }: Order) => [parts.feedback, details.fulfilled]
    const positive = { rating: 'positive', fulfilled: true }
    const negative = { rating: 'negative', fulfilled: false }
    const cases: [
      why: string,
      rated: Feedback[],
      feedback: object,
      fulfilled: boolean | undefined,
    ][] = [
      ['none', [], { sale: null, purchase: null, isFreed: false }, undefined],
      [
        'a hidden one',
        [feedbackOf('sale')],
        { sale: positive, purchase: null, isFreed: false },
        undefined,
      ],
      [
        "the seller's alone",
        [feedbackOf('sale', { body: bad, ...shown })],
        { sale: negative, purchase: null, isFreed: true },
        false,
      ],
      [
        "both: the buyer's counts",
        [feedbackOf('sale', { body: bad, ...shown }), feedbackOf('purchase', shown)],
        { sale: negative, purchase: positive, isFreed: true },
        true,
      ],
    ]
    for (const [why, rated, feedback, fulfilled] of cases)
      assert.deepEqual(feedbackState(withRatings(order, rated)), [feedback, fulfilled], why)
  },
)

contract('2.2', 'a seller who did not sell has the pieces back once, if asked for', () => {
  const restock = { ...bad, restock_item: true }
  const cases: [
    body: RatingBody,
    role: FeedbackRole,
    stock: Order['parts']['stock'],
    then: string,
  ][] = [
    [restock, 'sale', 'taken', 'returned'],
    [restock, 'sale', 'returned', 'returned'],
    [restock, 'sale', 'untouched', 'untouched'],
    [bad, 'sale', 'taken', 'taken'],
    [{ ...good, restock_item: true }, 'sale', 'taken', 'taken'],
    [bad, 'purchase', 'taken', 'taken'],
  ]
  for (const [body, role, stock, then] of cases) {
    const before = { ...order, ...withOrderParts({ stock }) }
    assert.equal(withRatings(before, [feedbackOf(role, { body })]).parts.stock, then)
  }
})

contract(
  '2.2',
  'its author changes a rating until it has a reply or expiration_date has passed',
  () => {
    const parts = feedbackOf('sale', { body: bad })
    const says = /^Failure: The feedback can not be changed/
    const now = { ...order, now: at(20) }
    const changed = applyRatingChanges(parts, { fulfilled: true, message: 'Sent at last' }, now)
    const words = { fulfilled: true, message: 'Sent at last', reason: null, modified: true }
    assert.deepEqual(changed, { ...parts, ...words })
    const late = { ...order, now: at(20, 1) }
    const replied = { ...parts, reply: 'Thanks' }
    assert.throws(() => applyRatingChanges(parts, { rating: 'neutral' }, late), says)
    assert.throws(() => applyRatingChanges(replied, { rating: 'neutral' }, now), says)
    assert.throws(
      () => applyRatingChanges(changed, { fulfilled: false }, now),
      /^Failure: 'fulfilled'/,
    )
    for (const [same, body, deadline] of [
      [parts, {}, now],
      [parts, bad, late],
      [replied, { rating: 'negative' }, now],
    ] as const)
      assert.equal(
        applyRatingChanges(same, body, deadline),
        same,
        'nothing changes, nothing is refused',
      )
  },
)

contract(['7.5', '8'], 'one reply, within 14 days of the rating', () => {
  const parts = feedbackOf('sale')
  assert.equal(withReply(parts, 'Thanks', at(15)).reply, 'Thanks')
  const late = /^Failure: Reply time expired\. There is a 14 days period to reply a feedback\.$/
  assert.throws(() => withReply(parts, 'Thanks', at(15, 1)), late)
  const twice = /^Failure: Reply already exists for the feedback\.$/
  assert.throws(() => withReply({ ...parts, reply: 'x' }, 'Thanks', at(2)), twice)
})
