import type { TObject, TSchema } from 'typebox'
import { badField } from '../kernel/failure.ts'
import { idPattern } from '../kernel/ids.ts'

/**
 * Lenient reading of input. Existing clients send additional fields, numbers as text and site ids in lower case. This
 * module converts such input to the form of the schema before the check, so that operations need not handle it.
 */

/** Collects the names of unknown fields and parameters. In strict mode it throws `bad_request` for the first one. */
export class IgnoredNames {
  readonly #isStrict: boolean
  readonly #names = new Set<string>()

  constructor({ isStrict }: { isStrict: boolean }) {
    this.#isStrict = isStrict
  }

  addField(name: string): void {
    this.#add(name, 'no such field')
  }

  addParameter(name: string): void {
    this.#add(name, 'no such parameter')
  }

  /** Adds a field of the resource that the operation cannot change. */
  addReadOnly(name: string): void {
    this.#add(name, 'its stored value or nothing, it cannot be changed here')
  }

  #add(name: string, expected: string): void {
    if (this.#isStrict) throw badField(name.slice(0, 200) || '""', expected)
    if (this.#names.size < mostIgnored) this.#names.add(name)
  }

  /** The value of `X-Feria-Ignored`, at most 1 KB. Undefined if nothing was ignored. */
  get header(): string | undefined {
    if (this.#names.size === 0) return undefined
    let text = ''
    for (const name of this.#names) {
      const next = text === '' ? encodeName(name) : `${text}, ${encodeName(name)}`
      if (next.length > longestHeader) break
      text = next
    }
    return text === '' ? undefined : text
  }
}

const mostIgnored = 20
const longestHeader = 1_024

/** Encodes a name for a header. Clients may send half of a surrogate pair, which cannot be encoded. */
const encodeName = (name: string) => encodeURIComponent(name.slice(0, 200).toWellFormed())

type InputConverter = (value: unknown, ignored: IgnoredNames) => unknown

/** The keywords of a schema that determine which other forms are accepted. */
interface Keywords {
  type?: string
  format?: string
  pattern?: string
  anyOf?: readonly TSchema[]
  enum?: readonly unknown[]
  items?: TSchema
  properties?: Readonly<Record<string, TSchema>>
  required?: readonly string[]
  /** Whether the text is a list of values separated by commas. */
  'x-comma-separated'?: boolean
  /** A pattern for the names of further parameters, which the operation reads itself. */
  'x-other-parameters'?: string
}

/** Returns a function that converts a body to the form of the schema and removes unknown fields. It leaves unreadable
 * values for the check, and does not modify its input. */
export function makeBodyConverter(schema: TSchema): InputConverter {
  return converterOf(schema, { path: '', name: '' })
}

/** Returns the function that brings a value of this schema into its accepted form, such as a number that was sent
 * as text. `at.name` is the name of the field, which decides for ids and dates. */
function converterOf(schema: TSchema, at: { path: string; name: string }): InputConverter {
  const { type, format, pattern, anyOf, items, properties } = schema as Keywords
  if (anyOf) return anyOfAcceptor(anyOf, at)
  if (properties) return objectAcceptor(schema, at.path)
  if (items) {
    const accept = converterOf(items, at)
    return (value, ignored) => (Array.isArray(value) ? acceptItems(value, accept, ignored) : value)
  }
  if (at.name === 'site_id') return siteId
  if (type === 'integer') return wholeNumber
  if (type === 'number') return amount
  if (type !== 'string') return identity
  if (format === 'date-time') return (value) => wholeDay(value, at.name)
  return pattern === idPattern || /(^|_)id$|^value_name$/.test(at.name) ? idText : identity
}

/** Returns the acceptor of an object, which accepts each of its fields. Null is left out where the field may be
 * missing but not null. Unknown fields are left out and noted in `ignored`. */
function objectAcceptor(schema: TSchema, path: string): InputConverter {
  const { properties = {}, required = [] } = schema as Keywords
  const inside = path === '' ? '' : `${path}.`
  const parts = new Map(
    Object.entries(properties).map(([name, part]) => {
      return [name, converterOf(part, { path: inside + name, name })]
    }),
  )
  const omissible = new Set(
    Object.entries(properties)
      .filter(([name, part]) => !required.includes(name) && !takesNull(part))
      .map(([name]) => name),
  )
  return (value, ignored) => {
    // PHP writes an empty object as an empty list.
    if (Array.isArray(value) && value.length === 0 && path !== '') return {}
    if (!isRecord(value)) return value
    let copy: Record<string, unknown> | undefined
    for (const [name, part] of Object.entries(value)) {
      const accept = parts.get(name)
      if (part === null && omissible.has(name)) {
        copy ??= { ...value }
        delete copy[name]
      } else if (accept) {
        const accepted = accept(part, ignored)
        if (accepted === part) continue
        copy ??= { ...value }
        copy[name] = accepted
      } else {
        ignored.addField(inside + name)
        copy ??= { ...value }
        delete copy[name]
      }
    }
    return copy ?? value
  }
}

function takesNull(schema: TSchema): boolean {
  const { type, anyOf, enum: values } = schema as Keywords
  if (anyOf) return anyOf.some(takesNull)
  // The schema of an enumeration has no `type`.
  if (values) return values.includes(null)
  return type === undefined || type === 'null'
}

/** Returns the acceptor of a union. It uses the first member of the same JSON type, then one that can convert the
 * value. */
function anyOfAcceptor(
  kinds: readonly TSchema[],
  at: { path: string; name: string },
): InputConverter {
  const typeOf = (schema: TSchema) => (schema as Keywords).type
  const acceptors = kinds.map((kind) => [typeOf(kind), converterOf(kind, at)] as const)
  const others = acceptors.filter(([type]) => type !== 'object' && type !== 'array')
  const hasSeveralObjects = acceptors.filter(([type]) => type === 'object').length > 1
  return (value, ignored) => {
    if (value === null) return value
    const isList = Array.isArray(value)
    // Which of several objects is meant, only the handler knows.
    if (hasSeveralObjects && typeof value === 'object' && !isList) return value
    const find = (jsonType: string) => acceptors.find(([type]) => type === jsonType)?.[1]
    const accept = find(isList ? 'array' : typeof value)
    if (accept) return accept(value, ignored)
    if (isList && value.length === 0) return find('object')?.(value, ignored) ?? value
    if (typeof value === 'object') return value
    if (typeof value === 'number' && others.some(([type]) => type === 'integer')) return value
    for (const [, acceptOther] of others) {
      const accepted = acceptOther(value, ignored)
      if (accepted !== value) return accepted
    }
    return value
  }
}

function acceptItems(value: unknown[], accept: InputConverter, ignored: IgnoredNames): unknown[] {
  const accepted = value.map((item) => accept(item, ignored))
  return accepted.some((item, index) => item !== value[index]) ? accepted : value
}

const identity: InputConverter = (value) => value

/** Accepts "12", "-12" and "012", but not "1e3", "+12" or " 12". */
const wholePattern = /^-?\d{1,16}$/
const amountPattern = /^-?\d{1,16}(\.\d{1,10})?$/

const numberOf = (pattern: RegExp) => (value: unknown) => {
  if (typeof value !== 'string' || !pattern.test(value)) return value
  // Adding 0 turns -0 into 0.
  const number = Number(value) + 0
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : value
}

/** Converts text to an integer, in bodies and queries. */
const wholeNumber = numberOf(wholePattern)
const amount = numberOf(amountPattern)

const idText: InputConverter = (value) => (Number.isSafeInteger(value) ? String(value) : value)

const siteId = (value: unknown): unknown =>
  typeof value === 'string' && /^[a-z]{3}$/.test(value) ? value.toUpperCase() : value

/** Converts a date without a time to the start of that day in UTC, or to its end for the end of a range. */
function wholeDay(value: unknown, name: string): unknown {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return value
  const isEnd = /(^|[._])(to|until)$/.test(name)
  return `${value}T${isEnd ? '23:59:59.999' : '00:00:00.000'}Z`
}

/** Parameters of every operation: the token, and the fields to keep of the answer. */
const commonParameters = new Set(['access_token', 'attributes'])

/** Returns a function that converts a query to the form of the schema. Parameters may be repeated, and `me` becomes the
 * id of the caller. */
export function makeQueryConverter(
  schema: TObject,
): (value: unknown, options: { ignored: IgnoredNames; callerId: number | undefined }) => unknown {
  const { properties: schemas, 'x-other-parameters': others } = schema as Keywords & TObject
  const properties = new Map(Object.entries(schemas))
  const isOther = others === undefined ? () => false : (name: string) => RegExp(others).test(name)
  return (value, { ignored, callerId }) => {
    const accepted: Record<string, unknown> = {}
    for (const [name, parameter] of Object.entries(value as Record<string, unknown>)) {
      const property = properties.get(name)
      if (property === undefined && !isOther(name)) {
        if (!commonParameters.has(name)) ignored.addParameter(name)
        continue
      }
      const isList = (property as Keywords | undefined)?.['x-comma-separated'] === true
      const text = Array.isArray(parameter) ? joinRepeated(parameter, isList) : parameter
      accepted[name] = acceptText(text, { name, property, callerId })
    }
    return accepted
  }
}

/** Parameters in which `me` means the caller. */
const selfParameters = new Set(['user_id', 'seller_id', 'seller', 'buyer'])

function joinRepeated(values: unknown[], isList: boolean): unknown {
  if (values.every((value) => value === values[0])) return values[0]
  return isList ? values.join() : values
}

/** Brings a query parameter into its accepted form. `me` means the caller where a parameter names a user. */
function acceptText(
  value: unknown,
  parameter: { name: string; property: TSchema | undefined; callerId: number | undefined },
): unknown {
  const { name, property, callerId } = parameter
  if (value === 'me' && callerId !== undefined && selfParameters.has(name)) {
    return String(callerId)
  }
  if (name === 'site_id') return siteId(value)
  const { type, format } = (property ?? {}) as Keywords
  if (type === 'integer') return wholeNumber(value)
  if (format !== 'date-time') return value
  // A plus sign that was not percent-encoded arrives as a space.
  return typeof value === 'string' && / \d\d:?\d\d$/.test(value)
    ? value.replace(/ (?=\S*$)/, '+')
    : wholeDay(value, name)
}

/** Returns the parameters of a path with `me` replaced by the caller's id, and site ids in upper case. */
export function convertPath(
  params: Readonly<Record<string, unknown>>,
  callerId: number | undefined,
): Record<string, unknown> {
  const accepted = { ...params }
  for (const name of Object.keys(params)) {
    if (accepted[name] === 'me' && callerId !== undefined && selfParameters.has(name))
      accepted[name] = String(callerId)
  }
  if ('site_id' in accepted) accepted['site_id'] = siteId(accepted['site_id'])
  return accepted
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
