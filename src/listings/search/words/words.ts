import { fold } from '../../../catalog/predictor/parts.ts'
import { signs } from '../../../catalog/predictor/units.ts'
import { stemOf, stops } from '../../../catalog/predictor/words.ts'

/** How titles and what people look for become words. Beside what the predictor makes of a title, a search
 * keeps numbers, models and measures: they are what one product differs from another by (pure). */

/** The sign of a unit, by every way to write it. */
const units = new Map(signs)
for (const sign of ['hz', 'mah', 'mp', 'rpm', 'psi', 'oz', 'va', 'kw', 'ah']) units.set(sign, sign)

const inches = /(\d)\s*(?:"|''|”|″|´´)/g
/** A number with its decimals, or letters and digits that stand together. */
const pieces = /(?<![\p{L}\p{N}])\d+[.,]\d+|[\p{L}\p{N}]+/gu
const number = /^\d+(?:[.,]\d+)?$/
const numberAndUnit = /^(\d+)(\p{L}+)$/u
/** Parts of a model, such as WH-1000XM4: it is also found when it is written in one. */
const hyphened = /[\p{L}\p{N}]+(?:[-/][\p{L}\p{N}]+)+/gu
const longestWord = 40

interface Piece {
  word: string
  stem: string
  end: number
  isMeasure: boolean
}

function piecesOf(text: string): Piece[] {
  const folded = fold(text).replace(inches, '$1 pulgadas ')
  const found: Piece[] = []
  for (const match of folded.matchAll(pieces)) {
    const word = match[0].replace(',', '.').slice(0, longestWord)
    const end = match.index + match[0].length
    const [, digits = '', letters = ''] = numberAndUnit.exec(word) ?? []
    const unit = units.get(letters)
    const before = found.at(-1)
    const ownUnit = units.get(word)
    const isOneMeasure = before !== undefined && ownUnit !== undefined && number.test(before.word)
    if (isOneMeasure && /^[\s-]*$/.test(folded.slice(before.end, match.index))) {
      const measure = `${before.word}${ownUnit}`
      found[found.length - 1] = { word: measure, stem: measure, end, isMeasure: true }
    } else if (unit) found.push({ word, stem: `${digits}${unit}`, end, isMeasure: true })
    else found.push({ word, stem: /\d/.test(word) ? word : stemOf(word), end, isMeasure: false })
  }
  return found
}

/** The words that a title is found by, each once. */
export function titleWords(title: string): string[] {
  const words = new Set<string>()
  for (const { stem, isMeasure } of piecesOf(title)) {
    words.add(stem)
    if (isMeasure) words.add(/^[\d.]+/.exec(stem)?.[0] ?? stem)
  }
  for (const [model] of fold(title).matchAll(hyphened)) {
    const joined = model.replace(/[-/]/g, '')
    if (/\d/.test(joined) && /\p{L}/u.test(joined)) words.add(joined.slice(0, longestWord))
  }
  return [...words]
}

/** A word that somebody looks for. */
export interface QueryWord {
  stem: string
  /** As it was typed, folded. */
  typed: string
  /** Whether it may not be finished: the last one, with nothing behind it. */
  isOpen: boolean
}

/** More words than this say nothing more. */
const maxQueryWords = 12

/** The words that somebody looks for, each once. Small words, and what shops say of anything, are left
 * out where there is anything else. */
export function queryWords(text: string): QueryWord[] {
  const isOpen = /[\p{L}\p{N}]$/u.test(fold(text))
  const all = piecesOf(text)
  const words = all.map(({ word, stem, isMeasure }, index) => ({
    typed: word,
    stem,
    isOpen: isOpen && index === all.length - 1,
    isSmall: !isMeasure && (stops.has(word) || /^\p{L}$/u.test(word)),
  }))
  const telling = words.filter(({ isSmall }) => !isSmall)
  const seen = new Set<string>()
  return (telling.length > 0 ? telling : words)
    .filter(({ stem }) => !seen.has(stem) && seen.add(stem))
    .slice(0, maxQueryWords)
    .map(({ isSmall: _, ...word }) => word)
}
