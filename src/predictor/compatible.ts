import {
  brandNames,
  commonModels,
  deviceWords,
  linkWords,
  purposeWords,
} from './attribute-words.ts'
import type { PredictorCategory, PredictorDomain, PredictorSource } from './source.ts'
import { NameMap, type NameMatch, type NameTrie } from './title/name-trie.ts'
import { foldText } from './title/tokenize.ts'
import type { TitleParts } from './values.ts'

/** A brand, or a model of it. */
export interface CompatibleName {
  brand: string
  model?: string
  /** Whether a model is no common word. */
  isDistinct: boolean
}

/** The names of brands and models that goods of a domain may be for. */
export interface CompatibleNames {
  get(call: NameMatch): CompatibleName | undefined
  /** Whether every such name in a title is what the goods are for, as with vehicle parts. */
  isForAll: boolean
}

const hasAttribute = ({ attributes }: PredictorDomain, id: string) =>
  attributes.some((attribute) => attribute.id === id)
const isForDevices = (domain: PredictorDomain) =>
  hasAttribute(domain, 'COMPATIBLE_BRAND') || hasAttribute(domain, 'COMPATIBLE_MODEL')
const isForVehicles = (domain: PredictorDomain) => hasAttribute(domain, 'VEHICLE_TYPE')

/**
 * What accessories and parts may be for: vehicles for the parts of vehicles, and otherwise the devices below the same top
 * category.
 */
export class CompatibleDevices {
  readonly #source: Pick<PredictorSource, 'categories' | 'domains'>
  readonly #calls: NameTrie
  readonly #pools = new Map<string, CompatibleNames>()
  #byKey: ReadonlyMap<string, PredictorCategory> | undefined

  constructor(source: Pick<PredictorSource, 'categories' | 'domains'>, calls: NameTrie) {
    this.#source = source
    this.#calls = calls
  }

  /** Returns the names for a domain of a category. Undefined if its goods are for nothing else. */
  of(category: PredictorCategory, domain: PredictorDomain): CompatibleNames | undefined {
    if (!isForDevices(domain)) return undefined
    const isForAll = isForVehicles(domain)
    const top = isForAll ? '' : this.#topOf(category)
    let pool = this.#pools.get(top)
    if (!pool) {
      pool = this.#poolOf(top, isForAll)
      this.#pools.set(top, pool)
    }
    return pool
  }

  #poolOf(top: string, isForAll: boolean): CompatibleNames {
    const names = new NameMap<CompatibleName>(this.#calls)
    const below = new Set(
      isForAll
        ? []
        : this.#source.categories
            .filter((one) => this.#topOf(one) === top)
            .map(({ domain }) => domain),
    )
    const domains = this.#source.domains.filter((domain) =>
      isForDevices(domain) ? false : isForAll ? isForVehicles(domain) : below.has(domain.id),
    )
    for (const { models } of domains) {
      for (const { brand, model } of models) {
        const name = {
          brand,
          model,
          isDistinct: isModelAlone(model) && (isForAll || /[0-9]/.test(model)),
        }
        names.add(model, name)
        for (const form of modelForms(brand, model)) names.add(form, name)
      }
    }
    const brands = new Set(domains.flatMap(({ brands }) => brands))
    for (const brand of brands) names.add(brand, { brand, isDistinct: true })
    for (const [name, brand] of brandNames) {
      if (brands.has(brand)) names.add(name, { brand, isDistinct: true })
    }
    return { get: (call) => names.get(call), isForAll }
  }

  #topOf(category: PredictorCategory): string {
    this.#byKey ??= new Map(this.#source.categories.map((one) => [one.key, one]))
    let top = category
    for (
      let above = this.#byKey.get(top.parent ?? '');
      above;
      above = this.#byKey.get(top.parent ?? '')
    )
      top = above
    return top.key
  }
}

/** Returns whether a model needs no brand beside it. Short codes do (*A3*), and common words (*Escape*, *Turbo*). */
export function isModelAlone(model: string): boolean {
  const folded = foldText(model)
  return !shortCodePattern.test(folded) && !commonModels.has(folded)
}

const shortCodePattern = /^(?:[a-z]{0,2}[0-9]{1,2}[a-z]?|[a-z]{2})$/

/** Returns other forms of a model: a number needs its brand (*Peugeot 208*), and the brand may stand for the line
 * (*Samsung A52* for *Galaxy A52*). */
export function modelForms(brand: string, model: string): string[] {
  if (/^[0-9]{1,2}$/.test(model)) return []
  if (/^[0-9. ]+$/.test(model)) return [`${brand} ${model}`]
  const rest = /^[\p{L}]+ (.+)$/u.exec(model)?.[1]
  return rest && /[0-9]/.test(rest) && /\p{L}/u.test(rest) ? [`${brand} ${rest}`] : []
}

/** How many words may stand between *para* and a brand: *para celular Samsung*. */
const purposeReach = 5

/** Returns whether the title says directly before a brand or model that the goods are for it. Other brands
 * and models may stand between: *para Samsung Galaxy A52*. */
export function isBehindCompatible(
  { words, nameMatches, hasPurpose }: TitleParts,
  { from }: NameMatch,
): boolean {
  if (!hasPurpose) return false
  for (let at = from - 1; at >= 0 && at >= from - purposeReach; at--) {
    const written = words[at]?.written ?? ''
    if (purposeWords.has(written)) return true
    const isLink = linkWords.has(written) || deviceWords.has(written) || /[0-9]/.test(written)
    if (
      !isLink &&
      !nameMatches.some(
        ({ call, values }) =>
          values.length === 0 && call.from <= at && at < call.to && call.to <= from,
      )
    )
      return false
  }
  return false
}
