import { Type } from 'typebox'
import type { User } from '../identity/user.ts'
import { timestamp } from '../kernel/clock.ts'
import { Id, OrNull, Timestamp } from '../kernel/schema.ts'
import { ratings } from '../orders/order.ts'
import { authorOf, type Feedback } from './feedback.ts'

const PartyAnswer = Type.Object({
  nickname: Type.String(),
  id: Id,
  status: Type.String(),
  points: Type.Integer(),
})

export const FeedbackAnswer = Type.Object({
  reason: OrNull(Type.String()),
  item: Type.Object({
    price: Type.Number(),
    id: Type.String(),
    title: Type.String(),
    currency_id: Type.String(),
  }),
  role: Type.Enum(['seller', 'buyer']),
  extended_feedback: Type.Array(Type.Unknown()),
  date_created: Timestamp,
  fulfilled: Type.Boolean(),
  rating: Type.Enum([...ratings]),
  visibility_date: Timestamp,
  restock_item: Type.Optional(Type.Boolean()),
  message: OrNull(Type.String()),
  has_seller_refunded_money: OrNull(Type.Boolean()),
  site_id: Type.String(),
  modified: Type.Boolean(),
  from: PartyAnswer,
  id: Id,
  to: PartyAnswer,
  reply: OrNull(Type.String()),
  order_id: Id,
  app_id: OrNull(Type.String()),
  status: Type.String(),
})

const status = 'active'

/** The version of `renderOrderRating`. Raise it with every change to that text: stored texts of an earlier version are rendered
 * again in the background. */
export const orderRatingVersion = 1

/** Returns the rating as an order shows it, as JSON text. */
export function renderOrderRating({ id, dateCreated, fulfilled, rating }: Feedback): string {
  return JSON.stringify({ id, date_created: timestamp(dateCreated), fulfilled, rating, status })
}

/** Renders a rating. The `visibility_date` of a hidden one is the latest date on which it becomes visible. */
export function feedbackView(
  feedback: Feedback,
  { users, expirationDate }: { users: readonly User[]; expirationDate: Date },
): object {
  const { sellerId, buyerId, role, applicationId } = feedback
  const author = authorOf(feedback)
  return {
    reason: feedback.reason,
    item: feedback.item,
    role: role === 'sale' ? 'seller' : 'buyer',
    extended_feedback: [],
    date_created: timestamp(feedback.dateCreated),
    fulfilled: feedback.fulfilled,
    rating: feedback.rating,
    visibility_date: timestamp(feedback.visibilityDate ?? expirationDate),
    ...(role === 'sale' ? { restock_item: feedback.restockItem } : {}),
    message: feedback.message,
    has_seller_refunded_money: null,
    site_id: feedback.siteId,
    modified: feedback.modified,
    from: partyView(users, author),
    id: feedback.id,
    to: partyView(users, author === sellerId ? buyerId : sellerId),
    reply: feedback.reply,
    order_id: feedback.orderId,
    app_id: applicationId === null ? null : String(applicationId),
    status,
  }
}

/** `points` is always 0: Feria does not count them here. */
function partyView(users: readonly User[], id: number): object {
  const nickname = users.find((user) => user.id === id)?.nickname ?? ''
  return { nickname, id, status: 'active', points: 0 }
}
