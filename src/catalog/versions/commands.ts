import { Failure } from '../../kernel/failure.ts'
import { makeYielder, type Yielder } from '../../kernel/slices.ts'
import type { Context } from '../../platform/context.ts'
import type { Db } from '../../platform/database/database.ts'
import { defaultNumbers } from '../active-catalog.ts'
import { type CatalogDiff, diffCatalogs, isSameCatalog, removedCategories } from '../import/diff.ts'
import type { CatalogDraft } from '../import/draft.ts'
import { Problems } from '../import/problems.ts'
import { parseCatalog, type SerializedCatalog, serializeCatalog } from '../import/serialize.ts'
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

type ImportContext = Pick<Context, 'catalog' | 'db' | 'now'>

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

/**
 * Activates a draft as a new version, or returns its problems. Concurrent imports run one after another, each compared
 * with the one before. With `isDry` nothing is changed.
 */
export async function importCatalog(
  ctx: ImportContext,
  draft: CatalogDraft,
  { isDry, note }: { isDry: boolean; note: string | null },
): Promise<ImportResult | Problems> {
  const at = ctx.now()
  const breathe = makeYielder()
  return ctx.db.transaction(async (tx) => {
    const inForce = isDry ? await readActiveVersion(tx) : await lockActiveVersion(tx)
    const numbers = [...defaultNumbers(), ...(await listNumbers(tx))]
    const drafted = draft.build(numbers, at)
    if (drafted instanceof Problems) return drafted
    const after = await serializeCatalog(drafted.source, { createdAt: at, breathe })
    const before = await serializedVersion(ctx, tx, { version: inForce.version, breathe })
    const summary = {
      against: inForce.version,
      difference: diffCatalogs(before, after),
      numbersGiven: drafted.newNumbers.length,
      listingsLeft: await listingsLeft(ctx, before, after),
    }
    if (isDry || isSameCatalog(before, after)) {
      return { version: inForce.version, isNew: false, ...summary }
    }
    await addNumbers(tx, drafted.newNumbers)
    const version = await addVersion(tx, { lines: after.lines, note, summary, at })
    saveActiveVersion(tx, { version, before: inForce.version }, at)
    tx.publish(catalogReplaced, '')
    return { version, isNew: true, ...summary }
  })
}

/** Activates an existing version. Throws `not_found`. */
export async function activateVersion(
  { db, now }: ImportContext,
  version: number,
): Promise<ActiveVersion> {
  return db.transaction(async (tx) => {
    const inForce = await lockActiveVersion(tx)
    if (version !== 0 && !(await versionExists(tx, version))) {
      throw new Failure('not_found', `Catalog version not found: ${version}`)
    }
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
