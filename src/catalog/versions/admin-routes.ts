import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Type } from 'typebox'
import { linesType } from '../../http/bodies/lines.ts'
import { errorBodyOf } from '../../http/failure.ts'
import { created, ok, type Route, type RouteResponse, route } from '../../http/route.ts'
import { allSites } from '../../http/site-rule.ts'
import { timestamp } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { OrNull, Timestamp } from '../../kernel/schema.ts'
import { makeYielder } from '../../kernel/slices.ts'
import type { Context } from '../../platform/context.ts'
import { catalogFiles, formatProblem, importFiles, Problems } from '../import/problems.ts'
import { AttributeRow, CategoryRow, DomainRow } from '../import/rows.ts'
import { defaultCreatedAt } from '../source/default.ts'
import {
  activateVersion,
  type ImportResult,
  importAliases,
  importCatalog,
  serializedVersion,
} from './commands.ts'
import { readAliasForm, readDraftForm } from './form.ts'
import { type CatalogVersion, listVersions, readActiveVersion, readFile } from './store.ts'
import { versionedCatalog } from './versioned-catalog.ts'

const tag = 'Operator: catalog'

const Count = Type.Integer({ minimum: 0 })
const VersionNumber = Type.Integer({ minimum: 0, maximum: 2_147_483_647 })
const SomeCategories = Type.Object({
  count: Count,
  examples: Type.Array(
    Type.Object({
      key: Type.String({ description: 'Key of the category in the file, the same on all sites' }),
      number: Type.Integer({
        description: 'Number of the category, which follows the site in its id',
      }),
      name: Type.String(),
      before: Type.Optional(OrNull(Type.String({ description: 'Name or parent before' }))),
      after: Type.Optional(OrNull(Type.String({ description: 'Name or parent after' }))),
    }),
  ),
})
const SomeIds = Type.Object({
  count: Count,
  examples: Type.Array(Type.String({ examples: ['BRAND'] }), { description: 'Some of the ids' }),
})
const Changes = Type.Object({ total: Count, added: SomeIds, removed: SomeIds, changed: SomeIds })
const Summary = {
  against: {
    ...VersionNumber,
    description: 'Number of the version that it is compared with: the one served at the import',
  },
  categories: Type.Object({
    total: Count,
    added: SomeCategories,
    removed: SomeCategories,
    renamed: SomeCategories,
    moved: SomeCategories,
    changed: SomeCategories,
  }),
  attributes: Changes,
  domains: Changes,
  numbers_given: {
    ...Count,
    description: 'How many new categories got a number, because the file gave none',
  },
  listings_in_removed_categories: {
    ...Count,
    description: 'Listings in categories that the import removes. They keep their `category_id`',
  },
}
const ImportAnswer = Type.Object({
  version: { ...VersionNumber, description: 'Version that is served after the import' },
  is_new: Type.Boolean({
    description:
      'Whether the import made a new version. False for a dry run and for the same content',
  }),
  dry_run: Type.Boolean({ description: 'True: nothing was changed' }),
  ...Summary,
})
/** The general error body with every problem in `cause`. */
const RefusedAnswer = Type.Object({
  message: Type.String(),
  error: Type.String(),
  status: Type.Integer(),
  cause: Type.Array(
    Type.Object({
      file: Type.Enum([...importFiles]),
      line: OrNull(Type.Integer({ minimum: 1 })),
      field: Type.String(),
      message: Type.String(),
    }),
  ),
})
const File = Type.String({
  description: 'One JSON object per line, as `/operator/catalog/export` writes them',
  examples: ['{"key":"kettles","name":"Pavas"}\n'],
})

const ImportQuery = Type.Object({
  dry_run: Type.Optional(
    Type.Boolean({ description: 'True only checks and compares. Default: false' }),
  ),
  note: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Your remark on the version. Default: none',
      examples: ['New categories for spring'],
    }),
  ),
})

const postImport = route({
  method: 'POST',
  url: '/operator/catalog/import',
  scope: 'operator',
  permission: 'catalog:write',
  sites: allSites,
  audits: 'catalog_version',
  versioned: versionedCatalog,
  tag,
  summary: 'Import a catalog',
  description:
    'Replaces the served catalog by the files `categories`, `attributes` and `domains` of a form. The import is all or nothing: a refusal lists the problems in `cause`, by file, line and field. With `dry_run=true` nothing is changed. The answer compares the import with the served catalog. An identical one creates no new version. Errors: 400 `bad_request` for wrong lines, 413 `body_too_large`.',
  refuses: {
    bad_request: 'attributes, line 3, name: expected a value',
    body_too_large: 'categories: expected at most 104857600 bytes in all',
  },
  query: ImportQuery,
  body: Type.Object({ categories: File, attributes: File, domains: File }),
  takesFiles: true,
  answers: { 200: ImportAnswer, 201: ImportAnswer, 400: RefusedAnswer },
  async handle(ctx, { query: { dry_run: isDry = false, note = null }, files }) {
    const draft = await readDraftForm(files)
    return answerImport(ctx, await importCatalog(ctx, draft, { isDry, note }), isDry)
  },
})

const postAliases = route({
  method: 'POST',
  url: '/operator/catalog/aliases',
  scope: 'operator',
  permission: 'catalog:write',
  sites: allSites,
  audits: 'catalog_version',
  versioned: versionedCatalog,
  tag,
  summary: 'Import aliases of categories',
  description:
    'Adds aliases to categories of the served catalog: other words for their goods. The file `aliases` of a form has one alias per line, in three columns with tabs between them: the category (its id, number or key), the sites (site ids or the languages `es` and `pt`, with commas between them; `*` for all), and the alias. Further columns, blank lines and lines that begin with `#` are ignored. Aliases that exist stay. The import is all or nothing: a refusal lists the problems in `cause`, by line and column. With `dry_run=true` nothing is changed. The answer compares the new version with the served catalog. Errors: 400 `bad_request` for wrong lines, 413 `body_too_large`.',
  refuses: {
    bad_request:
      'aliases, line 3, category: expected the id, number or key of a category, there is no "MLA1"',
    body_too_large: 'aliases: expected at most 104857600 bytes in all',
  },
  query: ImportQuery,
  body: Type.Object({
    aliases: Type.String({
      description: 'One alias per line: category, sites and alias, with tabs between them',
      examples: ['MLA2186\tMLA,MLU\theladera\n'],
    }),
  }),
  takesFiles: true,
  answers: { 200: ImportAnswer, 201: ImportAnswer, 400: RefusedAnswer },
  async handle(ctx, { query: { dry_run: isDry = false, note = null }, files }) {
    const draft = await readAliasForm(files)
    return answerImport(ctx, await importAliases(ctx, draft, { isDry, note }), isDry)
  },
})

async function answerImport(
  ctx: Pick<Context, 'catalogFollower'>,
  imported: ImportResult | Problems,
  isDry: boolean,
): Promise<RouteResponse> {
  if (imported instanceof Problems) return refusal(imported)
  if (!imported.isNew) return ok(importView(imported, isDry))
  await ctx.catalogFollower.tryCatchUp()
  return created(importView(imported, isDry))
}

/** Renders a refusal. Its message has the first problem, its `cause` all of them. */
function refusal(problems: Problems): RouteResponse {
  const [first] = problems.all
  const more = problems.count > 1 ? ` (and ${problems.count - 1} more, see cause)` : ''
  const failure = new Failure('bad_request', `${first ? formatProblem(first) : ''}${more}`)
  return { status: failure.status, body: { ...errorBodyOf(failure), cause: problems.all } }
}

function importView(imported: ImportResult, isDry: boolean): object {
  const { version, isNew } = imported
  return { version, is_new: isNew, dry_run: isDry, ...summaryView(imported) }
}

type ImportSummary = Pick<ImportResult, 'against' | 'difference' | 'numbersGiven' | 'listingsLeft'>

function summaryView({ against, difference, numbersGiven, listingsLeft }: ImportSummary): object {
  return {
    against,
    ...difference,
    numbers_given: numbersGiven,
    listings_in_removed_categories: listingsLeft,
  }
}

const getExport = route({
  method: 'GET',
  url: '/operator/catalog/export',
  scope: 'operator',
  permission: 'catalog:read',
  sites: allSites,
  tag,
  summary: 'Export a file of a catalog',
  description:
    'Returns one of the three files of a catalog, one JSON object per line: a category, an attribute or a domain. Importing all three files of a version gives the same catalog. The header `X-Catalog-Version` names the exported version. Send it as `version` for the other two files, because another version may be activated in between. Version 0 is the built-in catalog. An unknown version answers 404 `not_found`.',
  refuses: { not_found: 'Catalog version not found: 99' },
  query: Type.Object({
    file: Type.Enum([...catalogFiles], { description: 'Which of the three files' }),
    version: Type.Optional({
      ...VersionNumber,
      description: 'Number of the version. Default: the served one',
    }),
  }),
  answers: {
    200: Type.Union([CategoryRow, AttributeRow, DomainRow], {
      contentMediaType: 'application/x-ndjson',
      examples: [
        { key: 'kettles', parent: null, names: { es: 'Pavas', pt: 'Chaleiras', en: 'Kettles' } },
      ],
    }),
  },
  answerHeaders: Type.Object({
    'X-Catalog-Version': Type.Integer({ description: 'Number of the version of this file' }),
  }),
  async handle(ctx, { query: { file, version: requestedVersion } }) {
    const version = requestedVersion ?? (await readActiveVersion(ctx.db)).version
    const headers = { 'content-type': linesType, 'x-catalog-version': String(version) }
    if (version === 0) {
      const { lines } = await serializedVersion(ctx, ctx.db, { version, breathe: makeYielder() })
      const content = Readable.from(lines[file].map((line) => `${line}\n`))
      return { status: 200, content, headers }
    }
    const bytes = await readFile(ctx.db, { version, file })
    if (!bytes) throw new Failure('not_found', `Catalog version not found: ${version}`)
    const content = createGunzip()
    content.end(bytes)
    return { status: 200, content, headers }
  },
})

const ServedVersion = { ...VersionNumber, description: 'Number of the version that is served now' }
const FormerVersion = OrNull({
  ...VersionNumber,
  description:
    'Number of the version that was served before it. Null if version 0 is served and no other one ever was',
})
const VersionAnswer = Type.Object({
  version: { ...VersionNumber, description: 'Number of the version. 0 is the built-in catalog' },
  in_force: Type.Boolean({ description: 'Whether this version is served now' }),
  note: OrNull(Type.String({ description: 'Remark of the import. Null without one' })),
  date_created: Timestamp,
  date_activated: OrNull({
    ...Timestamp,
    description: 'When it was last put into service. Null for version 0',
  }),
  summary: OrNull(
    Type.Object(Summary, {
      description: 'How it differed from the version before it. Null for version 0',
    }),
  ),
})

const getVersions = route({
  method: 'GET',
  url: '/operator/catalog/versions',
  scope: 'operator',
  permission: 'catalog:read',
  sites: allSites,
  tag,
  versioned: versionedCatalog,
  summary: 'List catalog versions',
  description:
    'Returns every version of the catalog, the newest first. `in_force` is the served version, `before` the one served before it. Version 0 is the built-in catalog.',
  answers: {
    200: Type.Object({
      in_force: ServedVersion,
      before: FormerVersion,
      versions: Type.Array(VersionAnswer),
    }),
  },
  async handle({ db }) {
    const [{ version, before }, versions] = await Promise.all([
      readActiveVersion(db),
      listVersions(db),
    ])
    const first = {
      version: 0,
      note: 'the catalogue that comes with the program',
      summary: null,
      date_created: timestamp(defaultCreatedAt),
      date_activated: null,
    }
    const views = [...versions.map(versionView), first]
    const answer = ok({
      in_force: version,
      before,
      versions: views.map(({ version: number, ...rest }) => ({
        version: number,
        in_force: number === version,
        ...rest,
      })),
    })
    return { ...answer, state: { version, before } }
  },
})

function versionView({ version, note, summary, dateCreated, dateActivated }: CatalogVersion) {
  return {
    version,
    note,
    date_created: timestamp(dateCreated),
    date_activated: timestamp(dateActivated),
    summary: summaryView(JSON.parse(summary)),
  }
}

const postActivate = route({
  method: 'POST',
  url: '/operator/catalog/versions/:version/activate',
  scope: 'operator',
  permission: 'catalog:write',
  sites: allSites,
  audits: 'catalog_version',
  versioned: versionedCatalog,
  tag,
  summary: 'Activate a catalog version',
  description:
    'Serves another stored version of the catalog, for example to undo an import. The process that answers has switched; all others follow within moments. Listings keep their `category_id`, even if this version does not have that category. An unknown version answers 404 `not_found`.',
  refuses: { not_found: 'Catalog version not found: 99' },
  params: Type.Object({
    version: { ...VersionNumber, description: 'Number of the version to serve' },
  }),
  answers: { 200: Type.Object({ in_force: ServedVersion, before: FormerVersion }) },
  async handle(ctx, { params }) {
    const { version, before } = await activateVersion(ctx, params.version)
    await ctx.catalogFollower.tryCatchUp()
    return { ...ok({ in_force: version, before }), state: { version, before } }
  },
})

/** The operations to import, export and switch catalogs. */
export const catalogAdminRoutes: Route[] = [
  postImport,
  postAliases,
  getExport,
  getVersions,
  postActivate,
]
