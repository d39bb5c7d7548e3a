import type { SiteId } from '../kernel/sites.ts'
import type { ModerationDecision } from '../moderation/decision.ts'
import type { ModerationReason } from '../moderation/reason.ts'

/** Delivery statuses of a message. */
export const messageStatuses = [
  'available',
  'moderated',
  'rejected',
  'pending_translation',
] as const
export type MessageStatus = (typeof messageStatuses)[number]

/** Whether a message of this status never reaches its receiver. */
const areHeldBack: Readonly<Record<MessageStatus, boolean>> = {
  available: false,
  moderated: true,
  rejected: true,
  pending_translation: false,
}

export function isHeldBack(status: MessageStatus): boolean {
  return areHeldBack[status]
}

export const moderationStatuses = ['clean', 'rejected', 'pending', 'non_moderated'] as const

export interface Moderation {
  status: (typeof moderationStatuses)[number]
  reason: ModerationReason | null
  source: 'online' | null
  date: Date | null
  /** Shown to the operator, never to a party. */
  finding: ModerationDecision | null
  /** When the operator released the message. */
  overruledAt: Date | null
}

/** The moderation of a message that was imported and never moderated. */
export const importedModeration: Moderation = {
  status: 'non_moderated',
  reason: null,
  source: null,
  date: null,
  finding: null,
  overruledAt: null,
}

/** An attachment as messages show it. Stored with the message. */
export interface AttachmentElement {
  /** The attachment id. */
  filename: string
  original_filename: string
  type: string
  /** In bytes. */
  size: number
  potential_security_threat: boolean
  creation_date: string
}

/** A message between the seller and the buyer of a pack. */
export interface Message {
  /** 32 hex digits. */
  id: string
  sellerId: number
  buyerId: number
  /** The pack id, or the order id of an order without a pack. */
  packId: number
  /** Whether `packId` is an order or a pack. */
  resource: 'orders' | 'packs'
  siteId: SiteId
  applicationId: number | null
  fromId: number
  toId: number
  subject: string | null
  text: string
  status: MessageStatus
  moderation: Moderation
  attachments: readonly AttachmentElement[]
  /** Whether it is the first available message of the conversation. */
  isFirst: boolean
  /** The option of the action guide by which the seller sent it. */
  optionId: string | null
  dateCreated: Date
  dateAvailable: Date | null
  dateNotified: Date | null
  dateRead: Date | null
}

/** Returns whether a party sees the message. Only the sender sees one that is not available. */
export function isVisibleTo(
  { status, fromId }: Pick<Message, 'status' | 'fromId'>,
  userId: number,
) {
  return status === 'available' || fromId === userId
}

/** Returns the message after moderation: available now, or `moderated` with the reason of the decision. */
export function moderatedMessage(
  message: Message,
  decision: ModerationDecision | undefined,
  now: Date,
): Message {
  const finding = decision ?? null
  const moderation = { source: 'online', date: now, finding, overruledAt: null } as const
  if (decision) {
    const { reason } = decision
    return {
      ...message,
      status: 'moderated',
      moderation: { ...moderation, status: 'rejected', reason },
    }
  }
  return {
    ...message,
    status: 'available',
    dateAvailable: now,
    moderation: { ...moderation, status: 'clean', reason: null },
  }
}

/** Returns a held-back message after the operator released it: available from now on. Its finding is kept. */
export function releasedMessage(
  message: Message,
  { isFirst, now }: { isFirst: boolean; now: Date },
): Message {
  const { finding } = message.moderation
  const released = moderatedMessage(message, undefined, now)
  return { ...released, isFirst, moderation: { ...released.moderation, finding, overruledAt: now } }
}
