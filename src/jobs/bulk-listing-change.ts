import { type Static, Type } from 'typebox'
import { actorNameOf, actorText, changeTexts, targetText } from '../audit/entry.ts'
import { addEntry, prepareAuditLog } from '../audit/store.ts'
import { siteOf } from '../catalog/catalog.ts'
import type { Category } from '../catalog/tree/tree.ts'
import type { AuditedChange } from '../kernel/audit.ts'
import { badField } from '../kernel/failure.ts'
import { Id, Site, StrictObject, Text } from '../kernel/schema.ts'
import { commitListing } from '../listings/commands/commands.ts'
import { type Listing, listingStatuses } from '../listings/listing.ts'
import { listingLimitsOf } from '../listings/sell/limits.ts'
import { lockListing } from '../listings/store.ts'
import {
  countListings,
  keyBefore,
  type ListingFilter,
  type ListingKey,
  matchesFilter,
  readListingKeys,
} from '../listings/store-walk.ts'
import type { Context } from '../platform/context.ts'
import type { Tx } from '../platform/database/database.ts'
import { type HeldLines, isPartFull, partOfLines, textOfLines } from './held-lines.ts'
import type { Job } from './job.ts'
import { jobKind } from './kind.ts'
import { applyListingChange, type ListingChange } from './listing-change.ts'

/** Listings that one step reads. */
const readAtOnce = 2_000
/** Listings that one step changes. It locks them for some tenths of a second, for which their sellers and buyers wait. */
const changedAtOnce = 50
/** Refusals that the result names. The file has all. */
const namedRefusals = 100

const Status = Type.Enum([...listingStatuses])
const Parameters = StrictObject({
  filter: StrictObject({
    seller_id: Type.Optional({ ...Id, description: 'Only listings of this seller' }),
    site_id: Type.Optional({ ...Site, description: 'Only listings of this site' }),
    category_id: Type.Optional({
      ...Text(40),
      description: 'Only listings in this category or below it',
    }),
    status: Type.Optional({ ...Status, description: 'Only listings with this status' }),
  }),
  change: StrictObject({
    status: Type.Optional({ ...Status, description: 'The new status' }),
    category_id: Type.Optional({
      ...Text(40),
      description: 'The new category, one in which listing is allowed',
    }),
    price_percent: Type.Optional(
      Type.Number({
        exclusiveMinimum: -100,
        maximum: 1_000,
        description:
          'By how many percent the price rises, or falls if it is negative. It is rounded to the decimal places of the currency',
        examples: [-10],
      }),
    ),
  }),
})

interface Refusal {
  id: string
  seller_id: number
  reason: string
}

interface Checkpoint {
  after: ListingKey
  changed: number
  unchanged: number
  refused: number
  refusals: readonly Refusal[]
  /** Lines of the file that no part holds yet. */
  lines: HeldLines
}

/** Changes all listings of a filter as `PUT /operator/items/{id}` does. */
export const bulkListingChange = jobKind({
  name: 'bulk_listing_change',
  parameters: Parameters,
  file: () => ({ extension: 'ndjson', type: 'application/x-ndjson' }),

  permission: () => 'listings:write',
  filePermission: () => 'listings:read',
  siteOf: ({ filter }) => filter.site_id,

  async start(ctx, { filter, change }) {
    if (Object.keys(filter).every((name) => name === 'status'))
      throw badField('parameters.filter', 'a seller_id, a site_id or a category_id')
    if (Object.keys(change).length === 0)
      throw badField('parameters.change', 'a status, a category_id or a price_percent')
    if (change.price_percent === 0) throw badField('parameters.change.price_percent', 'not 0')
    listingChangeOf(ctx, change)
    const listings = listingFilterOf(ctx, filter)
    const none = { changed: 0, unchanged: 0, refused: 0, refusals: [], lines: [] }
    const checkpoint: Checkpoint = { after: keyBefore(listings), ...none }
    return { checkpoint, total: await countListings(ctx.db, listings) }
  },

  async step(ctx, { id: jobId, actor, parameters, checkpoint }) {
    const filter = listingFilterOf(ctx, parameters.filter)
    const change = listingChangeOf(ctx, parameters.change)
    const { after } = checkpoint
    const page = await readListingKeys(ctx.db, filter, { after, limit: readAtOnce })
    const matches = page.filter(({ isMatch }) => isMatch)
    const batch = matches.slice(0, changedAtOnce)
    const isCut = batch.length < matches.length
    const last = isCut ? batch.at(-1) : page.at(-1)
    const isFull = isPartFull(checkpoint.lines)
    const recordedAt = ctx.now()
    await prepareAuditLog(ctx.db, recordedAt)
    return {
      part: isFull ? partOfLines(checkpoint.lines) : undefined,
      async commit(tx) {
        const progress = { ...checkpoint, lines: isFull ? [] : [...checkpoint.lines] }
        const refusals = [...checkpoint.refusals]
        for (const { sellerId, id } of batch) {
          const outcome = await changeListing(ctx, tx, { key: { sellerId, id }, filter, change })
          progress[outcome.outcome]++
          if (outcome.outcome === 'unchanged') continue
          if (outcome.outcome === 'changed') {
            addListingEntry(tx, { jobId, actor, recordedAt, listingId: id, change: outcome })
          }
          progress.lines.push(JSON.stringify({ id, seller_id: sellerId, ...outcome }))
          if (outcome.outcome === 'refused' && refusals.length < namedRefusals)
            refusals.push({ id, seller_id: sellerId, reason: outcome.reason })
        }
        const { changed, unchanged, refused } = progress
        return {
          checkpoint: {
            ...progress,
            refusals,
            after: last ? { sellerId: last.sellerId, id: last.id } : after,
          },
          done: batch.length,
          result: { changed, unchanged, refused, refusals },
          isLast: !isCut && page.length < readAtOnce,
        }
      },
    }
  },

  restOfFile: ({ lines }: Checkpoint) => textOfLines(lines),
})

/** Adds an entry to the audit log, so that the history of a listing shows who changed it by a job. */
function addListingEntry(
  tx: Tx,
  entry: Pick<Job, 'actor'> & {
    jobId: string
    recordedAt: Date
    listingId: string
    change: AuditedChange
  },
): void {
  const { jobId, actor, recordedAt, listingId, change } = entry
  addEntry(
    tx,
    {
      id: `${jobId}-${listingId}`,
      recordedAt,
      actor: actorText(actor),
      actorName: actorNameOf(actor),
      operation: 'POST /operator/jobs',
      targetKind: 'listing',
      targetId: listingId,
      related: [targetText({ kind: 'job', id: jobId })],
      reason: null,
      ...changeTexts(change),
    },
    [],
  )
}

type ListingOutcome =
  | { outcome: 'unchanged' }
  | { outcome: 'changed'; before: object; after: object }
  | { outcome: 'refused'; reason: string }

/** Changes a listing unless it no longer matches the filter. */
async function changeListing(
  { catalog, config, now }: Context,
  tx: Tx,
  { key, filter, change }: { key: ListingKey; filter: ListingFilter; change: ListingChange },
): Promise<ListingOutcome> {
  const locked = await lockListing(tx, key)
  if (!locked || !matchesFilter(locked, filter)) return { outcome: 'unchanged' }
  const stock = locked.stock.map(({ soldQuantity: _, ...stock }) => stock)
  const before: Listing = { ...locked, stock }
  const decision = applyListingChange(before, change)
  if ('refusal' in decision) return { outcome: 'refused', reason: decision.refusal }
  const { listing } = decision
  const committed = await commitListing(tx, {
    listing,
    at: now(),
    catalog: catalog.served.catalog,
    factors: config.search.factors,
  })
  if (committed === 'unchanged') return { outcome: 'unchanged' }
  return { outcome: 'changed', before: reportOf(before, change), after: reportOf(listing, change) }
}

/** Returns the fields of a listing that the change is about. */
function reportOf({ status, categoryId, price }: Listing, change: ListingChange): object {
  return {
    ...(change.status ? { status } : {}),
    ...(change.category ? { category_id: categoryId } : {}),
    ...(change.pricePercent === undefined ? {} : { price: price && Number(price) }),
  }
}

function listingFilterOf(
  { catalog }: Pick<Context, 'catalog'>,
  filter: Static<typeof Parameters>['filter'],
): ListingFilter {
  const { seller_id: sellerId = null, site_id: siteId = null, status = null } = filter
  const id = filter.category_id
  const category = id === undefined ? undefined : catalog.served.catalog.category(id)
  // A category that the catalog does not have may still have listings.
  const categoryIds = id === undefined ? null : category ? idsBelow(category) : [id]
  return { sellerId, siteId, status, categoryIds }
}

/** Returns the ids of a category and all below it. */
function idsBelow({ id, children }: Category): string[] {
  return [id, ...children.flatMap(idsBelow)]
}

/** Returns the change with its category. Throws `bad_request` for a category in which nothing may be listed. */
function listingChangeOf(
  { catalog }: Pick<Context, 'catalog'>,
  {
    status,
    category_id: categoryId,
    price_percent: pricePercent,
  }: Static<typeof Parameters>['change'],
): ListingChange {
  if (categoryId === undefined) return { status, pricePercent }
  const served = catalog.served.catalog
  const category = served.category(categoryId)
  const siteId = siteOf(categoryId)
  const limits = category && listingLimitsOf(served.settings(category))
  if (!siteId || !limits?.isOpen || category?.children.length !== 0)
    throw badField('parameters.change.category_id', 'a category in which listing is allowed')
  return { status, pricePercent, category: { id: categoryId, siteId, vertical: limits.vertical } }
}
