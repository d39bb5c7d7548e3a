import type { TObject } from 'typebox'
import { badField } from '../kernel/failure.ts'
import type { Caller } from './caller.ts'
import { checkBounds, checkUsable, makeStorableCheck, makeTextCheck } from './check.ts'
import { unknownPathFailure } from './failure.ts'
import { convertPath, type IgnoredNames, makeBodyConverter, makeQueryConverter } from './input.ts'
import { type ReadOnlyFields, readOnlyFields } from './read-only.ts'
import { isBodyOptional, type Route } from './route.ts'

interface ReadOptions {
  caller: Caller | undefined
  isStrict: boolean
  /** Receives unknown names, and refuses them if the request is strict. */
  ignored: IgnoredNames
}

type ReadPart = (value: unknown, options: ReadOptions) => unknown

/** Reads the input of one operation: converts accepted spellings unless the request is strict, then checks it. */
export interface InputReader {
  readPath: ReadPart
  readQuery: ReadPart
  readBody: ReadPart
  /** Set if the body may contain read-only fields of the resource. */
  resource: StoredResource | undefined
}

/** The resource whose unchanged fields a body may repeat, even in strict mode. */
interface StoredResource {
  fields: ReadOnlyFields
  /** The operation that reads the stored resource. Undefined if the request creates it. */
  read: Route | undefined
}

/** Returns the reader of an operation. Its functions throw `bad_request` with the first wrong field. */
export function makeInputReader(route: Route, routes: readonly Route[]): InputReader {
  const resource = resourceOf(route, routes)
  return {
    readPath: pathReader(route),
    readQuery: queryReader(route),
    readBody: bodyReader(route, resource),
    resource,
  }
}

const emptyObject = { type: 'object', properties: {} } as unknown as TObject

function pathReader(route: Route): ReadPart {
  const { params = emptyObject } = route
  const check = makeTextCheck(params, 'path')
  const ids = resourceIds(route)
  return (value, { caller, isStrict }) => {
    const raw = value as Record<string, string>
    const read = convertPath(raw, caller?.userId)
    if (isStrict) refuseSpellings(raw, read)
    if (ids.some((id) => isWord(read[id])))
      throw unknownPathFailure({ method: route.method, url: pathOf(route, raw) })
    return check(read)
  }
}

/** Path parameters with ids that are never words. A word there names an unknown resource, such as `/items/visits`, and
 * answers 404. Orders, messages and the catalog answer wrong ids with errors of their own. */
const numbered = new Set([
  'item_id',
  'claim_id',
  'payment_id',
  'shipping_id',
  'pack_id',
  'question_id',
  'quotation_id',
  'user_id',
  'application_id',
  'feedback_id',
  'site_id',
])

function resourceIds({ url, params = emptyObject, scope }: Route): string[] {
  if (scope === 'operator' || /^\/(messages|sites)\//.test(url)) return []
  return Object.keys(params.properties).filter((name) => numbered.has(name))
}

/** Returns true for `visits` and `price_to_win`, and false for `mla`, `me` and `undefined` or similar. */
function isWord(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    /^[a-z][a-z_-]{3,}$/.test(value) &&
    !/^(null|none|undefined|true|false)$/.test(value)
  )
}

function pathOf({ url }: Route, params: Readonly<Record<string, string>>): string {
  return url.replace(/:([a-z_]+)/g, (_, name: string) => params[name] ?? '')
}

function queryReader({ query = emptyObject }: Route): ReadPart {
  const check = makeTextCheck(query, 'query')
  const accept = makeQueryConverter(query)
  return (value, { caller, isStrict, ignored }) => {
    const accepting = { ignored, callerId: caller?.userId }
    if (!isStrict) return check(accept(value, accepting))
    const checked = check(value)
    refuseSpellings(value, accept(value, accepting))
    return checked
  }
}

/** Throws `bad_request` for the first parameter that had to be converted. For strict requests. */
function refuseSpellings(raw: unknown, accepted: unknown): void {
  for (const [name, value] of Object.entries(accepted as object)) {
    const spelled = (raw as Record<string, unknown>)[name]
    if (String(spelled) !== String(value)) throw badField(name, String(value))
  }
}

function resourceOf(
  { method, url, body, roundTripSchema }: Route,
  routes: readonly Route[],
): StoredResource | undefined {
  const read =
    method === 'PUT' && !roundTripSchema
      ? routes.find((other) => other.method === 'GET' && other.url === url)
      : undefined
  const fields = readOnlyFields(body, roundTripSchema ?? read?.answers[200])
  return fields && { fields, read }
}

/** Returns the function that reads the body of a route. Read-only fields of the resource are removed. A strict
 * caller gets the errors of its input; for others, the input is first brought into the accepted form. */
function bodyReader(route: Route, resource: StoredResource | undefined): ReadPart {
  const { body, checksBodyItself, streams, takesFiles } = route
  if (!body || streams || takesFiles) return () => undefined
  const accept = makeBodyConverter(body)
  const checkRaw = checksBodyItself ? checkBounds : checkUsable
  const check = checksBodyItself ? (value: unknown) => value : makeStorableCheck(body)
  const absent = isBodyOptional(route) ? {} : undefined
  return (value, { isStrict, ignored }) => {
    const raw = checkRaw(value === undefined ? absent : value)
    const usable = resource ? resource.fields.strip(raw) : raw
    if (!isStrict) return check(accept(usable, ignored))
    const checked = check(usable)
    accept(checked, ignored)
    return checked
  }
}
