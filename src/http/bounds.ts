import { badField } from '../kernel/failure.ts'

/**
 * Limits of any request, whatever its schema allows. They lie above the limits of every operation, so that those
 * answer with their own errors. A request beyond them is not parsed, copied or compared.
 */
export interface Bounds {
  /** Values in a JSON body, including nested lists and objects. */
  values: number
  /** Keys in one object. */
  keys: number
  /** Elements in one list. */
  elements: number
  /** Levels of nested lists and objects. Recursive code overflows the stack somewhat above it. */
  depth: number
  /** UTF-16 units in one text. A description of 50,000 emoji has 100,000. */
  text: number
}

/** The bounds of a JSON body. The largest real body, an order with its payments and claims, has some 8,000 values.
 * 20,000 values take 10 ms to parse, check and walk. */
export const bodyBounds: Bounds = {
  values: 20_000,
  keys: 1_000,
  elements: 1_000,
  depth: 32,
  text: 200_000,
}

/** Limit of fields in a form, and of parts in a multipart form. */
export const mostFields = 100

/** Longest body that may be a form, in bytes. Forms hold a few addresses at most, and unescaping takes 50 ms a MB. */
export const formLimit = 65_536

const code = (character: string) => character.charCodeAt(0)
const [quote, backslash] = [code('"'), code('\\')]
const [comma, bracket, brace] = [code(','), code('['), code('{')]

/** Throws `bad_request` if JSON text has more values than the bound. It runs before the parser: `JSON.parse` takes 20
 * times as long for 100,000 different keys as for a text of the same size. */
export function refuseManyValues(text: string, field = 'body'): void {
  const { values: most } = bodyBounds
  let values = 1
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (isQuoted) {
      if (unit === backslash) at++
      else if (unit === quote) isQuoted = false
    } else if (unit === quote) isQuoted = true
    else if (unit === comma || unit === bracket || unit === brace) values++
    if (values > most) throw badField(field, `at most ${most} values in all`)
  }
}

/** Throws `bad_request` if an urlencoded form has more fields than the bound. It runs before the parser. */
export function refuseManyFields(text: string): void {
  let fields = 1
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    if (++fields > mostFields) throw badField('body', `at most ${mostFields} fields`)
  }
}

/** Throws `bad_request` if a multipart form has more parts than the bound. It counts `Content-Disposition`, which every
 * part has. */
export function refuseManyParts(bytes: Buffer): void {
  const header = 'Content-Disposition'.toLowerCase()
  const text = bytes.toString('latin1').toLowerCase()
  let parts = 0
  for (let at = text.indexOf(header); at >= 0; at = text.indexOf(header, at + header.length)) {
    if (++parts > mostFields) throw badField('body', `at most ${mostFields} fields`)
  }
}

/** Returns the bound that a value exceeds, as the expectation of an error, or undefined. It does not look at nested
 * values. */
export function boundViolationOf(
  value: unknown,
  depth: number,
  bounds: Bounds,
): string | undefined {
  if (typeof value === 'string') {
    return value.length > bounds.text ? `at most ${bounds.text} characters` : undefined
  }
  if (value === null || typeof value !== 'object') return undefined
  if (depth > bounds.depth) return `at most ${bounds.depth} levels inside each other`
  if (Array.isArray(value)) {
    return value.length > bounds.elements ? `at most ${bounds.elements} elements` : undefined
  }
  return Object.keys(value).length > bounds.keys ? `at most ${bounds.keys} fields` : undefined
}
