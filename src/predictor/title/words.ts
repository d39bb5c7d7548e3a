import type { TitleToken } from './name-trie.ts'
import { foldText, plain, type WordSpan, WordSpanMap, wordSpansIn } from './tokenize.ts'
import { readAbbreviations, readStopWords, type WordLanguage } from './word-files.ts'

/** Splits titles and names into words, in Spanish and Portuguese. Listing search uses the same words. */

/** Function words are not part of a name. Sales talk and units say nothing about the goods. */
export const { functionWords, salesWords } = readStopWords()

/** Stop words: function words and sales talk. Nothing is found by them alone. */
export const stopWords: ReadonlySet<string> = new Set([...functionWords, ...salesWords])

/** The weight of words behind a turn, as a share of their usual weight. */
const behindTurnFactor = 0.6
/** Words after which a title names the purpose or accessories of the goods. */
const purposeWords = new Set([
  'para',
  'p',
  'pra',
  'con',
  'com',
  'c',
  'sin',
  'sem',
  's',
  'compatible',
  'compativel',
  'tipo',
])

/** The number of a word in a lexicon. */
export interface LexiconEntry {
  /** -1 for an unknown word. */
  number: number
  /** Whether it is the correction of a misspelling. */
  isCorrected: boolean
}

/** The stem of a word or an extra. */
interface StemmedWord extends LexiconEntry {
  /** The folded word without its ending. */
  stem: string
}

/** A word of a title. */
export interface TitleWord extends StemmedWord {
  /** The weight of the word. It falls after a word such as *para*, and with the position if the title begins with the
   * goods. */
  weight: number
}

/** A number with or without a unit: *300lts*, *12v*, *42*. Text that begins with letters is a model: *ps5*, *s23*. */
const measure = /^[0-9]+(?:[a-z]{0,4}|x[0-9]+)$/

/** The words of a title. */
export interface TitleWords {
  folded: string
  /** All words in order. */
  tokens: readonly TitleToken[]
  /** The significant words in order, without duplicates. */
  words: readonly TitleWord[]
  /** Numbers, measures, single letters and sales talk. They mean nothing alone, but may be part of a name: *fiat 500*,
   * *placa de precio*. */
  extras: readonly StemmedWord[]
  /** Whether the title may begin with the name of the goods, and not with their purpose: *para Corsa bomba de agua*. */
  beginsWithGoods: boolean
}

export type WordKind = 'word' | 'extra' | 'small'

/** The analysis of a word of a title. */
interface WordAnalysis extends TitleToken, StemmedWord {
  kind: WordKind
  isPurposeWord: boolean
  /** Whether a dot behind it may make it an abbreviation. */
  mayBeCut: boolean
}

/** Words that are cut with a dot. */
const cuttable = /^[a-z]{3,}$/
const [dot, zero, nine] = [46, 48, 57]

const maxCachedWords = 100_000
/** Limit of characters that are read. Some catalogs allow titles of a million. */
const maxTitleLength = 1_000
const unknown: LexiconEntry = { number: -1, isCorrected: false }

/** Reads titles. It caches the analysis of words, because titles consist of some thousands of them. */
export class TitleReader {
  readonly #meaningOf: (stem: string, kind: WordKind) => LexiconEntry
  readonly #completionOf: (beginning: string) => LexiconEntry
  readonly #abbreviations: ReadonlyMap<string, string>
  readonly #readings = new WordSpanMap<WordAnalysis>()
  /** Analyses of words that their accent or a dot behind them changes, by the word with it. */
  readonly #markedReadings = new Map<string, WordAnalysis>()
  /** The last title. Its attributes are read right after its categories, so the result is cached. */
  #last = ''
  #lastRead = this.#read('')

  /** `completionOf` looks up a word that is cut with a dot. Without a language, no abbreviations are known. */
  constructor(
    meaningOf: (stem: string, kind: WordKind) => LexiconEntry = () => unknown,
    {
      language,
      completionOf = () => unknown,
    }: { language?: WordLanguage; completionOf?: (beginning: string) => LexiconEntry } = {},
  ) {
    this.#meaningOf = meaningOf
    this.#completionOf = completionOf
    this.#abbreviations = language ? readAbbreviations(language) : new Map()
  }

  read(title: string): TitleWords {
    if (title !== this.#last) {
      this.#lastRead = this.#read(title)
      this.#last = title
    }
    return this.#lastRead
  }

  /** Reads the words of a title. Those behind a turn, such as *para*, count less, because they name the purpose or
   * accessories of the goods. */
  #read(title: string): TitleWords {
    const begun = title.slice(0, maxTitleLength)
    const folded = foldText(begun)
    const hasAccents = folded.length === begun.length && !plain.test(begun)
    const readings: WordAnalysis[] = []
    const words: TitleWord[] = []
    const extras: StemmedWord[] = []
    let [factor, isBehindTurn, beginsWithThing] = [1, false, true]
    for (const part of wordSpansIn(folded)) {
      let analysis =
        this.#readings.get(part, folded) ?? this.#remember(part, folded.slice(part.from, part.to))
      if (analysis.kind === 'small') {
        if (hasAccents) analysis = this.#readAccented(begun.slice(part.from, part.to), analysis)
      } else if (analysis.mayBeCut && folded.charCodeAt(part.to) === dot) {
        analysis = this.#readCut(folded, part, analysis)
      }
      readings.push(analysis)
      const { kind, stem, number, isCorrected, isPurposeWord } = analysis
      if (isPurposeWord && words.length > 0) factor = behindTurnFactor
      if (isPurposeWord || kind === 'extra') isBehindTurn = isPurposeWord
      if (kind === 'small' || isAmong(kind === 'extra' ? extras : words, analysis)) continue
      if (kind === 'extra') extras.push({ stem, number, isCorrected })
      else {
        if (words.length === 0) beginsWithThing = !isBehindTurn
        const weight = beginsWithThing ? factor / (1 + 0.2 * words.length) : factor
        words.push({ stem, number, isCorrected, weight })
      }
    }
    return { folded, tokens: readings, words, extras, beginsWithGoods: beginsWithThing }
  }

  /** Reads a stop word as it is written. With an accent that the list lacks it is another word: *lã* is not *la*. */
  #readAccented(text: string, analysis: WordAnalysis): WordAnalysis {
    if (plain.test(text)) return analysis
    const accented = text.toLowerCase()
    if (functionWords.has(accented)) return analysis
    return this.#readMarked(accented, () => {
      const kind = kindOf(accented)
      return { ...analysis, kind, ...this.#meaningOf(analysis.stem, kind), isPurposeWord: false }
    })
  }

  /** Reads a word that the lexicon lacks with the dot behind it, which may cut it short. */
  #readCut(folded: string, { to }: WordSpan, analysis: WordAnalysis): WordAnalysis {
    const next = folded.charCodeAt(to + 1)
    if (next >= zero && next <= nine) return analysis
    const written = `${analysis.written}.`
    return this.#readMarked(written, () => {
      const word = this.#abbreviations.get(written)
      const entry = word ? this.#meaningOfText(word) : this.#completionOf(analysis.written)
      return entry.number < 0 ? analysis : { ...analysis, ...entry }
    })
  }

  #readMarked(marked: string, analyze: () => WordAnalysis): WordAnalysis {
    let analysis = this.#markedReadings.get(marked)
    if (!analysis) {
      analysis = analyze()
      if (this.#markedReadings.size >= maxCachedWords) this.#markedReadings.clear()
      this.#markedReadings.set(marked, analysis)
    }
    return analysis
  }

  #meaningOfText(word: string): LexiconEntry {
    return this.#meaningOf(stemOf(foldText(word)), 'word')
  }

  /** Reads a word for the first time and caches it. The cache is emptied when it is full. */
  #remember(part: WordSpan, written: string): WordAnalysis {
    const bare = written.replace(/\++$/, '')
    const [kind, stem] = [kindOf(bare), stemOf(bare)]
    const abbreviated = kind === 'word' ? this.#abbreviations.get(bare) : undefined
    const { number, isCorrected } = abbreviated
      ? this.#meaningOfText(abbreviated)
      : this.#meaningOf(stem, kind)
    const mayBeCut =
      kind === 'word' &&
      !abbreviated &&
      (this.#abbreviations.has(`${bare}.`) || ((number < 0 || isCorrected) && cuttable.test(bare)))
    const analysis: WordAnalysis = {
      written,
      kind,
      stem,
      number,
      isCorrected,
      isPurposeWord: purposeWords.has(written),
      mayBeCut,
      word: undefined,
      asOf: undefined,
    }
    if (this.#readings.size >= maxCachedWords) this.#readings.clear()
    this.#readings.set(part, analysis)
    return analysis
  }
}

function isAmong(
  stems: readonly StemmedWord[],
  { stem, number, isCorrected }: StemmedWord,
): boolean {
  // Most words are distinguished by their numbers, which is faster than by their texts.
  const isSure = number >= 0 && !isCorrected
  for (const other of stems) {
    if (
      other.number === number &&
      other.isCorrected === isCorrected &&
      (isSure || other.stem === stem)
    )
      return true
  }
  return false
}

const sharedReader = new TitleReader()

/** Reads a title without a lexicon. */
export const readTitle = (title: string): TitleWords => sharedReader.read(title)
/** Returns the significant words of a title. */
export const significantWordsOf = (title: string): readonly TitleWord[] => readTitle(title).words

function kindOf(part: string): WordKind {
  if (functionWords.has(part)) return 'small'
  return part.length < 2 || measure.test(part) || salesWords.has(part) ? 'extra' : 'word'
}

/** Plural endings with their singular ones. The first match counts. */
const endings: readonly (readonly [plural: string, singular: string])[] = [
  ['oes', 'ao'],
  ['aes', 'ao'],
  ['ales', 'al'],
  ['ais', 'al'],
  ['eles', 'el'],
  ['eis', 'el'],
  ['oles', 'ol'],
  ['ois', 'ol'],
  ['ones', 'on'],
  ['enes', 'en'],
  ['ces', 'z'],
  ['zes', 'z'],
  ['res', 'r'],
  ['ns', 'm'],
  ['s', ''],
]

/** Returns a word without endings of number and gender: *camiones* and *camión*, *caminhões* and *caminhão*,
 * *taladros* and *taladro* are equal. */
export function stemOf(word: string): string {
  if (word.length < 4) return word
  const single = word.endsWith('s') ? singularOf(word) : word
  return single.length > 3 && 'aeo'.includes(single.at(-1) as string) ? single.slice(0, -1) : single
}

function singularOf(word: string): string {
  const [plural = '', singular = ''] = endings.find(([ending]) => word.endsWith(ending)) ?? []
  return word.slice(0, word.length - plural.length) + singular
}
