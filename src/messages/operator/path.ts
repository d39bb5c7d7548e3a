import { Type } from 'typebox'
import { pathId } from '../../kernel/ids.ts'
import type { ConversationKey } from '../store.ts'

export const conversationUrl = '/operator/conversations/packs/:pack_id/sellers/:seller_id'
export const conversationParams = Type.Object({ pack_id: Type.String(), seller_id: Type.String() })

/** Returns the conversation that a path names. Throws `bad_request`. */
export function conversationKeyOf(params: { pack_id: string; seller_id: string }): ConversationKey {
  return {
    packId: pathId('pack_id', params.pack_id),
    sellerId: pathId('seller_id', params.seller_id),
  }
}
