import type { Caller } from '../http/caller.ts'
import { Failure } from '../kernel/failure.ts'
import { commitOrder, lockOwned } from '../orders/commands/commit.ts'
import type { StoredOrder } from '../orders/facets.ts'
import type { Order } from '../orders/order.ts'
import type { Context } from '../platform/context.ts'
import type { Tx } from '../platform/database/database.ts'
import {
  authorOf,
  changedFeedback,
  type Feedback,
  feedbackOf,
  isReadable,
  repliedTo,
  type Saying,
  withRatings,
  withShown,
} from './feedback.ts'
import { feedbackOwners, listFeedback, listOverdue, saveFeedback } from './store.ts'

type Tools = Pick<Context, 'db' | 'now'>

/** A party rates the other one. Answers the rating's id. Throws the refusals of contract 7.5. */
export async function giveFeedback(
  { db, ids, now }: Tools & Pick<Context, 'ids'>,
  { orderId, caller, said }: { orderId: number; caller: Caller; said: Saying },
): Promise<number> {
  const id = await ids.next('feedback')
  await db.transaction(async (tx) => {
    const order = await lockOwned(tx, orderId)
    const known = await listFeedback(tx, { ...order, orderId })
    const role = order.sellerId === caller.userId ? 'sale' : 'purchase'
    if (known.some((each) => each.role === role)) throw new Failure('feedback_already_exists')
    const { applicationId } = caller
    const mine = feedbackOf(order, { id, role, said, applicationId, now: now() })
    feedbackOwners.insert(tx, mine)
    await commitRatings(tx, { order, known, decided: [...known, mine], now: now() })
  })
  return id
}

interface Touched {
  id: number
  userId: number
}

/** Its author changes a rating. Throws `feedback_not_found` to everybody else. */
export async function changeFeedback(
  { db, now }: Tools,
  { asked, ...touched }: Touched & { asked: Partial<Saying> },
): Promise<void> {
  await db.transaction((tx) =>
    changeOne(tx, touched, now(), (mine, order) => {
      if (authorOf(mine) !== touched.userId) throw new Failure('feedback_not_found')
      return changedFeedback(mine, asked, { ...order, now: now() })
    }),
  )
}

/** Whom a rating is about replies to it. Throws `feedback_not_found` to everybody else, and as long
 * as it is hidden. */
export async function replyToFeedback(
  { db, now }: Tools,
  { reply, ...touched }: Touched & { reply: string },
): Promise<void> {
  await db.transaction((tx) =>
    changeOne(tx, touched, now(), (received, order) => {
      const isReceiver = authorOf(received) !== touched.userId
      if (!isReceiver || !isReadable(received, touched.userId, { ...order, now: now() })) {
        throw new Failure('feedback_not_found')
      }
      return repliedTo(received, reply, now())
    }),
  )
}

async function changeOne(
  tx: Tx,
  { id }: Touched,
  now: Date,
  decide: (feedback: Feedback, order: Order) => Feedback,
): Promise<void> {
  const owner = await feedbackOwners.find(tx, id)
  if (!owner) throw new Failure('feedback_not_found')
  const order = await lockOwned(tx, owner.orderId)
  const known = await listFeedback(tx, owner)
  const decided = known.map((each) => (each.id === id ? decide(each, order) : each))
  await commitRatings(tx, { order, known, decided, now })
}

const batchSize = 100

/**
 * One turn: shows what is hidden of orders whose `expiration_date` has passed (contract 2.2), so that
 * searches and integrators learn of it; whoever reads sees it without. Each order is locked and looked
 * at again, so of two that work at once one finds nothing left to do.
 */
export async function freeFeedback({ db, now }: Tools): Promise<boolean> {
  const overdue = await listOverdue(db, { now: now(), limit: batchSize })
  for (const orderId of overdue) {
    await db.transaction(async (tx) => {
      const order = await lockOwned(tx, orderId)
      const known = await listFeedback(tx, { ...order, orderId })
      await commitRatings(tx, { order, known, decided: known, now: now() })
    })
  }
  return overdue.length === batchSize
}

/** Saves the ratings of a locked order, shown where it is time, and the order with them. */
async function commitRatings(tx: Tx, { order, known, decided, now }: Decision): Promise<void> {
  const after = withShown(decided, { ...order, now })
  for (const each of after) if (!known.includes(each)) await saveFeedback(tx, each, now)
  await commitOrder(tx, { before: order, decided: withRatings(order, after), now })
}

interface Decision {
  order: StoredOrder
  known: readonly Feedback[]
  decided: readonly Feedback[]
  now: Date
}
