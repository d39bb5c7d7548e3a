import { timestamp } from '../kernel/clock.ts'
import type { ConversationStatus } from './conversation.ts'
import type { Message } from './message.ts'

/** Returns a message in the new format. */
export function messageView(message: Message): object {
  const { moderation, attachments } = message
  return {
    id: message.id,
    site_id: message.siteId,
    client_id: message.applicationId,
    from: { user_id: message.fromId },
    to: { user_id: message.toId },
    status: message.status,
    subject: message.subject,
    text: message.text,
    message_date: datesView(message),
    message_moderation: {
      status: moderation.status,
      reason: moderation.reason,
      source: moderation.source,
      moderation_date: timestamp(moderation.date),
    },
    message_attachments: attachments.length === 0 ? null : attachments,
    message_resources: [
      { id: String(message.packId), name: 'packs' },
      { id: String(message.sellerId), name: 'sellers' },
    ],
    conversation_first_message: message.isFirst,
  }
}

function datesView(message: Message): object {
  return {
    received: timestamp(message.dateCreated),
    available: timestamp(message.dateAvailable),
    notified: timestamp(message.dateNotified),
    created: timestamp(message.dateCreated),
    read: timestamp(message.dateRead),
  }
}

/** Returns a message that the action guide sent, with the name of its receiver. */
export function sentOptionView(message: Message, { toName }: { toName: string }): object {
  return { ...messageView(message), to: { user_id: message.toId, name: toName } }
}

/** Returns a message in the legacy format. */
export function legacyMessageView(message: Message): object {
  const { moderation } = message
  return {
    message_id: message.id,
    date_created: timestamp(message.dateCreated),
    date: timestamp(message.dateCreated),
    date_received: timestamp(message.dateCreated),
    date_available: timestamp(message.dateAvailable),
    date_notified: timestamp(message.dateNotified),
    date_read: timestamp(message.dateRead),
    from: { user_id: message.fromId },
    to: [{ user_id: message.toId }],
    subject: message.subject,
    text: { plain: message.text },
    attachments: message.attachments,
    attachments_validations: {
      invalid_size: [],
      invalid_extension: [],
      forbidden: [],
      internal_error: [],
    },
    site_id: message.siteId,
    resource: message.resource,
    resource_id: String(message.packId),
    status: message.status,
    moderation: {
      status: moderation.status,
      date_moderated: timestamp(moderation.date),
      source: moderation.source,
    },
  }
}

/** Renders whether the conversation is open, and why not. */
export function conversationStatusView(
  status: ConversationStatus,
  { packId, sellerId }: { packId: number; sellerId: number },
): object {
  return {
    path: conversationPath({ packId, sellerId }),
    status: status.status,
    substatus: status.substatus,
    status_date: timestamp(status.since),
    status_update_allowed: false,
    claim_id: status.claimId,
    shipping_id: status.shippingId,
  }
}

export function conversationPath({ packId, sellerId }: { packId: number; sellerId: number }) {
  return `/packs/${packId}/sellers/${sellerId}`
}
