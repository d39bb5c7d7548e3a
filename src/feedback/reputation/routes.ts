import type { IncomingHttpHeaders } from 'node:http'
import { Type } from 'typebox'
import { baseAddress } from '../../http/address.ts'
import { ok, type Route, route } from '../../http/route.ts'
import { findUser } from '../../identity/store.ts'
import { Failure } from '../../kernel/failure.ts'
import { pathId } from '../../kernel/ids.ts'
import { IdText } from '../../kernel/schema.ts'
import type { Context } from '../../platform/context.ts'
import { countPurchases, countSales, findRegistration } from './read-model.ts'
import { reputationOf } from './reputation.ts'
import { OwnUser, ownAccountView, PublicUser, publicProfileView } from './view.ts'

const tag = 'Users and applications'

const getMe = route({
  method: 'GET',
  url: '/users/me',
  scope: 'read',
  tag,
  summary: 'Get your account',
  description:
    'Returns the account of the token’s user, with contact data and the reputation as seller and as buyer.',
  answers: { 200: OwnUser },
  async handle(ctx, { caller, headers }) {
    return ok(await readOwnAccount(ctx, { id: caller.userId, headers }))
  },
})

const getUser = route({
  method: 'GET',
  url: '/users/:user_id',
  scope: 'mixed',
  tag,
  summary: 'Get a user',
  description:
    'Returns the public profile of a user; no token is needed. With your own token and id, it returns your whole account, like `/users/me`. An unknown id answers 404 `not_found`.',
  refuses: { not_found: 'User not found: 468424240' },
  params: Type.Object({ user_id: IdText }),
  answers: { 200: Type.Union([OwnUser, PublicUser]) },
  async handle(ctx, { caller, params, headers }) {
    const id = pathId('user_id', params.user_id)
    if (caller?.userId === id) return ok(await readOwnAccount(ctx, { id, headers }))
    const [user, sales] = await Promise.all([findUser(ctx.reads, id), countSales(ctx.reads, id)])
    if (!user) throw new Failure('not_found', `User not found: ${id}`)
    const base = baseAddress(ctx.config, headers)
    return ok(publicProfileView({ user, sales: reputationOf(sales, 'purchase'), base }))
  },
})

/** Returns the caller's whole account. A `purchase` rating counts for the seller, a `sale` rating for the buyer. */
async function readOwnAccount(
  { reads, config }: Pick<Context, 'reads' | 'config'>,
  { id, headers }: { id: number; headers: IncomingHttpHeaders },
): Promise<object> {
  const [user, account, sales, purchases] = await Promise.all([
    findUser(reads, id),
    findRegistration(reads, id),
    countSales(reads, id),
    countPurchases(reads, id),
  ])
  if (!user || !account) throw new Failure('not_found', `User not found: ${id}`)
  return ownAccountView({
    user,
    ...account,
    sales: reputationOf(sales, 'purchase'),
    purchases: reputationOf(purchases, 'sale'),
    base: baseAddress(config, headers),
  })
}

export const reputationRoutes: Route[] = [getMe, getUser]
