import type { TObject, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import Format from 'typebox/format'
import { parseTimestamp } from '../kernel/clock.ts'
import { badField, Failure } from '../kernel/failure.ts'
import { idPattern } from '../kernel/ids.ts'
import { type Bounds, bodyBounds, boundViolationOf } from './bounds.ts'
import { firstSchemaErrors, type SchemaError } from './schema-errors.ts'

// The format of the library accepts days that do not exist. `parseTimestamp` also reads the values later.
Format.Set('date-time', (text) => parseTimestamp(text) !== undefined)
Format.Set('http-url', (text) => isHttpUrl(text))
// Marks of direction would show a name in another order. A name of format characters only would be invisible.
const hidden = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u
Format.Set('one-line', (text) => /[^\s\p{Cf}]/u.test(text) && !hidden.test(text))

/** Returns whether a text is an absolute http or https URL without user name and password. */
export function isHttpUrl(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false
  const { protocol, hostname, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && hostname !== '' && username + password === ''
}

/** Returns a value that fits the schema. Throws `bad_request` with the first wrong field. */
export type ValueCheck = (value: unknown) => unknown

/** Returns the check of a body: its bounds first, then its schema. */
export function makeBodyCheck(schema: TSchema, bounds: Bounds = bodyBounds): ValueCheck {
  const check = makeStorableCheck(schema)
  return (value) => check(checkUsable(value, bounds))
}

/** Returns a body that is within the bounds and can be stored. Throws `json_body_required` for a missing body, and
 * `bad_request` otherwise. */
export function checkUsable(value: unknown, bounds: Bounds = bodyBounds): unknown {
  if (value === undefined) throw new Failure('json_body_required')
  if (value === null) throw badField('body', 'a JSON object')
  walk(value, { inputPart: 'body', refusal: (part, depth) => refusalOf(part, depth, bounds) })
  return value
}

/** Returns a body that is within the bounds. For handlers that check everything else themselves. */
export function checkBounds(value: unknown): unknown {
  walk(value, {
    inputPart: 'body',
    refusal: (part, depth) => boundViolationOf(part, depth, bodyBounds),
  })
  return value
}

/** Returns the check of a value against the schema alone. The value must be storable already (`mayBeUnstorable`), and
 * the schema must not contain fields of any type. */
export function makeStorableCheck(schema: TSchema): ValueCheck {
  const compiled = compile(schema)
  return (value) => {
    if (!compiled.Check(value)) throw firstWrong(firstSchemaErrors(schema, value), 'body')
    return value
  }
}

const validators = new WeakMap<TSchema, Validator>()

/** Compiles a schema once per process: operations share schemas, and tests open many servers. */
function compile(schema: TSchema): Validator {
  const validator = validators.get(schema) ?? Compile(schema)
  validators.set(schema, validator)
  return validator
}

/** Returns the check of a query or a path, whose values are text. Integers and booleans are parsed strictly. */
export function makeTextCheck(schema: TObject, inputPart: string): ValueCheck {
  const compiled = compile(schema)
  const readers = Object.entries(schema.properties).map(
    ([name, property]) => [name, readerOf(property)] as const,
  )
  return (value) => {
    const parameters: Record<string, unknown> = { ...(value as Record<string, unknown>) }
    for (const [name, read] of readers) {
      const text = parameters[name]
      if (Array.isArray(text)) throw badField(name, repetitionError(text))
      if (typeof text === 'string') parameters[name] = read(text)
    }
    walk(parameters, { inputPart, refusal: (part, depth) => refusalOf(part, depth, queryBounds) })
    if (!compiled.Check(parameters)) {
      throw firstWrong(firstSchemaErrors(schema, parameters), inputPart)
    }
    return parameters
  }
}

function repetitionError(values: readonly unknown[]): string {
  const differ = values.some((value) => value !== values[0])
  return `one value, this parameter stands here ${values.length} times${differ ? ' with different values' : ''}`
}

function readerOf(property: TSchema): (text: string) => unknown {
  const type = 'type' in property ? property.type : undefined
  if (type === 'integer')
    return (text) => (/^(0|-?[1-9]\d{0,15})$/.test(text) ? Number(text) : text)
  if (type === 'boolean') return (text) => ({ true: true, false: false })[text] ?? text
  return (text) => text
}

/** The size of the request line bounds the number of parameters already. */
const queryBounds: Bounds = {
  ...bodyBounds,
  keys: Number.POSITIVE_INFINITY,
  elements: Number.POSITIVE_INFINITY,
}

/** Returns the expectation for a value that exceeds a bound or cannot be stored, or undefined. PostgreSQL stores
 * neither NUL nor half of a surrogate pair, both of which JSON can write. */
function refusalOf(value: unknown, depth: number, bounds: Bounds): string | undefined {
  const excess = boundViolationOf(value, depth, bounds)
  if (excess !== undefined || typeof value !== 'string') return excess
  return value.includes('\0') || !value.isWellFormed()
    ? 'valid Unicode text without NUL'
    : undefined
}

interface Walk {
  /** The name in the error if the value itself is wrong: `body`, `query` or `path`. */
  inputPart: string
  refusal: (value: unknown, depth: number) => string | undefined
}

/** Throws `bad_request` for the first value or field name for which `refusal` returns an expectation. */
function walk(value: unknown, { inputPart, refusal }: Walk, path = '', depth = 0): void {
  const expected = refusal(value, depth)
  if (expected !== undefined) throw badField(fieldOf(path) || inputPart, expected)
  if (value === null || typeof value !== 'object') return
  for (const [name, part] of Object.entries(value)) {
    if (reachesPrototype(name, part)) throw badField(fieldOf(`${path}/${name}`), 'no such field')
    const expectedName = refusal(name, depth)
    if (expectedName !== undefined) throw badField(fieldOf(path) || inputPart, expectedName)
    walk(part, { inputPart, refusal }, `${path}/${name}`, depth + 1)
  }
}

/** Returns whether copying the field by name could change the prototype of all objects. */
function reachesPrototype(name: string, part: unknown): boolean {
  if (name === '__proto__') return true
  const isObject = part !== null && typeof part === 'object'
  return name === 'constructor' && isObject && Object.hasOwn(part, 'prototype')
}

/** Returns whether JSON text may hold characters that cannot be stored. They need an escape in JSON, so a search of the
 * text is enough, and faster than a walk of the value. */
export function mayBeUnstorable(text: string): boolean {
  return /\\u(0000|d[89a-f])/i.test(text)
}

/** Returns the `bad_request` for the first error of a schema. `inputPart` names the part of the request, for errors
 * without a path. */
function firstWrong(errors: SchemaError[], inputPart: string): Failure {
  const [wrong] = errors
  if (!wrong) return badField(inputPart, 'another value')
  const params = wrong.params as Record<string, unknown>
  const path = fieldOf(wrong.instancePath)
  const inside = (name: unknown) => (path ? `${path}.${name}` : `${name}` || '""').slice(0, 200)
  switch (wrong.keyword) {
    case 'required': {
      const [missing] = params['requiredProperties'] as string[]
      return badField(inside(missing), 'a value, this field is required')
    }
    case 'additionalProperties': {
      const [extra] = params['additionalProperties'] as string[]
      return badField(inside(extra), 'no such field')
    }
    default:
      return badField(path || inputPart, expectationOf(errors, wrong))
  }
}

/** Converts a JSON pointer to a path: `/lines/0/quantity` → `lines[0].quantity`. */
function fieldOf(pointer: string): string {
  return pointer
    .slice(1)
    .replace(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.')
    .slice(0, 200)
}

/** Returns what a schema expects, in words, for the error of a field. */
function expectationOf(errors: SchemaError[], wrong: SchemaError): string {
  const params = wrong.params as Record<string, unknown>
  switch (wrong.keyword) {
    case 'type': {
      const alternatives = errors.filter(
        (error) => error.keyword === 'type' && error.instancePath === wrong.instancePath,
      )
      const types = alternatives.map((error) => (error.params as { type: string }).type)
      return [...new Set(types)].join(' or ')
    }
    case 'enum':
      return `one of ${(params['allowedValues'] as unknown[]).join(', ')}`
    case 'format':
      return formats[String(params['format'])] ?? `a ${params['format']}`
    case 'pattern':
      return params['pattern'] === idPattern
        ? 'a whole number'
        : `text that matches ${params['pattern']}`
    case 'uniqueItems':
      return 'no element twice'
    default:
      return limitOf(wrong) ?? wrong.message.replace(/^must (be|have) /, '')
  }
}

/** Renders a limit: `maxLength` 60 → `at most 60 characters`. */
function limitOf({ keyword, params }: SchemaError): string | undefined {
  const { comparison, limit } = params as { comparison?: string; limit?: number }
  if (limit === undefined) return undefined
  if (comparison !== undefined) return `a number ${comparison} ${limit}`
  const unit = { Length: 'characters', Items: 'elements', Properties: 'fields' }[keyword.slice(3)]
  return `${keyword.startsWith('min') ? 'at least' : 'at most'} ${limit} ${unit ?? ''}`.trim()
}

const formats: Record<string, string> = {
  'date-time': 'an ISO 8601 timestamp such as 2026-01-31T13:45:00.000Z',
  'http-url': 'an address that starts with http:// or https://',
  'one-line':
    'text without control characters or marks that turn the direction of writing, and not blank',
}
