import type { AttributeView } from '../../catalog/tree/attributes.ts'
import type { Breach } from '../../kernel/failure.ts'
import { isSellersCode, type VariationAttribute } from '../listing.ts'
import type { SaidAttribute } from './bodies.ts'
import { invalid } from './breach.ts'
import { isEmptied, nameOf, readValue } from './values.ts'

/** What a category asks of its listings (contract 2.14). */
export interface AttributesInput {
  categoryId: string
  attributes: readonly AttributeView[]
}

/** Of what a category asks, that by which variations of one item may differ. */
export function varying({ categoryId, attributes }: AttributesInput): AttributesInput {
  return { categoryId, attributes: attributes.filter(({ tags }) => tags['allow_variations']) }
}

export interface ReadAttributes {
  attributes: readonly VariationAttribute[]
  breaches: Breach[]
}

/**
 * Attributes as they are said, each checked by its kind and named as the category names it. One that is
 * said as `known` has it is taken as it is: an item that was registered otherwise can be sent back as it
 * was read. Emptied ones are left out of `attributes`. Where it `takesOthers`, those that the category does not
 * have are kept as they are said.
 */
export function readAttributes(
  said: readonly SaidAttribute[],
  {
    field,
    asked,
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
  const saidIds = new Set<string>()
  for (const [index, each] of said.entries()) {
    const place = `${field}[${index}]`
    const wrong = (part: string, expected: string) =>
      breaches.push({ ...invalid(field, expected), field: `${place}.${part}` })
    if (saidIds.has(each.id)) {
      wrong('id', 'an attribute that was not said before')
      continue
    }
    saidIds.add(each.id)
    if (isEmptied(each)) continue
    const same = known.find((one) => one.id === each.id && isSame(one, each))
    if (same) {
      attributes.push(same)
      continue
    }
    const attribute = asked.attributes.find(({ id }) => id === each.id)
    if (!attribute && takesOthers) {
      const other = readOther(each)
      if ('expected' in other) wrong(partOf(each), other.expected)
      else attributes.push(other)
      continue
    }
    if (!attribute) {
      wrong('id', `${oneOf(asked)}, ${each.id} is none`)
      continue
    }
    const value = readValue(each, attribute)
    if ('expected' in value) wrong(partOf(each), value.expected)
    else attributes.push({ id: attribute.id, name: attribute.name, ...value })
  }
  return { attributes, breaches }
}

/** As long as the values of a category's own attributes may be. */
const longestValue = 255

function readOther(said: SaidAttribute): VariationAttribute | { expected: string } {
  const value_id = said.value_id || null
  const value_name = nameOf(said) || value_id || ''
  if ([...value_name].length > longestValue) {
    return { expected: `at most ${longestValue} characters` }
  }
  return { id: said.id, name: said.name?.trim() || said.id, value_id, value_name }
}

const mostNamed = 12

function oneOf({ categoryId, attributes }: AttributesInput): string {
  const ids = attributes.map(({ id }) => id)
  if (ids.length === 0) return `no attribute here in ${categoryId}`
  const more = ids.length > mostNamed ? ` and ${ids.length - mostNamed} more` : ''
  return `one of the attributes of ${categoryId} (${ids.slice(0, mostNamed).join(', ')}${more})`
}

function isSame(known: VariationAttribute, said: SaidAttribute): boolean {
  const { value_id: id = known.value_id, value_name: name = known.value_name } = said
  return (id || null) === known.value_id && name === known.value_name && !said.value_struct
}

/** Which of its parts said the value. */
function partOf(said: SaidAttribute): string {
  if (said.value_name) return 'value_name'
  return said.value_struct ? 'value_struct' : 'value_id'
}

/** The attributes of an item, or its terms of sale, with what is now said of some of them: what is not said
 * stays, what is emptied goes. */
export function withSaid<T extends { id: string }>(
  known: readonly T[],
  said: readonly SaidAttribute[],
  read: readonly T[],
): readonly T[] {
  const now = new Map(read.map((each) => [each.id, each]))
  const gone = new Set(said.filter(isEmptied).map(({ id }) => id))
  const kept = known.filter(({ id }) => !gone.has(id)).map((each) => now.get(each.id) ?? each)
  const ids = new Set(kept.map(({ id }) => id))
  return [...kept, ...read.filter(({ id }) => !ids.has(id))]
}

interface Sayings {
  attributes: readonly VariationAttribute[]
  /** Of each variation; of an item without any, the one that stands for it has none. */
  combinations: readonly (readonly VariationAttribute[])[]
}

const has = (all: readonly VariationAttribute[], id: string) => all.some((one) => one.id === id)

/** The seller's own code, where the attributes say one; undefined where they do not speak of it. */
export function skuIn(said: readonly SaidAttribute[] = []): string | null | undefined {
  const sku = said.find(isSellersCode)
  return sku && (nameOf(sku) || null)
}

/** Those that the category requires and that are said neither of the item nor of all its variations. */
export function missingAttributes(
  { attributes, combinations }: Sayings,
  asked: AttributesInput,
): Breach[] {
  return asked.attributes
    .filter(({ tags }) => tags['required'])
    .filter(({ id }) => !has(attributes, id) && !combinations.every((all) => has(all, id)))
    .map(({ id, name }) => ({
      code: 'item.attributes.missing_required',
      field: 'attributes',
      expected: `${id} (${name}), which every listing in ${asked.categoryId} has`,
    }))
}

/** Those of variations that the item says of itself, of all of them. */
export function saidTwice({ attributes, combinations }: Sayings): Breach[] {
  return combinations.flatMap((all, index) =>
    all
      .filter(({ id }) => has(attributes, id))
      .map(({ id }) =>
        invalid(
          `variations[${index}].attribute_combinations`,
          `none that the item itself has, as it has ${id}`,
        ),
      ),
  )
}
