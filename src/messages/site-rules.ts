import { requireSite, siteRule } from '../http/site-rule.ts'
import { findUserSite } from '../identity/store.ts'
import { Failure } from '../kernel/failure.ts'
import { pathId } from '../kernel/ids.ts'
import type { SiteId } from '../kernel/sites.ts'
import { listConversationOrders } from '../orders/store.ts'
import type { Db } from '../platform/database/database.ts'
import { loadAttachment } from './attachments/read.ts'
import { findTerm } from './moderation/terms/store.ts'
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

/** The message of an attachment is on the sites, or the uploader of one that was not sent yet. */
export const siteOfAttachment = siteRule('message', async ({ ctx, params, sites }) => {
  const { id, userId, attachedTo } = await loadAttachment(ctx, params['attachment_id'] ?? '')
  const site = attachedTo
    ? await findMessageSite(ctx.db, attachedTo.messageId)
    : await findUserSite(ctx.db, userId)
  requireSite(sites, site, new Failure('not_found', `Attachment not found: ${id}`))
})

/** The term of moderation is for one of the sites, and not for all. */
export const siteOfTerm = siteRule('term', async ({ ctx: { db }, params, sites }) => {
  const id = params['id'] ?? ''
  const term = await findTerm(db, id)
  requireSite(sites, term?.siteId ?? undefined, new Failure('not_found', `Term not found: ${id}`))
})
