import type { ResponseBody } from '../../../api/types.ts'

export type NamedEntity = ResponseBody<'/sites/{site_id}/categories', 'get'>[number]
export type Category = ResponseBody<'/categories/{category_id}', 'get'>
export type Attribute = ResponseBody<'/categories/{category_id}/attributes', 'get'>[number]

export type CategoryPrediction = ResponseBody<
  '/sites/{site_id}/domain_discovery/search',
  'get'
>[number]
export type PredictionScore = NonNullable<CategoryPrediction['explanation']>

export type CatalogImportResult = ResponseBody<'/operator/catalog/import', 'post'>
export type CatalogVersions = ResponseBody<'/operator/catalog/versions', 'get'>
export type CatalogDiffSummary = NonNullable<CatalogVersions['versions'][number]['summary']>

/** An element of the `cause` of a refused import. Error bodies have one shape, whose `cause` is of any kind. */
export interface CatalogFileProblem {
  file: string
  line: number | null
  field: string
  message: string
}
