import { requireSite, type SiteLimit } from '../../http/site-rule.ts'
import { Failure } from '../../kernel/failure.ts'
import type { SiteId } from '../../kernel/sites.ts'
import type { Tx } from '../../platform/database/database.ts'
import { GeneratedIdTaken } from '../../platform/database/ids.ts'
import { untilVisible } from '../../platform/database/visible.ts'
import { listPackSellers } from '../details/store.ts'
import type { Order } from '../order.ts'
import { listPackSites, orderOwners, packOwners } from '../store.ts'

/**
 * Puts a new order, whose id is claimed, into its pack. The pack of an order without `pack_id` has the id of the order, so
 * a pack and an order with the same id have the same buyer. Throws `id_taken` for a pack of another buyer, and for a
 * limited operator also for one with an order of another site.
 */
export async function enterPack(
  tx: Tx,
  order: Order,
  { sites, isGenerated }: { sites: SiteLimit; isGenerated: boolean },
): Promise<void> {
  if (order.packId !== null) return joinPack(tx, { ...order, packId: order.packId }, sites)
  const pack = await packOwners.find(tx, order.id)
  if (!pack) return
  if (isGenerated) throw new GeneratedIdTaken()
  const taken = new Failure(
    'id_taken',
    `id: expected an unused id, pack ${order.id} exists already`,
  )
  if (pack.buyerId !== order.buyerId) throw taken
  if (sites) await requireSitesOfPack(tx, { ...order, packId: order.id }, { sites, taken })
}

/** Makes the pack of an order, or joins it. */
async function joinPack(
  tx: Tx,
  order: Order & { packId: number },
  sites: SiteLimit,
): Promise<void> {
  const { packId, buyerId } = order
  const taken = new Failure('id_taken', 'pack_id: expected a pack of this buyer')
  const pack = await packOwners.claimOrFind(tx, { ...order, id: packId })
  // Another request may be making an order with the id of this pack. It looks for the pack after it has claimed the id,
  // so the second of both finds the first.
  const single = pack.isNew
    ? await orderOwners.findSettled(tx, { ...order, id: packId })
    : pack.owner
  if (pack.owner.buyerId !== buyerId || (single && single.buyerId !== buyerId)) throw taken
  const exists = !pack.isNew || (single !== undefined && packId !== order.id)
  if (sites && exists) await requireSitesOfPack(tx, order, { sites, taken })
}

/**
 * Throws `taken` unless all orders of an existing pack are on the sites. It locks the pack, so that the second of two
 * limited operators sees the order of the first.
 */
async function requireSitesOfPack(
  tx: Tx,
  order: Order & { packId: number },
  { sites, taken }: { sites: ReadonlySet<SiteId>; taken: Failure },
): Promise<void> {
  const { packId } = order
  await packOwners.claimLocked(tx, { ...order, id: packId })
  const readSites = async (): Promise<SiteId[] | undefined> => {
    const sellers = new Set(await listPackSellers(tx, order))
    const single = await orderOwners.find(tx, packId)
    if (single) sellers.add(single.sellerId)
    const sitesBySeller = await Promise.all(
      [...sellers].map((sellerId) => listPackSites(tx, { sellerId, packId })),
    )
    const sites = sitesBySeller.flat()
    return sites.length === 0 ? undefined : sites
  }
  const packSites = (await untilVisible(readSites)) ?? [undefined]
  for (const site of packSites) requireSite(sites, site, taken)
}
