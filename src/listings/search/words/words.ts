import { foldText } from '../../../predictor/title/tokenize.ts'
import { stemOf, stopWords } from '../../../predictor/title/words.ts'
import { unitSymbols } from '../../../predictor/units.ts'

/** Splits titles and queries into words. Unlike the predictor, the search keeps numbers, models and measures, by which
 * products differ. */

/** Sign of a unit by each of its spellings. */
const units = new Map(unitSymbols)
for (const sign of ['hz', 'mah', 'mp', 'rpm', 'psi', 'oz', 'va', 'kw', 'ah']) units.set(sign, sign)

const inches = /(\d)\s*(?:"|''|”|″|´´)/g
/** A number with its decimals, or a run of letters and digits. */
const pieces = /(?<![\p{L}\p{N}])\d+[.,]\d+|[\p{L}\p{N}]+/gu
const number = /^\d+(?:[.,]\d+)?$/
const numberAndUnit = /^(\d+)(\p{L}+)$/u
/** A model with hyphens, such as WH-1000XM4, which is also found when it is written without. */
const hyphenated = /[\p{L}\p{N}]+(?:[-/][\p{L}\p{N}]+)+/gu
const maxWordLength = 40

interface Piece {
  word: string
  stem: string
  end: number
  isMeasure: boolean
}

/** Splits a text into its words, numbers and measures. A number and the unit after it become one measure, such as
 * `55pulgadas`. Words with digits are not stemmed. */
function piecesOf(text: string): Piece[] {
  const folded = foldText(text).replace(inches, '$1 pulgadas ')
  const result: Piece[] = []
  for (const match of folded.matchAll(pieces)) {
    const word = match[0].replace(',', '.').slice(0, maxWordLength)
    const end = match.index + match[0].length
    const [, digits = '', letters = ''] = numberAndUnit.exec(word) ?? []
    const unit = units.get(letters)
    const previous = result.at(-1)
    const ownUnit = units.get(word)
    const isUnitOfPrevious =
      previous !== undefined && ownUnit !== undefined && number.test(previous.word)
    if (isUnitOfPrevious && /^[\s-]*$/.test(folded.slice(previous.end, match.index))) {
      const measure = `${previous.word}${ownUnit}`
      result[result.length - 1] = { word: measure, stem: measure, end, isMeasure: true }
    } else if (unit) result.push({ word, stem: `${digits}${unit}`, end, isMeasure: true })
    else result.push({ word, stem: /\d/.test(word) ? word : stemOf(word), end, isMeasure: false })
  }
  return result
}

/** Returns the distinct words by which a title is found. */
export function titleWords(title: string): string[] {
  const words = new Set<string>()
  for (const { stem, isMeasure } of piecesOf(title)) {
    words.add(stem)
    if (isMeasure) words.add(/^[\d.]+/.exec(stem)?.[0] ?? stem)
  }
  for (const [model] of foldText(title).matchAll(hyphenated)) {
    const joined = model.replace(/[-/]/g, '')
    if (/\d/.test(joined) && /\p{L}/u.test(joined)) words.add(joined.slice(0, maxWordLength))
  }
  return [...words]
}

/** A word of a query. */
export interface QueryWord {
  stem: string
  /** As it was typed, folded. */
  typed: string
  /** Whether it may be a prefix: the last word, with nothing after it. */
  isOpen: boolean
}

/** Further words are ignored. */
const maxQueryWords = 12

/** Returns the distinct words of a query. Stop words and single letters are left out when there are other words. */
export function queryWords(text: string): QueryWord[] {
  const isOpen = /[\p{L}\p{N}]$/u.test(foldText(text))
  const allPieces = piecesOf(text)
  const words = allPieces.map(({ word, stem, isMeasure }, index) => ({
    typed: word,
    stem,
    isOpen: isOpen && index === allPieces.length - 1,
    isSmall: !isMeasure && (stopWords.has(word) || /^\p{L}$/u.test(word)),
  }))
  const significantWords = words.filter(({ isSmall }) => !isSmall)
  const seenStems = new Set<string>()
  return (significantWords.length > 0 ? significantWords : words)
    .filter(({ stem }) => !seenStems.has(stem) && seenStems.add(stem))
    .slice(0, maxQueryWords)
    .map(({ isSmall: _, ...word }) => word)
}
