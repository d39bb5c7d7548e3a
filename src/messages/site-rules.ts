import { requireSite, siteRule } from '../http/site-rule.ts'
import { Failure } from '../kernel/failure.ts'
import { pathId } from '../kernel/ids.ts'
import type { SiteId } from '../kernel/sites.ts'
import { listConversationOrders } from '../orders/store.ts'
import type { Db } from '../platform/database/database.ts'
import { messageOwners, readMessage } from './store.ts'

/** The message of the path is on the sites. */
export const siteOfMessage = siteRule('message', async ({ ctx: { db }, params, sites }) => {
  const id = params['message_id'] ?? ''
  requireSite(
    sites,
    await findMessageSite(db, id),
    new Failure('not_found', `Message not found: ${id}`),
  )
})

/** Returns the site of a message, by its id alone. */
export async function findMessageSite(db: Db, id: string): Promise<SiteId | undefined> {
  const message = await messageOwners.findRow(db, id, (owner) => readMessage(db, { ...owner, id }))
  return message?.siteId
}

/** The orders of the conversation of the path are on the sites. */
export const siteOfConversation = siteRule(
  'orders of the pack',
  async ({ ctx: { db }, params, sites }) => {
    const packId = pathId('pack_id', params['pack_id'] ?? '')
    const sellerId = pathId('seller_id', params['seller_id'] ?? '')
    const unknown = new Failure('not_found', `Conversation not found: ${packId}`)
    const orders = await listConversationOrders(db, { sellerIds: [sellerId], packIds: [packId] })
    if (orders.length === 0) throw unknown
    for (const { siteId } of orders) requireSite(sites, siteId, unknown)
  },
)
