import type { Json } from '../client.ts'
import { filled, type Material } from './fill.ts'
import { unlike } from './shape.ts'

/** An answer, as rules look at it. */
export interface Answered {
  status: number
  headers: Headers
  body: Json
  text: string
}

/** Says what of an answer does not hold; undefined when it does. */
export type Rule = (answered: Answered, material: Material) => string | undefined

type Wanted = string | number | boolean | null | RegExp

/** The value at a place such as `results[0].id`; the body itself for an empty one. */
export function at(body: Json, place: string): Json {
  const steps = place.split(/[.[\]]+/).filter(Boolean)
  return steps.reduce((value, step) => value?.[step], body)
}

const listAt = (body: Json, place: string): Json[] => {
  const found = at(body, place)
  return Array.isArray(found) ? found : []
}

function fits(found: Json, wanted: Wanted, material: Material): boolean {
  if (wanted instanceof RegExp) return typeof found === 'string' && wanted.test(found)
  if (typeof wanted !== 'string' || !wanted.includes('{')) return found === wanted
  return String(found) === filled(wanted, material, String)
}

const describeExpected = (wanted: Wanted, material: Material) =>
  typeof wanted === 'string' && wanted.includes('{')
    ? filled(wanted, material, String)
    : String(wanted)

/** The value at this place is this one. */
export const is =
  (place: string, wanted: Wanted): Rule =>
  ({ body }, material) => {
    const found = at(body, place)
    return fits(found, wanted, material)
      ? undefined
      : unlike(place, describeExpected(wanted, material), found)
  }

/** Each element of the list at this place has this value there. */
export const each =
  (list: string, place: string, wanted: Wanted): Rule =>
  ({ body }, material) => {
    const other = listAt(body, list).find((one) => !fits(at(one, place), wanted, material))
    if (other === undefined) return undefined
    return unlike(`${list}[].${place}`, describeExpected(wanted, material), at(other, place))
  }

/** One element of the list at this place has this value there. */
export const some =
  (list: string, place: string, wanted: Wanted): Rule =>
  ({ body }, material) => {
    if (listAt(body, list).some((one) => fits(at(one, place), wanted, material))) return undefined
    return `${list || 'body'}: expected an element with ${place || 'the value'} ${describeExpected(wanted, material)}`
  }

/** No element of the list at this place has this value there. */
export const none =
  (list: string, place: string, wanted: Wanted): Rule =>
  ({ body }, material) => {
    if (!listAt(body, list).some((one) => fits(at(one, place), wanted, material))) return undefined
    return `${list || 'body'}: expected no element with ${place} ${describeExpected(wanted, material)}`
  }

/** Each element of the list has, in its own list at this place, one with this value. */
export const eachHasSome =
  (list: string, inner: string, place: string, wanted: string): Rule =>
  (answered, material) => {
    const one = some(inner, place, wanted)
    const wrong = listAt(answered.body, list).find((body) => one({ ...answered, body }, material))
    return wrong && `${list}[].${one({ ...answered, body: wrong }, material)}`
  }

/** The list in the list element at this place holds this value. */
export const eachHolds =
  (list: string, place: string, wanted: string): Rule =>
  ({ body }) => {
    const other = listAt(body, list).find((one) => !listAt(one, place).includes(wanted))
    return other && unlike(`${list}[].${place}`, `a list with ${wanted}`, at(other, place))
  }

export const noneHolds =
  (list: string, place: string, unwanted: string): Rule =>
  ({ body }) => {
    const other = listAt(body, list).find((one) => listAt(one, place).includes(unwanted))
    return other && unlike(`${list}[].${place}`, `a list without ${unwanted}`, at(other, place))
  }

/** The list at this place has at least, or at most, so many elements. */
export const counts =
  (list: string, { least = 0, most = Number.POSITIVE_INFINITY }): Rule =>
  ({ body }) => {
    const { length } = listAt(body, list)
    if (length >= least && length <= most) return undefined
    const wanted = most === Number.POSITIVE_INFINITY ? `at least ${least}` : `${least} to ${most}`
    return `${list || 'body'}: expected ${wanted} elements, found ${length}`
  }

/** The list at this place stands in this order by this value: numbers, or moments, which may be out of
 * order by so many milliseconds. */
export const sorted =
  (
    list: string,
    place: string,
    order: 'ascending' | 'descending',
    { slackMs = 0 }: { slackMs?: number } = {},
  ): Rule =>
  ({ body }) => {
    const values = listAt(body, list).map((one) => {
      const value = at(one, place)
      return typeof value === 'number' ? value : Date.parse(value)
    })
    const sign = order === 'ascending' ? 1 : -1
    const wrong = values.findIndex(
      (value, n) => n > 0 && sign * (value - (values[n - 1] ?? 0)) < -slackMs,
    )
    return wrong < 0 ? undefined : `${list}: expected ${order} by ${place}, not so at [${wrong}]`
  }

/** The moment there, of each element, is not before, or not after, this one. */
export const within =
  (list: string, place: string, { from, to }: { from?: string; to?: string }): Rule =>
  ({ body }, material) => {
    const moment = (text: string | undefined) => text && Date.parse(filled(text, material, String))
    const [least, most] = [moment(from), moment(to)]
    const other = listAt(body, list).find((one) => {
      const value = Date.parse(at(one, place))
      return (least && value < least) || (most && value > most)
    })
    return (
      other &&
      unlike(`${list}[].${place}`, `between ${from ?? '…'} and ${to ?? '…'}`, at(other, place))
    )
  }

/** The object at this place has these keys, in this order, and no others. One that ends in `?` may be missing. */
export const keysInOrder =
  (place: string, keys: readonly string[]): Rule =>
  ({ body }) => {
    const value = at(body, place)
    const found = Object.keys(typeof value === 'string' ? JSON.parse(value) : (value ?? {}))
    const expected = keys
      .filter((key) => !key.endsWith('?') || found.includes(key.slice(0, -1)))
      .map((key) => key.replace('?', ''))
    const right = found.join() === expected.join()
    return right ? undefined : unlike(place, `the keys ${expected.join(', ')}`, found)
  }

/** Whatever a function says of the body. */
export const that =
  (what: string, isSo: (body: Json, answered: Answered, material: Material) => boolean): Rule =>
  (answered, material) =>
    isSo(answered.body, answered, material) ? undefined : `expected ${what}`

/** It has an error body of the general form, with this `error` (and these words). */
export const refuses =
  (error: string, message?: RegExp): Rule =>
  (answered, material) =>
    is('error', error)(answered, material) ??
    (message ? is('message', message)(answered, material) : undefined)
