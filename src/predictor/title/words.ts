import type { TitleToken } from './name-trie.ts'
import { foldText, type WordSpan, WordSpanMap, wordSpansIn } from './tokenize.ts'

/** Splits titles and names into words, in Spanish and Portuguese. Listing search uses the same words. */

/** Function words, which are not part of a name. */
const functionWords = new Set(
  (
    'a al ante con da das de del desde do dos e el em en es la las lo los na nas no nos o os ou para ' +
    'pelo pela por que se sem sin su sus suas seu seus te the u um uma umas un una unas unos uns y ' +
    'c p s x of for and with in'
  ).split(' '),
)

/** Sales talk and units, which say nothing about the goods. */
const salesWords = new Set(
  (
    'envio frete gratis gratuito original originais originales nuevo nueva nuevos nuevas novo nova ' +
    'novos novas promo promocion promocao oferta ofertas descuento desconto cuotas interes parcelas ' +
    'juros stock estoque entrega pronta inmediata imediata garantia oficial calidad qualidade ' +
    'mejor melhor precio preco barato lindo linda excelente importado nacional unidad unidade ' +
    'unidades unid pcs pzs pza pieza piezas peca pecas ml mg gr grs kg kgs cm mm mts mt lts lt lt ' +
    'litros litro pulgadas pulg polegadas pol hz w watts volts v nf meses msi'
  ).split(' '),
)

/** Stop words: function words and sales talk. Nothing is found by them alone. */
export const stopWords: ReadonlySet<string> = new Set([...functionWords, ...salesWords])

/** The weight of words behind a turn, as a share of their usual weight. */
const behindTurnFactor = 0.45
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
}

const maxCachedWords = 100_000
/** Limit of characters that are read. Some catalogs allow titles of a million. */
const maxTitleLength = 1_000
const unknown: LexiconEntry = { number: -1, isCorrected: false }

/** Reads titles. It caches the analysis of words, because titles consist of some thousands of them. */
export class TitleReader {
  readonly #meaningOf: (stem: string, kind: WordKind) => LexiconEntry
  readonly #readings = new WordSpanMap<WordAnalysis>()
  /** The last title. Its attributes are read right after its categories, so the result is cached. */
  #last = ''
  #lastRead = this.#read('')

  constructor(meaningOf: (stem: string, kind: WordKind) => LexiconEntry = () => unknown) {
    this.#meaningOf = meaningOf
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
    const folded = foldText(title.slice(0, maxTitleLength))
    const readings: WordAnalysis[] = []
    const words: TitleWord[] = []
    const extras: StemmedWord[] = []
    let [factor, isBehindTurn, beginsWithThing] = [1, false, true]
    for (const part of wordSpansIn(folded)) {
      const analysis =
        this.#readings.get(part, folded) ?? this.#remember(part, folded.slice(part.from, part.to))
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

  /** Reads a word for the first time and caches it. The cache is emptied when it is full. */
  #remember(part: WordSpan, written: string): WordAnalysis {
    const bare = written.replace(/\++$/, '')
    const [kind, stem] = [kindOf(bare), stemOf(bare)]
    const { number, isCorrected } = this.#meaningOf(stem, kind)
    const analysis: WordAnalysis = {
      written,
      kind,
      stem,
      number,
      isCorrected,
      isPurposeWord: purposeWords.has(written),
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
