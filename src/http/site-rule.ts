import { Failure } from '../kernel/failure.ts'
import type { SiteId } from '../kernel/sites.ts'
import type { Context } from '../platform/context.ts'

/** The sites to which an operator is limited. Null: the operator may act on all. */
export type SiteLimit = ReadonlySet<SiteId> | null

/** Returns whether an operator may act on a site. */
export function isWithin(sites: SiteLimit, site: SiteId): boolean {
  return sites === null || sites.has(site)
}

/** A request of an operator who is limited to sites, with the input that its handler gets. */
export interface LimitedRequest {
  readonly ctx: Context
  readonly params: Readonly<Record<string, string>>
  readonly query: Record<string, unknown>
  readonly body: unknown
  readonly sites: ReadonlySet<SiteId>
}

/** How an operation keeps operators within their sites. It is asked for limited operators only. */
export interface SiteRule {
  /** What the sites are those of, as `operator-roles.txt` lists it. */
  readonly name: string
  /** The detail of `site_denied`, if the rule throws it. */
  readonly denial?: string
  /**
   * Throws unless all that the request reads or changes is on the sites. An unknown thing and one of another site get the
   * same failure, so that nobody learns which ids other sites have.
   */
  check(request: LimitedRequest): Promise<void> | void
}

/** Returns a rule. `Input` are the types of the input that the schemas of its operations guarantee. */
export function siteRule<Input = unknown>(
  name: string,
  check: (request: LimitedRequest & Input) => Promise<void>,
): SiteRule {
  return { name, check: (request) => check(request as LimitedRequest & Input) }
}

/** Throws the failure of an unknown id unless the thing exists and is on these sites. */
export function requireSite(
  sites: ReadonlySet<SiteId>,
  site: SiteId | undefined,
  unknown: Failure,
): void {
  if (site === undefined || !sites.has(site)) throw unknown
}

/** The operation concerns the own account. */
export const ownAccountOnly: SiteRule = { name: 'own account', check: () => {} }

/** The operation has nothing of a site: neither what it reads nor what it changes. */
export const noSite: SiteRule = { name: 'none', check: () => {} }

/** The operation concerns all sites, or what has no site. Limited operators may not call it. */
export const allSites: SiteRule = denyingRule('all', 'this operation concerns all of them', () => {
  return false
})

/**
 * The query names the site, or several separated by commas, and the handler uses nothing of another one. A limited
 * operator must name one; it is added for an operator with a single site.
 */
export const siteInQuery: SiteRule = denyingRule(
  'query site_id',
  'send one of yours as `site_id`',
  ({ query, sites }) => {
    const [only] = sites
    if (query['site_id'] === undefined && sites.size === 1) query['site_id'] = only
    const named = query['site_id']
    return (
      typeof named === 'string' &&
      named.split(',').every((site) => sites.has(site.trim() as SiteId))
    )
  },
)

/** The body names the site. Without it, or with null, it means all sites. */
export const siteInBody: SiteRule = denyingRule(
  'body site_id',
  'send one of yours as `site_id`',
  ({ body, sites }) => sites.has((body as { site_id?: SiteId }).site_id as SiteId),
)

/** The path names the site. */
export const siteInPath: SiteRule = denyingRule(
  'path site_id',
  'this one is none of yours',
  ({ params, sites }) => sites.has(params['site_id'] as SiteId),
)

function denyingRule(
  name: string,
  denial: string,
  isAllowed: (request: LimitedRequest) => boolean,
): SiteRule {
  return {
    name,
    denial,
    check(request) {
      if (!isAllowed(request)) throw new Failure('site_denied', denial)
    },
  }
}

/** Returns the rule that holds all of these. */
export function everyRule(...rules: readonly SiteRule[]): SiteRule {
  const denial = rules.find((rule) => rule.denial !== undefined)?.denial
  return {
    name: rules.map(({ name }) => name).join(', '),
    ...(denial === undefined ? {} : { denial }),
    async check(request) {
      for (const rule of rules) await rule.check(request)
    },
  }
}
