import type { SiteId } from '../kernel/sites.ts'
import type { Finding } from './moderation/finding.ts'
import type { ModerationReason } from './moderation/reason.ts'

/** Where a message is on its way (contract 3.2). */
export const messageStatuses = [
  'available',
  'moderated',
  'rejected',
  'pending_translation',
] as const
export type MessageStatus = (typeof messageStatuses)[number]

/** Whether the receiver of a message in each status never gets it. */
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
  /** Read by the operator, never by a party. */
  finding: Finding | null
  /** When the operator let it pass all the same. */
  overruledAt: Date | null
}

/** Of a message that was sent before anybody moderated (contract 2.10). */
export const pastModeration: Moderation = {
  status: 'non_moderated',
  reason: null,
  source: null,
  date: null,
  finding: null,
  overruledAt: null,
}

/** A file that was sent with a message (wire 3), as it is answered. */
export interface AttachmentElement {
  /** The id, by which it is read. */
  filename: string
  original_filename: string
  type: string
  /** In bytes. */
  size: number
  potential_security_threat: boolean
  creation_date: string
}

/** A message between the parties of a pack (contract 2.10). */
export interface Message {
  /** 32 hex digits. */
  id: string
  sellerId: number
  buyerId: number
  /** A pack, or an order that is in none. */
  packId: number
  /** Which of the two it is. */
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
  /** Whether the conversation began with it. */
  isFirst: boolean
  /** The option of the action guide by which the seller sent it. */
  optionId: string | null
  dateCreated: Date
  dateAvailable: Date | null
  dateNotified: Date | null
  dateRead: Date | null
}

/** Contract 4.2: what was moderated is its writer's alone. */
export function isSeenBy({ status, fromId }: Pick<Message, 'status' | 'fromId'>, userId: number) {
  return status === 'available' || fromId === userId
}

/** The message once its moderation is decided: available at once, or held back with a reason
 * (contract 3.2). */
export function moderated(message: Message, finding: Finding | null, now: Date): Message {
  const moderation = { source: 'online', date: now, finding, overruledAt: null } as const
  if (finding) {
    const { reason } = finding
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

/** A held back message that the operator lets pass: as if it had been clean, from now on. What was
 * found stays with it. */
export function overruled(
  message: Message,
  { isFirst, now }: { isFirst: boolean; now: Date },
): Message {
  const { finding } = message.moderation
  const passed = moderated(message, null, now)
  return { ...passed, isFirst, moderation: { ...passed.moderation, finding, overruledAt: now } }
}
