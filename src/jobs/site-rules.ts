import { requireSite, type SiteRule, siteRule } from '../http/site-rule.ts'
import { Failure } from '../kernel/failure.ts'
import { jobNotFound } from './commands.ts'
import type { JobKind } from './kind.ts'
import { findJobSite } from './store.ts'

/** The job of the path is for one of the sites. */
export const siteOfJob = siteRule('job', async ({ ctx: { db }, params, sites }) => {
  const id = params['id'] ?? ''
  requireSite(sites, (await findJobSite(db, id)) ?? undefined, jobNotFound(id))
})

/** Returns the rule for new jobs: what the job does stays on one of the sites. */
export function siteOfNewJob(
  read: (body: unknown) => { kind: JobKind; parameters: Readonly<Record<string, unknown>> },
): SiteRule {
  const denial = 'start a job that names one of yours, such as `filter.site_id`'
  return {
    ...siteRule('site of the job', async ({ body, sites }) => {
      const { kind, parameters } = read(body)
      const site = kind.siteOf?.(parameters)
      requireSite(sites, site, new Failure('site_denied', denial))
    }),
    denial,
  }
}
