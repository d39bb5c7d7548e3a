import { type TSchema, Type } from 'typebox'
import { idPattern, largestId } from './ids.ts'
import { currencies } from './money.ts'
import { siteIds } from './sites.ts'

/** Schemas that many rooms share. Shapes and units are those of the contract's chapter 2. */

export const Id = Type.Integer({ minimum: 1, maximum: largestId })
export const IdText = Type.String({ pattern: idPattern, description: 'a whole number' })
export const Timestamp = Type.String({
  format: 'date-time',
  description: 'ISO 8601 with milliseconds and a UTC designator or numeric offset',
})
export const Money = Type.Number({ minimum: 0, exclusiveMaximum: 1e13 })
export const Site = Type.Enum(siteIds)
export const Currency = Type.Enum([...currencies])
export const Text = (maxLength: number) => Type.String({ minLength: 1, maxLength })
/** Some of these, each at most once. */
export const SomeOf = <T extends string>(
  values: readonly T[],
  options: { minItems?: number; description?: string } = {},
) => Type.Array(Type.Enum([...values]), { ...options, uniqueItems: true, maxItems: values.length })
/** Text whose limit a handler tells in words of its own. `bound` lies above that limit, and only keeps the
 * work small that is done before. */
export const Bounded = (bound: number, description?: string) =>
  Type.String({ maxLength: bound, ...(description === undefined ? {} : { description }) })
/** Values with commas between them in a query. The parameter may be repeated instead. */
export const CommaSeparated = (bound: number, description = 'separated by commas') =>
  Type.String({ maxLength: bound, description, 'x-comma-separated': true })
export const OrNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** A body of the operator's: unknown fields are refused, so that a misspelt one is not lost. */
export const Strict = <T extends Record<string, TSchema>>(fields: T) =>
  Type.Object(fields, { additionalProperties: false })

/** The error bodies (contract 7): the general one, that of creating messages, that of the action
 * guide and that of RFC 6749 (wire 5). */
export const errorBodies = {
  general: Type.Object({
    message: Type.String(),
    error: Type.String(),
    status: Type.Integer(),
    cause: Type.Array(Type.Unknown()),
  }),
  message: Type.Object({
    status_code: Type.Integer(),
    code: Type.String(),
    message: Type.String(),
  }),
  oauth: Type.Object({
    message: Type.String(),
    error: Type.String(),
    error_description: Type.String(),
    status: Type.Integer(),
    cause: Type.Array(Type.Unknown()),
  }),
  guide: Type.Object({
    cause: Type.String(),
    error: Type.String(),
    message: Type.String(),
    status: Type.Integer(),
    status_code: Type.Integer(),
  }),
}
export type FailureShape = keyof typeof errorBodies
