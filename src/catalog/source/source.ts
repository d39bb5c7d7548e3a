import type { Vertical } from '../../kernel/verticals.ts'
import type {
  CatalogLanguage,
  PredictorAttribute,
  PredictorCategory,
  PredictorDomain,
} from '../../predictor/source.ts'

/** The content of a catalog in all languages, independent of sites. It extends what the predictor reads of it. */
export interface CatalogSource {
  categories: readonly SourceCategory[]
  attributes: readonly SourceAttribute[]
  domains: readonly SourceDomain[]
}

export interface SourceCategory extends PredictorCategory {
  vertical: Vertical
  /** Settings that differ from those of its vertical. */
  settings: Readonly<Record<string, unknown>>
  /** The date of its creation. Default: that of the catalog. */
  dateCreated?: Date
}

export interface SourceAttribute extends PredictorAttribute {
  group: string
}

export interface SourceDomain extends PredictorDomain {
  names: Readonly<Record<CatalogLanguage, string>>
}
