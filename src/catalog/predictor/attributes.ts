import type { AttributeView } from '../tree/attributes.ts'
import { type CallIn, type Calls, Runs, wordsIn } from './runs.ts'
import { signOf } from './units.ts'
import { fold, stemOf } from './words.ts'

/** A title as attributes look at it: made once, for all the categories that it may belong to. */
export interface TitleParts {
  /** What it calls, the longest call first. */
  calls: readonly CallIn[]
  /** Its numbers with the units behind them. */
  measures: readonly Measure[]
}

interface Measure {
  number: string
  /** By its sign. */
  unit: string
  /** The words that stand beside it, as they are compared: what it measures, if anything says so. One that
   * stands between two measures of a unit, 8gb ram 256gb, says it of neither. */
  beside: readonly string[]
}

const measurePattern =
  /(?<![a-z0-9.,])([0-9]+(?:[.,][0-9]+)?) ?("|''|(?:m[2²]|mts?2|[a-z]+)(?![a-z0-9²]))/g
const wordBefore = /([a-z]+)[ :]+(?:d[eoa] +)?$/
const wordBehind = /^[ :]*(?:d[eoa] +)?([a-z]+)/
/** How far before a number its word may begin. */
const reach = 24

/** What there is to find in a title, of all that `calls` knows by now. */
export function partsOf(title: string, calls: Calls): TitleParts {
  const folded = fold(title)
  const found = [...folded.matchAll(measurePattern)].map(
    ({ 0: all, 1: number = '', 2: unit = '', index }) => {
      const before = wordBefore.exec(folded.slice(Math.max(0, index - reach), index))?.[1]
      const behind = wordBehind.exec(folded.slice(index + all.length))?.[1]
      return { number: plainNumber(number), unit: signOf(unit), before, behind }
    },
  )
  const measures = found.map(({ number, unit, before, behind }, at) => {
    const [last, next] = [found[at - 1], found[at + 1]]
    const words = [
      last?.unit === unit && last.behind === before ? undefined : before,
      next?.unit === unit && next.before === behind ? undefined : behind,
    ]
    return { number, unit, beside: words.filter((word) => word !== undefined).map(stemOf) }
  })
  return { calls: calls.in(wordsIn(folded)), measures }
}

/** With a point before its decimals. Three digits behind point or comma are thousands, whichever the
 * country writes: 12.000 frigorías, 12,000 BTU; but 0,750 l. */
function plainNumber(written: string): string {
  return /^[1-9][0-9]{0,2}[.,][0-9]{3}$/.test(written)
    ? written.replace(/[.,]/, '')
    : written.replace(',', '.')
}

/** What a title says of an attribute, as JSON (contract 2.15). */
export function told(id: string, value: { id: string | null; name: string }): string {
  return JSON.stringify({ id, value_id: value.id, value_name: value.name })
}

/** What is said of the attribute that stands `at` this place among those of a domain. */
interface Said {
  at: number
  text: string
}

/** By which words of a title. */
interface SaidBy {
  said: Said
  call: CallIn
}

/** A unit that an attribute is measured in. */
interface Unit {
  at: number
  id: string
  unit: string
  /** See `AttributeView`: 1 for what tells one product from another. */
  relevance: number
  /** What the attribute is called, word by word, as they are compared. */
  called: readonly string[]
}

/** Other words by which the values of an attribute are known, by the id of the value. */
export type AliasesOf = (attributeId: string) => ReadonlyMap<string, readonly string[]>

/** Finds the attributes of one domain in titles. */
export class AttributeFinder {
  readonly #brandAt: number
  /** Where brand and model stand. */
  readonly #names = new Set<number>()
  readonly #values: Runs<Said>
  readonly #units = new Map<string, Unit[]>()

  constructor(attributes: readonly AttributeView[], calls: Calls, aliasesOf: AliasesOf) {
    this.#values = new Runs(calls)
    this.#brandAt = attributes.findIndex(({ id }) => id === 'BRAND')
    for (const [at, attribute] of attributes.entries()) {
      if (attribute.id === 'BRAND' || attribute.id === 'MODEL') this.#names.add(at)
      this.#addValues(at, attribute, aliasesOf)
      this.#addUnits(at, attribute)
    }
  }

  #addValues(at: number, attribute: AttributeView, aliasesOf: AliasesOf) {
    const { id, value_type, values = [] } = attribute
    if (value_type === 'boolean') return
    const said = values.map((value) => ({ ...value, text: told(id, value) }))
    for (const { name, text } of said) this.#values.add(name, { at, text })
    // A brand is called one way; what a thing is like follows the thing: heladera blanca, zapatos negros.
    if (this.#names.has(at)) return
    const [words, aliases] = [namingWords(attribute.name), aliasesOf(id)]
    for (const { id: valueId, name, text } of said) {
      for (const form of [...formsOf(name), ...(aliases.get(valueId) ?? [])]) {
        this.#values.add(form, { at, text })
      }
      if (!saysNothing.test(name)) continue
      for (const word of words) this.#values.add(`${word} ${name}`, { at, text })
    }
  }

  /** What is counted is its own unit: 2 quartos. */
  #addUnits(at: number, { id, name, relevance, value_type, allowed_units = [] }: AttributeView) {
    const called = wordsIn(fold(name)).map(stemOf)
    const add = (sign: string, unit: string) => {
      const known = this.#units.get(sign) ?? []
      if (known.some((other) => other.at === at)) return
      this.#units.set(sign, [...known, { at, id, unit, relevance, called }])
    }
    for (const { id: unit } of allowed_units) add(signOf(unit), unit)
    const counted = value_type === 'number' && countedIn.exec(fold(name))?.[1]
    if (counted) add(stemOf(counted), '')
  }

  /** The attributes that a title names, each as `told`: a value that is offered, or one of the `brands`
   * beside, by all of its words, the longest first; a measure, by its unit. In the order of the domain.
   * The words of a brand or model say nothing else: Royal Canin is not of that blue. */
  in({ calls, measures }: TitleParts, brands: Runs<string>): string[] {
    const called: SaidBy[] = []
    for (const call of calls) {
      const said = this.#values.get(call.number)
      if (said) called.push({ said, call })
    }
    const brand =
      called.find(({ said }) => said.at === this.#brandAt) ?? this.#brandOf(calls, brands)
    const found: Said[] = []
    const names: CallIn[] = []
    for (const { said, call } of brand ? [brand, ...called] : called) {
      const isOfName = names.some(({ from, to }) => from <= call.from && call.to <= to)
      const isName = this.#names.has(said.at)
      if (isFound(said, found) || (isOfName && !isName)) continue
      if (isName) names.push(call)
      found.push(said)
    }
    if (measures.length > 0) this.#tellMeasures(measures, found)
    if (found.length > 1) found.sort((a, b) => a.at - b.at)
    return found.map(({ text }) => text)
  }

  /** One that is not offered here, but beside. */
  #brandOf(calls: readonly CallIn[], brands: Runs<string>): SaidBy | undefined {
    if (this.#brandAt < 0) return undefined
    for (const call of calls) {
      const text = this.#values.get(call.number) ? undefined : brands.get(call.number)
      if (text !== undefined) return { said: { at: this.#brandAt, text }, call }
    }
    return undefined
  }

  /** A measure is that of one attribute: of which a word beside it says, else the only one of its unit that
   * matters most. What might be of several says nothing: 120 cm may be its height or its width, 8gb 256gb
   * one way or the other. */
  #tellMeasures(measures: readonly Measure[], found: Said[]): void {
    const open = (sign: string) => {
      const units = this.#units.get(sign) ?? this.#units.get(stemOf(sign)) ?? []
      return units.filter((one) => !isFound(one, found))
    }
    const tell = ({ at, id, unit }: Unit, { number }: Measure) =>
      found.push({ at, text: told(id, { id: null, name: `${number} ${unit}`.trimEnd() }) })
    const rest = measures.filter((measure) => {
      const units = open(measure.unit)
      const named = units.find(({ called }) => measure.beside.some((word) => called.includes(word)))
      if (named) tell(named, measure)
      return !named
    })
    for (const measure of rest) {
      if (rest.some((other) => other !== measure && other.unit === measure.unit)) continue
      const units = open(measure.unit)
      const most = Math.min(...units.map(({ relevance }) => relevance))
      const [only, other] = units.filter(({ relevance }) => relevance === most)
      if (only && !other) tell(only, measure)
    }
  }
}

const isFound = ({ at }: { at: number }, found: readonly Said[]) =>
  found.some((other) => other.at === at)

/** Cantidad de hornallas, Vagas de garagem, Ambientes; no year, and not Unidades por paquete. */
const countedIn = /^(?:(?:cantidad|quantidade) de )?([a-z]+s)(?: de [a-z ]+)?$/

/** A number or a letter may be anything, unless it is said of what: talle 42, tam M. */
const saysNothing = /^(?:\p{L}|[0-9.,]+)$/u
const sizes = ['talle', 'talla', 'tam', 'tamano', 'tamanho', 'numero', 'nro', 'n']

/** By which words people say of what a value is: the first of its name, or what sizes are called. */
function namingWords(name: string): readonly string[] {
  const [first = ''] = wordsIn(fold(name))
  return sizes.includes(first) ? sizes : [first]
}

/** The other forms of a word that ends in -o: of her, of several. */
function formsOf(name: string): string[] {
  const stem = /^(\p{L}{3,})o$/u.exec(name)?.[1]
  return stem ? [`${stem}a`, `${stem}os`, `${stem}as`] : []
}
