import { requireSite, siteRule } from '../../../http/site-rule.ts'
import { Failure } from '../../../kernel/failure.ts'
import { findTerm } from './store.ts'

/** The term of moderation is for one of the sites, and not for all. */
export const siteOfTerm = siteRule('term', async ({ ctx: { db }, params, sites }) => {
  const id = params['id'] ?? ''
  const term = await findTerm(db, id)
  requireSite(sites, term?.siteId ?? undefined, new Failure('not_found', `Term not found: ${id}`))
})
