import type { AttributeView } from '../tree/attributes.ts'
import { type Measured, type MeasureInTitle, measureValues } from './measures.ts'
import { type CallIn, type Calls, Runs } from './runs.ts'
import {
  attributeValueJson,
  isName,
  type TitleCall,
  type TitleParts,
  type Values,
} from './values.ts'

/** What is said of the attribute that stands `at` this place among those of a domain. */
interface Said {
  at: number
  text: string
}

/** By which words of a title. */
interface MatchedValue extends Said {
  call: CallIn
}

/** Finds the attributes of one domain in titles. */
export class AttributeFinder {
  readonly #attributes: readonly AttributeView[]
  /** Where attributes stand here, by their places among all. */
  readonly #standing = new Map<number, number>()
  /** Where brand and model stand, and what they are called. */
  readonly #brandAt: number
  readonly #modelAt: number
  readonly #names: Runs<Said>

  constructor(
    attributes: readonly AttributeView[],
    { values, calls }: { values: Values; calls: Calls },
  ) {
    this.#attributes = attributes
    this.#brandAt = attributes.findIndex(({ id }) => id === 'BRAND')
    this.#modelAt = attributes.findIndex(({ id }) => id === 'MODEL')
    this.#names = new Runs(calls)
    for (const [at, { id, value_type, values: offered = [] }] of attributes.entries()) {
      const place = values.placeOf(id)
      if (place !== undefined) this.#standing.set(place, at)
      if (!isName(id) || value_type === 'boolean') continue
      for (const value of offered)
        this.#names.add(value.name, { at, text: attributeValueJson(id, value) })
    }
  }

  /** The attributes that a title names, each as `told`, with commas between: a value that is offered, or one
   * of the `brands` beside, by all of its words, the longest first; a measure, by its unit. In the order of
   * the domain. The words of a brand or model say nothing else: Royal Canin is not of that blue. */
  in({ calls, measures }: TitleParts, brands: Runs<string>): string {
    const called: MatchedValue[] = []
    let brand: MatchedValue | undefined
    let beside: MatchedValue | undefined
    for (const each of calls) {
      const said = this.#saidBy(each)
      if (said) {
        called.push(said)
        if (said.at === this.#brandAt) brand ??= said
      } else if (this.#brandAt >= 0) beside ??= this.#brandOf(each.call, brands)
    }
    brand ??= beside
    const found: MatchedValue[] = brand ? [brand] : []
    for (const said of called) {
      if (!isFound(said.at, found) && !this.#isOfName(said, found)) found.push(said)
    }
    const all: Said[] = [...found, ...this.#measured(measures, found)]
    if (all.length > 1) all.sort((a, b) => a.at - b.at)
    let texts = ''
    for (const { text } of all) texts += texts === '' ? text : `,${text}`
    return texts
  }

  #measured(measures: readonly Measured[], found: readonly Said[]): Said[] {
    if (measures.length === 0) return []
    const asked = (attribute: number) => this.#asked(attribute)
    const isSaid = (at: number) => isFound(at, found)
    return measureValues(measures, { asked, isSaid }).map(({ at, id, value }) => ({
      at,
      text: attributeValueJson(id, { id: null, name: value }),
    }))
  }

  #asked(attribute: number): MeasureInTitle | undefined {
    const at = this.#standing.get(attribute)
    return at === undefined ? undefined : { at, relevance: this.#attributes[at]?.relevance ?? 0 }
  }

  /** Of several attributes the first has it. */
  #saidBy({ call, values }: TitleCall): MatchedValue | undefined {
    let first = this.#names.get(call)
    for (const { attribute, text } of values) {
      const at = this.#standing.get(attribute)
      if (at !== undefined && (first === undefined || at < first.at)) first = { at, text }
    }
    return first && { at: first.at, text: first.text, call }
  }

  /** One that is not offered here, but beside. */
  #brandOf(call: CallIn, brands: Runs<string>): MatchedValue | undefined {
    const text = brands.get(call)
    return text === undefined ? undefined : { at: this.#brandAt, text, call }
  }

  /** Whether its words are those of a brand or model that has been found, and it is none itself. */
  #isOfName({ at, call }: MatchedValue, found: readonly MatchedValue[]): boolean {
    if (this.#isNameAt(at)) return false
    return found.some(
      (other) =>
        this.#isNameAt(other.at) && other.call.from <= call.from && call.to <= other.call.to,
    )
  }

  #isNameAt(at: number): boolean {
    return at === this.#brandAt || at === this.#modelAt
  }
}

const isFound = (at: number, found: readonly Said[]) => found.some((other) => other.at === at)
