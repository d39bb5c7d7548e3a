import { randomUUID } from 'node:crypto'
import { recordChanges } from '../../changes/record.ts'
import { runIdempotent } from '../../http/store-idempotency.ts'
import { findUser } from '../../identity/store.ts'
import type { User } from '../../identity/user.ts'
import { Failure, type FieldError, validationFailure } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { GeneratedIdTaken, withFreeIds } from '../../platform/database/ids.ts'
import { untilVisible } from '../../platform/database/visible.ts'
import { commitListing } from '../commands/commands.ts'
import { isDeleted, itemChange, type Listing, type ListingWithSales } from '../listing.ts'
import { itemNotFound } from '../routes.ts'
import { itemOwners, lockListing } from '../store.ts'
import type { ItemBody, ItemChangeBody } from './bodies.ts'
import { buildListing, type DraftContext, descriptionIn } from './draft.ts'
import { findDescription, saveDescription } from './store-descriptions.ts'

/**
 * Lists an item, records the change and returns the item's id. A repeated key returns the first id and lists nothing.
 * Throws `validation_error` with all breaches of the category's rules, and `unable_to_list`.
 */
export async function listItem(
  ctx: Context,
  { userId, body, key }: { userId: number; body: ItemBody; key: string | undefined },
): Promise<{ id: string; isRepeated: boolean }> {
  const { db, ids, now } = ctx
  const { factors } = ctx.config.search
  const { siteId } = await sellerOrFail(ctx.reads, userId)
  const drawFacts = async () => ({
    id: `${siteId}${await ids.next('item')}`,
    ...(await draftContextOf(ctx, body)),
  })
  const outcome = await withFreeIds(drawFacts, (drawnFacts) =>
    db.transaction((tx) =>
      runIdempotent(
        tx,
        { key, chosenBy: userId, request: ['item', body], now: now() },
        async () => {
          const facts = { ...drawnFacts, sellerId: userId, siteId, before: undefined }
          const listing = buildListing(body, facts)
          if (!(await itemOwners.claim(tx, listing))) throw new GeneratedIdTaken()
          const { catalog } = drawnFacts
          await commitListing(tx, { listing, at: now(), catalog, factors, by: 'seller' })
          await saveNewDescription(tx, { listing, body, at: now() })
          return listing.id
        },
      ),
    ),
  )
  return { id: outcome.result, isRepeated: outcome.repeated }
}

/**
 * Changes the given fields of an item and records a change unless all stay the same. Throws `not_found`,
 * `not_owned_item`, `item_closed`, and what `sell` throws.
 */
export async function changeItem(
  ctx: Context,
  { userId, id, body }: { userId: number; id: string; body: ItemChangeBody },
): Promise<void> {
  await sellerOrFail(ctx.reads, userId)
  await withFreeIds(
    () => draftContextOf(ctx, body),
    (drawnFacts) =>
      ctx.db.transaction(async (tx) => {
        const before = await lockOwnItem(tx, { userId, id })
        const { sellerId, siteId } = before
        const isClosed = before.status === 'closed'
        const shouldDelete = String(body.deleted) === 'true'
        if (isClosed) {
          refuseReopening(before, body)
          if (!shouldDelete || isDeleted(before)) return
        }
        const listing = isClosed
          ? before
          : buildListing(body, { ...drawnFacts, id, sellerId, siteId, before })
        if (shouldDelete && listing.status !== 'closed') throw validationFailure([notClosedBreach])
        const at = ctx.now()
        const committed = await commitListing(tx, {
          listing: shouldDelete ? markDeleted(listing) : listing,
          at,
          catalog: drawnFacts.catalog,
          factors: ctx.config.search.factors,
          by: 'seller',
        })
        if (isClosed || !(await saveNewDescription(tx, { listing, body, at }))) return
        if (committed === 'unchanged') recordChanges(tx, [itemChange({ id, sellerId, at })])
      }),
  )
}

/** Adds `deleted` to the sub-statuses. A forbidden listing stays forbidden. */
function markDeleted(listing: Listing): Listing {
  return { ...listing, subStatus: [...new Set([...(listing.subStatus ?? []), 'deleted' as const])] }
}

const notClosedBreach: FieldError = {
  code: 'item.deleted.invalid',
  field: 'deleted',
  expected: 'a closed item: close it first, or with the same change',
}

/** Saves the description of a body. Returns whether it differs from the stored one. */
async function saveNewDescription(
  tx: Tx,
  { listing, body, at }: { listing: Listing; body: ItemBody; at: Date },
): Promise<boolean> {
  const plainText = descriptionIn(body)
  if (plainText === undefined) return false
  const key = { sellerId: listing.sellerId, itemId: listing.id }
  const before = await findDescription(tx, key)
  if (before?.plainText === plainText) return false
  saveDescription(tx, {
    ...key,
    plainText,
    dateCreated: before?.dateCreated ?? at,
    lastUpdated: at,
  })
  return true
}

/** Returns the user if the account may list items. Throws `unable_to_list`. */
export async function sellerOrFail(db: Db, userId: number): Promise<User> {
  const user = await findUser(db, userId)
  if (!user) throw new Failure('unable_to_list', 'the account is not registered')
  if (user.status === 'deactivated') {
    throw new Failure('unable_to_list', 'the account is deactivated')
  }
  return user
}

/** Checks that this user sells the item and returns its seller. Throws `not_found` and `not_owned_item`. */
export async function checkSeller(
  db: Db,
  { userId, id }: { userId: number; id: string },
): Promise<number> {
  const owner = await itemOwners.find(db, id)
  if (!owner) throw itemNotFound(id)
  if (owner.sellerId !== userId) throw new Failure('not_owned_item')
  return owner.sellerId
}

/** Loads this user's item and locks it until the transaction ends. Throws `not_found` and `not_owned_item`. */
export async function lockOwnItem(
  tx: Tx,
  { userId, id }: { userId: number; id: string },
): Promise<ListingWithSales> {
  const sellerId = await checkSeller(tx, { userId, id })
  const listing = await untilVisible(() => lockListing(tx, { sellerId, id }))
  if (!listing) throw itemNotFound(id)
  return listing
}

/** Returns what a draft needs besides the body. Ids are drawn before the transaction, because a transaction must not
 * wait for a second connection. */
async function draftContextOf(
  ctx: Context,
  body: ItemBody,
): Promise<Pick<DraftContext, 'catalog' | 'variationIds' | 'pictureId'>> {
  return {
    catalog: ctx.catalog.served.catalog,
    variationIds: await ctx.ids.nextMany('variation', body.variations?.length ?? 0),
    pictureId: () => randomUUID().replaceAll('-', ''),
  }
}

/** A closed item may only be deleted. Closing or deleting it again is allowed, so that retries succeed. */
function refuseReopening(
  listing: ListingWithSales,
  { status, deleted, ...rest }: ItemChangeBody,
): void {
  const staysClosed = status === 'closed' || (status === undefined && deleted !== undefined)
  if (!staysClosed || Object.keys(rest).length > 0) throw itemClosedFailure(listing)
}

/** Returns `item_closed` with the text that clients of such marketplaces expect. */
export function itemClosedFailure({ id, stock }: ListingWithSales): Failure {
  const hasSold = stock.some(({ soldQuantity }) => soldQuantity > 0)
  return new Failure('item_closed', `${id} [status:closed, has_bids:${hasSold}]`)
}
