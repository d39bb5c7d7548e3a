import { badField } from '../kernel/failure.ts'

/**
 * What any request may hold, whatever its schema says. The bounds lie above the limits of the contract, so that
 * within them the contract speaks in its own words. Past them nothing is parsed, copied or compared.
 */
export interface Bounds {
  /** Values of a JSON body in all, nested lists and objects included. */
  values: number
  /** Keys of one object. */
  keys: number
  /** Elements of one list. */
  elements: number
  /** Nesting of lists and objects. Recursive code further on overflows the stack somewhere above it. */
  depth: number
  /** UTF-16 units of one text: a description of 50,000 emoji has 100,000. */
  text: number
}

/** The largest body that a resource takes has some 8,000 values: an order with its payments and claims. A body
 * of as many values as this costs 10 ms to parse, check and walk. */
export const bodyBounds: Bounds = {
  values: 20_000,
  keys: 1_000,
  elements: 1_000,
  depth: 32,
  text: 200_000,
}

/** Fields of a form, parts of a form with files, and values of one field. */
export const mostFields = 100

/** Bytes of a body that may be a form: none of ours has more than a few addresses in it, and escapes cost 50 ms
 * a MB to undo. */
export const formLimit = 65_536

const code = (character: string) => character.charCodeAt(0)
const [quote, backslash] = [code('"'), code('\\')]
const [comma, bracket, brace] = [code(','), code('['), code('{')]

/** Refuses JSON text of more values than the bound, before it is parsed: objects of 100,000 different keys take
 * JSON.parse 20 times as long as a text of the same size. */
export function refuseManyValues(text: string, place = 'body'): void {
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
    if (values > most) throw badField(place, `at most ${most} values in all`)
  }
}

/** Refuses a form of more fields than the bound, before it is read. */
export function refuseManyFields(text: string): void {
  let fields = 1
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    if (++fields > mostFields) throw badField('body', `at most ${mostFields} fields`)
  }
}

/** Refuses a multipart form of more parts than the bound, before it is read. Every part has this header. */
export function refuseManyParts(bytes: Buffer): void {
  const header = 'Content-Disposition'.toLowerCase()
  const text = bytes.toString('latin1').toLowerCase()
  let parts = 0
  for (let at = text.indexOf(header); at >= 0; at = text.indexOf(header, at + header.length)) {
    if (++parts > mostFields) throw badField('body', `at most ${mostFields} fields`)
  }
}

/** Returns the bound that one value exceeds, as the expectation of an error, or undefined. Its parts have checks
 * of their own. */
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
