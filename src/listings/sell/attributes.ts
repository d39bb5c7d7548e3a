import type { AttributeView } from '../../catalog/tree/attributes.ts'
import type { Breach } from '../../kernel/failure.ts'
import { isSellersCode, type VariationAttribute } from '../listing.ts'
import type { SaidAttribute } from './bodies.ts'
import { invalid } from './breach.ts'
import { isEmptied, nameOf, readValue } from './values.ts'

/** The attributes of a category. */
export interface AttributesInput {
  categoryId: string
  attributes: readonly AttributeView[]
}

/** Returns the attributes by which variations of an item may differ. */
export function varying({ categoryId, attributes }: AttributesInput): AttributesInput {
  return { categoryId, attributes: attributes.filter(({ tags }) => tags['allow_variations']) }
}

export interface ReadAttributes {
  attributes: readonly VariationAttribute[]
  breaches: Breach[]
}

/**
 * Checks attributes by their types and names them as the category does. An attribute that equals the one in `known` is
 * taken unchecked, so that a client can send back what it read. Cleared attributes are left out. With `takesOthers`,
 * attributes that the category does not have are kept as sent.
 */
export function readAttributes(
  bodies: readonly SaidAttribute[],
  {
    field,
    asked: category,
    known,
    takesOthers,
  }: {
    field: string
    asked: AttributesInput
    known: readonly VariationAttribute[]
    takesOthers: boolean
  },
): ReadAttributes {
  const attributes: VariationAttribute[] = []
  const breaches: Breach[] = []
  const seenIds = new Set<string>()
  for (const [index, body] of bodies.entries()) {
    const path = `${field}[${index}]`
    const wrong = (part: string, expected: string) =>
      breaches.push({ ...invalid(field, expected), field: `${path}.${part}` })
    if (seenIds.has(body.id)) {
      wrong('id', 'an attribute that was not said before')
      continue
    }
    seenIds.add(body.id)
    if (isEmptied(body)) continue
    const unchanged = known.find((stored) => stored.id === body.id && isSame(stored, body))
    if (unchanged) {
      attributes.push(unchanged)
      continue
    }
    const attribute = category.attributes.find(({ id }) => id === body.id)
    if (!attribute && takesOthers) {
      const ownAttribute = readOther(body)
      if ('expected' in ownAttribute) wrong(partOf(body), ownAttribute.expected)
      else attributes.push(ownAttribute)
      continue
    }
    if (!attribute) {
      wrong('id', `${oneOf(category)}, ${body.id} is none`)
      continue
    }
    const value = readValue(body, attribute)
    if ('expected' in value) wrong(partOf(body), value.expected)
    else attributes.push({ id: attribute.id, name: attribute.name, ...value })
  }
  return { attributes, breaches }
}

/** The same maximum as for values of the category's attributes. */
const maxValueLength = 255

function readOther(body: SaidAttribute): VariationAttribute | { expected: string } {
  const value_id = body.value_id || null
  const value_name = nameOf(body) || value_id || ''
  if ([...value_name].length > maxValueLength) {
    return { expected: `at most ${maxValueLength} characters` }
  }
  return { id: body.id, name: body.name?.trim() || body.id, value_id, value_name }
}

const maxNamedIds = 12

function oneOf({ categoryId, attributes }: AttributesInput): string {
  const ids = attributes.map(({ id }) => id)
  if (ids.length === 0) return `no attribute here in ${categoryId}`
  const remainder = ids.length > maxNamedIds ? ` and ${ids.length - maxNamedIds} more` : ''
  return `one of the attributes of ${categoryId} (${ids.slice(0, maxNamedIds).join(', ')}${remainder})`
}

function isSame(stored: VariationAttribute, body: SaidAttribute): boolean {
  const { value_id: id = stored.value_id, value_name: name = stored.value_name } = body
  return (id || null) === stored.value_id && name === stored.value_name && !body.value_struct
}

/** Returns the field that holds the value. */
function partOf(body: SaidAttribute): string {
  if (body.value_name) return 'value_name'
  return body.value_struct ? 'value_struct' : 'value_id'
}

/** Merges new attributes or sale terms into the stored ones by id. Those that the body clears are removed. */
export function withSaid<T extends { id: string }>(
  stored: readonly T[],
  bodies: readonly SaidAttribute[],
  changed: readonly T[],
): readonly T[] {
  const changedById = new Map(changed.map((entry) => [entry.id, entry]))
  const clearedIds = new Set(bodies.filter(isEmptied).map(({ id }) => id))
  const merged = stored
    .filter(({ id }) => !clearedIds.has(id))
    .map((entry) => changedById.get(entry.id) ?? entry)
  const mergedIds = new Set(merged.map(({ id }) => id))
  return [...merged, ...changed.filter(({ id }) => !mergedIds.has(id))]
}

interface ListingAttributes {
  attributes: readonly VariationAttribute[]
  /** Attributes of each variation. An item without variations has one empty list. */
  combinations: readonly (readonly VariationAttribute[])[]
}

const has = (attributes: readonly VariationAttribute[], id: string) =>
  attributes.some((attribute) => attribute.id === id)

/** Returns the seller's code from the attributes: null when it is cleared, undefined when it is missing. */
export function skuIn(bodies: readonly SaidAttribute[] = []): string | null | undefined {
  const sku = bodies.find(isSellersCode)
  return sku && (nameOf(sku) || null)
}

/** Returns the required attributes that neither the item nor all of its variations have. */
export function missingAttributes(
  { attributes, combinations }: ListingAttributes,
  category: AttributesInput,
): Breach[] {
  return category.attributes
    .filter(({ tags }) => tags['required'])
    .filter(
      ({ id }) =>
        !has(attributes, id) && !combinations.every((combination) => has(combination, id)),
    )
    .map(({ id, name }) => ({
      code: 'item.attributes.missing_required',
      field: 'attributes',
      expected: `${id} (${name}), which every listing in ${category.categoryId} has`,
    }))
}

/** Returns the attributes of variations that the item itself has too. */
export function saidTwice({ attributes, combinations }: ListingAttributes): Breach[] {
  return combinations.flatMap((combination, index) =>
    combination
      .filter(({ id }) => has(attributes, id))
      .map(({ id }) =>
        invalid(
          `variations[${index}].attribute_combinations`,
          `none that the item itself has, as it has ${id}`,
        ),
      ),
  )
}
