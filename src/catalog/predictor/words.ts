import { ByPart, fold, type Part, partsIn } from './parts.ts'
import type { CallingWord } from './runs.ts'

/** Splits titles and names into words, in Spanish and Portuguese. Listing search uses the same words. */

/** Function words, which are not part of a name. */
const small = new Set(
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
export const stops: ReadonlySet<string> = new Set([...small, ...salesWords])

/** The weight of words behind a turn, as a share of their usual weight. */
const behindTurnFactor = 0.45
/** Words after which a title names the purpose or accessories of the goods. */
const turns = new Set([
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
export interface Meaning {
  /** -1 for an unknown word. */
  number: number
  /** Whether it is the correction of a misspelling. */
  isMeant: boolean
}

/** The stem of a word or an extra. */
interface Stem extends Meaning {
  /** The folded word without its ending. */
  stem: string
}

/** A word of a title. */
export interface Word extends Stem {
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
  all: readonly CallingWord[]
  /** The significant words in order, without duplicates. */
  words: readonly Word[]
  /** Numbers, measures, single letters and sales talk. They mean nothing alone, but may be part of a name: *fiat 500*,
   * *placa de precio*. */
  extras: readonly Stem[]
  /** Whether the title may begin with the name of the goods, and not with their purpose: *para Corsa bomba de agua*. */
  beginsWithThing: boolean
}

export type Kind = 'word' | 'extra' | 'small'

/** The analysis of a word of a title. */
interface WordReading extends CallingWord, Stem {
  kind: Kind
  turns: boolean
}

const mostReadings = 100_000
/** Limit of characters that are read. Some catalogs allow titles of a million. */
const longest = 1_000
const unknown: Meaning = { number: -1, isMeant: false }

/** Reads titles. It caches the analysis of words, because titles consist of some thousands of them. */
export class TitleReader {
  readonly #meaningOf: (stem: string, kind: Kind) => Meaning
  readonly #readings = new ByPart<WordReading>()
  /** The last title. Its attributes are read right after its categories, so the result is cached. */
  #last = ''
  #lastRead = this.#read('')

  constructor(meaningOf: (stem: string, kind: Kind) => Meaning = () => unknown) {
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
    const folded = fold(title.slice(0, longest))
    const readings: WordReading[] = []
    const words: Word[] = []
    const extras: Stem[] = []
    let [factor, isBehindTurn, beginsWithThing] = [1, false, true]
    for (const part of partsIn(folded)) {
      const reading =
        this.#readings.get(part, folded) ?? this.#remember(part, folded.slice(part.from, part.to))
      readings.push(reading)
      const { kind, stem, number, isMeant, turns } = reading
      if (turns && words.length > 0) factor = behindTurnFactor
      if (turns || kind === 'extra') isBehindTurn = turns
      if (kind === 'small' || isAmong(kind === 'extra' ? extras : words, reading)) continue
      if (kind === 'extra') extras.push({ stem, number, isMeant })
      else {
        if (words.length === 0) beginsWithThing = !isBehindTurn
        const weight = beginsWithThing ? factor / (1 + 0.2 * words.length) : factor
        words.push({ stem, number, isMeant, weight })
      }
    }
    return { folded, all: readings, words, extras, beginsWithThing }
  }

  /** Reads a word for the first time and caches it. The cache is emptied when it is full. */
  #remember(part: Part, written: string): WordReading {
    const bare = written.replace(/\++$/, '')
    const [kind, stem] = [kindOf(bare), stemOf(bare)]
    const { number, isMeant } = this.#meaningOf(stem, kind)
    const reading: WordReading = {
      written,
      kind,
      stem,
      number,
      isMeant,
      turns: turns.has(written),
      word: undefined,
      asOf: undefined,
    }
    if (this.#readings.size >= mostReadings) this.#readings.clear()
    this.#readings.set(part, reading)
    return reading
  }
}

function isAmong(stems: readonly Stem[], { stem, number, isMeant }: Stem): boolean {
  // Most words are distinguished by their numbers, which is faster than by their texts.
  const isSure = number >= 0 && !isMeant
  for (const other of stems) {
    if (other.number === number && other.isMeant === isMeant && (isSure || other.stem === stem))
      return true
  }
  return false
}

const sharedReader = new TitleReader()

/** Reads a title without a lexicon. */
export const readTitle = (title: string): TitleWords => sharedReader.read(title)
/** Returns the significant words of a title. */
export const wordsOf = (title: string): readonly Word[] => readTitle(title).words

function kindOf(part: string): Kind {
  if (small.has(part)) return 'small'
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
  const single = word.endsWith('s') ? singleOf(word) : word
  return single.length > 3 && 'aeo'.includes(single.at(-1) as string) ? single.slice(0, -1) : single
}

function singleOf(word: string): string {
  const [plural = '', singular = ''] = endings.find(([ending]) => word.endsWith(ending)) ?? []
  return word.slice(0, word.length - plural.length) + singular
}
