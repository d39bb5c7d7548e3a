import type { IncomingHttpHeaders } from 'node:http'
import { Type } from 'typebox'
import { baseAddress } from '../../http/address.ts'
import { ok, type Route, route } from '../../http/route.ts'
import { findUser } from '../../identity/store.ts'
import { Failure } from '../../kernel/failure.ts'
import { pathId } from '../../kernel/ids.ts'
import { IdText } from '../../kernel/schema.ts'
import type { Context } from '../../platform/context.ts'
import { reputationOf } from './reputation.ts'
import { countPurchases, countSales, findReputation } from './store.ts'
import { OwnUser, ownView, PublicUser, publicView } from './view.ts'

const tag = 'Users and applications'

const getMe = route({
  method: 'GET',
  url: '/users/me',
  scope: 'read',
  tag,
  summary: 'The account of the token’s user',
  answers: { 200: OwnUser },
  async handle(ctx, { caller, headers }) {
    return ok(await readOwn(ctx, { id: caller.userId, headers }))
  },
})

const getUser = route({
  method: 'GET',
  url: '/users/:user_id',
  scope: 'mixed',
  tag,
  summary: 'What anybody may read of a user; the user reads the whole account',
  params: Type.Object({ user_id: IdText }),
  answers: { 200: Type.Union([OwnUser, PublicUser]) },
  async handle(ctx, { caller, params, headers }) {
    const id = pathId('user_id', params.user_id)
    if (caller?.userId === id) return ok(await readOwn(ctx, { id, headers }))
    const [user, sold] = await Promise.all([findUser(ctx.reads, id), countSales(ctx.reads, id)])
    if (!user) throw new Failure('not_found', `User not found: ${id}`)
    const base = baseAddress(ctx.config, headers)
    return ok(publicView({ user, sales: reputationOf(sold, 'purchase'), base }))
  },
})

/** The seller's reputation is what buyers said of their purchases, the buyer's the other way round. */
async function readOwn(
  { reads, config }: Pick<Context, 'reads' | 'config'>,
  { id, headers }: { id: number; headers: IncomingHttpHeaders },
): Promise<object> {
  const [user, standing, sold, bought] = await Promise.all([
    findUser(reads, id),
    findReputation(reads, id),
    countSales(reads, id),
    countPurchases(reads, id),
  ])
  if (!user || !standing) throw new Failure('not_found', `User not found: ${id}`)
  return ownView({
    user,
    ...standing,
    sales: reputationOf(sold, 'purchase'),
    purchases: reputationOf(bought, 'sale'),
    base: baseAddress(config, headers),
  })
}

export const reputationRoutes: Route[] = [getMe, getUser]
