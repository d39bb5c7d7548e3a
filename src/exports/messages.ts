import { messageOwners } from '../messages/store.ts'
import { type ExportKind, nextKey } from './kind.ts'
import {
  countMessages,
  findMessageWindowEnd,
  type MessageExportFilter,
  type MessageKey,
  readExportedMessages,
} from './messages-read-model.ts'

/** Messages in the newer format, those that moderation holds back included. */
export const messageExport: ExportKind<MessageExportFilter, MessageKey> = {
  name: 'messages',
  columns: {
    id: 'id',
    site_id: 'site_id',
    from_user_id: 'from.user_id',
    to_user_id: 'to.user_id',
    resource_ids: 'message_resources.id',
    resource_names: 'message_resources.name',
    status: 'status',
    moderation_status: 'message_moderation.status',
    moderation_reason: 'message_moderation.reason',
    date_created: 'message_date.created',
    date_available: 'message_date.available',
    date_notified: 'message_date.notified',
    date_read: 'message_date.read',
    text: 'text',
    attachments: 'message_attachments.filename',
  },
  firstKey: [0, 0, ''],
  async findKey(db, id) {
    const owner = await messageOwners.find(db, id)
    return owner && [owner.sellerId, owner.packId, id]
  },
  findWindowEnd: findMessageWindowEnd,
  countRows: countMessages,
  async readPage({ db }, filter, range) {
    const rows = await readExportedMessages(db, filter, range)
    return {
      entries: rows.map(({ body }) => body),
      next: nextKey(rows, range, ({ sellerId, packId, id }) => [sellerId, packId, id]),
    }
  },
}
