import { Failure } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import type { Db } from '../../platform/database/database.ts'
import { type Difference, differenceOf, isSame, removedFrom } from '../import/diff.ts'
import type { Draft } from '../import/draft.ts'
import { Problems } from '../import/problems.ts'
import { read, type Written, write } from '../import/translate.ts'
import {
  defaultNumbers,
  listingsByCategory,
  openDefaultOf,
  servedCatalogOf,
  versionOf,
} from '../open.ts'
import { type Breathe, makeBreathe } from '../tree/slices.ts'
import { catalogReplaced } from './follow.ts'
import {
  addNumbers,
  addVersion,
  type InForce,
  isVersion,
  listNumbers,
  lockInForce,
  readInForce,
  readVersion,
  saveInForce,
} from './store.ts'

type Tools = Pick<Context, 'db' | 'now'>

/** The result of an import. */
export interface Imported {
  /** The served version after the import. It is the earlier one if nothing differs. */
  version: number
  /** The version with which the import was compared. */
  against: number
  isNew: boolean
  difference: Difference
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
  ctx: Tools,
  draft: Draft,
  { isDry, note }: { isDry: boolean; note: string | null },
): Promise<Imported | Problems> {
  const at = ctx.now()
  const breathe = makeBreathe()
  return ctx.db.transaction(async (tx) => {
    const inForce = isDry ? await readInForce(tx) : await lockInForce(tx)
    const numbers = [...defaultNumbers(), ...(await listNumbers(tx))]
    const drafted = draft.finish(numbers, at)
    if (drafted instanceof Problems) return drafted
    const after = await write(drafted.source, { createdAt: at, breathe })
    const before = await writtenOf(ctx, tx, { version: inForce.version, breathe })
    const summary = {
      against: inForce.version,
      difference: differenceOf(before, after),
      numbersGiven: drafted.fresh.length,
      listingsLeft: await listingsLeft(ctx, before, after),
    }
    if (isDry || isSame(before, after)) {
      return { version: inForce.version, isNew: false, ...summary }
    }
    await addNumbers(tx, drafted.fresh)
    const version = await addVersion(tx, { lines: after.lines, note, summary, at })
    saveInForce(tx, { version, before: inForce.version }, at)
    tx.publish(catalogReplaced, '')
    return { version, isNew: true, ...summary }
  })
}

/** Activates an existing version. Throws `not_found`. */
export async function activateVersion({ db, now }: Tools, version: number): Promise<InForce> {
  return db.transaction(async (tx) => {
    const inForce = await lockInForce(tx)
    if (version !== 0 && !(await isVersion(tx, version))) {
      throw new Failure('not_found', `Catalogue version not found: ${version}`)
    }
    if (version === inForce.version) return inForce
    const next = { version, before: inForce.version }
    saveInForce(tx, next, now())
    tx.publish(catalogReplaced, '')
    return next
  })
}

/** Returns a version with the lines of its files. Throws `not_found`. */
export async function writtenOf(
  ctx: object,
  db: Db,
  { version, breathe }: { version: number; breathe: Breathe },
): Promise<Written> {
  if (version === 0) {
    const { source, createdAt } =
      versionOf(ctx) === 0 ? servedCatalogOf(ctx).catalog : openDefaultOf(ctx)
    return write(source, { createdAt, breathe })
  }
  const stored = await readVersion(db, version)
  if (!stored) throw new Failure('not_found', `Catalogue version not found: ${version}`)
  return read(stored.lines, breathe)
}

async function listingsLeft(ctx: object, before: Written, after: Written): Promise<number> {
  const removed = new Set(removedFrom(before.source, after.source).map(({ number }) => number))
  if (removed.size === 0) return 0
  let left = 0
  for (const [id, n] of await listingsByCategory(ctx))
    if (removed.has(Number(id.slice(3)))) left += n
  return left
}
