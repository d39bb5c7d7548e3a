import type { SiteId } from '../kernel/sites.ts'

/** What the predictor reads of a catalog, in all languages and independent of sites. A catalog may have more fields. */
export interface PredictorSource<Category extends PredictorCategory = PredictorCategory> {
  categories: readonly Category[]
  attributes: readonly PredictorAttribute[]
  domains: readonly PredictorDomain[]
}

/** The languages of the sites. Names are also kept in English, because many titles are English. */
export type CatalogLanguage = 'es' | 'pt'
export type LocalizedNames = Readonly<Record<CatalogLanguage | 'en', string>>

export interface PredictorCategory {
  /** The permanent key, independent of name and parent. */
  key: string
  /** The digits of its ids, such as 1055 in `MLA1055` and `MLB1055`. */
  number: number
  /** The key of its parent. Null for a top category. */
  parent: string | null
  names: LocalizedNames
  /** Names of goods that are sold here and have no category of their own. */
  kinds: readonly LocalizedNames[]
  aliases: readonly Alias[]
  /** The domain of its listings. Null for a category with children, unless its settings allow listings in it. */
  domain: string | null
  /** `listing_allowed: true` allows listings in a category with children. */
  settings?: Readonly<Record<string, unknown>>
}

/** Another word for the goods of a category. */
export interface Alias {
  text: string
  /** The sites whose people use the word. */
  sites: readonly SiteId[]
}

export const valueTypes = ['string', 'number', 'boolean', 'list', 'number_unit'] as const

export interface PredictorAttribute {
  id: string
  names: LocalizedNames
  valueType: (typeof valueTypes)[number]
  /** The units of a `number_unit`. The first is the default. */
  units: readonly string[]
  values: readonly SourceValue[]
}

export interface SourceValue {
  id: string
  names: Readonly<Record<CatalogLanguage, string>>
  /** Other words for the value. */
  aliases: readonly string[]
}

export interface PredictorDomain {
  id: string
  attributes: readonly DomainAttribute[]
  /** The offered brands, and models by brand. */
  brands: readonly string[]
  models: readonly { brand: string; model: string }[]
}

/** Whether an attribute distinguishes products (`PARENT_PK`), variations of one (`CHILD_PK`), or neither. */
export const hierarchies = ['PARENT_PK', 'CHILD_PK', 'FAMILY', 'ITEM'] as const

export interface DomainAttribute {
  id: string
  isRequired: boolean
  isCatalogRequired: boolean
  hierarchy: (typeof hierarchies)[number]
}
