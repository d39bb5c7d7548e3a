import type { Catalog } from '../../../catalog/catalog.ts'
import { servedCatalogOf, versionOf } from '../../../catalog/open.ts'
import type { Context } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { findListings } from '../../store.ts'
import { categoryDigits, formOf, hundredths, keyOf, pathOf, rules } from './entry.ts'
import { dayScore, type Steps, scoreOf, tierOf } from './score.ts'
import { findSteps } from './store.ts'
import {
  findPlaced,
  type IndexedListing,
  leaveWalk,
  listedSites,
  lockListings,
  measureTiers,
  readPassed,
  takeWalk,
  type WalkProgress,
  walkedRules,
} from './store-walk.ts'
import { indexListing, ratiosOf } from './write.ts'

/** How many listings one turn passes. */
const passedAtOnce = 2_000
/** How many it writes: nobody waits longer than that for one of them. */
const writtenAtOnce = 200
/** What has moved less stays where it is: a row costs more to write than a place is worth. */
const leastMove = 3 * dayScore

/**
 * One turn of a walk through all listings that never ends: those whose sales moved them on, whose currency
 * is worth something else, whose category hangs elsewhere, or that are missing, are written anew. Sales
 * themselves write nothing here. At the end the tiers are measured for the next round. Returns whether to
 * go on at once: within a round, when something was written, or another catalogue is served.
 */
export async function walkListings(ctx: Pick<Context, 'db'>): Promise<boolean> {
  const made = versionOf(ctx) * 1_000 + rules
  return ctx.db.transaction(async (tx) => {
    const place = await takeWalk(tx)
    // A later release walks by rules that this one does not know.
    if (!place || walkedRules(place) > rules) return false
    const passed = await readPassed(tx, place, passedAtOnce)
    const all = await changedListings(
      tx,
      passed,
      // It is not read for nothing: a process may need it for nothing else.
      place.made === made ? null : servedCatalogOf(ctx).catalog,
    )
    const moved = all.slice(0, writtenAtOnce)
    for (const [sellerId, own] of Map.groupBy(moved, (each) => each.sellerId)) {
      const ids = own.map(({ id }) => id)
      await lockListings(tx, { sellerId, ids })
      // As they are now that nobody else can write them.
      const listings = await findListings(tx, { sellerId, ids })
      for (const listing of listings.values()) {
        await indexListing(tx, listing, servedCatalogOf(ctx).catalog)
      }
    }
    const isCut = moved.length < all.length
    const last = isCut ? moved.at(-1) : passed.at(-1)
    const isEnd = !isCut && passed.length < passedAtOnce
    if (isEnd) for (const siteId of await listedSites(tx)) await measureTiers(tx, siteId)
    if (isEnd || !last) leaveWalk(tx, { sellerId: 0, itemId: '', made: madeNext(place.made, made) })
    else leaveWalk(tx, { sellerId: last.sellerId, itemId: last.id, made: place.made })
    return !isEnd && (moved.length > 0 || Math.abs(place.made) !== made)
  })
}

/** A round by another catalogue is followed by a second, told by the sign: a process that took over the
 * catalogue later may have written by the one of before behind the first. */
function madeNext(before: number, made: number): number {
  return Math.abs(before) === made ? made : -made
}

/** Those that do not stand as they would be written now. */
async function changedListings(
  tx: Tx,
  passed: readonly WalkProgress[],
  /** Null where every row is known to hang where it should. */
  catalog: Catalog | null,
): Promise<WalkProgress[]> {
  const ratios = await ratiosOf(tx, passed)
  const moved = new Set<WalkProgress>()
  for (const [siteId, own] of Map.groupBy(passed, ({ siteId }) => siteId)) {
    const items = own.map(({ id }) => keyOf(id).item)
    const categories = [...new Set(own.map((each) => categoryDigits(each.categoryId, siteId)))]
    const [placed, steps] = await Promise.all([
      findPlaced(tx, { siteId, items }),
      findSteps(tx, { siteId, categories }),
    ])
    const byItem = new Map(placed.map((each) => [each.item, each]))
    for (const listing of own) {
      const { item } = keyOf(listing.id)
      const price = hundredths(listing, ratios.get(`${siteId} ${listing.currencyId}`))
      const score = scoreOf({ ...listing, item })
      const step = steps.get(categoryDigits(listing.categoryId, siteId))
      const form = catalog && formOf(pathOf(listing, catalog))
      const now = { price: price === null ? null : Number(price), score, step, form }
      if (isMoved(byItem.get(item), listing, now)) moved.add(listing)
    }
  }
  return passed.filter((each) => moved.has(each))
}

function isMoved(
  placed: IndexedListing | undefined,
  { status }: WalkProgress,
  now: { price: number | null; score: number; step: Steps | undefined; form: number | null },
): boolean {
  if (!placed || status !== 'active') return (placed !== undefined) !== (status === 'active')
  if (placed.version > rules) return false
  return (
    placed.version < rules ||
    (now.form !== null && placed.form !== now.form) ||
    placed.price !== now.price ||
    placed.tier !== tierOf(now.score, now.step) ||
    Math.abs(placed.score - now.score) >= leastMove
  )
}
