import { Check } from 'typebox/value'
import { words } from './words.ts'

/** A part of a JSON Schema, as far as examples look at it. */
export interface Schema {
  type?: string
  anyOf?: Schema[]
  allOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  format?: string
  pattern?: string
  contentMediaType?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  items?: Schema
  minItems?: number
  maxItems?: number
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  patternProperties?: Record<string, Schema>
}

const moment = '2026-03-10T15:00:00.000Z'
const formats: Readonly<Record<string, string>> = {
  'date-time': moment,
  date: '2026-03-10',
  email: 'tienda.del.sur@example.com',
  uri: 'https://pictures.example/a.jpg',
  'http-url': 'https://pictures.example/a.jpg',
  binary: '(bytes)',
}

/** A value that fits the schema and could stand in a real answer; `name` is that of its field. The
 * same schema has the same example every time. */
export function exampleOf(schema: Schema, name = ''): unknown {
  const given = schema.examples?.[0] ?? schema.const ?? schema.default
  if (given !== undefined) return given
  const known = (words[name] ?? []).find((word) => isPlain(schema) && fits(schema, word))
  if (known !== undefined) return known
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) {
    // What no word is known for is as well shown as not there.
    const { anyOf } = schema
    if (isPlain(schema) && anyOf.some(({ type }) => type === 'null')) return null
    return exampleOf(anyOf[0] ?? {}, name)
  }
  if (schema.allOf) {
    return Object.assign({}, ...schema.allOf.map((each) => exampleOf(each, name) as object))
  }
  switch (schema.type) {
    case 'object':
      return objectOf(schema)
    case 'array':
      return listOf(schema, name)
    case 'integer':
    case 'number':
      return numberOf(schema)
    case 'string':
      return textOf(schema)
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return schema.properties ? objectOf(schema) : {}
  }
}

/** Objects and their lists are shown whole, not by a word. */
function isPlain({ type, properties, items, anyOf }: Schema): boolean {
  const isPart = (each: Schema) => !each.properties && each.type !== 'object'
  return (
    type !== 'object' && !properties && (!items || isPart(items)) && (anyOf ?? []).every(isPart)
  )
}

function fits(schema: Schema, value: unknown): boolean {
  return Check(schema as object as never, value)
}

function objectOf(schema: Schema): object {
  const { properties = {}, additionalProperties: more, patternProperties = {} } = schema
  const entries = Object.entries(properties).map(([name, each]) => [name, exampleOf(each, name)])
  const example = Object.fromEntries(entries)
  if (entries.length > 0) return example
  const [any] = Object.values(patternProperties)
  const rest = any ?? (typeof more === 'object' ? more : undefined)
  return rest ? { MLA1443: exampleOf(rest) } : example
}

function listOf({ items = {}, minItems = 0, maxItems }: Schema, name: string): unknown[] {
  const isKnown = items.type ?? items.anyOf ?? items.enum ?? items.properties
  const most = maxItems ?? (isKnown && !isEmpty(items) ? 1 : 0)
  const length = Math.max(minItems, Math.min(1, most))
  return Array.from({ length }, () => exampleOf(items, name))
}

const isEmpty = ({ type, properties = {} }: Schema) =>
  type === 'object' && Object.keys(properties).length === 0

function numberOf({ type, minimum, maximum, exclusiveMinimum }: Schema): number {
  const least = minimum ?? (exclusiveMinimum === undefined ? 0 : exclusiveMinimum + 1)
  const usual = Math.max(type === 'integer' ? 1 : 1.5, least)
  return maximum === undefined ? usual : Math.min(usual, maximum)
}

const patterns = [
  '1',
  'a',
  'MLA',
  'MLA1',
  'paid',
  'a.example',
  ...[8, 16, 24, 32, 40, 64].map((length) => 'a5'.repeat(length / 2)),
  'https://app.example/callback',
  '468424240',
  'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
]

function textOf(schema: Schema): string {
  const { format, minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = schema
  const known = format === undefined ? undefined : formats[format]
  if (known !== undefined) return known
  if (pattern !== undefined) return patterns.find((text) => fits(schema, text)) ?? ''
  return 'text'.padEnd(minLength, '.').slice(0, maxLength)
}

/** Of a body that is sent: what must be there, and where nothing must, the first fields there are. */
export function requestOf(schema: Schema): Schema {
  if (schema.type !== 'object' || !schema.properties) return schema
  const { properties, required = [] } = schema
  const named = required.length > 0 ? required : Object.keys(properties).slice(0, 2)
  const entries = named.flatMap((name) => {
    const each = properties[name]
    return each ? [[name, each.type === 'object' ? requestOf(each) : each]] : []
  })
  return { ...schema, properties: Object.fromEntries(entries) }
}
