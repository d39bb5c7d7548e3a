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
 * A seller lists something; it is told. Answers the item's id, for a repeated key the first one's. Throws
 * `validation_error` with all that its category does not take, `unable_to_list` for who may not.
 */
export async function sell(
  ctx: Context,
  { userId, body, key }: { userId: number; body: ItemBody; key: string | undefined },
): Promise<{ id: string; isRepeated: boolean }> {
  const { db, ids, now } = ctx
  const { siteId } = await listerOf(ctx.reads, userId)
  const draw = async () => ({
    id: `${siteId}${await ids.next('item')}`,
    ...(await factsOf(ctx, body)),
  })
  const done = await untilFree(draw, (drawn) =>
    db.transaction((tx) =>
      runIdempotent(tx, { key, userId, request: ['item', body], now: now() }, async () => {
        const facts = { ...drawn, sellerId: userId, siteId, before: undefined }
        const listing = drafted(body, facts)
        if (!(await itemOwners.claim(tx, listing))) throw new OwnIdTaken()
        await commitListing(tx, { listing, at: now(), catalog: drawn.catalog, by: 'seller' })
        await describeAnew(tx, { listing, body, at: now() })
        return listing.id
      }),
    ),
  )
  return { id: done.result, isRepeated: done.repeated }
}

/**
 * A seller changes an item: what is not said of it stays. It is told, unless nothing of it is another
 * than it was. Throws `not_found`, `not_owned_item`, `item_closed`, and what `sell` throws.
 */
export async function change(
  ctx: Context,
  { userId, id, body }: { userId: number; id: string; body: ItemChangeBody },
): Promise<void> {
  await listerOf(ctx.reads, userId)
  await untilFree(
    () => factsOf(ctx, body),
    (drawn) =>
      ctx.db.transaction(async (tx) => {
        const before = await lockOwned(tx, { userId, id })
        const { sellerId, siteId } = before
        const isClosed = before.status === 'closed'
        const isGone = String(body.deleted) === 'true'
        if (isClosed) {
          refuseReopening(before, body)
          if (!isGone || isDeleted(before)) return
        }
        const listing = isClosed
          ? before
          : drafted(body, { ...drawn, id, sellerId, siteId, before })
        if (isGone && listing.status !== 'closed') throw allWrong([notClosed])
        const at = ctx.now()
        const committed = await commitListing(tx, {
          listing: isGone ? deleted(listing) : listing,
          at,
          catalog: drawn.catalog,
          by: 'seller',
        })
        if (isClosed || !(await describeAnew(tx, { listing, body, at }))) return
        if (committed === 'unchanged') recordChanges(tx, [itemChange({ id, sellerId, at })])
      }),
  )
}

/** Says so beside what the operator has said: a listing that is forbidden stays so. */
function deleted(listing: Listing): Listing {
  return { ...listing, subStatus: [...new Set([...(listing.subStatus ?? []), 'deleted' as const])] }
}

const notClosed: Breach = {
  code: 'item.deleted.invalid',
  field: 'deleted',
  expected: 'a closed item: close it first, or with the same change',
}

/** Writes the description that a body says, if another; returns whether it is another. */
async function describeAnew(
  tx: Tx,
  { listing, body, at }: { listing: Listing; body: ItemBody; at: Date },
): Promise<boolean> {
  const plainText = descriptionIn(body)
  if (plainText === undefined) return false
  const of = { sellerId: listing.sellerId, itemId: listing.id }
  const before = await findDescription(tx, of)
  if (before?.plainText === plainText) return false
  saveDescription(tx, {
    ...of,
    plainText,
    dateCreated: before?.dateCreated ?? at,
    lastUpdated: at,
  })
  return true
}

/** Who lists something, as long as the account is open. */
export async function listerOf(db: Db, userId: number): Promise<User> {
  const user = await findUser(db, userId)
  if (!user) throw new Failure('unable_to_list', 'the account is not registered')
  if (user.status === 'deactivated') {
    throw new Failure('unable_to_list', 'the account is deactivated')
  }
  return user
}

/** Checks that this user sells the item. Throws `not_found`, `not_owned_item`. */
export async function checkSeller(
  db: Db,
  { userId, id }: { userId: number; id: string },
): Promise<number> {
  const owner = await itemOwners.find(db, id)
  if (!owner) throw noItem(id)
  if (owner.sellerId !== userId) throw new Failure('not_owned_item')
  return owner.sellerId
}

/** The item of this id, locked until the transaction ends. */
export async function lockOwned(
  tx: Tx,
  { userId, id }: { userId: number; id: string },
): Promise<SoldListing> {
  const sellerId = await checkSeller(tx, { userId, id })
  const listing = await untilVisible(() => lockListing(tx, { sellerId, id }))
  if (!listing) throw noItem(id)
  return listing
}

/** What a draft needs beside words. Numbers are drawn before there is a transaction: one that holds a
 * connection must not wait for a second. */
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

/** Closed is final: it can be deleted. To close or to delete it once more is no mistake, but a repetition. */
function refuseReopening(listing: SoldListing, { status, deleted, ...more }: ItemChangeBody): void {
  const stays = status === 'closed' || (status === undefined && deleted !== undefined)
  if (!stays || Object.keys(more).length > 0) throw closed(listing)
}

/** In the words that clients of such marketplaces look for. */
export function closed({ id, stock }: SoldListing): Failure {
  const hasSold = stock.some(({ soldQuantity }) => soldQuantity > 0)
  return new Failure('item_closed', `${id} [status:closed, has_bids:${hasSold}]`)
}
