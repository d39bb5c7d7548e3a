import { isDeepStrictEqual } from 'node:util'
import { recordChanges } from '../../changes/record.ts'
import type { ClaimBody } from '../../claims/bodies.ts'
import type { Claim } from '../../claims/claim.ts'
import { type ClaimFacts, claimWith } from '../../claims/news.ts'
import { claimOwners, findClaim, saveClaim } from '../../claims/store.ts'
import { badField, Failure } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/database.ts'
import { untilVisible } from '../../platform/database/visible.ts'
import type { Order } from '../order.ts'
import { orderOwners } from '../store.ts'
import { commitOrder, lockOwned } from './commit.ts'

/** The operator opens a claim, or tells news of one; its order follows. Returns whether it is new. */
export async function putClaim(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { id, body }: { id: number; body: ClaimBody },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const order = await lockOwned(tx, await orderIdOf(tx, id, body))
    const known = await claimOn(tx, order, id)
    const at = now()
    const claim = claimWith(known, body, factsOf(order, id, at))
    if (isDeepStrictEqual(claim, known)) return false
    await saveClaim(tx, { ...claim, lastUpdated: at })
    const { sellerId, buyerId } = order
    recordChanges(tx, [
      { topic: 'claims', resource: `/v1/claims/${id}`, userIds: [sellerId, buyerId], sellerId, at },
    ])
    await commitOrder(tx, { before: order, decided: withClaim(order, claim), now: at })
    return known === undefined
  })
}

/** Which order to lock: the one that is named, or the one that the claim is on. */
async function orderIdOf(tx: Tx, id: number, body: ClaimBody): Promise<number> {
  if (body.order_id !== undefined) {
    if (await orderOwners.find(tx, body.order_id)) return body.order_id
    throw badField('order_id', 'an order that is there')
  }
  const claim = await claimOwners.findRow(tx, id, (owner) => findClaim(tx, { ...owner, id }))
  if (!claim) throw badField('order_id', 'a value, for a claim that is not known yet')
  return claim.orderId
}

/** The claim of this id on a locked order; undefined when the id was free and is this order's now. */
async function claimOn(tx: Tx, order: Order, id: number): Promise<Claim | undefined> {
  const { owner, isNew } = await claimOwners.claimOrFind(tx, { ...order, id })
  const known = isNew ? undefined : await untilVisible(() => findClaim(tx, { ...owner, id }))
  if (known ? known.orderId !== order.id : owner.sellerId !== order.sellerId) {
    throw new Failure('id_taken', `id: expected a claim on order ${order.id}, ${id} is another's`)
  }
  return known
}

/** What a claim takes from this order. */
export function factsOf(order: Order, id: number, now: Date): ClaimFacts {
  const { sellerId, buyerId, siteId, id: orderId } = order
  return {
    id,
    sellerId,
    buyerId,
    siteId,
    orderId,
    now,
    sold: order.items.reduce((sold, { quantity }) => sold + quantity, 0),
    isDelivered: order.tags.includes('delivered'),
  }
}

/** The order with what it tells of a claim, in the order of their ids. */
export function withClaim(order: Order, { id, stage, status, openedBy }: Claim): Order {
  const others = order.parts.mediations.filter((each) => each.id !== id)
  const mediations = [...others, { id, stage, status, openedBy }].sort((a, b) => a.id - b.id)
  return { ...order, parts: { ...order.parts, mediations } }
}
