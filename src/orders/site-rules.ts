import { claimOwners, findClaim } from '../claims/store.ts'
import { requireSite, siteRule } from '../http/site-rule.ts'
import { requireUser } from '../identity/site-rules.ts'
import { badField, Failure } from '../kernel/failure.ts'
import { pathId } from '../kernel/ids.ts'
import type { SiteId } from '../kernel/sites.ts'
import { requireItem } from '../listings/site-rules.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import type { Shipment } from '../shipments/shipment.ts'
import { findShipment, shipmentOwners } from '../shipments/store.ts'
import { parseOrderId } from './routes.ts'
import { findOrderSite, listShipmentSites, orderOwners } from './store.ts'

type Limited = { ctx: Pick<Context, 'db'>; sites: ReadonlySet<SiteId> }

/** Throws `unknown` unless the order is on the sites. */
export async function requireOrder(
  { ctx: { db }, sites }: Limited,
  id: number,
  unknown: Failure,
): Promise<void> {
  requireSite(sites, await findSiteOfOrder(db, id), unknown)
}

/** Returns the site of an order, by its id alone. */
export async function findSiteOfOrder(db: Db, id: number): Promise<SiteId | undefined> {
  return orderOwners.findRow(db, id, ({ sellerId }) => findOrderSite(db, { sellerId, id }))
}

/** The order of the path is on the sites. */
export const siteOfOrder = siteRule('order', (request) =>
  requireOrder(
    request,
    parseOrderId(request.params['order_id'] ?? ''),
    new Failure('order_not_found'),
  ),
)

/** The items and the buyer of a checkout are on the sites. Creating the order checks its pack and its shipment, which other
 * requests may change at the same time. */
export const siteOfCheckout = siteRule<{
  body: { buyer_id: number; lines: readonly { item_id: string }[] }
}>('listings, buyer, pack, shipment', async (request) => {
  const { buyer_id: buyerId, lines } = request.body
  await requireUser(request, buyerId, badField('buyer_id', 'a registered user'))
  for (const [index, { item_id: itemId }] of lines.entries()) {
    await requireItem(request, itemId, badField(`lines[${index}].item_id`, 'a registered item'))
  }
})

/** The shipment of the path is on the sites, with all its orders. */
export const siteOfShipment = siteRule('shipment', async ({ ctx: { db }, params, sites }) => {
  const id = pathId('shipping_id', params['shipping_id'] ?? '')
  const unknown = new Failure('not_found_shipping_id')
  const shipment = await findShipmentById(db, id)
  if (!shipment) throw unknown
  await requireSitesOfShipment(db, shipment, { sites, failure: unknown })
})

/** Throws the failure unless a shipment and all its orders are on the sites. */
export async function requireSitesOfShipment(
  db: Db,
  { id, sellerId, siteId }: Pick<Shipment, 'id' | 'sellerId' | 'siteId'>,
  { sites, failure }: { sites: ReadonlySet<SiteId>; failure: Failure },
): Promise<void> {
  const orderSites = await listShipmentSites(db, { sellerId, shipmentId: id })
  for (const site of [siteId, ...orderSites]) requireSite(sites, site, failure)
}

/** Finds a shipment by its id alone, of any seller. */
export async function findShipmentById(db: Db, id: number) {
  return shipmentOwners.findRow(db, id, (owner) => findShipment(db, { ...owner, id }))
}

/** Finds a claim by its id alone, of any seller. */
export async function findClaimById(db: Db, id: number) {
  return claimOwners.findRow(db, id, (owner) => findClaim(db, { ...owner, id }))
}

/** The claim of the path is on the sites. */
export const siteOfClaim = siteRule('claim', async ({ ctx: { db }, params, sites }) => {
  const id = pathId('id', params['id'] ?? '')
  const claim = await findClaimById(db, id)
  requireSite(sites, claim?.siteId, new Failure('not_found', `Claim not found: ${id}`))
})

/** The order of the body, or else that of the claim, is on the sites. A claim never gets another order. */
export const siteOfSavedClaim = siteRule<{ body: { order_id?: number } }>(
  'order',
  async (request) => {
    const id = pathId('id', request.params['id'] ?? '')
    const { order_id: orderId } = request.body
    if (orderId !== undefined) return requireOrder(request, orderId, claimedOrderUnknown())
    const claim = await findClaimById(request.ctx.db, id)
    requireSite(request.sites, claim?.siteId, claimOrderMissing(id))
  },
)

/** Returns the failure of a claim on an order that does not exist. */
export function claimedOrderUnknown(): Failure {
  return badField('order_id', 'the id of an existing order')
}

/** Returns the failure of a new claim without an order. */
export function claimOrderMissing(id: number): Failure {
  return badField('order_id', `a value: claim ${id} does not exist yet`)
}
