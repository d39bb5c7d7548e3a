import { Failure } from '../../kernel/failure.ts'
import { limitCombiningMarks } from '../../kernel/text.ts'
import type { Viewpoint } from '../sale.ts'

/** How long a message may be (contract 8), in characters as people see them. */
export const longest = { seller: 350, buyer: 3_500 } as const satisfies Record<Viewpoint, number>
/** No emoji has more UTF-16 units than 15: a longer text has more characters, or one that is not taken. */
const mostUnits = 16 * longest.buyer

const graphemes = new Intl.Segmenter('es', { granularity: 'grapheme' })
/** ISO-8859-1 without its control characters, which are no text; lines and tabs are. */
const plain = /^[\t\n\r\x20-\x7e\xa0-\xff]*$/
const emoji = /^\p{RGI_Emoji}$/v
const variation = /\uFE0F/gu
/** What is drawn as text unless told otherwise, so that its emoji is often written without saying so. */
const drawnAsText = /(?!\p{Emoji_Presentation})\p{Emoji}(?!\p{Emoji_Modifier})/gv

/**
 * The text of a message as it is kept: accents composed, so that one typed as letter and accent is the
 * letter of ISO-8859-1 that it looks like. Throws what contract 7.3 refuses.
 */
export function messageText(given: string, writer: Viewpoint): string {
  if (given.length > mostUnits) throw new Failure('message_too_long', String(longest[writer]))
  const text = limitCombiningMarks(given).normalize('NFC')
  const isPlain = plain.test(text)
  if (!isPlain && !isSupported(text)) throw new Failure('unsupported_text')
  // Nothing is shorter than what it is made of.
  if (text.length <= longest[writer]) return text
  if (lengthOf(text) > longest[writer]) {
    throw new Failure('message_too_long', String(longest[writer]))
  }
  return text
}

/** Contract 4.2: ISO-8859-1, and the emoji that Unicode recommends for general interchange. */
export function isSupported(text: string): boolean {
  for (const { segment } of graphemes.segment(text)) {
    if (!plain.test(segment) && !isEmoji(segment)) return false
  }
  return true
}

/** In characters as people see them: a family of four or a flag is one. */
export function lengthOf(text: string): number {
  let length = 0
  for (const { segment } of graphemes.segment(text)) length += segment === '\r\n' ? 2 : 1
  return length
}

function isEmoji(segment: string): boolean {
  if (emoji.test(segment)) return true
  const whole = segment.replace(variation, '').replace(drawnAsText, '$&\uFE0F')
  return emoji.test(whole)
}
