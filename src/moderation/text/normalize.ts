import { type FoldedText, foldMessageText, originalSpan } from '../fold/fold.ts'
import type { LinkText, TextSpan } from './span.ts'
import { spelledOutText } from './spelled-out.ts'
import { type NormalizedWord, splitIntoWords } from './words.ts'

/** A message prepared for the rules. */
export interface NormalizedText {
  folded: FoldedText
  /** The folded text. */
  text: string
  words: readonly NormalizedWord[]
  /** Number of digits in the text. */
  digitCount: number
  /** Texts to search for links. Empty when nothing can be a link. */
  linkTexts: readonly LinkText[]
}

export function normalizeText(text: string): NormalizedText {
  const folded = foldMessageText(text)
  const { words, digitCount } = splitIntoWords(folded.text)
  return {
    folded,
    text: folded.text,
    words,
    digitCount: digitCount,
    linkTexts: linkTextsOf(folded.text, words),
  }
}

function linkTextsOf(text: string, words: readonly NormalizedWord[]): LinkText[] {
  const views: LinkText[] = []
  if (/\S[.@]\S|:\/\//.test(text)) {
    views.push({ text, spanOf: (from, to) => ({ from, to }) })
  }
  const spoken = spelledOutText(text, words)
  return spoken ? [...views, spoken] : views
}

/** Returns the span of the original text that a span of the folded text comes from. */
export function originalSpanOf(
  { folded }: NormalizedText,
  span: TextSpan,
): { from: number; to: number } {
  return originalSpan(folded, span)
}
