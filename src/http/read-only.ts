import { isDeepStrictEqual } from 'node:util'
import type { TSchema } from 'typebox'

/** The fields that a resource has in answers but not in the body of its operation. Clients may send them back. */
export interface ReadOnlyFields {
  /** Returns the body without these fields, at every depth. */
  strip(body: unknown): unknown
  /** Returns the paths of those that differ between body and resource, such as `lines.sold`. Without a resource, it
   * returns all that the body has. */
  changedIn(body: unknown, resource: unknown): Set<string>
}

interface Keywords {
  anyOf?: readonly TSchema[]
  items?: TSchema
  properties?: Readonly<Record<string, TSchema>>
}

/** Returns the read-only fields, or undefined if the body accepts all fields of the resource. */
export function readOnlyFields(
  body: TSchema | undefined,
  resource: TSchema | undefined,
): ReadOnlyFields | undefined {
  const [bodyKeywords, resourceKeywords] = [keywordsOf(body), keywordsOf(resource)]
  if (bodyKeywords.items && resourceKeywords.items)
    return ofLists(bodyKeywords.items, resourceKeywords.items)
  if (!bodyKeywords.properties || !resourceKeywords.properties) return undefined
  const { properties } = bodyKeywords
  const inside = new Map<string, ReadOnlyFields>()
  const readOnly = new Set<string>()
  for (const [name, part] of Object.entries(resourceKeywords.properties)) {
    const fields = readOnlyFields(properties[name], part)
    if (fields) inside.set(name, fields)
    if (!Object.hasOwn(properties, name)) readOnly.add(name)
  }
  if (readOnly.size === 0 && inside.size === 0) return undefined
  return {
    strip(value) {
      if (!isRecord(value)) return value
      const writableEntries = Object.entries(value).filter(([name]) => !readOnly.has(name))
      return Object.fromEntries(
        writableEntries.map(([name, part]) => [name, inside.get(name)?.strip(part) ?? part]),
      )
    },
    changedIn(value, stored) {
      const changed = new Set<string>()
      if (!isRecord(value)) return changed
      for (const [name, part] of Object.entries(value)) {
        const before = isRecord(stored) ? stored[name] : undefined
        if (readOnly.has(name) && !isDeepStrictEqual(part, before)) changed.add(name)
        for (const path of inside.get(name)?.changedIn(part, before) ?? [])
          changed.add(`${name}.${path}`)
      }
      return changed
    },
  }
}

/** Returns the read-only fields of the items of a list. Items are compared with the stored item of the same `id`,
 * or of the same index if they have none. */
function ofLists(body: TSchema, resource: TSchema): ReadOnlyFields | undefined {
  const fields = readOnlyFields(body, resource)
  return (
    fields && {
      strip: (value) => (Array.isArray(value) ? value.map((item) => fields.strip(item)) : value),
      changedIn(value, stored) {
        if (!Array.isArray(value)) return new Set()
        const items = value.map((item, index) => fields.changedIn(item, storedItem(item, index)))
        return new Set(items.flatMap((paths) => [...paths]))

        function storedItem(item: unknown, index: number): unknown {
          if (!Array.isArray(stored)) return undefined
          if (!isRecord(item) || item['id'] === undefined) return stored[index]
          return stored.find((other) => isRecord(other) && other['id'] === item['id'])
        }
      },
    }
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** Returns the parts of a schema. For a union with null, those of the other member. */
function keywordsOf(schema: TSchema | undefined): Keywords {
  const { anyOf, items, properties } = (schema ?? {}) as Keywords
  const [only, ...others] = (anyOf ?? [])
    .map(keywordsOf)
    .filter((part) => part.items ?? part.properties)
  if (only && others.length === 0) return only
  return { ...(items ? { items } : {}), ...(properties ? { properties } : {}) }
}
