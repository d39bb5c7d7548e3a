import type { AttributeView } from '../../catalog/tree/attributes.ts'
import type { FieldError } from '../../kernel/failure.ts'
import { type ItemAttribute, isSellerSku } from '../listing.ts'
import type { AttributeInput } from './bodies.ts'
import { invalid } from './breach.ts'
import { isCleared, readValue, valueTextOf } from './values.ts'

/** The attributes of a category. */
export interface CategoryAttributes {
  categoryId: string
  attributes: readonly AttributeView[]
}

/** Returns the attributes by which variations of an item may differ. */
export function variationAttributesOf({
  categoryId,
  attributes,
}: CategoryAttributes): CategoryAttributes {
  return { categoryId, attributes: attributes.filter(({ tags }) => tags['allow_variations']) }
}

export interface AttributesResult {
  attributes: readonly ItemAttribute[]
  breaches: FieldError[]
}

/**
 * Checks attributes by their types and names them as the category does. An attribute that equals the one in
 * `storedAttributes` is taken unchecked, so that a client can send back what it read. Cleared attributes are left out.
 * With `takesOthers`, attributes that the category does not have are kept as sent.
 */
export function readAttributes(
  bodies: readonly AttributeInput[],
  {
    field,
    categoryAttributes,
    storedAttributes,
    takesOthers,
  }: {
    field: string
    categoryAttributes: CategoryAttributes
    storedAttributes: readonly ItemAttribute[]
    takesOthers: boolean
  },
): AttributesResult {
  const attributes: ItemAttribute[] = []
  const breaches: FieldError[] = []
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
    if (isCleared(body)) continue
    const unchanged = storedAttributes.find(
      (stored) => stored.id === body.id && isSame(stored, body),
    )
    if (unchanged) {
      attributes.push(unchanged)
      continue
    }
    const attribute = categoryAttributes.attributes.find(({ id }) => id === body.id)
    if (!attribute && takesOthers) {
      const ownAttribute = readUnknownAttribute(body)
      if ('expected' in ownAttribute) wrong(valueFieldOf(body), ownAttribute.expected)
      else attributes.push(ownAttribute)
      continue
    }
    if (!attribute) {
      wrong('id', `${expectedAttributeIds(categoryAttributes)}, ${body.id} is none`)
      continue
    }
    const value = readValue(body, attribute)
    if ('expected' in value) wrong(valueFieldOf(body), value.expected)
    else attributes.push({ id: attribute.id, name: attribute.name, ...value })
  }
  return { attributes, breaches }
}

/** The same maximum as for values of the category's attributes. */
const maxValueLength = 255

function readUnknownAttribute(body: AttributeInput): ItemAttribute | { expected: string } {
  const value_id = body.value_id || null
  const value_name = valueTextOf(body) || value_id || ''
  if ([...value_name].length > maxValueLength) {
    return { expected: `at most ${maxValueLength} characters` }
  }
  return { id: body.id, name: body.name?.trim() || body.id, value_id, value_name }
}

const maxNamedIds = 12

function expectedAttributeIds({ categoryId, attributes }: CategoryAttributes): string {
  const ids = attributes.map(({ id }) => id)
  if (ids.length === 0) return `no attribute here in ${categoryId}`
  const remainder = ids.length > maxNamedIds ? ` and ${ids.length - maxNamedIds} more` : ''
  return `one of the attributes of ${categoryId} (${ids.slice(0, maxNamedIds).join(', ')}${remainder})`
}

function isSame(stored: ItemAttribute, body: AttributeInput): boolean {
  const { value_id: id = stored.value_id, value_name: name = stored.value_name } = body
  return (id || null) === stored.value_id && name === stored.value_name && !body.value_struct
}

/** Returns the field that holds the value. */
function valueFieldOf(body: AttributeInput): string {
  if (body.value_name) return 'value_name'
  return body.value_struct ? 'value_struct' : 'value_id'
}

/** Merges new attributes or sale terms into the stored ones by id. Those that the body clears are removed. */
export function mergeById<T extends { id: string }>(
  stored: readonly T[],
  bodies: readonly AttributeInput[],
  changed: readonly T[],
): readonly T[] {
  const changedById = new Map(changed.map((entry) => [entry.id, entry]))
  const clearedIds = new Set(bodies.filter(isCleared).map(({ id }) => id))
  const merged = stored
    .filter(({ id }) => !clearedIds.has(id))
    .map((entry) => changedById.get(entry.id) ?? entry)
  const mergedIds = new Set(merged.map(({ id }) => id))
  return [...merged, ...changed.filter(({ id }) => !mergedIds.has(id))]
}

interface ListingAttributes {
  attributes: readonly ItemAttribute[]
  /** Attributes of each variation. An item without variations has one empty list. */
  combinations: readonly (readonly ItemAttribute[])[]
}

const has = (attributes: readonly ItemAttribute[], id: string) =>
  attributes.some((attribute) => attribute.id === id)

/** Returns the seller's code from the attributes: null when it is cleared, undefined when it is missing. */
export function skuIn(bodies: readonly AttributeInput[] = []): string | null | undefined {
  const sku = bodies.find(isSellerSku)
  return sku && (valueTextOf(sku) || null)
}

/** Returns the required attributes that neither the item nor all of its variations have. */
export function findMissingAttributes(
  { attributes, combinations }: ListingAttributes,
  category: CategoryAttributes,
): FieldError[] {
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
export function findDuplicatedAttributes({
  attributes,
  combinations,
}: ListingAttributes): FieldError[] {
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
