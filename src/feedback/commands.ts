import type { Caller } from '../http/caller.ts'
import { Failure } from '../kernel/failure.ts'
import { commitOrder, lockOrderById } from '../orders/commands/commit.ts'
import type { StoredOrder } from '../orders/facets.ts'
import type { Order } from '../orders/order.ts'
import { listOrdersWithOverdueFeedback } from '../orders/store.ts'
import type { Context } from '../platform/context.ts'
import type { Tx } from '../platform/database/database.ts'
import {
  applyRatingChanges,
  authorOf,
  createFeedback,
  type Feedback,
  isReadable,
  type RatingBody,
  withRatings,
  withReply,
  withVisibility,
} from './feedback.ts'
import { feedbackOwners, listFeedback, saveFeedback } from './store.ts'

type Tools = Pick<Context, 'db' | 'now'>

/** Adds the caller's rating to an order, and returns its id. Throws `order_not_found`, `feedback_already_exists` or an
 * error of `createFeedback`. */
export async function rateOrder(
  { db, ids, now }: Tools & Pick<Context, 'ids'>,
  { orderId, caller, body }: { orderId: number; caller: Caller; body: RatingBody },
): Promise<number> {
  const id = await ids.next('feedback')
  await db.transaction(async (tx) => {
    const order = await lockOrderById(tx, orderId)
    const previous = await listFeedback(tx, { ...order, orderId })
    const role = order.sellerId === caller.userId ? 'sale' : 'purchase'
    if (previous.some((rating) => rating.role === role)) {
      throw new Failure('feedback_already_exists')
    }
    const { applicationId } = caller
    const rating = createFeedback(order, { id, role, body, applicationId, now: now() })
    feedbackOwners.insert(tx, rating)
    await commitRatings(tx, { order, previous, decided: [...previous, rating], now: now() })
  })
  return id
}

interface FeedbackRequest {
  id: number
  userId: number
}

/** Updates a rating of its author. Throws `feedback_not_found` for all other users. */
export async function updateFeedback(
  { db, now }: Tools,
  { changes, ...request }: FeedbackRequest & { changes: Partial<RatingBody> },
): Promise<void> {
  await db.transaction((tx) =>
    updateRating(tx, request, now(), (rating, order) => {
      if (authorOf(rating) !== request.userId) throw new Failure('feedback_not_found')
      return applyRatingChanges(rating, changes, { ...order, now: now() })
    }),
  )
}

/** Adds the reply of the rated party. Throws `feedback_not_found` for all other users, and while the rating is hidden. */
export async function replyToFeedback(
  { db, now }: Tools,
  { reply, ...request }: FeedbackRequest & { reply: string },
): Promise<void> {
  await db.transaction((tx) =>
    updateRating(tx, request, now(), (rating, order) => {
      const isReceiver = authorOf(rating) !== request.userId
      if (!isReceiver || !isReadable(rating, request.userId, { ...order, now: now() })) {
        throw new Failure('feedback_not_found')
      }
      return withReply(rating, reply, now())
    }),
  )
}

async function updateRating(
  tx: Tx,
  { id }: FeedbackRequest,
  now: Date,
  decide: (feedback: Feedback, order: Order) => Feedback,
): Promise<void> {
  const owner = await feedbackOwners.find(tx, id)
  if (!owner) throw new Failure('feedback_not_found')
  const order = await lockOrderById(tx, owner.orderId)
  const previous = await listFeedback(tx, owner)
  const decided = previous.map((rating) => (rating.id === id ? decide(rating, order) : rating))
  await commitRatings(tx, { order, previous, decided, now })
}

const batchSize = 100

/**
 * Makes the hidden ratings of one batch of expired orders visible to searches and notifications; reads show them
 * without it. Returns whether there may be more. It locks and checks each order again, so several processes may run it
 * at once.
 */
export async function publishOverdueFeedback({ db, now }: Tools): Promise<boolean> {
  const overdue = await listOrdersWithOverdueFeedback(db, { now: now(), limit: batchSize })
  for (const orderId of overdue) {
    await db.transaction(async (tx) => {
      const order = await lockOrderById(tx, orderId)
      const previous = await listFeedback(tx, { ...order, orderId })
      await commitRatings(tx, { order, previous, decided: previous, now: now() })
    })
  }
  return overdue.length === batchSize
}

/** Saves the changed ratings of a locked order, makes those visible whose time has come, and saves the order. */
async function commitRatings(
  tx: Tx,
  { order, previous, decided, now }: RatingsCommit,
): Promise<void> {
  const after = withVisibility(decided, { ...order, now })
  for (const rating of after) if (!previous.includes(rating)) await saveFeedback(tx, rating, now)
  await commitOrder(tx, { before: order, decided: withRatings(order, after), now })
}

interface RatingsCommit {
  order: StoredOrder
  previous: readonly Feedback[]
  decided: readonly Feedback[]
  now: Date
}
