import { isDeepStrictEqual } from 'node:util'
import { dayMs } from '../kernel/clock.ts'
import { badField, Failure } from '../kernel/failure.ts'
import type { SiteId } from '../kernel/sites.ts'
import { type Order, type Rating, withStockReturned } from '../orders/order.ts'

/** The accepted reasons of a rating that is not fulfilled. */
export const reasons = [
  'OUT_OF_STOCK',
  'SELLER_OUT_OF_STOCK',
  'SELLER_REGRETS',
  'SELLER_HOLIDAY',
  'SELLER_DID_NOT_ANSWER',
  'SELLER_DIDNT_TRY_TO_CONTACT_BUYER',
  'BUYER_REGRETS',
  'BUYER_NOT_ENOUGH_MONEY',
  'BUYER_DID_NOT_ANSWER',
  'BUYER_PAID_BUT_DID_NOT_RECEIVE',
  'DUBIOUS_BUYER',
  'THEY_DIDNT_ANSWER',
  'I_COULDNT_ANSWER',
  'THEY_NOT_HONORING_POLICIES',
  'DESCRIPTION_DIDNT_MATCH_ARTICLE',
  'UNAVAILABLE_PRODUCT',
  'MANUFACTURING_PRODUCT_NOT_FINISHED',
  'HIGH_COMMISSION',
  'HIGH_TAXES',
  'HIGH_SHIPMENT_COST',
  'WRONG_SHIPMENT_COST',
  'WRONG_RECEIVER_ADDRESS',
  'UNFRIENDLY_SHIPMENT_POLICY',
  'SHIPMENT_PROBLEM_OTHER',
  'OTHER_MY_RESPONSIBILITY',
  'OTHER_THEIR_RESPONSIBILITY',
] as const

/** The seller rates the `sale`, the buyer rates the `purchase`. */
export const feedbackRoles = ['sale', 'purchase'] as const
export type FeedbackRole = (typeof feedbackRoles)[number]

/** The fields of a rating that its author writes and may change. */
export interface RatingFields {
  fulfilled: boolean
  rating: Rating['rating']
  message: string
  /** Why the sale was not fulfilled; null when it was. */
  reason: string | null
  /** Whether the units of a sale that was not fulfilled go back into stock. Only the seller may set it. */
  restockItem: boolean
}

export interface Feedback extends RatingFields {
  id: number
  sellerId: number
  buyerId: number
  orderId: number
  role: FeedbackRole
  siteId: SiteId
  /** The first item of the order. */
  item: { price: number; id: string; title: string; currency_id: string }
  reply: string | null
  /** Whether its author has changed it. */
  modified: boolean
  /** The application whose token created it. */
  applicationId: number | null
  /** When it became visible to both parties; null while only its author may read it. */
  visibilityDate: Date | null
  dateCreated: Date
}

export function authorOf({ role, sellerId, buyerId }: Feedback): number {
  return role === 'sale' ? sellerId : buyerId
}

/** The body of a rating. `fulfilled` is not validated yet. */
export interface RatingBody {
  fulfilled?: unknown
  rating: RatingFields['rating']
  message: string
  reason?: string | null
  restock_item?: boolean
}

/** Validates the body of a rating. Throws `invalid_fulfilled`, also without a required reason, or a `bad_request`. */
export function validateRating(role: FeedbackRole, body: RatingBody): RatingFields {
  const { fulfilled, rating, message, reason = null, restock_item: restockItem = false } = body
  if (typeof fulfilled !== 'boolean' || (!fulfilled && reason === null)) {
    throw new Failure('invalid_fulfilled')
  }
  if (restockItem && role === 'purchase') {
    throw badField('restock_item', 'no such field from the buyer; only the seller may send it')
  }
  return { fulfilled, rating, message, reason: fulfilled ? null : reason, restockItem }
}

/** Ratings of an order are visible once its `expiration_date` has passed. */
interface RatingDeadline {
  expirationDate: Date
  now: Date
}

export function isExpired({ expirationDate, now }: RatingDeadline): boolean {
  return now > expirationDate
}

/** Returns a new rating of an order. Throws `not_fulfilled_feedback_in_order_expired` after the `expiration_date`, or an
 * error of `validateRating`. */
export function createFeedback(
  order: Order,
  facts: {
    id: number
    role: FeedbackRole
    body: RatingBody
    applicationId: number | null
    now: Date
  },
): Feedback {
  const { id, role, body, applicationId, now } = facts
  const content = validateRating(role, body)
  if (!content.fulfilled && isExpired({ ...order, now })) {
    throw new Failure('not_fulfilled_feedback_in_order_expired')
  }
  const { sellerId, buyerId, siteId, id: orderId } = order
  return {
    id,
    sellerId,
    buyerId,
    orderId,
    role,
    siteId,
    applicationId,
    ...content,
    item: boughtItem(order),
    reply: null,
    modified: false,
    visibilityDate: null,
    dateCreated: now,
  }
}

function boughtItem({ items: [line], currencyId }: Order): Feedback['item'] {
  return {
    price: line?.unit_price ?? 0,
    id: line?.item.id ?? '',
    title: line?.item.title ?? '',
    currency_id: currencyId,
  }
}

/** Returns the rating with its author's changes, or the same one when nothing changes. Throws `feedback_not_modifiable`
 * after a reply or the `expiration_date`. */
export function applyRatingChanges(
  previous: Feedback,
  changes: Partial<RatingBody>,
  deadline: RatingDeadline,
): Feedback {
  const { fulfilled, rating, message, reason, restockItem: restock_item } = previous
  const body = { fulfilled, rating, message, reason, restock_item, ...changes }
  const after = { ...previous, ...validateRating(previous.role, body) }
  if (isDeepStrictEqual(after, previous)) return previous
  if (previous.reply !== null || isExpired(deadline)) throw new Failure('feedback_not_modifiable')
  return { ...after, modified: true }
}

const replyDays = 14

/** Returns the rating with a reply. Throws `reply_already_exists`, or `reply_time_expired` 14 days after the rating. */
export function withReply(rating: Feedback, reply: string, now: Date): Feedback {
  if (rating.reply !== null) throw new Failure('reply_already_exists')
  if (now.getTime() > rating.dateCreated.getTime() + replyDays * dayMs) {
    throw new Failure('reply_time_expired')
  }
  return { ...rating, reply }
}

/** Returns the ratings of an order, visible if both parties have rated or the `expiration_date` has passed. */
export function withVisibility(ratings: readonly Feedback[], deadline: RatingDeadline): Feedback[] {
  const { expirationDate, now } = deadline
  return ratings.map((rating) => {
    if (rating.visibilityDate !== null) return rating
    if (isExpired(deadline)) {
      const { dateCreated } = rating
      return {
        ...rating,
        visibilityDate: dateCreated > expirationDate ? dateCreated : expirationDate,
      }
    }
    return ratings.length > 1 ? { ...rating, visibilityDate: now } : rating
  })
}

/** Whether this user may read a rating: its author always, the other party once it is visible. */
export function isReadable(feedback: Feedback, userId: number, deadline: RatingDeadline): boolean {
  const isParty = userId === feedback.sellerId || userId === feedback.buyerId
  const isVisible = feedback.visibilityDate !== null || isExpired(deadline)
  return isParty && (isVisible || authorOf(feedback) === userId)
}

/**
 * Returns the order with its copy of the ratings up to date. Visible ratings decide `fulfilled`: the buyer's, or else
 * the seller's. A seller who rates a sale as not fulfilled may return its units to stock.
 */
export function withRatings(order: Order, ratings: readonly Feedback[]): Order {
  const [sale, purchase] = (['sale', 'purchase'] as const).map((role) =>
    ratings.find((rating) => rating.role === role),
  )
  const isFreed =
    ratings.length > 0 && ratings.every(({ visibilityDate }) => visibilityDate !== null)
  const fulfilled = (isFreed ? (purchase ?? sale) : undefined)?.fulfilled ?? order.details.fulfilled
  const feedback = { sale: ratingOf(sale), purchase: ratingOf(purchase), isFreed }
  const rated = {
    ...order,
    details: { ...order.details, fulfilled },
    parts: { ...order.parts, feedback },
  }
  return sale?.restockItem && !sale.fulfilled ? withStockReturned(rated) : rated
}

function ratingOf(feedback: Feedback | undefined): Rating | null {
  return feedback ? { rating: feedback.rating, fulfilled: feedback.fulfilled } : null
}
