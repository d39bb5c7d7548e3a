import { type TSchema, Type } from 'typebox'
import { idPattern, largestId } from './ids.ts'
import { currencies } from './money.ts'
import { siteIds } from './sites.ts'

/** Schemas that several modules share. */

export const Id = Type.Integer({ minimum: 1, maximum: largestId })
export const IdText = Type.String({ pattern: idPattern, description: 'A whole number' })
export const Timestamp = Type.String({
  format: 'date-time',
  description: 'ISO 8601 with milliseconds and `Z` or a numeric offset',
})
export const Money = Type.Number({ minimum: 0, exclusiveMaximum: 1e13 })
export const Site = Type.Enum(siteIds)
export const Currency = Type.Enum([...currencies])
export const Text = (maxLength: number) => Type.String({ minLength: 1, maxLength })
/** Returns the schema of a list of these values without duplicates. */
export const DistinctListOf = <T extends string>(
  values: readonly T[],
  options: { minItems?: number; description?: string } = {},
) => Type.Array(Type.Enum([...values]), { ...options, uniqueItems: true, maxItems: values.length })
/** Returns the schema of a text whose limit the handler checks with a message of its own. `bound` lies above that
 * limit and only bounds the work before the check. */
export const Bounded = (bound: number, description?: string) =>
  Type.String({
    maxLength: bound,
    // The reference leaves the bound out, because callers meet the limit of the handler first.
    'x-bound': true,
    ...(description === undefined ? {} : { description }),
  })
/** Returns the schema of a query parameter with values separated by commas. The parameter may be repeated instead. */
export const CommaSeparated = (bound: number, description = 'Values separated by commas') =>
  Type.String({ maxLength: bound, description, 'x-comma-separated': true })
export const OrNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** Returns the schema of an object with any names, each with a value of this schema. The reference cannot guess
 * names, so it needs an example. */
export const MapOf = <T extends TSchema>(
  values: T,
  options: { description?: string; examples: object[] },
) => Type.Object({}, { ...options, additionalProperties: values })

/** Returns the schema of an object that refuses unknown fields, so that a misspelled one is not lost. */
export const StrictObject = <T extends Record<string, TSchema>>(fields: T) =>
  Type.Object(fields, { additionalProperties: false })

/** The schemas of error bodies: the general one, and those of messages, OAuth (RFC 6749) and the action guide. */
export const errorBodies = {
  general: Type.Object({
    message: Type.String({
      description:
        'A sentence for people. For a refused token it is a code, such as `invalid_token`.',
    }),
    error: Type.String({ description: 'Code of the error, for programs.' }),
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
