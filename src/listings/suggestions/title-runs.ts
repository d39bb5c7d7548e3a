import { foldText } from '../../predictor/title/tokenize.ts'
import { functionWords, salesWords } from '../../predictor/title/words.ts'
import { unitSymbols } from '../../predictor/units.ts'
import { negations } from '../search/words/words.ts'

/** Splits titles into runs of words that people may type one after the other. */

/** A word of a title. */
export interface RunWord {
  /** As it is written, in lower case. */
  text: string
  folded: string
  /** Whether it only joins others, such as *de*: a phrase neither begins nor ends with it. */
  isFunctionWord: boolean
}

/** Further characters of a title are ignored: some catalogs allow titles of a million. */
const maxTitleLength = 300
const maxWordLength = 30

/** Mail addresses, links and domains, and telephone numbers. */
const contacts =
  /\S*@\S*|\S*:\/\/\S*|(?<!\S)\S+\.(?:com|net|org|info|io|me|ly|ar|br|mx|cl|co|uy|pe)(?![\p{L}\p{N}])\S*|(?<![\p{L}\p{N}])\d[\d\s().-]{5,}\d(?![\p{L}\p{N}])/giu
/** Most titles have none, and need not be searched for them. */
const mayHoldContacts = /[@:]|\.\p{L}|\d[\d\s().-]{5}/u
/** A decimal number, a word with its apostrophes, or what stands between words. */
const pieces =
  /\d+[.,]\d+|[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’´`](?=\p{L})[\p{L}\p{M}\p{N}]+)*|[^\p{L}\p{N}]+/gu
/** What stands between two words of one run. */
const joint = /^(?:\s+|-)$/u
const apostrophes = /['’´`]/g

/** Words that begin with a digit and name goods. Others are sizes, such as *128gb*. */
const namesWithDigits: ReadonlySet<string> = new Set(['3d', '4d', '4k', '8k', '4x4'])
const sizes: ReadonlySet<string> = new Set(['xs', 'xl', 'xxl', 'xxxl', 'xxs'])
/** Words before a size. They are no part of a phrase. */
const sizeLabels: ReadonlySet<string> = new Set([
  'talle',
  'talla',
  'tamanho',
  'tam',
  'tamano',
  'nro',
  'num',
  'numero',
  'medida',
])

/** Words before a count. */
const packWords: ReadonlySet<string> = new Set([
  'pack',
  'kit',
  'combo',
  'set',
  'lote',
  'caja',
  'caixa',
  'fardo',
  'pacote',
  'paquete',
])

/** Returns the runs of a title. Punctuation, sizes, packs, sales talk and contacts end a run. */
export function titleRuns(title: string): RunWord[][] {
  // A cut may split the last word.
  const begun =
    title.length <= maxTitleLength
      ? title
      : title.slice(0, title.lastIndexOf(' ', maxTitleLength) + 1)
  const whole = begun.normalize('NFC')
  const text = mayHoldContacts.test(whole) ? whole.replace(contacts, ' | ') : whole
  const all = [...text.matchAll(pieces)].map(([piece]) => piece)
  const runs: RunWord[][] = [[]]
  for (const [at, piece] of all.entries()) {
    const isSeparator = /^[^\p{L}\p{N}]/u.test(piece)
    if (isSeparator && joint.test(piece)) continue
    const run = runs.at(-1) as RunWord[]
    const word = isSeparator || isUnit(piece, all[at - 2]) ? undefined : runWordOf(piece)
    const isNumber = word !== undefined && /^\d+$/.test(word.folded)
    if (word && (!isNumber || isModelNumber(word, run.at(-1), all, at))) run.push(word)
    else if (run.length > 0) runs.push([])
  }
  return runs.filter((run) => run.length > 0)
}

/** Returns whether a word is the unit of the number before it. */
const isUnit = (piece: string, before: string | undefined) =>
  before !== undefined && /^\d+(?:[.,]\d+)?$/.test(before) && unitSymbols.has(foldText(piece))

/** Returns a word, or undefined for what is no part of a suggestion: sizes, sales talk and single letters. */
function runWordOf(piece: string): RunWord | undefined {
  const text = piece.toLowerCase()
  const folded = foldText(text).replace(apostrophes, '')
  if (text.length > maxWordLength || folded === '') return undefined
  const isFunctionWord = functionWords.has(text)
  if (isFunctionWord) return { text, folded, isFunctionWord }
  const isSize = /^\d/.test(folded) && !/^\d+$/.test(folded) && !namesWithDigits.has(folded)
  if (isSize || sizes.has(folded) || sizeLabels.has(folded)) return undefined
  if (salesWords.has(folded)) return undefined
  return folded.length < 2 && !/^\d$/.test(folded) ? undefined : { text, folded, isFunctionWord }
}

/** Returns whether a number is part of a name, such as *iphone 15*, and no size and no count. */
function isModelNumber(
  { folded }: RunWord,
  previous: RunWord | undefined,
  all: readonly string[],
  at: number,
): boolean {
  if (!previous || previous.isFunctionWord || folded.length > 4) return false
  if (/^\d+$/.test(previous.folded) || packWords.has(previous.folded)) return false
  const [between = '', next = ''] = all.slice(at + 1, at + 3)
  if (/^\s*["'”″´%x*/.]/u.test(between)) return false
  if (between !== '' && !joint.test(between)) return true
  const following = foldText(next)
  // A number before a plural counts: *2 cajones*.
  const isCounted = following === 'x' || /[a-z]s$/.test(following)
  return !isCounted && !unitSymbols.has(following) && !salesWords.has(following)
}

/** Returns whether a word stands behind *sin* or *sem*. */
export const isDeniedAt = (run: readonly RunWord[], place: number): boolean =>
  negations.has(run[place - 1]?.folded ?? '')

/** Number of words in a phrase, and of words that are no function words. */
const maxWords = 6
const maxNamingWords = 4

/** Yields the parts of a run that may be suggested: one to four naming words with the function words between them. */
export function* phrasesOf(words: readonly RunWord[]): Generator<readonly RunWord[]> {
  for (let from = 0; from < words.length; from++) {
    const first = words[from] as RunWord
    if (first.isFunctionWord || /^\d+$/.test(first.folded) || isDeniedAt(words, from)) continue
    let naming = 0
    for (let to = from; to < words.length && to - from < maxWords; to++) {
      if ((words[to] as RunWord).isFunctionWord) continue
      if (++naming > maxNamingWords) break
      yield words.slice(from, to + 1)
    }
  }
}
