import { Failure } from '../kernel/failure.ts'
import { limitCombiningMarks } from '../kernel/text.ts'
import type { ConversationParty } from './sale.ts'

/** Maximum length of a message by sender, in graphemes. */
export const maxMessageLengths = { seller: 350, buyer: 3_500 } as const satisfies Record<
  ConversationParty,
  number
>
/** No emoji has more than 15 UTF-16 units, so a longer text is too long or holds an unsupported character. */
const maxUnits = 16 * maxMessageLengths.buyer

const graphemes = new Intl.Segmenter('es', { granularity: 'grapheme' })
/** ISO-8859-1 without control characters, except tab, line feed and carriage return. */
const latin1Text = /^[\t\n\r\x20-\x7e\xa0-\xff]*$/
const emoji = /^\p{RGI_Emoji}$/v
const variationSelector = /\uFE0F/gu
/** Characters that are text by default: people often write the emoji without its variation selector. */
const textByDefault = /(?!\p{Emoji_Presentation})\p{Emoji}(?!\p{Emoji_Modifier})/gv

/**
 * Returns the text as it is stored, in NFC: a letter typed with a separate accent becomes one ISO-8859-1 letter.
 * Throws `unsupported_text` or `message_too_long`.
 */
export function normalizeMessageText(original: string, writer: ConversationParty): string {
  if (original.length > maxUnits)
    throw new Failure('message_too_long', String(maxMessageLengths[writer]))
  const text = limitCombiningMarks(original).normalize('NFC')
  const isPlain = latin1Text.test(text)
  if (!isPlain && !isSupported(text)) throw new Failure('unsupported_text')
  // A text never has more graphemes than UTF-16 units.
  if (text.length <= maxMessageLengths[writer]) return text
  if (countGraphemes(text) > maxMessageLengths[writer]) {
    throw new Failure('message_too_long', String(maxMessageLengths[writer]))
  }
  return text
}

/** Returns whether a text has only ISO-8859-1 characters and emoji of the Unicode RGI set. */
export function isSupported(text: string): boolean {
  for (const { segment } of graphemes.segment(text)) {
    if (!latin1Text.test(segment) && !isEmoji(segment)) return false
  }
  return true
}

/** Counts graphemes: a flag or a family of four is one. A CRLF counts as two. */
export function countGraphemes(text: string): number {
  let length = 0
  for (const { segment } of graphemes.segment(text)) length += segment === '\r\n' ? 2 : 1
  return length
}

function isEmoji(segment: string): boolean {
  if (emoji.test(segment)) return true
  const qualified = segment.replace(variationSelector, '').replace(textByDefault, '$&\uFE0F')
  return emoji.test(qualified)
}
