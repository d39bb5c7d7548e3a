import type { Message } from '../../../messages/message.ts'
import { moderated, pastModeration } from '../../../messages/message.ts'
import type { Finding, ModerationContext } from '../../../messages/moderation/finding.ts'
import { moderate } from '../../../messages/moderation/moderate.ts'
import type { ModerationReason } from '../../../messages/moderation/reason.ts'
import { noTerms } from '../../../messages/moderation/terms/terms.ts'

/** What becomes of what is said. */

const known = new Map<string, Finding | null>()
/** What is said again and again is judged once, as long as there is not too much of it. */
const mostKnown = 20_000

/** What the marketplace finds in a text, of words that an operator has added to nothing. */
export function judged(text: string, about: Omit<ModerationContext, 'terms'>): Finding | null {
  const key = `${about.siteId} ${about.writer} ${about.billingAsked} ${text}`
  let finding = known.get(key)
  if (finding === undefined) {
    finding = moderate(text, { ...about, terms: noTerms })
    if (known.size < mostKnown) known.set(key, finding)
  }
  return finding
}

/** One copy too many of what a program sends: found by what else was sent, not by what it says. */
export function automatic(written: Message, at: Date): Message {
  const finding = { reason: 'AUTOMATIC_MESSAGE', rule: 'copies' } as const
  return moderated(written, { ...finding, from: 0, to: written.text.length }, at)
}

/** Of the time before anybody looked. */
export function unmoderated(written: Message, at: Date): Message {
  return { ...written, status: 'available', dateAvailable: at, moderation: pastModeration }
}

/** Waits to be put into the other one's language. */
export function untranslated(written: Message): Message {
  return written
}

/** Refused for good, as a marketplace did that looked at messages by hand. */
export function rejectedFor(reason: ModerationReason): (written: Message, at: Date) => Message {
  return (written, at) => ({
    ...written,
    status: 'rejected',
    moderation: { ...pastModeration, status: 'rejected', reason, date: at },
  })
}
