import { type Folded, foldText, originalSpan } from './fold.ts'
import { spokenView } from './spoken.ts'
import type { TextSpan, View } from './view.ts'
import { type Word, wordsOf } from './words.ts'

/** A message prepared for the rules. */
export interface NormalizedText {
  folded: Folded
  /** The folded text. */
  text: string
  words: readonly Word[]
  /** Number of digits in the text. */
  digits: number
  /** Texts to search for links. Empty when nothing can be a link. */
  views: readonly View[]
}

export function readText(text: string): NormalizedText {
  const folded = foldText(text)
  const { words, digits } = wordsOf(folded.text)
  return { folded, text: folded.text, words, digits, views: viewsOf(folded.text, words) }
}

function viewsOf(text: string, words: readonly Word[]): View[] {
  const views: View[] = []
  if (/\S[.@]\S|:\/\//.test(text)) {
    views.push({ text, placeOf: (from, to) => ({ from, to }) })
  }
  const spoken = spokenView(text, words)
  return spoken ? [...views, spoken] : views
}

/** Returns the span of the original text that a span of the folded text comes from. */
export function spanOf({ folded }: NormalizedText, span: TextSpan): { from: number; to: number } {
  return originalSpan(folded, span)
}
