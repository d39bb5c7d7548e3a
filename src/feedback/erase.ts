import { isDeepStrictEqual } from 'node:util'
import { erasedText } from '../kernel/erased-text.ts'
import type { Tx } from '../platform/database/database.ts'
import { authorOf, type Feedback } from './feedback.ts'
import { listFeedback, saveFeedback } from './store.ts'

/**
 * Replaces what a user wrote in the ratings of an order: the message of the own rating, and the reply to the other
 * one. The ratings count as before. The transaction has locked the order. Returns the number of changed ratings.
 */
export async function eraseFeedback(
  tx: Tx,
  { userId, now, ...order }: { sellerId: number; orderId: number; userId: number; now: Date },
): Promise<number> {
  let erased = 0
  for (const before of await listFeedback(tx, order)) {
    const after = withoutTextsOf(before, userId)
    if (isDeepStrictEqual(after, { ...before })) continue
    await saveFeedback(tx, after, now)
    erased++
  }
  return erased
}

function withoutTextsOf(rating: Feedback, userId: number): Feedback {
  if (authorOf(rating) === userId) return { ...rating, message: erasedText }
  return { ...rating, reply: rating.reply === null ? null : erasedText }
}
