import { type SiteId, sites } from '../../kernel/sites.ts'
import { offeredValues, relevanceOf } from '../../predictor/offered-values.ts'
import type { CatalogLanguage, DomainAttribute } from '../../predictor/source.ts'
import type { SourceAttribute, SourceDomain } from '../source/source.ts'

/** An attribute of a category. `values` is missing if any value is allowed. */
export interface AttributeView {
  id: string
  name: string
  tags: Readonly<Record<string, boolean>>
  hierarchy: DomainAttribute['hierarchy']
  /** 1 for an attribute that distinguishes products or is required, 2 for any other. */
  relevance: number
  value_type: SourceAttribute['valueType']
  value_max_length: number
  values?: readonly { id: string; name: string }[]
  allowed_units?: readonly { id: string; name: string }[]
  default_unit?: string
  attribute_group_id: string
  attribute_group_name: string
}

const groupNames: Readonly<Record<string, Readonly<Record<CatalogLanguage, string>>>> = {
  MAIN: { es: 'Principales', pt: 'Principais' },
  DIMENSIONS: { es: 'Dimensiones', pt: 'Dimensões' },
  OTHERS: { es: 'Otros', pt: 'Outros' },
}

const maxValueLengths = {
  string: 255,
  list: 255,
  boolean: 255,
  number: 18,
  number_unit: 255,
} as const

/** Returns the attributes of listings in a domain, in the language of a site and the order of the domain. */
export function attributesOf(
  domain: SourceDomain,
  {
    attributesById,
    siteId,
  }: { attributesById: ReadonlyMap<string, SourceAttribute>; siteId: SiteId },
): AttributeView[] {
  const { language } = sites[siteId]
  return domain.attributes.flatMap((domainAttribute) => {
    const attribute = attributesById.get(domainAttribute.id)
    return attribute ? [viewOf(domainAttribute, { attribute, domain, language })] : []
  })
}

/** Renders an attribute of a domain in one language. */
function viewOf(
  domainAttribute: DomainAttribute,
  {
    attribute,
    domain,
    language,
  }: { attribute: SourceAttribute; domain: SourceDomain; language: CatalogLanguage },
): AttributeView {
  const { id, names, valueType, units, group } = attribute
  const values = valuesOf(attribute, { domain, language })
  const { hierarchy, isRequired, isCatalogRequired } = domainAttribute
  return {
    id,
    name: names[language],
    tags: {
      ...(isRequired ? { required: true } : {}),
      ...(isCatalogRequired ? { catalog_required: true } : {}),
      ...(hierarchy === 'CHILD_PK' ? { allow_variations: true } : {}),
    },
    hierarchy,
    relevance: relevanceOf(domainAttribute),
    value_type: valueType,
    value_max_length: maxValueLengths[valueType],
    ...(values.length > 0 ? { values } : {}),
    ...(units.length > 0
      ? { allowed_units: units.map((unit) => ({ id: unit, name: unit })), default_unit: units[0] }
      : {}),
    attribute_group_id: group,
    attribute_group_name: groupNames[group]?.[language] ?? group,
  }
}

const yesAndNo = {
  es: [
    { id: 'YES', name: 'Sí' },
    { id: 'NO', name: 'No' },
  ],
  pt: [
    { id: 'YES', name: 'Sim' },
    { id: 'NO', name: 'Não' },
  ],
} as const

function valuesOf(
  attribute: SourceAttribute,
  { domain, language }: { domain: SourceDomain; language: CatalogLanguage },
): readonly { id: string; name: string }[] {
  if (attribute.valueType === 'boolean') return yesAndNo[language]
  return offeredValues(attribute, { domain, language })
}
