import { Check } from 'typebox/value'
import { exampleValues } from './example-values.ts'

/** The keywords of JSON Schema that examples use. */
export interface JsonSchema {
  type?: string
  description?: string
  anyOf?: JsonSchema[]
  allOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  format?: string
  pattern?: string
  contentMediaType?: string
  minLength?: number
  maxLength?: number
  /** Whether `maxLength` only bounds the work before the handler checks its own limit. */
  'x-bound'?: boolean
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  items?: JsonSchema
  minItems?: number
  maxItems?: number
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: JsonSchema | boolean
  patternProperties?: Record<string, JsonSchema>
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

/** Returns a realistic value that fits the schema, always the same one. `name` is the name of the field. */
export function exampleOf(schema: JsonSchema, name = ''): unknown {
  const ownExample = schema.examples?.[0] ?? schema.const ?? schema.default
  if (ownExample !== undefined) return ownExample
  const fieldExample = (exampleValues[name] ?? []).find(
    (word) => isPlain(schema) && matchesSchema(schema, word),
  )
  if (fieldExample !== undefined) return fieldExample
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) {
    // Without an example for the field, null is as good as any value.
    const { anyOf } = schema
    if (isPlain(schema) && anyOf.some(({ type }) => type === 'null')) return null
    return exampleOf(anyOf[0] ?? {}, name)
  }
  if (schema.allOf) {
    return Object.assign({}, ...schema.allOf.map((part) => exampleOf(part, name) as object))
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

/** Returns whether a schema has no objects in it. Objects are composed of the examples of their fields. */
function isPlain({ type, properties, items, anyOf }: JsonSchema): boolean {
  const isScalar = (part: JsonSchema) => !part.properties && part.type !== 'object'
  return (
    type !== 'object' && !properties && (!items || isScalar(items)) && (anyOf ?? []).every(isScalar)
  )
}

function matchesSchema(schema: JsonSchema, value: unknown): boolean {
  return Check(schema as object as never, value)
}

function objectOf(schema: JsonSchema): object {
  const { properties = {}, additionalProperties, patternProperties = {} } = schema
  const entries = Object.entries(properties).map(([name, part]) => [name, exampleOf(part, name)])
  const example = Object.fromEntries(entries)
  if (entries.length > 0) return example
  const [patternSchema] = Object.values(patternProperties)
  const valueSchema =
    patternSchema ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined)
  return valueSchema ? { MLA1443: exampleOf(valueSchema) } : example
}

function listOf({ items = {}, minItems = 0, maxItems }: JsonSchema, name: string): unknown[] {
  const hasItemSchema = items.type ?? items.anyOf ?? items.enum ?? items.properties
  const most = maxItems ?? (hasItemSchema && !isEmpty(items) ? 1 : 0)
  const length = Math.max(minItems, Math.min(1, most))
  return Array.from({ length }, () => exampleOf(items, name))
}

const isEmpty = ({ type, properties = {} }: JsonSchema) =>
  type === 'object' && Object.keys(properties).length === 0

function numberOf({ type, minimum, maximum, exclusiveMinimum }: JsonSchema): number {
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

function textOf(schema: JsonSchema): string {
  const { format, minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = schema
  const formatExample = format === undefined ? undefined : formats[format]
  if (formatExample !== undefined) return formatExample
  if (pattern !== undefined) return patterns.find((text) => matchesSchema(schema, text)) ?? ''
  return 'text'.padEnd(minLength, '.').slice(0, maxLength)
}

/** Returns the schema of a minimal request body: its required fields, or its first two if none is required. */
export function requestOf(schema: JsonSchema): JsonSchema {
  if (schema.type !== 'object' || !schema.properties) return schema
  const { properties, required = [] } = schema
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 2)
  const entries = names.flatMap((name) => {
    const part = properties[name]
    return part ? [[name, part.type === 'object' ? requestOf(part) : part]] : []
  })
  return { ...schema, properties: Object.fromEntries(entries) }
}
