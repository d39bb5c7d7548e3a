import type { EventPageInput, HistoryEventRow } from '../../audit/history.ts'
import type { Db } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { ConversationKey } from '../store.ts'

/** The history of a conversation, without what was written. */

export const conversationEventKinds = [
  'message_sent',
  'message_held_back',
  'message_released',
  'message_read',
  'conversation_blocked',
] as const

/** Lists events of a conversation, the newest first. A message that was released keeps why it was held back. */
export async function listConversationEvents(
  db: Db,
  { sellerId, packId, before, key, limit }: EventPageInput & ConversationKey,
): Promise<HistoryEventRow[]> {
  return db.rows(sql`
    select at, kind, resource, details, key from (
      select at, kind, resource, details, step || ' ' || kind || ' ' || resource as key from (
        select date_created as at, 1 as step, 'message_sent' as kind, '/messages/' || id as resource,
          json_build_object('from_id', from_id)::text as details
        from messages where seller_id = ${sellerId} and pack_id = ${packId}
        union all
        select date_created, 2, 'message_held_back', '/messages/' || id,
          json_build_object(
            'reason', coalesce(details #>> '{moderation,finding,reason}',
              details #>> '{moderation,reason}'),
            'rule', details #>> '{moderation,finding,rule}')::text
        from messages
        where seller_id = ${sellerId} and pack_id = ${packId}
          and (details #>> '{moderation,finding}' is not null or status in ('moderated', 'rejected'))
        union all
        select (details #>> '{moderation,overruledAt}')::timestamptz, 3, 'message_released',
          '/messages/' || id, '{}'
        from messages
        where seller_id = ${sellerId} and pack_id = ${packId}
          and details #>> '{moderation,overruledAt}' is not null
        union all
        select date_read, 4, 'message_read', '/messages/' || id, json_build_object('to_id', to_id)::text
        from messages
        where seller_id = ${sellerId} and pack_id = ${packId} and date_read is not null
        union all
        select blocked_at, 5, 'conversation_blocked', '/packs/' || pack_id || '/sellers/' || seller_id,
          json_build_object('block', block)::text
        from conversations
        where seller_id = ${sellerId} and pack_id = ${packId} and blocked_at is not null
      ) events
    ) keyed
    where (at, key) < (${before}, ${key})
    order by at desc, key desc limit ${limit}`)
}
