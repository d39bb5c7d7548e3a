import { isDeepStrictEqual } from 'node:util'
import { recordChanges } from '../../changes/record.ts'
import type { ClaimBody } from '../../claims/bodies.ts'
import type { Claim } from '../../claims/claim.ts'
import { claimOwners, findClaim, saveClaim } from '../../claims/store.ts'
import { applyClaimBody, type ClaimOrder } from '../../claims/update.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/database.ts'
import { untilVisible } from '../../platform/database/visible.ts'
import type { Order } from '../order.ts'
import { claimedOrderUnknown, claimOrderMissing, findClaimById } from '../site-rules.ts'
import { orderOwners } from '../store.ts'
import { commitOrder, lockOrderById } from './commit.ts'

/** Opens or updates a claim, and updates its order. Returns whether the claim is new. */
export async function upsertClaim(
  { audit, db, now }: Pick<Context, 'audit' | 'db' | 'now'>,
  { id, body }: { id: number; body: ClaimBody },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const order = await lockOrderById(tx, await claimedOrderId(tx, id, body))
    audit.relate('order', order.id)
    const previous = await findClaimOn(tx, order, id)
    const at = now()
    const claim = applyClaimBody(previous, body, claimOrderOf(order, id, at))
    if (isDeepStrictEqual(claim, previous)) return false
    audit.change({ before: previous ? auditedClaim(previous) : null, after: auditedClaim(claim) })
    if (!isDeepStrictEqual(previous?.resolution ?? null, claim.resolution)) {
      audit.personal(order.buyerId, {
        before: previous ? { resolution: previous.resolution } : null,
        after: { resolution: claim.resolution },
      })
    }
    await saveClaim(tx, { ...claim, lastUpdated: at })
    const { sellerId, buyerId } = order
    recordChanges(tx, [
      { topic: 'claims', resource: `/v1/claims/${id}`, userIds: [sellerId, buyerId], sellerId, at },
    ])
    await commitOrder(tx, { before: order, decided: withClaim(order, claim), now: at })
    return previous === undefined
  })
}

/** Returns the fields of a claim that the audit log compares. */
function auditedClaim(claim: Claim): object {
  return {
    order_id: claim.orderId,
    type: claim.type,
    stage: claim.stage,
    status: claim.status,
    opened_by: claim.openedBy,
    reason_id: claim.reasonId,
    fulfilled: claim.fulfilled,
    claimed_quantity: claim.claimedQuantity,
  }
}

/** Returns the id of the order to lock: the one in the body, or that of the existing claim. */
async function claimedOrderId(tx: Tx, id: number, body: ClaimBody): Promise<number> {
  if (body.order_id !== undefined) {
    if (await orderOwners.find(tx, body.order_id)) return body.order_id
    throw claimedOrderUnknown()
  }
  const claim = await findClaimById(tx, id)
  if (!claim) throw claimOrderMissing(id)
  return claim.orderId
}

/** Loads this claim on a locked order, or claims its id for the order and returns undefined. Throws `id_taken`. */
async function findClaimOn(tx: Tx, order: Order, id: number): Promise<Claim | undefined> {
  const { owner, isNew } = await claimOwners.claimOrFind(tx, { ...order, id })
  const claim = isNew ? undefined : await untilVisible(() => findClaim(tx, { ...owner, id }))
  if (claim ? claim.orderId !== order.id : owner.sellerId !== order.sellerId) {
    throw new Failure(
      'id_taken',
      `id: expected a claim on order ${order.id}, but claim ${id} is on another order`,
    )
  }
  return claim
}

/** Returns the facts that a claim with this id on an order depends on. */
export function claimOrderOf(order: Order, id: number, now: Date): ClaimOrder {
  const { sellerId, buyerId, siteId, id: orderId } = order
  return {
    id,
    sellerId,
    buyerId,
    siteId,
    orderId,
    now,
    sold: order.items.reduce((units, { quantity }) => units + quantity, 0),
    isDelivered: order.tags.includes('delivered'),
  }
}

/** Returns the order with its copy of a claim up to date. Claims are sorted by id. */
export function withClaim(order: Order, { id, stage, status, openedBy }: Claim): Order {
  const others = order.parts.mediations.filter((mediation) => mediation.id !== id)
  const mediations = [...others, { id, stage, status, openedBy }].sort((a, b) => a.id - b.id)
  return { ...order, parts: { ...order.parts, mediations } }
}
