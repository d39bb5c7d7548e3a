import { assignMeasures, type MatchedMeasure, type MeasuredAttribute } from './measures.ts'
import type { OfferedValue } from './offered-values.ts'
import type { PredictorAttribute } from './source.ts'
import { NameMap, type NameMatch, type NameTrie } from './title/name-trie.ts'
import {
  type AttributeValueIndex,
  attributeValueJson,
  isBrandOrModel,
  type TitleParts,
  type ValueMatch,
} from './values.ts'

/** An attribute of a domain, with the values that the domain offers. */
export interface OfferedAttribute extends Pick<PredictorAttribute, 'id' | 'valueType'> {
  values: readonly OfferedValue[]
  /** 1 for an attribute that distinguishes products. */
  relevance: number
}

/** A value of an attribute. `at` is the index of the attribute in its domain, `text` the JSON of the value. */
interface AttributeValue {
  at: number
  text: string
}

/** A value with the words of the title that name it. */
interface MatchedValue extends AttributeValue {
  call: NameMatch
}

/** Finds the attribute values of one domain in titles. */
export class AttributeFinder {
  readonly #attributes: readonly OfferedAttribute[]
  /** Indexes in the domain, by the index among all attributes of the catalog. */
  readonly #domainIndexes = new Map<number, number>()
  /** The indexes of brand and model in the domain, or -1. */
  readonly #brandAt: number
  readonly #modelAt: number
  /** The names of brands and models of the domain. */
  readonly #names: NameMap<AttributeValue>

  constructor(
    attributes: readonly OfferedAttribute[],
    { values, calls }: { values: AttributeValueIndex; calls: NameTrie },
  ) {
    this.#attributes = attributes
    this.#brandAt = attributes.findIndex(({ id }) => id === 'BRAND')
    this.#modelAt = attributes.findIndex(({ id }) => id === 'MODEL')
    this.#names = new NameMap(calls)
    for (const [at, { id, valueType, values: offered }] of attributes.entries()) {
      const attributeIndex = values.attributeIndexOf(id)
      if (attributeIndex !== undefined) this.#domainIndexes.set(attributeIndex, at)
      if (!isBrandOrModel(id) || valueType === 'boolean') continue
      for (const value of offered)
        this.#names.add(value.name, { at, text: attributeValueJson(id, value) })
    }
  }

  /**
   * Returns the values that a title names, as JSON texts separated by commas, in the order of the domain. A value needs
   * all of its words, and the longest match wins. `brands` are further brands that the domain does not offer. Measures
   * match by their units. Words of a brand or model name nothing else: *Royal Canin* is not a shade of blue.
   */
  valuesIn({ nameMatches, measures }: TitleParts, brands: NameMap<string>): string {
    const matches: MatchedValue[] = []
    let brand: MatchedValue | undefined
    let otherBrand: MatchedValue | undefined
    for (const titleCall of nameMatches) {
      const match = this.#valueOf(titleCall)
      if (match) {
        matches.push(match)
        if (match.at === this.#brandAt) brand ??= match
      } else if (this.#brandAt >= 0) otherBrand ??= this.#brandOf(titleCall.call, brands)
    }
    brand ??= otherBrand
    const matched: MatchedValue[] = brand ? [brand] : []
    for (const match of matches) {
      if (!isFound(match.at, matched) && !this.#isOfName(match, matched)) matched.push(match)
    }
    const values: AttributeValue[] = [...matched, ...this.#measured(measures, matched)]
    if (values.length > 1) values.sort((a, b) => a.at - b.at)
    let texts = ''
    for (const { text } of values) texts += texts === '' ? text : `,${text}`
    return texts
  }

  #measured(
    measures: readonly MatchedMeasure[],
    matched: readonly AttributeValue[],
  ): AttributeValue[] {
    if (measures.length === 0) return []
    const attributeOf = (attribute: number) => this.#measuredAttributeOf(attribute)
    const isSaid = (at: number) => isFound(at, matched)
    return assignMeasures(measures, { attributeOf, isSaid }).map(({ at, id, value }) => ({
      at,
      text: attributeValueJson(id, { id: null, name: value }),
    }))
  }

  #measuredAttributeOf(attribute: number): MeasuredAttribute | undefined {
    const at = this.#domainIndexes.get(attribute)
    return at === undefined ? undefined : { at, relevance: this.#attributes[at]?.relevance ?? 0 }
  }

  /** Returns the value that a call names. If several attributes have it, the first in the domain gets it. */
  #valueOf({ call, values }: ValueMatch): MatchedValue | undefined {
    let first = this.#names.get(call)
    for (const { attribute, text } of values) {
      const at = this.#domainIndexes.get(attribute)
      if (at !== undefined && (first === undefined || at < first.at)) first = { at, text }
    }
    return first && { at: first.at, text: first.text, call }
  }

  /** Returns a brand that the domain does not offer. */
  #brandOf(call: NameMatch, brands: NameMap<string>): MatchedValue | undefined {
    const text = brands.get(call)
    return text === undefined ? undefined : { at: this.#brandAt, text, call }
  }

  /** Returns whether the words of a value belong to a found brand or model, and the value is neither. */
  #isOfName({ at, call }: MatchedValue, matched: readonly MatchedValue[]): boolean {
    if (this.#isNameAt(at)) return false
    return matched.some(
      (other) =>
        this.#isNameAt(other.at) && other.call.from <= call.from && call.to <= other.call.to,
    )
  }

  #isNameAt(at: number): boolean {
    return at === this.#brandAt || at === this.#modelAt
  }
}

const isFound = (at: number, matched: readonly AttributeValue[]) =>
  matched.some((other) => other.at === at)
