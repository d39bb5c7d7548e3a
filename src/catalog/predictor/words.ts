import { ByPart, fold, type Part, partsIn } from './parts.ts'
import type { CallingWord } from './runs.ts'

/** How titles and names are taken apart into words, in Spanish and Portuguese alike; listing search does
 * the same, so that both find the same. */

/** Small words: no part of any name. */
const small = new Set(
  (
    'a al ante con da das de del desde do dos e el em en es la las lo los na nas no nos o os ou para ' +
    'pelo pela por que se sem sin su sus suas seu seus te the u um uma umas un una unas unos uns y ' +
    'c p s x of for and with in'
  ).split(' '),
)

/** What shops say of anything, and units. */
const said = new Set(
  (
    'envio frete gratis gratuito original originais originales nuevo nueva nuevos nuevas novo nova ' +
    'novos novas promo promocion promocao oferta ofertas descuento desconto cuotas interes parcelas ' +
    'juros stock estoque entrega pronta inmediata imediata garantia oficial calidad qualidade ' +
    'mejor melhor precio preco barato lindo linda excelente importado nacional unidad unidade ' +
    'unidades unid pcs pzs pza pieza piezas peca pecas ml mg gr grs kg kgs cm mm mts mt lts lt lt ' +
    'litros litro pulgadas pulg polegadas pol hz w watts volts v nf meses msi'
  ).split(' '),
)

/** Small words, and what shops say of anything: nothing is found by them alone. */
export const stops: ReadonlySet<string> = new Set([...small, ...said])

/** Behind these a title says what a thing is for or comes with, not what it is. */
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

/** What a word of a title is to whoever reads it, such as a lexicon. */
export interface Meaning {
  /** -1 where it knows none. */
  number: number
  /** Whether it only is what is most probably meant. */
  isMeant: boolean
}

/** Of a word, or an extra. */
interface Stem extends Meaning {
  /** As it is compared: folded, without its ending. */
  stem: string
}

/** A word of a title. */
export interface Word extends Stem {
  /** How much it tells: less behind a word such as *para*; and less the later it stands, where the title may
   * begin with what the thing is called. */
  weight: number
}

/** A number, or one with its measure: 300lts, 12v, 42. What has its letters first is a model: ps5, s23. */
const measure = /^[0-9]+(?:[a-z]{0,4}|x[0-9]+)$/

/** A title, taken apart. */
export interface TitleWords {
  folded: string
  /** All of its words, in their order. */
  all: readonly CallingWord[]
  /** What tells something, each once, in their order. */
  words: readonly Word[]
  /** Numbers, measures, single letters and what shops say of anything. They tell nothing by themselves, but
   * beside a word they are a part of a name, fiat 500, placa de precio. */
  extras: readonly Stem[]
  /** Whether it may begin with what the thing is called; not where its first word is what it is for: *para
   * Corsa bomba de agua*. */
  beginsWithThing: boolean
}

export type Kind = 'word' | 'extra' | 'small'

/** What a part of a title is. */
interface WordReading extends CallingWord, Stem {
  kind: Kind
  turns: boolean
}

const mostReadings = 100_000
/** No title has more to tell than so many signs: some catalogues bound theirs by a million. */
const longest = 1_000
const nothing: Meaning = { number: -1, isMeant: false }

/** Reads titles, and remembers what their parts are: titles are made of some thousands. */
export class TitleReader {
  readonly #meaningOf: (stem: string, kind: Kind) => Meaning
  readonly #readings = new ByPart<WordReading>()
  /** Whoever asks for categories of a title asks next for the attributes that it names, with the same text and
   * nothing between. */
  #last = ''
  #lastRead = this.#read('')

  constructor(meaningOf: (stem: string, kind: Kind) => Meaning = () => nothing) {
    this.#meaningOf = meaningOf
  }

  read(title: string): TitleWords {
    if (title !== this.#last) {
      this.#lastRead = this.#read(title)
      this.#last = title
    }
    return this.#lastRead
  }

  #read(title: string): TitleWords {
    const folded = fold(title.slice(0, longest))
    const all: WordReading[] = []
    const words: Word[] = []
    const extras: Stem[] = []
    let [factor, isBehindTurn, beginsWithThing] = [1, false, true]
    for (const part of partsIn(folded)) {
      const reading =
        this.#readings.get(part, folded) ?? this.#remember(part, folded.slice(part.from, part.to))
      all.push(reading)
      const { kind, stem, number, isMeant, turns } = reading
      if (turns && words.length > 0) factor = 0.45
      if (turns || kind === 'extra') isBehindTurn = turns
      if (kind === 'small' || isAmong(kind === 'extra' ? extras : words, reading)) continue
      if (kind === 'extra') extras.push({ stem, number, isMeant })
      else {
        if (words.length === 0) beginsWithThing = !isBehindTurn
        const weight = beginsWithThing ? factor / (1 + 0.2 * words.length) : factor
        words.push({ stem, number, isMeant, weight })
      }
    }
    return { folded, all, words, extras, beginsWithThing }
  }

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

function isAmong(known: readonly Stem[], { stem, number, isMeant }: Stem): boolean {
  // Most are told apart by their numbers, with no look at their letters.
  const isSure = number >= 0 && !isMeant
  for (const one of known) {
    if (one.number === number && one.isMeant === isMeant && (isSure || one.stem === stem))
      return true
  }
  return false
}

const anybody = new TitleReader()

export const readTitle = (title: string): TitleWords => anybody.read(title)
export const wordsOf = (title: string): readonly Word[] => readTitle(title).words

function kindOf(part: string): Kind {
  if (small.has(part)) return 'small'
  return part.length < 2 || measure.test(part) || said.has(part) ? 'extra' : 'word'
}

/** Endings of several, and that of one which they are compared by; the first that fits. */
const endings: readonly (readonly [several: string, one: string])[] = [
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

/** A word without what tells one from several and he from she: camiones and camión, caminhões and
 * caminhão, taladros and taladro. */
export function stemOf(word: string): string {
  if (word.length < 4) return word
  const single = word.endsWith('s') ? singleOf(word) : word
  return single.length > 3 && 'aeo'.includes(single.at(-1) as string) ? single.slice(0, -1) : single
}

function singleOf(word: string): string {
  const [several = '', one = ''] = endings.find(([several]) => word.endsWith(several)) ?? []
  return word.slice(0, word.length - several.length) + one
}
