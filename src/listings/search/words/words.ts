import { foldText } from '../../../predictor/title/tokenize.ts'
import {
  readAbbreviations,
  readQueryFillers,
  type WordLanguage,
} from '../../../predictor/title/word-files.ts'
import { stemOf, stopWords } from '../../../predictor/title/words.ts'
import { unitSymbols } from '../../../predictor/units.ts'

/** Splits titles and queries into words. Unlike the predictor, the search keeps numbers, models and measures, by which
 * products differ, and binds *sin* to the word after it. */

/** Symbol of a unit by each of its spellings. */
const units = new Map(unitSymbols)
for (const sign of ['hz', 'mah', 'mp', 'rpm', 'psi', 'va', 'kw', 'ah', 'cl', 'mg']) {
  units.set(sign, sign)
}

/** Units of one kind are counted in the smallest of them, so that 1,5 l and 1500 ml are one measure. */
const smallestUnits: Readonly<Record<string, readonly [unit: string, factor: number]>> = {
  l: ['ml', 1_000],
  cl: ['ml', 10],
  kg: ['g', 1_000],
  m: ['mm', 1_000],
  cm: ['mm', 10],
  tb: ['gb', 1_000],
}
/** Units of which a number with three decimals is one with a separator of thousands: 1.000 ml. */
const wholeUnits = new Set(['ml', 'g', 'mg', 'mah'])

/** Fractions of a unit, as a number of its thousandths: *medio kilo*, *1/2 kg*. */
const fractions: readonly (readonly [fraction: RegExp, thousandths: number])[] = [
  [
    /(?<![\p{L}\p{N}/])(?:1\/2|½|medi[oa]|mei[oa]) ?(?=(?:kilo|kg|quilo|litro|lt|l)s?(?!\p{L}))/giu,
    500,
  ],
  [
    /(?<![\p{L}\p{N}/])(?:1\/4|¼|(?:un )?cuarto (?:de )?|um quarto (?:de )?) ?(?=(?:kilo|kg|quilo|litro|lt|l)s?(?!\p{L}))/giu,
    250,
  ],
]
const inches = /(\d)\s*(?:"|''|”|″|´´)/g
/** A number with its decimals, a percentage, initials such as H&M, or a run of letters and digits. */
const pieces = /(?<![\p{L}\p{N}])(?:\d+[.,]\d+|0 ?%|\p{L}&\p{L}(?![\p{L}\p{N}]))|[\p{L}\p{N}]+/gu
const number = /^\d+(?:[.,]\d+)?$/
const numberAndUnit = /^(\d+(?:[.,]\d+)?)(\p{L}+)$/u
/** Several of a measure: 6x330ml. */
const multiple = /^(\d+)x(\d+)(\p{L}+)$/u
/** A model with hyphens, such as WH-1000XM4, which is also found when it is written without. */
const hyphenated = /[\p{L}\p{N}]+(?:[-/][\p{L}\p{N}]+)+/gu
/** A word with a hyphen, such as roll-on. */
const compound = /^\p{L}{2,10}-\p{L}{2,10}$/u
const maxWordLength = 40

/** Words that deny the next one. */
export const negations: ReadonlySet<string> = new Set(['sin', 'sem'])
/** Words that deny the next one if it is an ingredient: *zero azúcar*, but *Coca-Cola Zero*. */
const zeros = new Set(['zero', 'cero', '0%', 'libre', 'livre'])
const ingredients = new Set(
  'azucar azucares acucar acucares cafeina amoniaco amonia lactosa lactose gluten alcohol alcool sal sodio grasa grasas gordura gorduras tacc'.split(
    ' ',
  ),
)
/** Words that continue a denial: *sin sal ni azúcar*. */
const continuations = new Set(['ni', 'nem'])
/** Begins the stem of a denied word. */
const denial = '-'
export const isDenied = (stem: string): boolean => stem.startsWith(denial)

/** Returns the stem of *sin X* for that of X, and the other way round. */
export const contraryOf = (stem: string): string =>
  isDenied(stem) ? stem.slice(denial.length) : `${denial}${stem}`

const smallStems = new Set([...stopWords].map(stemOf))
/** Returns whether a stem is that of a stop word. */
export const isSmallStem = (stem: string): boolean => smallStems.has(stem)

/** Words after which a title names what the goods are for. */
const purposes = new Set(['para', 'p', 'pra', 'compatible', 'compativel'])

/** The words that abbreviations of shops mean, by language. */
const abbreviations = { es: readAbbreviations('es'), pt: readAbbreviations('pt') }
const noAbbreviations: ReadonlyMap<string, string> = new Map()

const fillers = readQueryFillers()

interface Piece {
  /** Folded. */
  word: string
  /** As it is written. */
  text: string
  stem: string
  end: number
  /** `filler`: a word of a question, which says little about the goods: *qué*, *busco*. */
  kind: 'word' | 'number' | 'measure' | 'model' | 'filler' | 'small'
  /** Further stems by which a title is found. */
  parts: readonly string[]
  /** The stem of the word that it abbreviates. */
  full?: string
  /** Whether a dot behind it may make it an abbreviation. */
  isCut?: boolean
}

/** Splits a text into its words, numbers and measures. A number and the unit after it become one measure, such as
 * `55in`. Words with digits are not stemmed. */
function piecesOf(text: string, language: WordLanguage | undefined): Piece[] {
  let spelled = text.replace(inches, '$1 pulgadas ')
  for (const [fraction, thousandths] of fractions) {
    spelled = spelled.replace(fraction, `0.${thousandths} `)
  }
  const folded = foldText(spelled)
  const isAligned = folded.length === spelled.length
  const result: Piece[] = []
  let denies: 'no' | 'any' | 'ingredient' = 'no'
  for (const match of folded.matchAll(pieces)) {
    const word = match[0].replaceAll(' ', '').slice(0, maxWordLength)
    const end = match.index + match[0].length
    const previous = result.at(-1)
    const unitOfPrevious = units.get(word)
    if (previous?.kind === 'number' && unitOfPrevious !== undefined) {
      if (/^[\s-]*$/.test(folded.slice(previous.end, match.index))) {
        const text = `${previous.text}${folded.slice(previous.end, end)}`
        result[result.length - 1] = { ...measureOf(previous.word, unitOfPrevious), text, end }
        continue
      }
    }
    const piece: Piece = { ...pieceOf(word), text: spelled.slice(match.index, end), end }
    // "ref 509" is a reference, no "refrigerante".
    if (piece.kind === 'number' && previous) delete previous.full
    // With an accent that the list lacks it is another word: *uñas* is not *unas*.
    if (!isAligned) piece.text = word
    const accented = piece.text.toLowerCase()
    if (piece.kind === 'small' && accented !== word && !stopWords.has(accented)) piece.kind = 'word'
    result.push(piece)
    if (piece.kind === 'word') {
      const hasDot = folded[end] === '.'
      const known = language ? abbreviations[language] : noAbbreviations
      const full = known.get(word) ?? (hasDot ? known.get(`${word}.`) : undefined)
      if (full !== undefined) piece.full = stemOf(foldText(full))
      else if (hasDot && end < folded.length - 1) piece.isCut = true
    }
    // "s/" is "sin", but "s" alone is a size.
    const isShort = word === 's' && folded[end] === '/'
    if (negations.has(word) || isShort) denies = 'any'
    else if (zeros.has(word)) denies = 'ingredient'
    else if (continuations.has(word) && isDenied(result.at(-2)?.stem ?? '')) denies = 'any'
    else if (denies !== 'no' && piece.kind !== 'small') {
      if (denies === 'any' ? piece.kind === 'word' : ingredients.has(word)) {
        piece.stem = `${denial}${piece.stem}`
      }
      denies = 'no'
    }
  }
  return result
}

type PieceOfWord = Omit<Piece, 'end' | 'text'>

function pieceOf(word: string): PieceOfWord {
  const [, count = '', each = '', unitOfEach = ''] = multiple.exec(word) ?? []
  if (units.has(unitOfEach)) {
    const measure = measureOf(each, units.get(unitOfEach) as string)
    return { ...measure, word, parts: [...measure.parts, count, word] }
  }
  const [, digits = '', letters = ''] = numberAndUnit.exec(word) ?? []
  const unit = units.get(letters)
  if (unit) return { ...measureOf(digits, unit), word }
  if (number.test(word)) {
    return { word, stem: word.replace(',', '.'), kind: 'number', parts: [] }
  }
  if (/\d/.test(word)) return { word, stem: word, kind: 'model', parts: [] }
  if (word.includes('&')) return { word, stem: word.replace('&', ''), kind: 'word', parts: [] }
  const isSmall = stopWords.has(word) || continuations.has(word) || /^\p{L}$/u.test(word)
  const kind = isSmall ? 'small' : fillers.has(word) ? 'filler' : 'word'
  return { word, stem: stemOf(word), kind, parts: [] }
}

/** Returns the stem of a single folded word. */
export const stemOfWord = (word: string): string => pieceOf(word).stem

/** Returns a measure in the smallest unit of its kind. */
function measureOf(digits: string, unit: string): PieceOfWord {
  const isThousands = wholeUnits.has(unit) && /^\d{1,3}[.,]\d{3}$/.test(digits)
  const value = Number(isThousands ? digits.replace(/[.,]/, '') : digits.replace(',', '.'))
  const [smallest, factor] = smallestUnits[unit] ?? [unit, 1]
  const stem = `${Number((value * factor).toFixed(3))}${smallest}`.slice(0, maxWordLength)
  return { word: `${digits}${unit}`, stem, kind: 'measure', parts: [digits.replace(',', '.')] }
}

/** Returns the distinct words by which a title is found. */
export function titleWords(title: string, language?: WordLanguage): string[] {
  const words = new Set<string>()
  for (const { stem, parts, full } of piecesOf(title, language)) {
    words.add(stem)
    if (full !== undefined) words.add(full)
    for (const part of parts) words.add(part)
  }
  for (const [model] of foldText(title).matchAll(hyphenated)) {
    const joined = model.replace(/[-/]/g, '')
    const isWord = compound.test(model)
    if (isWord) words.add(stemOf(joined))
    else if (/\d/.test(joined) && /\p{L}/u.test(joined)) words.add(joined.slice(0, maxWordLength))
  }
  return [...words]
}

/** Texts of attribute values with more words are descriptions. */
const maxValueWords = 4
/** Words of attributes by which a listing is found. */
const maxAttributeWords = 60

/** Returns the distinct significant words of names of attribute values. */
export function attributeWords(names: readonly string[], language: WordLanguage): string[] {
  const words = new Set<string>()
  for (const name of names) {
    const pieces = piecesOf(name.slice(0, 100), language)
    const significant = pieces.filter(({ kind }) => kind !== 'small')
    if (significant.length > maxValueWords) continue
    for (const { stem } of significant) if (words.size < maxAttributeWords) words.add(stem)
  }
  return [...words]
}

/** Stands in the ordered words of a listing before those that only its attributes have. */
export const attributeMark = ';'
/** Stands in `titleSequence` before what the goods are for. */
export const purposeMark = '|'

/** Stands in the ordered words of a listing between a stem and the ending that it lacks: *pimienta* is no *pimiento*. */
const endingMark = '~'

/** Returns the ending in singular that the stem of a word lacks; empty if it lacks none. */
export function endingOf(word: string, stem: string): string {
  if (!word.startsWith(stem)) return ''
  return /^([aeo])s?$/.exec(word.slice(stem.length))?.[1] ?? ''
}

/** Splits a word of `titleSequence` into its stem and its ending. */
export function splitEnding(entry: string): [stem: string, ending: string] {
  const at = entry.indexOf(endingMark)
  return at < 0 ? [entry, ''] : [entry.slice(0, at), entry.slice(at + 1)]
}

/** Returns the significant words of a title in order with their endings, with `purposeMark` before what the goods are
 * for. */
export function titleSequence(title: string, language: WordLanguage): string[] {
  const sequence: string[] = []
  for (const { word, stem, kind, parts, full } of piecesOf(title, language)) {
    if (purposes.has(word) && sequence.length > 0) sequence.push(purposeMark)
    else if (kind !== 'small') {
      const ending = endingOf(word, stem.replace(denial, ''))
      const entry = ending === '' ? stem : `${stem}${endingMark}${ending}`
      sequence.push(full ?? entry, ...parts.slice(1))
    }
  }
  return sequence
}

/** A word of a query. */
export interface QueryWord {
  stem: string
  /** As it was typed. */
  text: string
  /** As it was typed, folded. */
  typed: string
  /** Whether it may be a prefix: the last word with nothing after it, or one with a dot after it. */
  isOpen: boolean
  kind: Piece['kind']
  /** Whether it says what the goods are for. */
  isPurpose: boolean
  /** The stem of the word that it abbreviates. */
  full: string | undefined
}

/** Further words are ignored. */
const maxQueryWords = 12

/** Returns the distinct words of a query. Stop words and single letters are left out when there are other words. Without
 * a language, no abbreviations are known. */
export function queryWords(text: string, language?: WordLanguage): QueryWord[] {
  const isOpen = /[\p{L}\p{N}]$/u.test(foldText(text))
  const allPieces = piecesOf(text, language)
  let isPurpose = false
  const words = allPieces.map(
    ({ word, text, stem, kind, full, isCut = false }, index): QueryWord => {
      if (purposes.has(word)) isPurpose = true
      const isLast = isOpen && index === allPieces.length - 1
      return { text, typed: word, stem, isOpen: isLast || isCut, kind, isPurpose, full }
    },
  )
  const significantWords = words.filter(({ kind }) => kind !== 'small')
  const seenStems = new Set<string>()
  return (significantWords.length > 0 ? significantWords : words)
    .filter(({ stem }) => !seenStems.has(stem) && seenStems.add(stem))
    .slice(0, maxQueryWords)
}
