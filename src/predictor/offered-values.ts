import type {
  CatalogLanguage,
  DomainAttribute,
  PredictorAttribute,
  PredictorDomain,
} from './source.ts'

/** A value that a domain offers, with its name in one language. */
export interface OfferedValue {
  id: string
  name: string
}

/** Returns the values of an attribute in a domain. A domain has its own brands and models. */
export function offeredValues(
  attribute: PredictorAttribute,
  { domain, language }: { domain: PredictorDomain; language: CatalogLanguage },
): OfferedValue[] {
  const offered = offeredBy(domain, attribute.id)
  if (offered.length > 0) return offered.map((name) => ({ id: valueIdOf(name), name }))
  return attribute.values.map(({ id, names }) => ({ id, name: names[language] }))
}

function offeredBy({ brands, models }: PredictorDomain, attributeId: string): readonly string[] {
  if (attributeId === 'BRAND') return brands
  if (attributeId === 'MODEL') return [...new Set(models.map(({ model }) => model))]
  return []
}

/** Returns the relevance of an attribute: 1 if it distinguishes products or is required, 2 for any other. */
export function relevanceOf({ hierarchy, isRequired }: DomainAttribute): number {
  return hierarchy !== 'ITEM' || isRequired ? 1 : 2
}

/** Returns the id of a brand or model, which derives from its name: `Galaxy S23+` → `GALAXY_S23_PLUS`. */
export function valueIdOf(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/\+/g, ' plus ')
    .replace(/&/g, ' and ')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .toUpperCase()
}
