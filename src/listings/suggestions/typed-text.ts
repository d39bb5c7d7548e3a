import { foldText } from '../../predictor/title/tokenize.ts'
import { functionWords } from '../../predictor/title/words.ts'
import { contraryOf, isDenied, negations, queryWords } from '../search/words/words.ts'

/** A text while it is typed into a search box. */
export interface TypedText {
  /** What stands before the last word, as it is written, with single spaces. */
  head: string
  /** The stems of the words in `head`, without function words. */
  stems: readonly string[]
  /** The last word, folded; empty when something stands after it. */
  prefix: string
  /** What goods are to be without, each folded; the last may be unfinished: *sin azu*. */
  denied: readonly string[]
}

/** What is no part of a word, a number or a model. */
const separators = /[^\p{L}\p{M}\p{N}.,'’"&+/-]+/gu
const openWord = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’]*$/u
const apostrophes = /['’]/g

/** Splits a typed text into its complete words and the one that is being typed. Control characters and most
 * punctuation count as spaces. */
export function parseTypedText(q: string): TypedText {
  const text = q.normalize('NFC').replace(separators, ' ')
  const open = openWord.exec(text)?.[0] ?? ''
  const before = text.slice(0, text.length - open.length).trim()
  const head = /[\p{L}\p{N}]/u.test(before) ? before : ''
  const stems = stemsOf(head).map((stem) => (isDenied(stem) ? contraryOf(stem) : stem))
  const prefix = foldText(open).replace(apostrophes, '')
  const words = foldText(text).split(' ')
  // Empty behind a space: *pan sin*.
  const denied = words.filter((_, at) => negations.has(words[at - 1] ?? ''))
  return { head, stems, prefix, denied }
}

/** Returns the stems of complete words, without function words. */
export function stemsOf(text: string): string[] {
  return queryWords(`${text} `).flatMap(({ typed, stem }) =>
    functionWords.has(typed) ? [] : [stem],
  )
}
