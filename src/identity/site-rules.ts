import { requireSite, type SiteRule, siteRule } from '../http/site-rule.ts'
import { badField, Failure } from '../kernel/failure.ts'
import { pathId } from '../kernel/ids.ts'
import type { SiteId } from '../kernel/sites.ts'
import type { Context } from '../platform/context.ts'
import { findUserSite } from './store.ts'
import { userOfToken } from './token.ts'

/** The failures of what does not exist, which are also those of what other sites have. */
export const authorizationNotFound = () =>
  new Failure('not_found', 'The user has not authorized this application')
export const tokenNotFound = () =>
  new Failure('not_found', 'No such token, or it is revoked already')
export const noToken = () => badField('access_token', 'an access token of this service')
const userNotFound = (id: number) => new Failure('not_found', `User not found: ${id}`)

/** Throws `unknown` unless the user is on the sites. */
export async function requireUser(
  { ctx, sites }: { ctx: Pick<Context, 'db'>; sites: ReadonlySet<SiteId> },
  id: number,
  unknown: Failure,
): Promise<void> {
  requireSite(sites, await findUserSite(ctx.db, id), unknown)
}

/** Returns the rule for the user of a path. */
function userRule(parameter: string, unknown: (id: number) => Failure): SiteRule {
  return siteRule('user', async (request) => {
    const id = pathId(parameter, request.params[parameter] ?? '')
    await requireUser(request, id, unknown(id))
  })
}

/** The user is on the sites. */
export const siteOfUser = userRule('id', userNotFound)

/** The user of an authorization is on the sites. */
export const siteOfAuthorization = userRule('user_id', authorizationNotFound)

/** The user of an access token is on the sites. */
export const siteOfToken = siteRule<{ body: { access_token: string } }>('user', async (request) => {
  const userId = userOfToken(request.body.access_token)
  if (userId === undefined) throw noToken()
  await requireUser(request, userId, tokenNotFound())
})
