import type { TSchema } from 'typebox'
import { Check, Errors } from 'typebox/value'

/** What a schema has against a value, as the library says it. */
export interface Wrong {
  keyword: string
  instancePath: string
  message: string
  params: object
}

/** The keywords of a schema that this file goes through itself. */
interface Parts {
  anyOf?: readonly TSchema[]
  properties?: Readonly<Record<string, TSchema>>
  additionalProperties?: unknown
  items?: TSchema
  uniqueItems?: boolean
}

/**
 * What is wrong at the first place where something is wrong; of a union, of each of its kinds. The library's own
 * errors are those of all places: for a list of 100,000 wrong elements they take a second to collect.
 */
export function wrongsOf(schema: TSchema, value: unknown, path = ''): Wrong[] {
  const { anyOf, properties, items, uniqueItems } = schema as Parts
  if (anyOf) return anyOf.flatMap((kind) => wrongsOf(kind, value, path))
  const wrongs = ofItself(schema, value, path)
  if (wrongs.length > 0 || value === null || typeof value !== 'object') return wrongs
  const parts = Array.isArray(value)
    ? value.map((part: unknown, index) => ({ name: String(index), each: items, part }))
    : Object.entries(properties ?? {}).map(([name, each]) => {
        return { name, each, part: (value as Record<string, unknown>)[name] }
      })
  for (const { name, each, part } of parts) {
    if (each === undefined || part === undefined || Check(each, part)) continue
    return wrongsOf(each, part, `${path}/${name}`)
  }
  return uniqueItems ? [wrongAt(path, 'uniqueItems', {})] : []
}

/** What is wrong about a value, its parts aside. */
function ofItself(schema: TSchema, value: unknown, path: string): Wrong[] {
  const wrongs = Errors(shellOf(schema), value).map((wrong) => ({ ...wrong, instancePath: path }))
  if (wrongs.length > 0) return wrongs
  const { additionalProperties, properties = {} } = schema as Parts
  if (additionalProperties !== false || value === null || typeof value !== 'object') return []
  const extra = Object.keys(value).find((name) => !Object.hasOwn(properties, name))
  if (extra === undefined) return []
  return [wrongAt(path, 'additionalProperties', { additionalProperties: [extra] })]
}

const wrongAt = (instancePath: string, keyword: string, params: object): Wrong => ({
  keyword,
  instancePath,
  message: '',
  params,
})

const shells = new WeakMap<TSchema, TSchema>()

/** The schema without what it says of the parts of a value. */
function shellOf(schema: TSchema): TSchema {
  const known = shells.get(schema)
  if (known) return known
  const {
    properties: _,
    additionalProperties: __,
    items: ___,
    uniqueItems: ____,
    ...shell
  } = schema as Parts
  shells.set(schema, shell)
  return shell
}
