import type { VersionedThing } from '../../http/versions.ts'
import { Failure } from '../../kernel/failure.ts'
import { type ConversationRecord, emptyConversation } from '../conversation.ts'
import { readSale } from '../conversation-read-model.ts'
import { lockConversation } from '../store.ts'
import { conversationKeyOf } from './path.ts'

type Block = Pick<ConversationRecord, 'block' | 'blockedAt'>

/** The block of a conversation. Messages do not change it. */
export const versionedConversation: VersionedThing = {
  async lock(tx, { params: { pack_id: packId, seller_id: sellerId } }) {
    const key = conversationKeyOf({ pack_id: String(packId), seller_id: String(sellerId) })
    const sale = await readSale(tx, key)
    if (!sale) throw new Failure('not_found', `Conversation not found: ${key.packId}`)
    return stateOfConversation(await lockConversation(tx, sale))
  },
}

/** Returns what operators change of a conversation. */
export function stateOfConversation({ block, blockedAt }: Block = emptyConversation): Block {
  return { block, blockedAt }
}
