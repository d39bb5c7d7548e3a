import { type Static, Type } from 'typebox'
import type { Line } from '../../http/bodies/line-splitter.ts'
import { type Bounds, bodyBounds } from '../../http/bounds.ts'
import { makeBodyCheck, makeStorableCheck, mayBeUnstorable } from '../../http/check.ts'
import { Failure } from '../../kernel/failure.ts'
import { OrNull, StrictObject, Timestamp } from '../../kernel/schema.ts'
import { siteIds } from '../../kernel/sites.ts'
import { verticals } from '../../kernel/verticals.ts'
import { hierarchies, valueTypes } from '../../predictor/source.ts'
import type { CatalogFile, Problems } from './problems.ts'
import { SettingsRow } from './settings.ts'

/** Limits of a catalog: many times the size of the largest open taxonomy. */
export const limits = {
  categories: 20_000,
  attributes: 10_000,
  domains: 20_000,
  /** Values of all attributes together. */
  values: 200_000,
  /** Lines of a list of aliases. */
  aliases: 200_000,
  /** Levels of the tree. */
  levels: 10,
  /** Size of all files together. */
  bytes: 100 * 1_048_576,
} as const

const Name = Type.String({ minLength: 1, maxLength: 200, format: 'one-line' })
export const AliasText = Name
/** Limit of aliases of one category. */
export const maxAliases = 2_000
/** Keys of categories: those of the taxonomy (`el-4-8`), or of the operator's own system. */
const Key = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$' })
/** Ids of attributes, values and domains. */
const Id = Type.String({ pattern: '^[A-Z0-9][A-Z0-9_]{0,119}$' })
const Names = StrictObject({ es: Name, pt: Name, en: Name })
const TwoNames = StrictObject({ es: Name, pt: Name })
const Flag = Type.Optional(Type.Boolean())

export const CategoryRow = StrictObject({
  key: Key,
  number: Type.Optional(Type.Integer({ minimum: 1, maximum: 999_999_999 })),
  parent: Type.Optional(OrNull(Key)),
  names: Names,
  vertical: Type.Optional(Type.Enum([...verticals])),
  domain: Type.Optional(OrNull(Id)),
  kinds: Type.Optional(Type.Array(Names, { maxItems: 5_000 })),
  aliases: Type.Optional(
    Type.Array(
      StrictObject({
        text: Name,
        sites: Type.Optional(
          Type.Array(Type.Enum(['es', 'pt', ...siteIds]), { minItems: 1, uniqueItems: true }),
        ),
      }),
      { maxItems: maxAliases },
    ),
  ),
  settings: Type.Optional(SettingsRow),
  date_created: Type.Optional(Timestamp),
})
export type CategoryRow = Static<typeof CategoryRow>

export const AttributeRow = StrictObject({
  id: Id,
  names: Names,
  value_type: Type.Enum([...valueTypes]),
  units: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 20, format: 'one-line' }), {
      maxItems: 50,
      uniqueItems: true,
    }),
  ),
  group: Id,
  values: Type.Optional(
    Type.Array(
      StrictObject({
        id: Id,
        names: TwoNames,
        aliases: Type.Optional(Type.Array(Name, { maxItems: 200 })),
      }),
      { maxItems: 5_000 },
    ),
  ),
})
export type AttributeRow = Static<typeof AttributeRow>

export const DomainRow = StrictObject({
  id: Id,
  names: TwoNames,
  attributes: Type.Array(
    StrictObject({
      id: Id,
      required: Flag,
      catalog_required: Flag,
      hierarchy: Type.Optional(Type.Enum([...hierarchies])),
    }),
    { maxItems: 300 },
  ),
  brands: Type.Optional(Type.Array(Name, { maxItems: 5_000 })),
  models: Type.Optional(
    Type.Array(StrictObject({ brand: Name, model: Name }), { maxItems: 20_000 }),
  ),
})
export type DomainRow = Static<typeof DomainRow>

/** The rows of each file. */
export interface Rows {
  categories: CategoryRow
  attributes: AttributeRow
  domains: DomainRow
}

/** Bounds of a row. A domain may have 20,000 models; the length of a line bounds the rest. */
const rowBounds: Bounds = { ...bodyBounds, elements: 20_000 }

const checksOf = (schema: Parameters<typeof makeBodyCheck>[0]) => ({
  whole: makeBodyCheck(schema, rowBounds),
  plain: makeStorableCheck(schema),
})
const checks = {
  categories: checksOf(CategoryRow),
  attributes: checksOf(AttributeRow),
  domains: checksOf(DomainRow),
} satisfies Record<CatalogFile, unknown>

/** Parses and checks a line. For an invalid line it adds a problem and returns undefined. */
export function readRow<File extends CatalogFile>(
  file: File,
  { number, text, failure }: Line,
  problems: Problems,
): Rows[File] | undefined {
  const at = { file, line: number }
  try {
    if (failure) throw failure
    const value = parsed(text)
    if (value === undefined) return void problems.add(at, 'line', 'valid JSON')
    if (value === null || typeof value !== 'object' || Array.isArray(value)) {
      return void problems.add(at, 'line', 'a JSON object')
    }
    const { whole, plain } = checks[file]
    return (mayBeUnstorable(text) ? whole : plain)(value) as Rows[File]
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const [, field = 'line', expected = ''] = /^(.*?): expected (.*)$/s.exec(error.message) ?? []
    problems.add(at, field, expected)
    return undefined
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
