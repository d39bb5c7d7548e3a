import type { Message } from '../../../messages/message.ts'
import { importedModeration, moderatedMessage } from '../../../messages/message.ts'
import type { ModerationContext, ModerationFinding } from '../../../messages/moderation/finding.ts'
import { moderate } from '../../../messages/moderation/moderate.ts'
import type { ModerationReason } from '../../../messages/moderation/reason.ts'
import { noTerms } from '../../../messages/moderation/terms.ts'

/** Moderation of demo messages. */

const findings = new Map<string, ModerationFinding | null>()
/** Repeated texts are moderated once. The cache stops growing at this size. */
const cacheLimit = 20_000

/** Returns the match of moderation in a text, without terms of the operator. */
export function moderateCached(
  text: string,
  about: Omit<ModerationContext, 'terms'>,
): ModerationFinding | null {
  const key = `${about.siteId} ${about.writer} ${about.billingAsked} ${text}`
  let finding = findings.get(key)
  if (finding === undefined) {
    finding = moderate(text, { ...about, terms: noTerms })
    if (findings.size < cacheLimit) findings.set(key, finding)
  }
  return finding
}

/** Rejects a message as a copy. The real rule compares it with other messages. */
export function rejectAsCopy(written: Message, at: Date): Message {
  const finding = { reason: 'AUTOMATIC_MESSAGE', rule: 'copies' } as const
  return moderatedMessage(written, { ...finding, from: 0, to: written.text.length }, at)
}

/** Passes a message of the time before moderation. */
export function skipModeration(written: Message, at: Date): Message {
  return { ...written, status: 'available', dateAvailable: at, moderation: importedModeration }
}

/** Leaves a message waiting for its translation. */
export function leaveUntranslated(written: Message): Message {
  return written
}

/** Rejects a message for good, as manual moderation does. */
export function rejectFor(reason: ModerationReason): (written: Message, at: Date) => Message {
  return (written, at) => ({
    ...written,
    status: 'rejected',
    moderation: { ...importedModeration, status: 'rejected', reason, date: at },
  })
}
