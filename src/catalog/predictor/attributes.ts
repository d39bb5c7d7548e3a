import type { AttributeView } from '../tree/attributes.ts'
import { type Measure, measuresIn, Scales } from './measures.ts'
import { type CallIn, type Calls, Runs, wordsIn } from './runs.ts'
import { fold } from './words.ts'

/** A title as attributes look at it: made once, for all the categories that it may belong to. */
export interface TitleParts {
  /** What it calls, the longest call first. */
  calls: readonly CallIn[]
  /** Its numbers with the units behind them. */
  measures: readonly Measure[]
}

/** What there is to find in a title, of all that `calls` knows by now. */
export function partsOf(title: string, calls: Calls): TitleParts {
  const folded = fold(title)
  return { calls: calls.in(wordsIn(folded)), measures: measuresIn(folded) }
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

/** Other words by which the values of an attribute are known, by the id of the value. */
export type AliasesOf = (attributeId: string) => ReadonlyMap<string, readonly string[]>

/** Finds the attributes of one domain in titles. */
export class AttributeFinder {
  readonly #brandAt: number
  /** Where brand and model stand. */
  readonly #names = new Set<number>()
  readonly #values: Runs<Said>
  readonly #scales = new Scales()

  constructor(attributes: readonly AttributeView[], calls: Calls, aliasesOf: AliasesOf) {
    this.#values = new Runs(calls)
    this.#brandAt = attributes.findIndex(({ id }) => id === 'BRAND')
    for (const [at, attribute] of attributes.entries()) {
      if (attribute.id === 'BRAND' || attribute.id === 'MODEL') this.#names.add(at)
      this.#addValues(at, attribute, aliasesOf)
      this.#scales.add(at, attribute)
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
      const forms = isMaterial.test(id) ? [] : formsOf(name)
      for (const form of [...forms, ...(aliases.get(valueId) ?? [])]) {
        this.#values.add(form, { at, text })
      }
      if (!saysNothing.test(name)) continue
      for (const word of words) this.#values.add(`${word} ${name}`, { at, text })
    }
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
    if (measures.length > 0) {
      const isOpen = (at: number) => !isFound({ at }, found)
      for (const { at, id, value } of this.#scales.told(measures, isOpen)) {
        found.push({ at, text: told(id, { id: null, name: value }) })
      }
    }
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
}

const isFound = ({ at }: { at: number }, found: readonly Said[]) =>
  found.some((other) => other.at === at)

/** A number or a letter may be anything, unless it is said of what: talle 42, tam M. */
const saysNothing = /^(?:\p{L}|[0-9.,]+)$/u
const sizes = ['talle', 'talla', 'tam', 'tamano', 'tamanho', 'numero', 'nro', 'n']

/** By which words people say of what a value is: the first of its name, or what sizes are called. */
function namingWords(name: string): readonly string[] {
  const [first = ''] = wordsIn(fold(name))
  return sizes.includes(first) ? sizes : [first]
}

/** What a thing is made of is a thing itself: *linho* is linen, *linha* a thread. */
const isMaterial = /MATERIAL$|^METAL$/

/** The other forms of a word that ends in -o: of her, of several. */
function formsOf(name: string): string[] {
  const stem = /^(\p{L}{3,})o$/u.exec(name)?.[1]
  return stem ? [`${stem}a`, `${stem}os`, `${stem}as`] : []
}
