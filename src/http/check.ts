import type { TObject, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import Format from 'typebox/format'
import { parseTimestamp } from '../kernel/clock.ts'
import { badField, type Failure } from '../kernel/failure.ts'
import { idPattern } from '../kernel/ids.ts'

// The library's own test lets days pass that no calendar has; ours is the one that also reads them.
Format.Set('date-time', (text) => parseTimestamp(text) !== undefined)
Format.Set('http-url', (text) => isHttpUrl(text))
Format.Set('one-line', (text) => /\S/.test(text) && !/[\p{Cc}\u2028\u2029]/u.test(text))

/** An absolute http or https address without a user's name in it. */
export function isHttpUrl(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false
  const { protocol, hostname, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && hostname !== '' && username + password === ''
}

/** Returns what the schema describes, or throws a `bad_request` that names the first wrong field. */
export type Check = (value: unknown) => unknown

export function checkBody(schema: TSchema): Check {
  const check = checkStorable(schema)
  return (value) => {
    if (value === undefined || value === null) throw badField('body', 'a JSON object')
    refuseUnstorable(value, { place: 'body' })
    return check(value)
  }
}

/** The same of a value that cannot hold what must not be stored (`mayBeUnstorable`), for a schema
 * that lets no field hold whatever it likes. */
export function checkStorable(schema: TSchema): Check {
  const compiled = Compile(schema)
  return (value) => {
    if (!compiled.Check(value)) throw firstWrong(compiled.Errors(value), 'body')
    return value
  }
}

/** Query and path come as text: whole numbers and booleans are read strictly ("1.5" is no integer). */
export function checkText(schema: TObject, place: string): Check {
  const compiled = Compile(schema)
  const readers = Object.entries(schema.properties).map(
    ([name, property]) => [name, readerOf(property)] as const,
  )
  return (value) => {
    const given: Record<string, unknown> = { ...(value as Record<string, unknown>) }
    for (const [name, read] of readers)
      if (typeof given[name] === 'string') given[name] = read(given[name])
    refuseUnstorable(given, { place })
    if (!compiled.Check(given)) throw firstWrong(compiled.Errors(given), place)
    return given
  }
}

function readerOf(property: TSchema): (text: string) => unknown {
  const type = 'type' in property ? property.type : undefined
  if (type === 'integer') return (text) => (/^-?\d{1,16}$/.test(text) ? Number(text) : text)
  if (type === 'boolean') return (text) => ({ true: true, false: false })[text] ?? text
  return (text) => text
}

/** No resource asks for more, and all that walks a value (the schema's check, JSON.stringify,
 * PostgreSQL) comes to its own end somewhere below. */
const deepest = 32

/** JSON may write characters that are none: NUL, which PostgreSQL's text has no place for, and halves
 * of a pair. They are refused here rather than by an error of the database's. */
function refuseUnstorable(
  value: unknown,
  { place, path = '', depth = 0 }: { place: string; path?: string; depth?: number },
): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed())
      throw badField(fieldOf(path) || place, 'valid Unicode text without NUL')
  } else if (value !== null && typeof value === 'object') {
    if (depth > deepest)
      throw badField(fieldOf(path) || place, `at most ${deepest} levels inside each other`)
    for (const [name, each] of Object.entries(value)) {
      refuseUnstorable(name, { place, path })
      refuseUnstorable(each, { place, path: `${path}/${name}`, depth: depth + 1 })
    }
  }
}

/** Whether JSON text may hold characters that `refuseUnstorable` looks for: they cannot stand in it but
 * by an escape, which is sooner seen in the text than found in the value. */
export function mayBeUnstorable(text: string): boolean {
  return /\\u(0000|d[89a-f])/i.test(text)
}

interface Wrong {
  keyword: string
  instancePath: string
  message: string
  params: object
}

function firstWrong(errors: Wrong[], place: string): Failure {
  // A refused extra field shows up twice; the entry that lists names comes after the bare one.
  const wrong = errors.find((error) => error.keyword !== 'boolean') ?? errors[0]
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

function expectationOf(errors: Wrong[], wrong: Wrong): string {
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
function limitOf({ keyword, params }: Wrong): string | undefined {
  const { comparison, limit } = params as { comparison?: string; limit?: number }
  if (limit === undefined) return undefined
  if (comparison !== undefined) return `a number ${comparison} ${limit}`
  const unit = { Length: 'characters', Items: 'elements', Properties: 'fields' }[keyword.slice(3)]
  return `${keyword.startsWith('min') ? 'at least' : 'at most'} ${limit} ${unit ?? ''}`.trim()
}

const formats: Record<string, string> = {
  'date-time': 'an ISO 8601 timestamp such as 2026-01-31T13:45:00.000Z',
  'http-url': 'an address that starts with http:// or https://',
  'one-line': 'text without control characters, and not blank',
}
