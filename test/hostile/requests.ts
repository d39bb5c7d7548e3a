import fc from 'fast-check'
import { bodyBounds, mostFields } from '../../src/http/bounds.ts'
import type { Route } from '../../src/http/route.ts'
import { type JsonSchema, type KnownValues, validValues } from '../fuzz/values.ts'

/** Requests made to cost more than they weigh, each at any size. */

export interface HostileCase {
  name: string
  /** Half of what costs most, and all of it. */
  sizes: readonly [half: number, whole: number]
  requestOfSize(size: number): HostileRequest
}

export interface HostileRequest {
  query?: string
  headers?: Record<string, string>
  payload?: Buffer
}

/** As long as a body may be, but for what stands around what is repeated. */
const bodyLimit = 1_048_576 - 1_024
/** The head of a request has 16 KiB, with its headers. */
const queryLimit = 14_000

const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }

/** Pieces that a text repeats: what folding, normalizing, segmenting and backtracking each take worst. */
const repeatedPieces = {
  'one letter': 'a',
  spaces: ' ',
  accents: 'e\u0301',
  'marks out of order': '\u0315\u0300',
  emoji: '😀',
  'words and commas': 'b, ',
}

const repeated = (piece: string, size: number) =>
  piece
    .repeat(Math.ceil(size / piece.length))
    .slice(0, size)
    .toWellFormed()

/** As many pieces as fit, with commas between them. */
function list(size: number, piece: (index: number) => string, open = '[', close = ']'): string {
  const pieces: string[] = []
  for (let length = 0, index = 0; length < size; index++) {
    const one = piece(index)
    pieces.push(one)
    length += one.length + 1
  }
  return `${open}${pieces.join()}${close}`
}

const counted = (count: number, piece: (index: number) => string, open = '[', close = ']') =>
  `${open}${Array.from({ length: count }, (_, index) => piece(index)).join()}${close}`

const asJson = (
  name: string,
  sizes: HostileCase['sizes'],
  text: (size: number) => string,
): HostileCase => ({
  name,
  sizes,
  requestOfSize: (size) => ({ headers: json, payload: Buffer.from(text(size)) }),
})
export const halfAndWhole = (whole: number): HostileCase['sizes'] => [Math.floor(whole / 2), whole]
const bytes = halfAndWhole(bodyLimit)

/** Bodies that are hostile whatever is expected of them. */
export const hostileBodies: readonly HostileCase[] = [
  asJson('different keys', bytes, (size) => list(size, (n) => `"k${n.toString(36)}":0`, '{', '}')),
  asJson('one key repeated', bytes, (size) => list(size, () => '"a":0', '{', '}')),
  asJson('keys of prototypes', bytes, (size) => list(size, () => '"__proto__":{}', '{', '}')),
  asJson('empty lists', bytes, (size) => list(size, () => '[]')),
  asJson('lists in each other', bytes, (size) => '['.repeat(size / 2) + ']'.repeat(size / 2)),
  asJson('a long number', bytes, (size) => '9'.repeat(size)),
  asJson('a long text', bytes, (size) => `"${'\\u00e9'.repeat(size / 6)}"`),
  asJson('objects of different keys', bytes, (size) => list(size, (n) => `{"x${n}":0}`)),
  asJson('backslashes', bytes, (size) => `"${'\\\\'.repeat(size / 2)}"`),
  asJson('keys within the bounds', halfAndWhole(bodyBounds.keys), (size) =>
    counted(
      size,
      (n) => `"k${n}":[${'0,'.repeat(bodyBounds.values / bodyBounds.keys - 2)}0]`,
      '{',
      '}',
    ),
  ),
]

const asForm = (
  name: string,
  sizes: HostileCase['sizes'],
  text: (size: number) => string,
): HostileCase => ({
  name: `form: ${name}`,
  sizes,
  requestOfSize: (size) => ({ headers: form, payload: Buffer.from(text(size)) }),
})

/** Forms that are hostile whatever is expected of them. */
export const hostileForms: readonly HostileCase[] = [
  asForm('one field repeated', bytes, (size) => repeated('client_id=1&', size)),
  asForm('fields without a value', bytes, (size) => '&'.repeat(size)),
  asForm('one long field', bytes, (size) => `client_id=${repeated('%41', size)}`),
  asForm('one long name', bytes, (size) => repeated('a+', size)),
  asForm('one field repeated within the bounds', halfAndWhole(mostFields), (size) =>
    Array.from({ length: size }, () => `client_id=${'+'.repeat(10_000)}`).join('&'),
  ),
]

/** A value that a schema describes, the same in every run. */
function sampleValue(schema: JsonSchema, knownValues: KnownValues = {}, name = ''): unknown {
  return fc.sample(validValues(schema, knownValues, name), { numRuns: 1, seed: 7 })[0]
}

interface SchemaPosition {
  path: readonly string[]
  schema: JsonSchema
}

/** The places in a value that a schema describes, itself first. */
export function schemaPositionsOf(
  schema: JsonSchema,
  path: readonly string[] = [],
): SchemaPosition[] {
  const parts: [string, JsonSchema][] = [
    ...Object.entries(schema.properties ?? {}),
    ...(schema.items ? [['0', schema.items] as [string, JsonSchema]] : []),
  ]
  return [
    { path, schema },
    ...parts.flatMap(([name, part]) => schemaPositionsOf(part, [...path, name])),
    ...(schema.anyOf ?? []).flatMap((kind: JsonSchema) => schemaPositionsOf(kind, path)),
  ]
}

/** A value of a schema, `base` where that is one, that holds `value` at one place. */
function withAt(
  schema: JsonSchema,
  path: readonly string[],
  { value, knownValues, base }: { value: unknown; knownValues: KnownValues; base?: unknown },
): unknown {
  const [name, ...rest] = path
  if (name === undefined) return value
  const kinds: JsonSchema[] = schema.anyOf ?? [schema]
  const kind = kinds.find((each) => each.properties?.[name] ?? (name === '0' && each.items))
  const around = (base ?? sampleValue(kind, knownValues)) as Record<string, unknown>
  const inside = { value, knownValues, base: base === undefined ? undefined : around[name] }
  if (kind.items) return [withAt(kind.items, rest, inside)]
  return { ...around, [name]: withAt(kind.properties[name], rest, inside) }
}

/** Stands for a hostile value, so that JSON is written once and not by the text. */
const hostileValueMarker = '"HOSTILE VALUE"'

/** Bodies that are as they should be, but for one place. */
export function hostileBodiesOf(
  route: Route,
  { knownValues, base }: { knownValues: KnownValues; base?: unknown },
): HostileCase[] {
  const schema: JsonSchema = route.body
  const short = new Set<string>()
  return schemaPositionsOf(schema).flatMap(({ path, schema: part }) => {
    // Texts as short as these cost the same wherever they stand: one of each kind is enough.
    if (part.type === 'string' && (part.maxLength ?? 0) <= 255) {
      const kind = JSON.stringify([part.maxLength, part.pattern, part.format])
      if (short.has(kind)) return []
      short.add(kind)
    }
    // Generated when it is sent: most are never sent in the fast tier.
    const around = () =>
      JSON.stringify(
        withAt(schema, path, { value: JSON.parse(hostileValueMarker), knownValues, base }),
      ).split(hostileValueMarker)
    return hostileValuesFor(part, knownValues).map(({ name, sizes, text }) =>
      asJson(`${path.join('.') || 'body'}: ${name}`, sizes, (size) => around().join(text(size))),
    )
  })
}

interface HostileValue {
  name: string
  sizes: HostileCase['sizes']
  text: (size: number) => string
}

/** Values in place of one that a schema describes: within the bounds, where they are not refused at once. */
function hostileValuesFor(schema: JsonSchema, knownValues: KnownValues): HostileValue[] {
  if (schema.anyOf || schema.enum || schema.const !== undefined) return []
  const elements = halfAndWhole(
    Math.min(schema.maxItems ?? bodyBounds.elements, bodyBounds.elements),
  )
  switch (schema.type) {
    case 'array': {
      const fits = JSON.stringify(sampleValue(schema.items, knownValues))
      return [
        { name: 'elements that fit', sizes: elements, text: (n) => counted(n, () => fits) },
        { name: 'empty elements', sizes: elements, text: (n) => counted(n, () => '{}') },
        {
          name: 'too many elements',
          sizes: halfAndWhole(bodyBounds.elements),
          text: (n) => counted(n, () => '{}'),
        },
        { name: 'elements without end', sizes: bytes, text: (size) => list(size, () => '"read"') },
      ]
    }
    case 'string': {
      const within = halfAndWhole(Math.min(schema.maxLength ?? bodyBounds.text, bodyBounds.text))
      const text = (piece: string) => (size: number) => JSON.stringify(repeated(piece, size))
      return [
        ...Object.entries(repeatedPieces).map(([name, piece]) => ({
          name,
          sizes: within,
          text: text(piece),
        })),
        {
          name: 'marks out of order, as many as in any text',
          sizes: halfAndWhole(bodyBounds.text),
          text: text(repeatedPieces['marks out of order']),
        },
      ]
    }
    case 'object':
    case undefined:
      return [
        {
          name: 'different keys',
          sizes: halfAndWhole(bodyBounds.keys),
          text: (n) => counted(n, (index) => `"k${index}":0`, '{', '}'),
        },
      ]
    default:
      return []
  }
}

/** Queries that are hostile in one parameter. */
export function hostileQueriesOf(route: Route): HostileCase[] {
  const names = [...Object.keys(route.query?.properties ?? {}), 'attributes', 'access_token']
  const pieces = {
    letters: 'a',
    spaces: '+',
    accents: 'e%CC%81',
    commas: 'a,',
    marks: '%CC%95%CC%80',
  }
  const wide = ['a=&', 'a&', 'a=1&', '%41=%41&']
  return [
    ...names.flatMap((name) =>
      Object.entries(pieces).map(([kind, piece]) => ({
        name: `?${name}: ${kind}`,
        sizes: halfAndWhole(queryLimit),
        requestOfSize: (size: number) => ({ query: `${name}=${whole(piece, size)}` }),
      })),
    ),
    ...[...wide, `${names[0]}=1&`].map((piece) => ({
      name: `?${piece} repeated`,
      sizes: halfAndWhole(queryLimit),
      requestOfSize: (size: number) => ({ query: whole(piece, size) }),
    })),
  ]
}

/** Whole pieces only: half an escape is refused before anything reads it. */
const whole = (piece: string, size: number) => piece.repeat(Math.floor(size / piece.length))

const headerPieces: Readonly<Record<string, readonly string[]>> = {
  authorization: ['Bearer  ', 'Bearer a', 'Basic ', 'Basic YTph', ' '],
  cookie: ['a=b;', ' ;', '=', 'feria_session=a;', '"'],
  accept: ['a/b,', '*/*;q=0.1,', ' ', ',;'],
  'accept-encoding': ['gzip,', 'gzip;q=0.1,', ' ;', ','],
  'accept-language': ['es;q=0.1,', 'es-', ' ,', 'a'],
  'content-type': ['application/json; a=b;', 'a/b ', '; charset=utf-8', '="\\'],
  'if-none-match': ['"a",', 'W/', '*, ', ' '],
  range: ['bytes=0-1,', 'bytes=', '0-,', ' '],
  'x-forwarded-for': ['1.1.1.1,', ' ,', ':'],
  'idempotency-key': ['a', ' '],
  'x-format-new': ['true,', ' '],
}

/** Headers of one kind or another, each as long as a head may be. */
export const hostileHeaders: readonly HostileCase[] = Object.entries(headerPieces).flatMap(
  ([name, all]) =>
    all.map((piece) => ({
      name: `${name}: ${JSON.stringify(piece)} repeated`,
      sizes: halfAndWhole(queryLimit),
      requestOfSize: (size: number) => ({ headers: { [name]: repeated(piece, size) } }),
    })),
)
