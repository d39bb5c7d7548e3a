import { requireSite, siteRule } from '../../http/site-rule.ts'
import { findUserSite } from '../../identity/store.ts'
import { Failure } from '../../kernel/failure.ts'
import { findMessageSite } from '../site-rules.ts'
import { loadAttachment } from './read.ts'

/** The message of an attachment is on the sites, or the uploader of one that was not sent yet. */
export const siteOfAttachment = siteRule('message', async ({ ctx, params, sites }) => {
  const { id, userId, attachedTo } = await loadAttachment(ctx, params['attachment_id'] ?? '')
  const site = attachedTo
    ? await findMessageSite(ctx.db, attachedTo.messageId)
    : await findUserSite(ctx.db, userId)
  requireSite(sites, site, new Failure('not_found', `Attachment not found: ${id}`))
})
