import type { TObject, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import Format from 'typebox/format'
import { parseTimestamp } from '../kernel/clock.ts'
import { badField, Failure } from '../kernel/failure.ts'
import { idPattern } from '../kernel/ids.ts'
import { type Bounds, bodyBounds, boundViolationOf } from './bounds.ts'
import { firstSchemaErrors, type SchemaError } from './schema-errors.ts'

// The library's own test lets days pass that no calendar has; ours is the one that also reads them.
Format.Set('date-time', (text) => parseTimestamp(text) !== undefined)
Format.Set('http-url', (text) => isHttpUrl(text))
// Marks of direction would show a name in another order than it has. Format characters alone show nothing.
const hidden = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u
Format.Set('one-line', (text) => /[^\s\p{Cf}]/u.test(text) && !hidden.test(text))

/** An absolute http or https address without a user's name in it. */
export function isHttpUrl(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false
  const { protocol, hostname, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && hostname !== '' && username + password === ''
}

/** Returns what the schema describes, or throws a `bad_request` that names the first wrong field. */
export type Check = (value: unknown) => unknown

/** `bounds` are those of every body, unless the schema takes larger ones. */
export function checkBody(schema: TSchema, bounds: Bounds = bodyBounds): Check {
  const check = checkStorable(schema)
  return (value) => check(checkUsable(value, bounds))
}

/** Returns the body when it is within the bounds and may be stored. Throws `json_body_required` for none. */
export function checkUsable(value: unknown, bounds: Bounds = bodyBounds): unknown {
  if (value === undefined) throw new Failure('json_body_required')
  if (value === null) throw badField('body', 'a JSON object')
  walk(value, { place: 'body', refusal: (each, depth) => refusalOf(each, depth, bounds) })
  return value
}

/** Checks nothing but the bounds of every body, for a handler that has its own words for all else. */
export function checkBounds(value: unknown): unknown {
  walk(value, {
    place: 'body',
    refusal: (each, depth) => boundViolationOf(each, depth, bodyBounds),
  })
  return value
}

/** The same of a value that cannot hold what must not be stored (`mayBeUnstorable`), for a schema
 * that lets no field hold whatever it likes. */
export function checkStorable(schema: TSchema): Check {
  const compiled = compile(schema)
  return (value) => {
    if (!compiled.Check(value)) throw firstWrong(firstSchemaErrors(schema, value), 'body')
    return value
  }
}

const validators = new WeakMap<TSchema, Validator>()

/** Compiles a schema once in a process: operations share schemas, and tests make many servers of the same operations. */
function compile(schema: TSchema): Validator {
  const validator = validators.get(schema) ?? Compile(schema)
  validators.set(schema, validator)
  return validator
}

/** Query and path come as text: whole numbers and booleans are read strictly ("1.5" is no integer). */
export function checkText(schema: TObject, place: string): Check {
  const compiled = compile(schema)
  const readers = Object.entries(schema.properties).map(
    ([name, property]) => [name, readerOf(property)] as const,
  )
  return (value) => {
    const given: Record<string, unknown> = { ...(value as Record<string, unknown>) }
    for (const [name, read] of readers) {
      const text = given[name]
      if (Array.isArray(text)) throw badField(name, repeatedSays(text))
      if (typeof text === 'string') given[name] = read(text)
    }
    walk(given, { place, refusal: (each, depth) => refusalOf(each, depth, queryBounds) })
    if (!compiled.Check(given)) throw firstWrong(firstSchemaErrors(schema, given), place)
    return given
  }
}

function repeatedSays(values: readonly unknown[]): string {
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

/** The head of a request bounds its query: a list of parameters there is shorter than any that is refused. */
const queryBounds: Bounds = {
  ...bodyBounds,
  keys: Number.POSITIVE_INFINITY,
  elements: Number.POSITIVE_INFINITY,
}

/** What is expected in place of a value that is too much, or that cannot be stored: JSON may write characters
 * that are none, NUL, which PostgreSQL's text has no place for, and halves of a pair. */
function refusalOf(value: unknown, depth: number, bounds: Bounds): string | undefined {
  const excess = boundViolationOf(value, depth, bounds)
  if (excess !== undefined || typeof value !== 'string') return excess
  return value.includes('\0') || !value.isWellFormed()
    ? 'valid Unicode text without NUL'
    : undefined
}

interface Walk {
  /** What to name where there is no field. */
  place: string
  refusal: (value: unknown, depth: number) => string | undefined
}

/** Refuses the first value, or name of a field, that `refusal` has an expectation for. */
function walk(value: unknown, { place, refusal }: Walk, path = '', depth = 0): void {
  const expected = refusal(value, depth)
  if (expected !== undefined) throw badField(fieldOf(path) || place, expected)
  if (value === null || typeof value !== 'object') return
  for (const [name, part] of Object.entries(value)) {
    if (reachesPrototype(name, part)) throw badField(fieldOf(`${path}/${name}`), 'no such field')
    const expectedName = refusal(name, depth)
    if (expectedName !== undefined) throw badField(fieldOf(path) || place, expectedName)
    walk(part, { place, refusal }, `${path}/${name}`, depth + 1)
  }
}

/** Whether code that copies the field by its name could change the prototype of all objects. */
function reachesPrototype(name: string, part: unknown): boolean {
  if (name === '__proto__') return true
  const isObject = part !== null && typeof part === 'object'
  return name === 'constructor' && isObject && Object.hasOwn(part, 'prototype')
}

/** Whether JSON text may hold characters that cannot be stored: they cannot stand in it but
 * by an escape, which is sooner seen in the text than found in the value. */
export function mayBeUnstorable(text: string): boolean {
  return /\\u(0000|d[89a-f])/i.test(text)
}

function firstWrong(errors: SchemaError[], place: string): Failure {
  const [wrong] = errors
  if (!wrong) return badField(place, 'another value')
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
      return badField(path || place, expectationOf(errors, wrong))
  }
}

/** `/lines/0/quantity` → `lines[0].quantity` */
function fieldOf(pointer: string): string {
  return pointer
    .slice(1)
    .replace(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.')
    .slice(0, 200)
}

function expectationOf(errors: SchemaError[], wrong: SchemaError): string {
  const params = wrong.params as Record<string, unknown>
  switch (wrong.keyword) {
    case 'type': {
      const same = errors.filter(
        (e) => e.keyword === 'type' && e.instancePath === wrong.instancePath,
      )
      return [...new Set(same.map((e) => (e.params as { type: string }).type))].join(' or ')
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

/** `maxLength` 60 → `at most 60 characters` */
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
