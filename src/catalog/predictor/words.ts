import { ByPart, type Part, partsIn } from './parts.ts'

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

/** A word of a title. */
export interface Word {
  /** As it is compared: folded, without its ending. */
  stem: string
  /** That of whoever reads the title, such as a lexicon; -1 where it knows none. */
  number: number
  /** How much it tells: less the later it stands, less behind a word such as *para*. */
  weight: number
}

/** A number, a measure, a single letter or what shops say of anything. */
type Extra = Omit<Word, 'weight'>

const accents = /[\u0300-\u036f]/g
const plain = /^[\0-\x7f]*$/

/** Without accents and capitals. */
export function fold(text: string): string {
  if (plain.test(text)) return text.toLowerCase()
  return text.normalize('NFD').replace(accents, '').toLowerCase()
}

/** A number, or one with its measure: 300lts, 12v, 42. What has its letters first is a model: ps5, s23. */
const measure = /^[0-9]+(?:[a-z]{0,4}|x[0-9]+)$/

/** A title, taken apart. */
export interface TitleWords {
  /** What tells something, each once, in their order. */
  words: Word[]
  /** They tell nothing by themselves, but beside a word they are a part of a name, fiat 500, placa de
   * precio. */
  extras: Extra[]
}

type Kind = 'word' | 'extra' | 'small'

/** What a part of a title is. */
interface Reading {
  written: string
  kind: Kind
  stem: string
  number: number
  turns: boolean
}

const mostReadings = 100_000

/** Reads titles, and remembers what their parts are: titles are made of some thousands. */
export class TitleReader {
  readonly #numberOf: (stem: string, kind: Kind) => number
  readonly #readings = new ByPart<Reading>()

  /** `numberOf`: by which the reader knows a word or an extra, -1 where it does not. */
  constructor(numberOf: (stem: string, kind: Kind) => number = () => -1) {
    this.#numberOf = numberOf
  }

  read(title: string): TitleWords {
    const folded = fold(title)
    const words: Word[] = []
    const extras: Extra[] = []
    let factor = 1
    for (const part of partsIn(folded)) {
      const { kind, stem, number, turns } =
        this.#readings.get(part, folded) ?? this.#remember(part, folded.slice(part.from, part.to))
      if (turns && words.length > 0) factor = 0.45
      if (kind === 'small' || (kind === 'extra' ? extras : words).some((one) => one.stem === stem))
        continue
      if (kind === 'extra') extras.push({ stem, number })
      else words.push({ stem, number, weight: factor / (1 + 0.2 * words.length) })
    }
    return { words, extras }
  }

  #remember(part: Part, written: string): Reading {
    const [kind, stem] = [kindOf(written), stemOf(written)]
    const number = this.#numberOf(stem, kind)
    const reading = { written, kind, stem, number, turns: turns.has(written) }
    if (this.#readings.size >= mostReadings) this.#readings.clear()
    this.#readings.set(part, reading)
    return reading
  }
}

const anybody = new TitleReader()

export const readTitle = (title: string): TitleWords => anybody.read(title)
export const wordsOf = (title: string): Word[] => readTitle(title).words

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
  const [several = '', one = ''] = endings.find(([several]) => word.endsWith(several)) ?? []
  const single = word.slice(0, word.length - several.length) + one
  return single.length > 3 && 'aeo'.includes(single.at(-1) as string) ? single.slice(0, -1) : single
}
