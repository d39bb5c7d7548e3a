import type { AttributeView } from '../tree/attributes.ts'
import { type Calls, Runs, wordsIn } from './runs.ts'
import { fold } from './words.ts'

/** How sellers write a unit, beside its sign. */
export const spellings: Readonly<Record<string, readonly string[]>> = {
  l: ['lt', 'lts', 'litro', 'litros'],
  ml: ['mililitros', 'cc'],
  kg: ['kgs', 'kilo', 'kilos', 'quilo', 'quilos'],
  g: ['gr', 'grs', 'gramos', 'gramas'],
  m: ['mt', 'mts', 'metro', 'metros'],
  cm: ['cms', 'centimetros'],
  mm: ['milimetros'],
  w: ['watt', 'watts'],
  v: ['volt', 'volts'],
  gb: ['gigas', 'g'],
  tb: ['teras'],
  '"': ['pulgadas', 'pulg', 'polegadas', 'pol', 'in', "''"],
  hp: ['cv'],
}

/** A title as attributes look at it: made once, for all the categories that it may belong to. */
export interface TitleParts {
  /** What it calls, the longest call first. */
  calls: readonly number[]
  /** Its numbers with what stands behind them. */
  measures: readonly { number: string; unit: string }[]
}

const measurePattern = /(?<![a-z0-9.,])([0-9]+(?:[.,][0-9]+)?) ?("|''|[a-z]+)/g

/** What there is to find in a title, of all that `calls` knows by now. */
export function partsOf(title: string, calls: Calls): TitleParts {
  const folded = fold(title)
  const measures = [...folded.matchAll(measurePattern)].map(([, number = '', unit = '']) => ({
    number: number.replace(',', '.'),
    unit,
  }))
  return { calls: calls.in(wordsIn(folded)), measures }
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

/** A measure that an attribute may have. */
interface Unit {
  at: number
  id: string
  unit: string
}

/** Finds the attributes of one domain in titles. */
export class AttributeFinder {
  readonly #brandAt: number
  readonly #values: Runs<Said>
  readonly #units = new Map<string, Unit[]>()

  constructor(attributes: readonly AttributeView[], calls: Calls) {
    this.#values = new Runs(calls)
    this.#brandAt = attributes.findIndex(({ id }) => id === 'BRAND')
    for (const [at, attribute] of attributes.entries()) {
      this.#addValues(at, attribute)
      for (const { id: unit } of attribute.allowed_units ?? []) {
        const sign = fold(unit)
        for (const written of [sign, ...(spellings[sign] ?? [])]) {
          const known = this.#units.get(written)
          const entry = { at, id: attribute.id, unit }
          if (known) known.push(entry)
          else this.#units.set(written, [entry])
        }
      }
    }
  }

  #addValues(at: number, { id, value_type, values = [] }: AttributeView): void {
    if (value_type === 'boolean') return
    const said = values.map((value) => ({ name: value.name, text: told(id, value) }))
    for (const { name, text } of said) this.#values.add(name, { at, text })
    // A brand is called one way; what a thing is like follows the thing: heladera blanca, zapatos negros.
    if (id === 'BRAND' || id === 'MODEL') return
    for (const { name, text } of said) {
      for (const form of formsOf(name)) this.#values.add(form, { at, text })
    }
  }

  /** The attributes that a title names, each as `told`: a value that is offered, or one of the `brands`
   * beside, by all of its words; a measure, by its unit. Of each the longest, in the order of the domain. */
  in({ calls, measures }: TitleParts, brands: Runs<string>): string[] {
    const found: Said[] = []
    const isFound = (place: number) => found.some(({ at }) => at === place)
    for (const call of calls) {
      const said = this.#values.get(call)
      if (said && !isFound(said.at)) found.push(said)
    }
    if (this.#brandAt >= 0 && !isFound(this.#brandAt)) {
      const call = calls.find((each) => brands.get(each) !== undefined)
      if (call !== undefined) found.push({ at: this.#brandAt, text: brands.get(call) as string })
    }
    for (const { number, unit: written } of measures) {
      for (const { at, id, unit } of this.#units.get(written) ?? []) {
        const name = `${number} ${unit}`
        if (!isFound(at)) found.push({ at, text: told(id, { id: null, name }) })
      }
    }
    if (found.length > 1) found.sort((a, b) => a.at - b.at)
    return found.map(({ text }) => text)
  }
}

/** The other forms of a word that ends in -o: of her, of several. */
function formsOf(name: string): string[] {
  const stem = /^(\p{L}{3,})o$/u.exec(name)?.[1]
  return stem ? [`${stem}a`, `${stem}os`, `${stem}as`] : []
}
