import { erasedText } from '../kernel/erased-text.ts'
import type { Tx } from '../platform/database/database.ts'
import type { Message } from './message.ts'
import type { ConversationKey } from './store.ts'
import { deleteFingerprintsOf, lockWrittenMessages, saveMessageContent } from './store-erasure.ts'

/** Messages that are held in memory at once. */
const batchSize = 200

/**
 * Replaces what a user wrote in a conversation. The messages of the other party stay, and so does the state of the
 * conversation. Returns the number of changed messages.
 */
export async function eraseMessages(
  tx: Tx,
  { userId, ...conversation }: ConversationKey & { userId: number },
): Promise<number> {
  let erased = 0
  if (userId === conversation.sellerId) deleteFingerprintsOf(tx, userId)
  for (let hasMore = true; hasMore; ) {
    const messages = await lockWrittenMessages(tx, {
      ...conversation,
      fromId: userId,
      limit: batchSize,
    })
    for (const message of messages) saveMessageContent(tx, withoutContent(message))
    erased += messages.length
    hasMore = messages.length === batchSize
  }
  return erased
}

/** Returns a message without its content. The decision of moderation keeps its rule, and points at nothing any more. */
function withoutContent(message: Message): Message {
  const { moderation } = message
  const finding = moderation.finding && { ...moderation.finding, from: 0, to: 0 }
  return {
    ...message,
    text: erasedText,
    subject: null,
    attachments: [],
    moderation: { ...moderation, finding },
  }
}
