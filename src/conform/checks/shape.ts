/**
 * The shape of a body: a word for a plain value, an object for at least these keys (`name?` may be missing), a list of
 * one shape for a list of any length. Further keys are allowed: a server may return more than the contract requires.
 */
export type Shape =
  | keyof typeof plainShapes
  | { readonly [key: string]: Shape }
  | readonly [Shape]
  | UnionShape
  | OneOfShape

class UnionShape {
  readonly of: readonly Shape[]
  constructor(of: readonly Shape[]) {
    this.of = of
  }
}

class OneOfShape {
  readonly of: readonly (string | number)[]
  constructor(of: readonly (string | number)[]) {
    this.of = of
  }
}

export const either = (...of: Shape[]): Shape => new UnionShape(of)
export const orNull = (shape: Shape): Shape => new UnionShape([shape, 'null'])
export const oneOf = (...of: (string | number)[]): Shape => new OneOfShape(of)

/** ISO 8601 with milliseconds and UTC or an offset. */
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|[+-]\d\d:?\d\d)$/
const isText = (value: unknown): value is string => typeof value === 'string'

const plainShapes = {
  any: () => true,
  null: (value: unknown) => value === null,
  text: isText,
  'a text that is not empty': (value: unknown) => isText(value) && value !== '',
  'a whole number': Number.isInteger,
  'a number': Number.isFinite,
  'true or false': (value: unknown) => typeof value === 'boolean',
  'a timestamp': (value: unknown) => isText(value) && moment.test(value),
  'a moment': (value: unknown) => isText(value) && !Number.isNaN(Date.parse(value)),
  'an object': (value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value),
  'a list': Array.isArray,
  'hexadecimal digits': (value: unknown) => isText(value) && /^[0-9a-f]+$/i.test(value),
} as const

const maxReported = 5

/** Returns up to five differences of a value from a shape, each with its path: `results[0].id: …`. */
export function differences(shape: Shape, value: unknown, path = 'body'): string[] {
  return [...findDifferences(shape, value, path)].slice(0, maxReported)
}

/** Yields a sentence for each place at which a value differs from a shape. */
function* findDifferences(shape: Shape, value: unknown, path: string): Generator<string> {
  if (typeof shape === 'string') {
    if (!plainShapes[shape](value)) yield describeDifference(path, shape, value)
  } else if (shape instanceof OneOfShape) {
    const allowed = shape.of as readonly unknown[]
    if (!allowed.includes(value))
      yield describeDifference(path, `one of ${allowed.join(', ')}`, value)
  } else if (shape instanceof UnionShape) {
    const alternatives = shape.of.map((alternative) => differences(alternative, value, path))
    // Report the alternative with the fewest differences.
    const [closest = []] = alternatives.toSorted((a, b) => a.length - b.length)
    if (closest.length > 0)
      yield* value === null ? [describeDifference(path, 'a value', value)] : closest
  } else if (isList(shape)) {
    if (!Array.isArray(value)) yield describeDifference(path, 'a list', value)
    else {
      for (const [n, element] of value.entries()) {
        yield* findDifferences(shape[0], element, `${path}[${n}]`)
      }
    }
  } else yield* findKeyDifferences(shape, value, path)
}

function* findKeyDifferences(
  shape: { readonly [key: string]: Shape },
  value: unknown,
  path: string,
): Generator<string> {
  if (!plainShapes['an object'](value)) return yield describeDifference(path, 'an object', value)
  for (const [name, keyShape] of Object.entries(shape)) {
    const key = name.replace(/\?$/, '')
    const keyValue = (value as Record<string, unknown>)[key]
    if (keyValue !== undefined) yield* findDifferences(keyShape, keyValue, `${path}.${key}`)
    else if (key === name) yield `${path}.${key}: missing`
  }
}

const isList = (shape: Shape): shape is readonly [Shape] => Array.isArray(shape)

/** Formats a difference. */
export function describeDifference(path: string, expected: string, actual: unknown): string {
  const text = JSON.stringify(actual) ?? 'nothing'
  return `${path}: expected ${expected}, found ${text.length > 80 ? `${text.slice(0, 77)}…` : text}`
}
