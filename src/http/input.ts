import type { TObject, TSchema } from 'typebox'
import { badField } from '../kernel/failure.ts'
import { idPattern } from '../kernel/ids.ts'

/**
 * What integrators may send beside what a schema describes. Existing clients add fields of their own, write
 * numbers as text and site ids in lower case. Such input is brought into the form that the schema describes and
 * only then checked, so that no operation has to know of it.
 */

/** Collects the names of fields and parameters that an operation does not know. In strict mode it refuses them
 * instead: throws a `bad_request` that names the first one. */
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

  /** For a field that the resource has and the operation cannot change. */
  addReadOnly(name: string): void {
    this.#add(name, 'its stored value or nothing, it cannot be changed here')
  }

  #add(name: string, expected: string): void {
    if (this.#isStrict) throw badField(name.slice(0, 200) || '""', expected)
    if (this.#names.size < mostIgnored) this.#names.add(name)
  }

  /** Returns a header value of at most 1 KB, or undefined when nothing was ignored. */
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

/** Names come as the client wrote them, halves of a surrogate pair included. */
const encodeName = (name: string) => encodeURIComponent(name.slice(0, 200).toWellFormed())

type Accept = (value: unknown, ignored: IgnoredNames) => unknown

/** The keywords of a schema that say what else is accepted for it. */
interface Keywords {
  type?: string
  format?: string
  pattern?: string
  anyOf?: readonly TSchema[]
  enum?: readonly unknown[]
  items?: TSchema
  properties?: Readonly<Record<string, TSchema>>
  required?: readonly string[]
  /** Text of values with commas between them. */
  'x-comma-separated'?: boolean
  /** A pattern for names of parameters that the operation looks at itself. */
  'x-other-parameters'?: string
}

/** Returns a function that brings a body into the form that the schema describes, without its unknown fields.
 * What it cannot read it leaves as it is, for the check. It changes nothing in place. */
export function acceptBody(schema: TSchema): Accept {
  return acceptorOf(schema, { path: '', name: '' })
}

function acceptorOf(schema: TSchema, at: { path: string; name: string }): Accept {
  const { type, format, pattern, anyOf, items, properties } = schema as Keywords
  if (anyOf) return anyOfAcceptor(anyOf, at)
  if (properties) return objectAcceptor(schema, at.path)
  if (items) {
    const accept = acceptorOf(items, at)
    return (value, ignored) => (Array.isArray(value) ? acceptItems(value, accept, ignored) : value)
  }
  if (at.name === 'site_id') return siteId
  if (type === 'integer') return wholeNumber
  if (type === 'number') return amount
  if (type !== 'string') return same
  if (format === 'date-time') return (value) => wholeDay(value, at.name)
  return pattern === idPattern || /(^|_)id$|^value_name$/.test(at.name) ? idText : same
}

function objectAcceptor(schema: TSchema, path: string): Accept {
  const { properties = {}, required = [] } = schema as Keywords
  const inside = path === '' ? '' : `${path}.`
  const parts = new Map(
    Object.entries(properties).map(([name, part]) => {
      return [name, acceptorOf(part, { path: inside + name, name })]
    }),
  )
  const omissible = new Set(
    Object.entries(properties)
      .filter(([name, part]) => !required.includes(name) && !takesNull(part))
      .map(([name]) => name),
  )
  return (value, ignored) => {
    // PHP has one kind of list and object, and writes an empty one as a list.
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
  // An enumeration has no type of its own.
  if (values) return values.includes(null)
  return type === undefined || type === 'null'
}

/** Of several kinds, the first that has a place for the value: an object for an object, then text for text. */
function anyOfAcceptor(kinds: readonly TSchema[], at: { path: string; name: string }): Accept {
  const typeOf = (schema: TSchema) => (schema as Keywords).type
  const acceptors = kinds.map((kind) => [typeOf(kind), acceptorOf(kind, at)] as const)
  const others = acceptors.filter(([type]) => type !== 'object' && type !== 'array')
  return (value, ignored) => {
    if (value === null) return value
    const isList = Array.isArray(value)
    const find = (wanted: string) => acceptors.find(([type]) => type === wanted)?.[1]
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

function acceptItems(value: unknown[], accept: Accept, ignored: IgnoredNames): unknown[] {
  const accepted = value.map((item) => accept(item, ignored))
  return accepted.some((item, index) => item !== value[index]) ? accepted : value
}

const same: Accept = (value) => value

/** "12", "-12" and "012"; not "1e3", "+12" or " 12", which nobody means for a number. */
const wholePattern = /^-?\d{1,16}$/
const amountPattern = /^-?\d{1,16}(\.\d{1,10})?$/

const numberOf = (pattern: RegExp) => (value: unknown) => {
  if (typeof value !== 'string' || !pattern.test(value)) return value
  // Without the sign of a negative zero.
  const number = Number(value) + 0
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : value
}

/** In bodies and in queries. */
const wholeNumber = numberOf(wholePattern)
const amount = numberOf(amountPattern)

const idText: Accept = (value) => (Number.isSafeInteger(value) ? String(value) : value)

const siteId = (value: unknown): unknown =>
  typeof value === 'string' && /^[a-z]{3}$/.test(value) ? value.toUpperCase() : value

/** A date without a time is the whole day in UTC: its end for the last moment of a range. */
function wholeDay(value: unknown, name: string): unknown {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return value
  const isEnd = /(^|[._])(to|until)$/.test(name)
  return `${value}T${isEnd ? '23:59:59.999' : '00:00:00.000'}Z`
}

/** Parameters that every operation has: tokens in the query, and fields to keep of an answer. */
const commonParameters = new Set(['access_token', 'attributes'])

/** The same for the query of an operation: parameters may be repeated, and `me` is the caller. */
export function acceptQuery(
  schema: TObject,
): (value: unknown, given: { ignored: IgnoredNames; callerId: number | undefined }) => unknown {
  const { properties, 'x-other-parameters': others } = schema as Keywords & TObject
  const known = new Map(Object.entries(properties))
  const isOther = others === undefined ? () => false : (name: string) => RegExp(others).test(name)
  return (value, { ignored, callerId }) => {
    const accepted: Record<string, unknown> = {}
    for (const [name, given] of Object.entries(value as Record<string, unknown>)) {
      const property = known.get(name)
      if (property === undefined && !isOther(name)) {
        if (!commonParameters.has(name)) ignored.addParameter(name)
        continue
      }
      const isList = (property as Keywords | undefined)?.['x-comma-separated'] === true
      const one = Array.isArray(given) ? joinRepeated(given, isList) : given
      accepted[name] = acceptText(one, { name, property, callerId })
    }
    return accepted
  }
}

/** Where `me` is the caller. */
const ownNames = new Set(['user_id', 'seller_id', 'seller', 'buyer'])

function joinRepeated(values: unknown[], isList: boolean): unknown {
  if (values.every((value) => value === values[0])) return values[0]
  return isList ? values.join() : values
}

function acceptText(
  value: unknown,
  given: { name: string; property: TSchema | undefined; callerId: number | undefined },
): unknown {
  const { name, property, callerId } = given
  if (value === 'me' && callerId !== undefined && ownNames.has(name)) {
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

/** Returns the parameters of a path with the caller's id for `me`, and site ids in upper case. */
export function acceptPath(
  params: Readonly<Record<string, unknown>>,
  callerId: number | undefined,
): Record<string, unknown> {
  const accepted = { ...params }
  for (const name of Object.keys(params)) {
    if (accepted[name] === 'me' && callerId !== undefined && ownNames.has(name))
      accepted[name] = String(callerId)
  }
  if ('site_id' in accepted) accepted['site_id'] = siteId(accepted['site_id'])
  return accepted
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
