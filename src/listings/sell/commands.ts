import { randomUUID } from 'node:crypto'
import { servedCatalogOf } from '../../catalog/open.ts'
import { recordChanges } from '../../changes/record.ts'
import { runIdempotent } from '../../http/store-idempotency.ts'
import { findUser } from '../../identity/store.ts'
import type { User } from '../../identity/user.ts'
import { allWrong, type Breach, Failure } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { OwnIdTaken, untilFree } from '../../platform/database/ids.ts'
import { untilVisible } from '../../platform/database/visible.ts'
import { commitListing } from '../commands.ts'
import { findDescription, saveDescription } from '../descriptions/store.ts'
import { isDeleted, itemChange, type Listing, type SoldListing } from '../listing.ts'
import { noItem } from '../routes.ts'
import { itemOwners, lockListing } from '../store.ts'
import type { ItemBody, ItemChangeBody } from './bodies.ts'
import { descriptionIn, drafted, type Facts } from './draft.ts'

/**
 * Lists an item, records the change and returns the item's id. A repeated key returns the first id and lists nothing.
 * Throws `validation_error` with all breaches of the category's rules, and `unable_to_list`.
 */
export async function sell(
  ctx: Context,
  { userId, body, key }: { userId: number; body: ItemBody; key: string | undefined },
): Promise<{ id: string; isRepeated: boolean }> {
  const { db, ids, now } = ctx
  const { siteId } = await listerOf(ctx.reads, userId)
  const drawFacts = async () => ({
    id: `${siteId}${await ids.next('item')}`,
    ...(await factsOf(ctx, body)),
  })
  const outcome = await untilFree(drawFacts, (drawnFacts) =>
    db.transaction((tx) =>
      runIdempotent(tx, { key, userId, request: ['item', body], now: now() }, async () => {
        const facts = { ...drawnFacts, sellerId: userId, siteId, before: undefined }
        const listing = drafted(body, facts)
        if (!(await itemOwners.claim(tx, listing))) throw new OwnIdTaken()
        await commitListing(tx, { listing, at: now(), catalog: drawnFacts.catalog, by: 'seller' })
        await saveNewDescription(tx, { listing, body, at: now() })
        return listing.id
      }),
    ),
  )
  return { id: outcome.result, isRepeated: outcome.repeated }
}

/**
 * Changes the given fields of an item and records a change unless all stay the same. Throws `not_found`,
 * `not_owned_item`, `item_closed`, and what `sell` throws.
 */
export async function change(
  ctx: Context,
  { userId, id, body }: { userId: number; id: string; body: ItemChangeBody },
): Promise<void> {
  await listerOf(ctx.reads, userId)
  await untilFree(
    () => factsOf(ctx, body),
    (drawnFacts) =>
      ctx.db.transaction(async (tx) => {
        const before = await lockOwned(tx, { userId, id })
        const { sellerId, siteId } = before
        const isClosed = before.status === 'closed'
        const shouldDelete = String(body.deleted) === 'true'
        if (isClosed) {
          refuseReopening(before, body)
          if (!shouldDelete || isDeleted(before)) return
        }
        const listing = isClosed
          ? before
          : drafted(body, { ...drawnFacts, id, sellerId, siteId, before })
        if (shouldDelete && listing.status !== 'closed') throw allWrong([notClosed])
        const at = ctx.now()
        const committed = await commitListing(tx, {
          listing: shouldDelete ? deleted(listing) : listing,
          at,
          catalog: drawnFacts.catalog,
          by: 'seller',
        })
        if (isClosed || !(await saveNewDescription(tx, { listing, body, at }))) return
        if (committed === 'unchanged') recordChanges(tx, [itemChange({ id, sellerId, at })])
      }),
  )
}

/** Adds `deleted` to the sub-statuses. A forbidden listing stays forbidden. */
function deleted(listing: Listing): Listing {
  return { ...listing, subStatus: [...new Set([...(listing.subStatus ?? []), 'deleted' as const])] }
}

const notClosed: Breach = {
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
export async function listerOf(db: Db, userId: number): Promise<User> {
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
  if (!owner) throw noItem(id)
  if (owner.sellerId !== userId) throw new Failure('not_owned_item')
  return owner.sellerId
}

/** Loads this user's item and locks it until the transaction ends. Throws `not_found` and `not_owned_item`. */
export async function lockOwned(
  tx: Tx,
  { userId, id }: { userId: number; id: string },
): Promise<SoldListing> {
  const sellerId = await checkSeller(tx, { userId, id })
  const listing = await untilVisible(() => lockListing(tx, { sellerId, id }))
  if (!listing) throw noItem(id)
  return listing
}

/** Returns what a draft needs besides the body. Ids are drawn before the transaction, because a transaction must not
 * wait for a second connection. */
async function factsOf(
  ctx: Context,
  body: ItemBody,
): Promise<Pick<Facts, 'catalog' | 'variationIds' | 'pictureId'>> {
  return {
    catalog: servedCatalogOf(ctx).catalog,
    variationIds: await ctx.ids.take('variation', body.variations?.length ?? 0),
    pictureId: () => randomUUID().replaceAll('-', ''),
  }
}

/** A closed item may only be deleted. Closing or deleting it again is allowed, so that retries succeed. */
function refuseReopening(listing: SoldListing, { status, deleted, ...rest }: ItemChangeBody): void {
  const staysClosed = status === 'closed' || (status === undefined && deleted !== undefined)
  if (!staysClosed || Object.keys(rest).length > 0) throw closed(listing)
}

/** Returns `item_closed` with the text that clients of such marketplaces expect. */
export function closed({ id, stock }: SoldListing): Failure {
  const hasSold = stock.some(({ soldQuantity }) => soldQuantity > 0)
  return new Failure('item_closed', `${id} [status:closed, has_bids:${hasSold}]`)
}
