import { type TSchema, Type } from 'typebox'
import { parseTimestamp } from '../kernel/clock.ts'
import { badField } from '../kernel/failure.ts'
import { Bounded, CommaSeparated, Id, Site, Timestamp } from '../kernel/schema.ts'
import { exportFormats } from './run.ts'

/** A range of time with inclusive ends; null is an open end. */
export interface DateFilter {
  readonly from: Date | null
  readonly to: Date | null
}

/** Query parameters of every export. */
export const exportParameters = {
  format: Type.Optional(
    Type.Enum([...exportFormats], {
      description:
        '`ndjson`: one JSON object per line, as the API answers it. `csv`: RFC 4180 with a header. Default: `ndjson`',
    }),
  ),
  after: Type.Optional(
    Bounded(
      100,
      'The id of the last complete entry that you have. The export goes on after it, without a header. Default: from the beginning',
    ),
  ),
}

const described = <T extends TSchema>(schema: T, description: string) =>
  Type.Optional({ ...schema, description } as T)

export const sellerParameter = described(Id, 'Only those of this seller. Default: all')
export const buyerParameter = described(Id, 'Only those of this buyer. Default: all')
export const siteParameter = described(Site, 'Only those of this site. Default: all')

/** Returns the parameter of a list of values that are closed sets. */
export const oneOf = (values: readonly string[]) =>
  Type.Optional({
    ...CommaSeparated(
      500,
      `One or more of ${values.join(', ')}, separated by commas: any of them matches. Default: all`,
    ),
    examples: [values[0]],
  })

const moment = (description: string) => Type.Optional({ ...Timestamp, description })

export const createdParameters = {
  'date_created.from': moment('Only those created at this time or later. Default: no limit'),
  'date_created.to': moment('Only those created at this time or earlier. Default: no limit'),
}

export const updatedParameters = {
  'last_updated.from': moment('Only those changed last at this time or later. Default: no limit'),
  'last_updated.to': moment('Only those changed last at this time or earlier. Default: no limit'),
}

export function createdFilterOf(query: {
  'date_created.from'?: string | undefined
  'date_created.to'?: string | undefined
}): DateFilter {
  return { from: dateOf(query['date_created.from']), to: dateOf(query['date_created.to']) }
}

export function updatedFilterOf(query: {
  'last_updated.from'?: string | undefined
  'last_updated.to'?: string | undefined
}): DateFilter {
  return { from: dateOf(query['last_updated.from']), to: dateOf(query['last_updated.to']) }
}

function dateOf(text: string | undefined): Date | null {
  return parseTimestamp(text ?? '') ?? null
}

/** Parses a list of these values. Null without a text. Throws `bad_request` for another value. */
export function parseList(
  name: string,
  text: string | undefined,
  values: readonly string[],
): string[] | null {
  const parsed = parseTexts(text)
  if (!parsed?.every((value) => values.includes(value)) && parsed !== null) {
    throw badField(name, `one or more of ${values.join(', ')}, separated by commas`)
  }
  return parsed
}

/** Parses a list of any texts. Null without a text. */
export function parseTexts(text: string | undefined): string[] | null {
  return text === undefined ? null : text.split(',').map((value) => value.trim())
}
