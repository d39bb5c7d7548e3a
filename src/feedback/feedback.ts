import { isDeepStrictEqual } from 'node:util'
import { dayMs } from '../kernel/clock.ts'
import { badField, Failure } from '../kernel/failure.ts'
import type { SiteId } from '../kernel/sites.ts'
import { type Order, type Rating, withStockReturned } from '../orders/order.ts'

/** Why a sale came to nothing: a closed list of ours, in words that clients send. */
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

/** The seller rates the `sale`, the buyer the `purchase` (wire 2). */
export const roles = ['sale', 'purchase'] as const
export type Role = (typeof roles)[number]

/** What its author says in a rating, and may change of it. */
export interface RatingText {
  fulfilled: boolean
  rating: Rating['rating']
  message: string
  /** Why it was not fulfilled; null when it was. */
  reason: string | null
  /** The seller's: whether what was not sold after all goes back into stock. */
  restockItem: boolean
}

export interface Feedback extends RatingText {
  id: number
  sellerId: number
  buyerId: number
  orderId: number
  role: Role
  siteId: SiteId
  /** What was bought, as the order has it. */
  item: { price: number; id: string; title: string; currency_id: string }
  reply: string | null
  /** Whether its author has changed it since. */
  modified: boolean
  /** With whose token it was given. */
  applicationId: number | null
  /** Since when both parties may read it; null as long as only its author may. */
  visibilityDate: Date | null
  dateCreated: Date
}

export function authorOf({ role, sellerId, buyerId }: Feedback): number {
  return role === 'sale' ? sellerId : buyerId
}

/** Its words as they are sent. `fulfilled` is whatever came. */
export interface Saying {
  fulfilled?: unknown
  rating: RatingText['rating']
  message: string
  reason?: string | null
  restock_item?: boolean
}

/** What was said of a sale. Throws `invalid_fulfilled` (contract 7.5). */
export function wordsOf(role: Role, said: Saying): RatingText {
  const { fulfilled, rating, message, reason = null, restock_item: restockItem = false } = said
  if (typeof fulfilled !== 'boolean' || (!fulfilled && reason === null)) {
    throw new Failure('invalid_fulfilled')
  }
  if (restockItem && role === 'purchase') throw badField('restock_item', "the seller's word only")
  return { fulfilled, rating, message, reason: fulfilled ? null : reason, restockItem }
}

/** When an order's `expiration_date` has passed, nothing is hidden any more (contract 2.2). */
interface Deadline {
  expirationDate: Date
  now: Date
}

export function isOver({ expirationDate, now }: Deadline): boolean {
  return now > expirationDate
}

/** A first rating by this party. Throws what it may not be after the time for it. */
export function feedbackOf(
  order: Order,
  facts: { id: number; role: Role; said: Saying; applicationId: number | null; now: Date },
): Feedback {
  const { id, role, said, applicationId, now } = facts
  const words = wordsOf(role, said)
  if (!words.fulfilled && isOver({ ...order, now })) {
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
    ...words,
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

/** A rating after its author had second thoughts; the same one when they change nothing. Throws
 * `feedback_not_modifiable` once it has a reply or the time is over. */
export function changedFeedback(
  known: Feedback,
  asked: Partial<Saying>,
  deadline: Deadline,
): Feedback {
  const { fulfilled, rating, message, reason, restockItem: restock_item } = known
  const said = { fulfilled, rating, message, reason, restock_item, ...asked }
  const after = { ...known, ...wordsOf(known.role, said) }
  if (isDeepStrictEqual(after, known)) return known
  if (known.reply !== null || isOver(deadline)) throw new Failure('feedback_not_modifiable')
  return { ...after, modified: true }
}

const replyDays = 14

/** A rating with the reply of whom it is about (contract 7.5 and 8): one, within 14 days. */
export function repliedTo(known: Feedback, reply: string, now: Date): Feedback {
  if (known.reply !== null) throw new Failure('reply_already_exists')
  if (now.getTime() > known.dateCreated.getTime() + replyDays * dayMs) {
    throw new Failure('reply_time_expired')
  }
  return { ...known, reply }
}

/** An order's ratings, with those shown that are to be shown by now: both once both parties have
 * rated, and whatever there is when the time is over (wire 2). */
export function withShown(given: readonly Feedback[], deadline: Deadline): Feedback[] {
  const { expirationDate, now } = deadline
  return given.map((each) => {
    if (each.visibilityDate !== null) return each
    if (isOver(deadline)) {
      const { dateCreated } = each
      return {
        ...each,
        visibilityDate: dateCreated > expirationDate ? dateCreated : expirationDate,
      }
    }
    return given.length > 1 ? { ...each, visibilityDate: now } : each
  })
}

/** Whether this party may read a rating: its author always, the other one when it is shown. */
export function isReadable(feedback: Feedback, userId: number, deadline: Deadline): boolean {
  const isParty = userId === feedback.sellerId || userId === feedback.buyerId
  const isShown = feedback.visibilityDate !== null || isOver(deadline)
  return isParty && (isShown || authorOf(feedback) === userId)
}

/**
 * The order with what its ratings tell of it. Once they are shown, whether it was `fulfilled` is the
 * buyer's word, or the seller's where the buyer gave none. A seller who rates a sale as not fulfilled
 * may have its pieces back in stock.
 */
export function withRatings(order: Order, given: readonly Feedback[]): Order {
  const [sale, purchase] = (['sale', 'purchase'] as const).map((role) =>
    given.find((each) => each.role === role),
  )
  const isFreed = given.length > 0 && given.every(({ visibilityDate }) => visibilityDate !== null)
  const word = (isFreed ? (purchase ?? sale) : undefined)?.fulfilled ?? order.details.fulfilled
  const feedback = { sale: ratingOf(sale), purchase: ratingOf(purchase), isFreed }
  const rated = {
    ...order,
    details: { ...order.details, fulfilled: word },
    parts: { ...order.parts, feedback },
  }
  return sale?.restockItem && !sale.fulfilled ? withStockReturned(rated) : rated
}

function ratingOf(feedback: Feedback | undefined): Rating | null {
  return feedback ? { rating: feedback.rating, fulfilled: feedback.fulfilled } : null
}
