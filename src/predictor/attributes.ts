import { colorWords, graphicsWords, ingredients, modelVariants } from './attribute-words.ts'
import {
  type CompatibleName,
  type CompatibleNames,
  isBehindCompatible,
  isModelAlone,
  modelForms,
} from './compatible.ts'
import { assignMeasures, type MeasuredAttribute } from './measures.ts'
import type { OfferedValue } from './offered-values.ts'
import type { PredictorAttribute, PredictorDomain } from './source.ts'
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

/** A value that the title may be about. Brands and models have what the domain says of them. */
interface CandidateValue extends MatchedValue {
  brand: string | undefined
  isDistinct: boolean
}

/** A brand or model that the domain offers. `brand` is the brand of a model, if the catalog says it. */
interface OfferedName extends AttributeValue {
  brand?: string | undefined
  /** Whether it is no common word, so that it is a model without its brand, too. */
  isDistinct: boolean
}

interface FinderOptions {
  values: AttributeValueIndex
  calls: NameTrie
  /** The models of the domain with their brands. */
  models?: PredictorDomain['models']
  /** The names of what goods of the domain may be for. */
  compatible?: CompatibleNames | undefined
}

/** Finds the attribute values of one domain in titles. */
export class AttributeFinder {
  readonly #attributes: readonly OfferedAttribute[]
  /** Indexes in the domain, by the index among all attributes of the catalog. -1 for those of other domains. */
  readonly #domainIndexes: Int16Array
  /** Indexes in the domain by id, for the attributes with rules of their own. */
  readonly #at: Readonly<Record<SpecialAttribute, number>>
  /** The names of brands and models of the domain. */
  readonly #names: NameMap<OfferedName>
  /** The brands of the domain as JSON, by name. */
  readonly #brandTexts = new Map<string, string>()
  readonly #compatible: CompatibleNames | undefined
  /** Whether an attribute has values that `#isOfContents` looks at, by index. */
  readonly #hasRuleAt: readonly boolean[]
  /** Whether all goods of the domain are eaten or drunk. Goods for pets need not be. */
  readonly #isFood: boolean
  /** Whether processors tell the goods apart. */
  readonly #isComputer: boolean
  /** Whether the goods are the parts of computers. */
  readonly #isOfParts: boolean

  constructor(
    attributes: readonly OfferedAttribute[],
    { values, calls, models = [], compatible }: FinderOptions,
  ) {
    this.#attributes = attributes
    this.#domainIndexes = new Int16Array(values.attributeCount).fill(-1)
    const indexOf = (id: string) => attributes.findIndex((attribute) => attribute.id === id)
    this.#at = Object.fromEntries(specialIds.map((id) => [id, indexOf(id)])) as Record<
      SpecialAttribute,
      number
    >
    this.#isFood = this.#at.FLAVOR >= 0 && this.#at.LIFE_STAGE < 0
    this.#hasRuleAt = attributes.map(({ id }) => ruledIds.has(id))
    this.#isOfParts = this.#at.GRAPHICS_CARD >= 0 && indexOf('RAM') < 0
    this.#isComputer = attributes[this.#at.PROCESSOR]?.relevance === 1
    this.#compatible =
      this.#at.COMPATIBLE_BRAND >= 0 || this.#at.COMPATIBLE_MODEL >= 0 ? compatible : undefined
    this.#names = new NameMap(calls)
    const brandOfModel = new Map(models.map(({ brand, model }) => [model, brand]))
    for (const [at, { id, valueType, values: offered }] of attributes.entries()) {
      const attributeIndex = values.attributeIndexOf(id)
      if (attributeIndex !== undefined) this.#domainIndexes[attributeIndex] = at
      if (!isBrandOrModel(id) || valueType === 'boolean') continue
      for (const value of offered) {
        const text = attributeValueJson(id, value)
        const brand = id === 'MODEL' ? brandOfModel.get(value.name) : undefined
        const name = {
          at,
          text,
          brand,
          isDistinct: isModelAlone(value.name),
        }
        this.#names.add(value.name, name)
        if (id === 'BRAND') this.#brandTexts.set(value.name, text)
        else if (brand)
          for (const form of modelForms(brand, value.name)) this.#names.add(form, name)
      }
    }
  }

  /**
   * Returns the values that a title names, as JSON texts separated by commas, in the order of the domain. A value needs
   * all of its words, and the longest match wins. `brands` are further brands that the domain does not offer. Measures
   * match by their units. Words of a brand or model name nothing else: *Royal Canin* is not a shade of blue. A brand
   * that the goods are for is not theirs: *funda para Samsung*.
   */
  valuesIn(title: TitleParts, brands: NameMap<string>): string {
    const { nameMatches, measures, pack } = title
    const matches: CandidateValue[] = []
    const matched: MatchedValue[] = this.#compatible
      ? this.#compatibleIn(title, this.#compatible)
      : []
    let brand: MatchedValue | undefined
    let otherBrand: MatchedValue | undefined
    for (const titleCall of nameMatches) {
      const match = this.#valueOf(titleCall)
      if (match) {
        if (this.#isNameAt(match.at) && this.#isOfOthers(titleCall.call, { title, matched }))
          continue
        matches.push(match)
        if (match.at === this.#at.BRAND) brand ??= match
      } else if (this.#at.BRAND >= 0 && otherBrand === undefined) {
        const other = this.#brandOf(titleCall.call, brands)
        if (other && !this.#isOfOthers(titleCall.call, { title, matched })) otherBrand = other
      }
    }
    brand ??= otherBrand
    if (matches.length > 0) brand ??= this.#brandOfModelIn(matches)
    if (brand) matched.push(brand)
    for (const match of matches) {
      if (isFound(match.at, matched) || this.#isOfName(match, matched)) continue
      if (this.#isOfAnotherBrand(match, brand)) continue
      if (this.#hasRuleAt[match.at] && this.#isOfContents(match, title)) continue
      matched.push(match)
    }
    const values: AttributeValue[] =
      measures.length > 0 ? [...matched, ...this.#measured(title, matched)] : matched
    const packAt = this.#at.UNITS_PER_PACK
    if (pack && packAt >= 0 && (pack.isNamed || !this.#compatible)) {
      const value = { id: null, name: pack.number }
      values.push({ at: packAt, text: attributeValueJson('UNITS_PER_PACK', value) })
    }
    if (values.length > 1) values.sort((a, b) => a.at - b.at)
    let texts = ''
    for (const { text } of values) texts += texts === '' ? text : `,${text}`
    return texts
  }

  /** Returns whether a brand or model is that of a processor inside, or of what the goods are for. */
  #isOfOthers(
    call: NameMatch,
    { title, matched }: { title: TitleParts; matched: readonly MatchedValue[] },
  ): boolean {
    if (matched.some((other) => isWithin(call, other.call))) return true
    if (
      this.#isComputer &&
      title.nameMatches.some((match) => isWithin(call, match.call) && this.#isOfInside(match))
    )
      return true
    return isBehindCompatible(title, call)
  }

  /** Returns whether a name is the processor or graphics card of a computer, whose brand is not that of the computer. */
  #isOfInside({ values }: ValueMatch): boolean {
    return values.some(({ attribute }) => {
      const at = this.#domainIndexes[attribute] as number
      return at >= 0 && (at === this.#at.PROCESSOR || at === this.#at.GRAPHICS_CARD)
    })
  }

  /** Returns the brand and model that the goods are for. */
  #compatibleIn(title: TitleParts, names: CompatibleNames): MatchedValue[] {
    const { COMPATIBLE_BRAND: brandAt, COMPATIBLE_MODEL: modelAt } = this.#at
    let model: (CompatibleName & { call: NameMatch }) | undefined
    let brand: (CompatibleName & { call: NameMatch }) | undefined
    for (const { call } of title.nameMatches) {
      const name = names.get(call)
      if (!name) continue
      if (name.model === undefined) {
        if (
          !brand &&
          (names.isForAll ||
            this.#attributes[brandAt]?.relevance === 1 ||
            isBehindCompatible(title, call))
        )
          brand = { ...name, call }
      } else if (!model && (name.isDistinct || this.#isBeside(title, call, name))) {
        model = { ...name, call }
      }
    }
    const compatible: MatchedValue[] = []
    const add = (at: number, id: string, name: string, call: NameMatch) => {
      if (at >= 0) compatible.push({ at, text: attributeValueJson(id, { id: null, name }), call })
    }
    const brandName = brand?.brand ?? model?.brand
    const brandCall = brand?.call ?? model?.call
    if (model?.model !== undefined && (!brand || brand.brand === model.brand))
      add(modelAt, 'COMPATIBLE_MODEL', model.model, model.call)
    if (brandName && brandCall) add(brandAt, 'COMPATIBLE_BRAND', brandName, brandCall)
    return compatible
  }

  /** Returns whether a title names a device directly behind *para*, or beside its brand. */
  #isBeside(title: TitleParts, call: NameMatch, { brand }: CompatibleName): boolean {
    const isOfBrand = (other: NameMatch) =>
      other.to === call.from && this.#compatible?.get(other)?.brand === brand
    return (
      title.nameMatches.some((match) => isOfBrand(match.call)) || isBehindCompatible(title, call)
    )
  }

  /** Returns the brand of a model that needs no other words. */
  #brandOfModelIn(matches: readonly CandidateValue[]): MatchedValue | undefined {
    const model = matches.find(({ at }) => at === this.#at.MODEL)
    const text = model?.isDistinct && model.brand ? this.#brandTexts.get(model.brand) : undefined
    return model && text !== undefined ? { at: this.#at.BRAND, text, call: model.call } : undefined
  }

  #isOfAnotherBrand(
    { brand: own, isDistinct, call }: CandidateValue,
    brand?: MatchedValue,
  ): boolean {
    if (own === undefined) return false
    if (!brand) return isDistinct === false
    return this.#brandTexts.get(own) !== brand.text && !isWithin(brand.call, call)
  }

  /** Returns whether the words around a value make it another: the color of food or hair, a flavor that is the food, a
   * pack that only counts its units, or a model with a suffix. */
  #isOfContents(
    { at, call, text }: MatchedValue,
    { words, measures, pack, nameMatches }: TitleParts,
  ): boolean {
    if (at === this.#at.PACKAGE_TYPE) return pack !== undefined && text.includes('"PACK"')
    const written = words[call.from]?.written ?? ''
    if (at === this.#at.MODEL && this.#at.INTERNAL_MEMORY >= 0) {
      return modelVariants.has(words[call.to]?.written ?? '')
    }
    if (this.#isFood && at === this.#at.FLAVOR && ingredients.has(written)) {
      return !/^sabor(?:es)?$|^gusto$/.test(words[call.from - 1]?.written ?? '')
    }
    if (at !== this.#at.COLOR && at !== this.#at.MATERIAL) return false
    const before = words[call.from - 1]?.written ?? ''
    if (at === this.#at.COLOR && colorWords.has(before)) return false
    if (this.#at.HAIR_TYPE >= 0 && hairPattern.test(before)) return true
    if (this.#at.FLAVOR < 0) return false
    if (this.#isFood) return true
    return (
      measures.some(({ unit }) => unit === 'kg' || unit === 'g' || unit === 'ml') ||
      nameMatches.some((match) => this.#valueOf(match)?.at === this.#at.FLAVOR)
    )
  }

  #measured({ measures, words }: TitleParts, matched: readonly AttributeValue[]): AttributeValue[] {
    const attributeOf = (attribute: number) => this.#measuredAttributeOf(attribute)
    const isSaid = (at: number) => isFound(at, matched)
    let own = measures
    // The size of an engine is no capacity of the goods, and the memory of a graphics card no storage.
    if (this.#at.ENGINE >= 0) own = own.filter(({ written }) => written !== 'cc')
    if (this.#isOfParts && words.some(({ written }) => graphicsWords.has(written)))
      own = own.filter(({ unit }) => unit !== 'gb' && unit !== 'mb')
    return assignMeasures(own, { attributeOf, isSaid }).map(({ at, id, value }) => ({
      at,
      text: attributeValueJson(id, { id: null, name: value }),
    }))
  }

  #measuredAttributeOf(attribute: number): MeasuredAttribute | undefined {
    const at = this.#domainIndexes[attribute] as number
    return at < 0 ? undefined : { at, relevance: this.#attributes[at]?.relevance ?? 0 }
  }

  /** Returns the value that a call names. If several attributes have it, the first in the domain gets it, but a model
   * without a number only if no other has it: *UHD* is a resolution. */
  #valueOf({ call, values, isValue }: ValueMatch): CandidateValue | undefined {
    const name = this.#names.get(call)
    let firstAt = -1
    let firstText = ''
    for (const { attribute, text } of values) {
      const at = this.#domainIndexes[attribute] as number
      if (at < 0 || (firstAt >= 0 && firstAt <= at)) continue
      const isOfFood = this.#isFood && (at === this.#at.COLOR || at === this.#at.MATERIAL)
      if (isOfFood && values.length > 1) continue
      firstAt = at
      firstText = text
    }
    if (name) {
      const { at, text, brand } = name
      const isDistinct = isValue ? /[0-9]/.test(text) : name.isDistinct
      const isOther = firstAt >= 0 && (firstAt < at || (brand !== undefined && !isDistinct))
      if (!isOther) return { at, text, call, brand, isDistinct }
    }
    return firstAt < 0
      ? undefined
      : { at: firstAt, text: firstText, call, brand: undefined, isDistinct: true }
  }

  /** Returns a brand that the domain does not offer. */
  #brandOf(call: NameMatch, brands: NameMap<string>): MatchedValue | undefined {
    const text = brands.get(call)
    return text === undefined ? undefined : { at: this.#at.BRAND, text, call }
  }

  /** Returns whether the words of a value belong to a found brand or model, and the value is neither. */
  #isOfName({ at, call }: MatchedValue, matched: readonly MatchedValue[]): boolean {
    if (this.#isNameAt(at)) return false
    return matched.some(
      (other) =>
        (this.#isNameAt(other.at) || this.#isCompatibleAt(other.at)) && isWithin(call, other.call),
    )
  }

  #isCompatibleAt(at: number): boolean {
    return at === this.#at.COMPATIBLE_BRAND || at === this.#at.COMPATIBLE_MODEL
  }

  #isNameAt(at: number): boolean {
    return at === this.#at.BRAND || at === this.#at.MODEL
  }
}

const isFound = (at: number, matched: readonly AttributeValue[]) =>
  matched.some((other) => other.at === at)

const isWithin = (call: NameMatch, other: NameMatch) =>
  other.from <= call.from && call.to <= other.to

/** The attributes with rules of their own. */
const specialIds = [
  'BRAND',
  'MODEL',
  'COMPATIBLE_BRAND',
  'COMPATIBLE_MODEL',
  'COLOR',
  'MATERIAL',
  'FLAVOR',
  'LIFE_STAGE',
  'HAIR_TYPE',
  'ENGINE',
  'PACKAGE_TYPE',
  'UNITS_PER_PACK',
  'PROCESSOR',
  'GRAPHICS_CARD',
  'INTERNAL_MEMORY',
] as const
const ruledIds: ReadonlySet<string> = new Set([
  'PACKAGE_TYPE',
  'MODEL',
  'FLAVOR',
  'COLOR',
  'MATERIAL',
])
type SpecialAttribute = (typeof specialIds)[number]

const hairPattern = /^(?:cabellos?|cabelos?|pelo|canas)$/
