import fc from 'fast-check'
import { anyCodePoint } from '../harness/code-points.ts'

/** Values that a JSON Schema describes, values that it nearly describes, and odd ones. */

// biome-ignore lint/suspicious/noExplicitAny: a JSON Schema, walked by its keywords
export type JsonSchema = any

/** Values that exist, by the names of the fields that ask for them: the way past "not found". `needed`
 * are the fields that may be left out by their schema, but without which nothing gets further. */
export type KnownValues = Record<
  string,
  readonly (string | number | readonly (object | string)[])[]
>

export const oddTexts = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      ' ',
      '\0',
      'a\0b',
      '\ud800',
      'x\udc00',
      '\u202eabc',
      '𝒳🇦🇷👩‍👩‍👧',
      'null',
      '-1',
      '1e3',
      '0x10',
    ],
    ...[
      '1.5',
      '99999999999999999999',
      '__proto__',
      'constructor',
      "'; drop table users; --",
      '%00',
    ],
    '../../etc/passwd',
    '2026-02-30T00:00:00.000Z',
    '9999-12-31T23:59:59.999-14:00',
    'x'.repeat(70_000),
  ),
  fc.string({ unit: anyCodePoint, maxLength: 30 }),
)

/** Stands for a value nested deeper than fast-check itself could print. */
export const deepValueMarker = 'VERY DEEP'

export const oddValues: fc.Arbitrary<unknown> = fc.oneof(
  oddTexts,
  fc.constantFrom<unknown>(
    ...[null, true, false, [], {}, [[]], [null], { id: 1 }, ['a', 'a'], { __proto__: null, a: 1 }],
    0,
    -0,
    -1,
    1.5,
    1e-9,
    0.1 + 0.2,
    1e13,
    1e308,
    2 ** 31,
    2 ** 53,
    2 ** 63,
    -(2 ** 63),
    nested(40),
    deepValueMarker,
    Array.from({ length: 2_000 }, (_, index) => index),
  ),
  fc.double(),
  fc.jsonValue({ maxDepth: 4 }),
)

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { a: value }
  return value
}

/** Values that a schema describes, existing ones where the field's name tells which. */
export function validValues(
  schema: JsonSchema,
  knownValues: KnownValues,
  name = '',
): fc.Arbitrary<unknown> {
  const existing = (knownValues[name] ?? []).filter((each) => acceptsValue(schema, each))
  const free = anything(schema, knownValues)
  if (existing.length === 0) return free
  const text = schema.type === 'string'
  const right = fc.constantFrom(...existing.map((each) => (text ? String(each) : each)))
  return fc.oneof({ weight: 9, arbitrary: right }, { weight: 1, arbitrary: free })
}

function acceptsValue(
  schema: JsonSchema,
  value: string | number | readonly (object | string)[],
): boolean {
  if (schema.anyOf) return schema.anyOf.some((each: JsonSchema) => acceptsValue(each, value))
  if (schema.enum) return schema.enum.includes(value)
  if (schema.type === 'integer' || schema.type === 'number') return typeof value === 'number'
  if (Array.isArray(value)) return schema.type === 'array'
  return (
    schema.type === 'string' && (!schema.pattern || new RegExp(schema.pattern).test(`${value}`))
  )
}

const anyValue = fc.jsonValue({ maxDepth: 3 })

function anything(schema: JsonSchema, knownValues: KnownValues): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.anyOf)
    return fc.oneof(...schema.anyOf.map((each: JsonSchema) => validValues(each, knownValues)))
  switch (schema.type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer': {
      const [min, max] = [schema.minimum ?? -1_000, schema.maximum ?? 1_000_000]
      return fc.oneof(fc.integer({ min, max: Math.min(min + 3, max) }), fc.integer({ min, max }))
    }
    case 'number':
      return fc.oneof(
        fc.integer({ min: 0, max: 100_000 }).map((cents) => cents / 100),
        fc.double({ min: schema.minimum ?? 0, max: 1e13, noNaN: true }),
      )
    case 'string':
      return textOf(schema)
    case 'array': {
      const maxLength = Math.min(schema.maxItems ?? 3, 3)
      return fc.array(validValues(schema.items, knownValues), {
        minLength: schema.minItems ?? 0,
        maxLength,
      })
    }
    case 'object':
      return objectOf(schema, knownValues)
    default:
      return anyValue
  }
}

/** fast-check prepares an arbitrary of texts for 1 to 100 ms: one for each kind of text that schemas describe. */
const textArbitraries = new Map<string, fc.Arbitrary<string>>()

function textOf(schema: JsonSchema): fc.Arbitrary<string> {
  const { pattern, format, minLength, maxLength } = schema
  const key = JSON.stringify([pattern, format, minLength, maxLength])
  const arbitrary = textArbitraries.get(key) ?? makeText(schema)
  textArbitraries.set(key, arbitrary)
  return arbitrary
}

function makeText(schema: JsonSchema): fc.Arbitrary<string> {
  if (schema.pattern) return fc.stringMatching(new RegExp(schema.pattern))
  if (schema.format === 'http-url')
    return fc.constantFrom('http://127.0.0.1:9/x', 'https://example.com/a?b', 'http://[::1]:65535/')
  if (schema.format === 'date-time') {
    const [min, max] = [new Date('1900-01-02T00:00:00Z'), new Date('9999-12-30T00:00:00Z')]
    const zones = fc.constantFrom('Z', '+14:00', '-0330')
    return fc
      .tuple(fc.date({ min, max, noInvalidDate: true }), zones)
      .map(([date, zone]) => date.toISOString().replace('Z', zone))
  }
  const [minLength, maxLength] = [schema.minLength ?? 0, Math.min(schema.maxLength ?? 60, 60)]
  return fc
    .string({ unit: 'grapheme', minLength, maxLength })
    .map((text) => text.slice(0, maxLength))
}

function objectOf(schema: JsonSchema, knownValues: KnownValues): fc.Arbitrary<unknown> {
  if (!schema.properties || schema.patternProperties) return anyObject
  const required: string[] = schema.required ?? []
  const fields = Object.entries(schema.properties).map(([name, each]) => {
    const field = validValues(each, knownValues, name)
    // Few of the fields that may be left out: each is one more that can be wrong.
    const some = { weight: 1, arbitrary: field }
    const isNeeded = required.includes(name) || knownValues['needed']?.includes(name)
    return [name, isNeeded ? field : fc.oneof(absent, some)] as const
  })
  return fc.record(Object.fromEntries(fields)).map((all) => {
    const present = Object.entries(all).filter(([, value]) => value !== undefined)
    return Object.fromEntries(present)
  })
}

const anyObject = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 2 }))
const absent = { weight: 5, arbitrary: fc.constant(undefined) }

/** A fitting value that is wrong in one place. */
export function almostValidValues(
  schema: JsonSchema,
  knownValues: KnownValues,
): fc.Arbitrary<unknown> {
  const change = fc.constantFrom<'replace' | 'remove' | 'add'>(
    'replace',
    'replace',
    'remove',
    'add',
  )
  return fc
    .tuple(validValues(schema, knownValues), fc.nat(), oddValues, change, oddTexts)
    .map(([whole, index, oddValue, how, name]) => {
      // Existing and odd values are the same objects every time: changed in place they would end in circles.
      const [value, odd] = structuredClone([whole, oddValue])
      const places = objectFieldsIn(value)
      const spot = places[index % places.length]
      if (!spot) return odd
      if (how === 'replace') spot.inside[spot.name] = odd
      else if (how === 'remove') delete spot.inside[spot.name]
      else spot.inside[name] = odd
      return value
    })
}

function objectFieldsIn(value: unknown): { inside: Record<string, unknown>; name: string }[] {
  if (value === null || typeof value !== 'object') return []
  const inside = value as Record<string, unknown>
  return Object.keys(inside).flatMap((name) => [{ inside, name }, ...objectFieldsIn(inside[name])])
}
