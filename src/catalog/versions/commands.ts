import { Failure } from '../../kernel/failure.ts'
import { makeYielder, type Yielder } from '../../kernel/slices.ts'
import type { Context } from '../../platform/context.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { defaultNumbers } from '../active-catalog.ts'
import type { AliasDraft } from '../import/aliases.ts'
import { type CatalogDiff, diffCatalogs, isSameCatalog, removedCategories } from '../import/diff.ts'
import type { CatalogDraft, NumberedCatalog } from '../import/draft.ts'
import { Problems } from '../import/problems.ts'
import { parseCatalog, type SerializedCatalog, serializeCatalog } from '../import/serialize.ts'
import { defaultCreatedAt } from '../source/default.ts'
import { catalogReplaced } from './follow.ts'
import {
  type ActiveVersion,
  addNumbers,
  addVersion,
  listNumbers,
  lockActiveVersion,
  readActiveVersion,
  readVersion,
  saveActiveVersion,
  versionExists,
} from './store.ts'

type ImportContext = Pick<Context, 'audit' | 'catalog' | 'db' | 'now'>

/** The result of an import. */
export interface ImportResult {
  /** The served version after the import. It is the earlier one if nothing differs. */
  version: number
  /** The version with which the import was compared. */
  against: number
  isNew: boolean
  difference: CatalogDiff
  /** Number of categories that got a new number. */
  numbersGiven: number
  /** Number of listings in categories that the new catalog lacks. */
  listingsLeft: number
}

interface ImportOptions {
  isDry: boolean
  note: string | null
}

/**
 * Activates a draft as a new version, or returns its problems. Concurrent imports run one after another, each compared
 * with the one before. With `isDry` nothing is changed.
 */
export async function importCatalog(
  ctx: ImportContext,
  draft: CatalogDraft,
  options: ImportOptions,
): Promise<ImportResult | Problems> {
  return importVersion(ctx, options, async (tx, _, at) =>
    draft.build([...defaultNumbers(), ...(await listNumbers(tx))], at),
  )
}

/** Adds aliases to the active version as a new version, or returns their problems. With `isDry` nothing is changed. */
export async function importAliases(
  ctx: ImportContext,
  draft: AliasDraft,
  options: ImportOptions,
): Promise<ImportResult | Problems> {
  return importVersion(ctx, options, async (_, readBefore) => {
    const source = draft.addTo((await readBefore()).source)
    return source instanceof Problems ? source : { source, newNumbers: [] }
  })
}

/** Activates what `build` returns as a new version, unless it equals the active one. `build` gets a function that reads
 * the active version, and the time of the import. */
async function importVersion(
  ctx: ImportContext,
  { isDry, note }: ImportOptions,
  build: (
    tx: Tx,
    readBefore: () => Promise<SerializedCatalog>,
    at: Date,
  ) => Promise<NumberedCatalog | Problems>,
): Promise<ImportResult | Problems> {
  const at = ctx.now()
  const breathe = makeYielder()
  const imported = ctx.db.transaction(async (tx) => {
    const inForce = isDry ? await readActiveVersion(tx) : await lockActiveVersion(tx)
    ctx.audit.target(inForce.version)
    const unchanged = { in_force: inForce.version }
    ctx.audit.change({ before: unchanged, after: unchanged })
    let read: SerializedCatalog | undefined
    const readBefore = async () => {
      read ??= await serializedVersion(ctx, tx, { version: inForce.version, breathe })
      return read
    }
    const built = await build(tx, readBefore, at)
    if (built instanceof Problems) throw new ImportRefused(built)
    // Only categories of the built-in catalog have no date. They are as old as it is.
    const after = await serializeCatalog(built.source, { createdAt: defaultCreatedAt, breathe })
    const before = await readBefore()
    const summary = {
      against: inForce.version,
      difference: diffCatalogs(before, after),
      numbersGiven: built.newNumbers.length,
      listingsLeft: await listingsLeft(ctx, before, after),
    }
    if (isDry || isSameCatalog(before, after)) {
      return { version: inForce.version, isNew: false, ...summary }
    }
    await addNumbers(tx, built.newNumbers)
    const version = await addVersion(tx, { lines: after.lines, note, summary, at })
    saveActiveVersion(tx, { version, before: inForce.version }, at)
    ctx.audit.target(version)
    ctx.audit.change({ before: { in_force: inForce.version }, after: { in_force: version, note } })
    tx.publish(catalogReplaced, '')
    return { version, isNew: true, ...summary }
  })
  return imported.catch((error: unknown) => {
    if (error instanceof ImportRefused) return error.problems
    throw error
  })
}

/** Rolls back the transaction of an import that has problems. */
class ImportRefused extends Error {
  readonly problems: Problems

  constructor(problems: Problems) {
    super('the import has problems')
    this.problems = problems
  }
}

/** Activates an existing version. Throws `not_found`. */
export async function activateVersion(
  { audit, db, now }: ImportContext,
  version: number,
): Promise<ActiveVersion> {
  return db.transaction(async (tx) => {
    const inForce = await lockActiveVersion(tx)
    if (version !== 0 && !(await versionExists(tx, version))) {
      throw new Failure('not_found', `Catalog version not found: ${version}`)
    }
    audit.change({ before: { in_force: inForce.version }, after: { in_force: version } })
    if (version === inForce.version) return inForce
    const next = { version, before: inForce.version }
    saveActiveVersion(tx, next, now())
    tx.publish(catalogReplaced, '')
    return next
  })
}

/** Returns a version with the lines of its files. Throws `not_found`. */
export async function serializedVersion(
  ctx: Pick<Context, 'catalog'>,
  db: Db,
  { version, breathe }: { version: number; breathe: Yielder },
): Promise<SerializedCatalog> {
  if (version === 0) {
    const { source, createdAt } =
      ctx.catalog.version === 0 ? ctx.catalog.served.catalog : ctx.catalog.openDefault()
    return serializeCatalog(source, { createdAt, breathe })
  }
  const stored = await readVersion(db, version)
  if (!stored) throw new Failure('not_found', `Catalog version not found: ${version}`)
  return parseCatalog(stored.lines, breathe)
}

async function listingsLeft(
  ctx: Pick<Context, 'catalog'>,
  before: SerializedCatalog,
  after: SerializedCatalog,
): Promise<number> {
  const removed = new Set(
    removedCategories(before.source, after.source).map(({ number }) => number),
  )
  if (removed.size === 0) return 0
  let listings = 0
  for (const [id, n] of await ctx.catalog.countListings())
    if (removed.has(Number(id.slice(3)))) listings += n
  return listings
}
