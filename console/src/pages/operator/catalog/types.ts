export interface NamedEntity {
  id: string
  name: string
}

export interface Category {
  id: string
  name: string
  picture: string
  permalink: string | null
  total_items_in_this_category: number
  path_from_root: NamedEntity[]
  children_categories: (NamedEntity & { total_items_in_this_category: number })[]
  settings: Record<string, unknown>
  date_created: string
}

export interface Attribute {
  id: string
  name: string
  tags: Record<string, unknown>
  relevance: number
  value_type: string
  values?: NamedEntity[]
  allowed_units?: NamedEntity[]
  attribute_group_name: string
}

export interface CategoryPrediction {
  domain_id: string
  domain_name: string
  category_id: string
  category_name: string
  attributes: { id: string; value_id: string | null; value_name: string }[]
  explanation?: PredictionScore
}

export interface PredictionScore {
  score: number
  from_names: number
  from_listings: number
  from_neighbours: number
  names: { text: string; kind: 'name' | 'alias'; words: string[]; score: number }[]
  words: { text: string; share: number; listings: number }[]
}

interface CategoryChanges {
  count: number
  examples: {
    key: string
    number: number
    name: string
    before?: string | null
    after?: string | null
  }[]
}

interface IdChanges {
  count: number
  examples: string[]
}

export interface CatalogDiffSummary {
  against: number
  categories: Record<'added' | 'removed' | 'renamed' | 'moved' | 'changed', CategoryChanges> & {
    total: number
  }
  attributes: Record<'added' | 'removed' | 'changed', IdChanges> & { total: number }
  domains: Record<'added' | 'removed' | 'changed', IdChanges> & { total: number }
  numbers_given: number
  listings_in_removed_categories: number
}

export interface CatalogImportResult extends CatalogDiffSummary {
  version: number
  is_new: boolean
  dry_run: boolean
}

export interface CatalogFileProblem {
  file: string
  line: number | null
  field: string
  message: string
}

export interface CatalogVersions {
  in_force: number
  before: number | null
  versions: {
    version: number
    in_force: boolean
    note: string | null
    date_created: string
    date_activated: string | null
    summary: CatalogDiffSummary | null
  }[]
}
