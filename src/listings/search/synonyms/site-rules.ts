import { requireSite, siteRule } from '../../../http/site-rule.ts'
import { Failure } from '../../../kernel/failure.ts'
import { findSynonymChange } from './store.ts'

/** The change of synonyms is for one of the sites. */
export const siteOfSynonyms = siteRule('synonyms', async ({ ctx, params, sites }) => {
  const id = params['id'] ?? ''
  const change = await findSynonymChange(ctx.db, id)
  requireSite(sites, change?.siteId, synonymsNotFound(id))
})

/** Returns the failure of a change of synonyms that does not exist. */
export function synonymsNotFound(id: string): Failure {
  return new Failure('not_found', `Synonyms not found: ${id}`)
}
