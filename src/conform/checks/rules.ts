import { fillPlaceholders, type PlaceholderValues } from './placeholders.ts'
import { describeDifference } from './shape.ts'

/** An answer of the server. */
export interface CheckedResponse {
  status: number
  headers: Headers
  /** JSON of any shape: the server may have got it wrong. */
  body: unknown
  text: string
}

/** Returns what is wrong with an answer, or undefined. */
export type Rule = (answer: CheckedResponse, material: PlaceholderValues) => string | undefined

type ExpectedValue = string | number | boolean | null | RegExp

/** Returns the value at a path such as `results[0].id`. An empty path is the body itself. */
export function valueAt(body: unknown, path: string): unknown {
  const steps = path.split(/[.[\]]+/).filter(Boolean)
  return steps.reduce<unknown>(
    (value, step) => (value as Record<string, unknown> | null | undefined)?.[step],
    body,
  )
}

/** Returns the list at a path; an empty one if there is none. */
export const listAt = (body: unknown, path: string): unknown[] => {
  const value = valueAt(body, path)
  return Array.isArray(value) ? value : []
}

function matchesExpected(
  actual: unknown,
  wanted: ExpectedValue,
  material: PlaceholderValues,
): boolean {
  if (wanted instanceof RegExp) return typeof actual === 'string' && wanted.test(actual)
  if (typeof wanted !== 'string' || !wanted.includes('{')) return actual === wanted
  return String(actual) === fillPlaceholders(wanted, material, String)
}

const describeExpected = (wanted: ExpectedValue, material: PlaceholderValues) =>
  typeof wanted === 'string' && wanted.includes('{')
    ? fillPlaceholders(wanted, material, String)
    : String(wanted)

/** The value at this path equals this one. */
export const valueIs =
  (path: string, wanted: ExpectedValue): Rule =>
  ({ body }, material) => {
    const value = valueAt(body, path)
    return matchesExpected(value, wanted, material)
      ? undefined
      : describeDifference(path, describeExpected(wanted, material), value)
  }

/** Every element of the list has this value at this path. */
export const eachIs =
  (list: string, path: string, wanted: ExpectedValue): Rule =>
  ({ body }, material) => {
    const other = listAt(body, list).find(
      (one) => !matchesExpected(valueAt(one, path), wanted, material),
    )
    if (other === undefined) return undefined
    return describeDifference(
      `${list}[].${path}`,
      describeExpected(wanted, material),
      valueAt(other, path),
    )
  }

/** Some element of the list has this value at this path. */
export const someIs =
  (list: string, path: string, wanted: ExpectedValue): Rule =>
  ({ body }, material) => {
    if (listAt(body, list).some((one) => matchesExpected(valueAt(one, path), wanted, material)))
      return undefined
    return `${list || 'body'}: expected an element with ${path || 'the value'} ${describeExpected(wanted, material)}`
  }

/** No element of the list has this value at this path. */
export const noneIs =
  (list: string, path: string, wanted: ExpectedValue): Rule =>
  ({ body }, material) => {
    if (!listAt(body, list).some((one) => matchesExpected(valueAt(one, path), wanted, material)))
      return undefined
    return `${list || 'body'}: expected no element with ${path} ${describeExpected(wanted, material)}`
  }

/** Every element of the list has an inner list in which some element has this value. */
export const eachHasSome =
  (list: string, inner: string, path: string, wanted: string): Rule =>
  (response, material) => {
    const one = someIs(inner, path, wanted)
    const wrong = listAt(response.body, list).find((body) => one({ ...response, body }, material))
    return wrong === undefined
      ? undefined
      : `${list}[].${one({ ...response, body: wrong }, material)}`
  }

/** Every element of the list has a list at this path that contains this value. */
export const eachContains =
  (list: string, path: string, wanted: string): Rule =>
  ({ body }) => {
    const other = listAt(body, list).find((one) => !listAt(one, path).includes(wanted))
    return other === undefined
      ? undefined
      : describeDifference(`${list}[].${path}`, `a list with ${wanted}`, valueAt(other, path))
  }

/** No element of the list has a list at this path that contains this value. */
export const noneContains =
  (list: string, path: string, unwanted: string): Rule =>
  ({ body }) => {
    const other = listAt(body, list).find((one) => listAt(one, path).includes(unwanted))
    return other === undefined
      ? undefined
      : describeDifference(`${list}[].${path}`, `a list without ${unwanted}`, valueAt(other, path))
  }

/** The list has between `least` and `most` elements. */
export const hasLength =
  (list: string, { least = 0, most = Number.POSITIVE_INFINITY }): Rule =>
  ({ body }) => {
    const { length } = listAt(body, list)
    if (length >= least && length <= most) return undefined
    const wanted = most === Number.POSITIVE_INFINITY ? `at least ${least}` : `${least} to ${most}`
    return `${list || 'body'}: expected ${wanted} elements, found ${length}`
  }

/** The list is sorted by this value: numbers, or timestamps, which may be out of order by `slackMs`. */
export const sorted =
  (
    list: string,
    path: string,
    order: 'ascending' | 'descending',
    { slackMs = 0 }: { slackMs?: number } = {},
  ): Rule =>
  ({ body }) => {
    const values = listAt(body, list).map((one) => {
      const value = valueAt(one, path)
      return typeof value === 'number' ? value : Date.parse(String(value))
    })
    const sign = order === 'ascending' ? 1 : -1
    const wrong = values.findIndex(
      (value, n) => n > 0 && sign * (value - (values[n - 1] ?? 0)) < -slackMs,
    )
    return wrong < 0 ? undefined : `${list}: expected ${order} by ${path}, not so at [${wrong}]`
  }

/** The timestamp of every element lies between `from` and `to`. */
export const eachIsBetween =
  (list: string, path: string, { from, to }: { from?: string; to?: string }): Rule =>
  ({ body }, material) => {
    const moment = (text: string | undefined) =>
      text && Date.parse(fillPlaceholders(text, material, String))
    const [least, most] = [moment(from), moment(to)]
    const other = listAt(body, list).find((one) => {
      const value = Date.parse(String(valueAt(one, path)))
      return (least && value < least) || (most && value > most)
    })
    return other === undefined
      ? undefined
      : describeDifference(
          `${list}[].${path}`,
          `between ${from ?? '…'} and ${to ?? '…'}`,
          valueAt(other, path),
        )
  }

/** The object has exactly these keys in this order. A key that ends in `?` may be missing. */
export const keysInOrder =
  (path: string, keys: readonly string[]): Rule =>
  ({ body }) => {
    const value = valueAt(body, path)
    const actualKeys = Object.keys(typeof value === 'string' ? JSON.parse(value) : (value ?? {}))
    const expected = keys
      .filter((key) => !key.endsWith('?') || actualKeys.includes(key.slice(0, -1)))
      .map((key) => key.replace('?', ''))
    const right = actualKeys.join() === expected.join()
    return right
      ? undefined
      : describeDifference(path, `the keys ${expected.join(', ')}`, actualKeys)
  }

/**
 * A function accepts the answer. `description` completes the message "expected …". The function may take the body for what
 * the contract says: where the answer lacks what it reads, its TypeError fails the check.
 */
export const responsePasses =
  <Body>(
    description: string,
    accepts: (body: Body, response: CheckedResponse, material: PlaceholderValues) => boolean,
  ): Rule =>
  (response, material) =>
    accepts(response.body as Body, response, material) ? undefined : `expected ${description}`

/** The body is an error with this `error` and, if given, a matching message. */
export const isError =
  (error: string, message?: RegExp): Rule =>
  (response, material) =>
    valueIs('error', error)(response, material) ??
    (message ? valueIs('message', message)(response, material) : undefined)
