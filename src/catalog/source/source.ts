import type { SiteId } from '../../kernel/sites.ts'
import type { Vertical } from '../verticals.ts'

/** What a catalogue is made of, in all its languages, before it is anybody's site. */
export interface CatalogSource {
  categories: readonly SourceCategory[]
  attributes: readonly SourceAttribute[]
  domains: readonly SourceDomain[]
}

/** The languages of the sites (contract 2.1, 4.4). English is known beside them: many titles are. */
export type Language = 'es' | 'pt'
export type Names = Readonly<Record<Language | 'en', string>>

export interface SourceCategory {
  /** Stays the same for ever, whatever the category is called and wherever it hangs. */
  key: string
  /** The digits of its ids: `MLA1055`, `MLB1055` (contract 2.13). */
  number: number
  /** Null for a top category. */
  parent: string | null
  names: Names
  vertical: Vertical
  /** What is sold there beside what its name says: names of kinds that have no category of their own. */
  kinds: readonly Names[]
  aliases: readonly Alias[]
  /** The domain of what is listed there; null for those that have others below them. */
  domain: string | null
  /** What differs from the settings of its vertical (contract 2.13). */
  settings: Readonly<Record<string, unknown>>
  /** When it came to be; where it is left out, with the catalogue. */
  dateCreated?: Date
}

/** Another word for what is sold in a category. */
export interface Alias {
  text: string
  /** The sites where it is said. */
  sites: readonly SiteId[]
}

export const valueTypes = ['string', 'number', 'boolean', 'list', 'number_unit'] as const

export interface SourceAttribute {
  id: string
  names: Names
  valueType: (typeof valueTypes)[number]
  /** Of `number_unit`; the first is the usual one. */
  units: readonly string[]
  group: string
  values: readonly SourceValue[]
}

export interface SourceValue {
  id: string
  names: Readonly<Record<Language, string>>
  /** Other words by which it is known. */
  aliases: readonly string[]
}

export interface SourceDomain {
  id: string
  names: Readonly<Record<Language, string>>
  attributes: readonly DomainAttribute[]
  /** Brands that are offered, and models by brand. */
  brands: readonly string[]
  models: readonly { brand: string; model: string }[]
}

/** Whether an attribute tells one product, or one variation, from another (contract 2.14). */
export const hierarchies = ['PARENT_PK', 'CHILD_PK', 'FAMILY', 'ITEM'] as const

export interface DomainAttribute {
  id: string
  isRequired: boolean
  isCatalogRequired: boolean
  hierarchy: (typeof hierarchies)[number]
}
