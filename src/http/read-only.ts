import type { TSchema } from 'typebox'

type Strip = (value: unknown) => unknown

interface Keywords {
  anyOf?: readonly TSchema[]
  items?: TSchema
  properties?: Readonly<Record<string, TSchema>>
}

/**
 * Returns a function that leaves out of a body what its resource answers and the body does not take, at every depth.
 * So what was read can be sent back. The function is undefined where there is nothing of the kind.
 */
export function readOnlyStripper(
  body: TSchema | undefined,
  resource: TSchema | undefined,
): Strip | undefined {
  const [taken, read] = [partsOf(body), partsOf(resource)]
  if (taken.items && read.items) return listStripper(taken.items, read.items)
  if (!taken.properties || !read.properties) return undefined
  const { properties } = taken
  const inside = new Map<string, Strip>()
  const readOnly = new Set<string>()
  for (const [name, part] of Object.entries(read.properties)) {
    const strip = readOnlyStripper(properties[name], part)
    if (strip) inside.set(name, strip)
    if (!Object.hasOwn(properties, name)) readOnly.add(name)
  }
  if (readOnly.size === 0 && inside.size === 0) return undefined
  return (value) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
    const kept = Object.entries(value).filter(([name]) => !readOnly.has(name))
    return Object.fromEntries(kept.map(([name, part]) => [name, inside.get(name)?.(part) ?? part]))
  }
}

function listStripper(taken: TSchema, read: TSchema): Strip | undefined {
  const strip = readOnlyStripper(taken, read)
  return strip && ((value) => (Array.isArray(value) ? value.map(strip) : value))
}

/** The parts of a schema; of one that allows null as well, those of the other kind. */
function partsOf(schema: TSchema | undefined): Keywords {
  const { anyOf, items, properties } = (schema ?? {}) as Keywords
  const [only, ...others] = (anyOf ?? [])
    .map(partsOf)
    .filter((part) => part.items ?? part.properties)
  if (only && others.length === 0) return only
  return { ...(items ? { items } : {}), ...(properties ? { properties } : {}) }
}
