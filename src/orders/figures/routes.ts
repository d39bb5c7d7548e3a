import { Type } from 'typebox'
import { ok, type Route, route } from '../../http/route.ts'
import { allSites } from '../../http/site-rule.ts'
import { findNicknames } from '../../identity/store.ts'
import { dayMs } from '../../kernel/clock.ts'
import { Id, MapOf } from '../../kernel/schema.ts'
import { isUnavailable } from '../../platform/database/errors.ts'
import { dayOf } from '../facets.ts'
import { countByDay, type SellerDayCount } from './store.ts'

const defaultDays = 30
const maxSellers = 10
/** Time limit of the query, in ms: a dashboard must not slow down orders. */
const mostMs = 2_000

const Count = Type.Integer({ minimum: 0 })
const ByStatus = MapOf(Count, { description: 'Orders per status', examples: [{ paid: 12 }] })

const getFigures = route({
  method: 'GET',
  url: '/operator/orders/figures',
  scope: 'operator',
  permission: 'orders:read',
  sites: allSites,
  tag: 'Operator: orders',
  summary: 'Count orders by day and seller',
  description:
    'Counts the orders of all sellers by day of creation (UTC) and current status, up to today, and lists the ten sellers with the most. `days` is 1 to 92, 30 by default. When counting takes longer than two seconds, `is_complete` is false and all counts are zero.',
  query: Type.Object({
    days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 92, description: 'Days up to today. Default: 30' }),
    ),
  }),
  answers: {
    200: Type.Object({
      is_complete: Type.Boolean(),
      total: Count,
      by_status: ByStatus,
      days: Type.Array(
        Type.Object({ date: Type.String({ format: 'date' }), total: Count, by_status: ByStatus }),
      ),
      sellers: Type.Array(Type.Object({ user_id: Id, nickname: Type.String(), orders: Count })),
    }),
  },
  async handle({ db, now }, { query }) {
    const days = query.days ?? defaultDays
    const today = dayOf(now())
    const sinceDay = today - days + 1
    const allCounts = await countByDay(db, { sinceDay, mostMs }).catch((error) => {
      if (isUnavailable(error)) return undefined
      throw error
    })
    const counts = (allCounts ?? []).filter(({ day }) => day <= today)
    const sellers = topOf(totals(counts, ({ sellerId }) => sellerId))
    const nicknames = await findNicknames(
      db,
      sellers.map(([id]) => id),
    )
    const countsByDay = Map.groupBy(counts, ({ day }) => day)
    return ok({
      is_complete: allCounts !== undefined,
      ...countsByStatus(counts),
      days: Array.from({ length: days }, (_, index) => ({
        date: new Date((sinceDay + index) * dayMs).toISOString().slice(0, 10),
        ...countsByStatus(countsByDay.get(sinceDay + index) ?? []),
      })),
      sellers: sellers.map(([id, orders]) => ({
        user_id: id,
        nickname: nicknames.get(id) ?? '',
        orders,
      })),
    })
  },
})

function countsByStatus(counts: readonly SellerDayCount[]) {
  const total = counts.reduce((sum, { n }) => sum + n, 0)
  return { total, by_status: Object.fromEntries(totals(counts, ({ status }) => status)) }
}

function totals<Key>(counts: readonly SellerDayCount[], keyOf: (count: SellerDayCount) => Key) {
  const sums = new Map<Key, number>()
  for (const count of counts) sums.set(keyOf(count), (sums.get(keyOf(count)) ?? 0) + count.n)
  return sums
}

function topOf(ordersBySeller: ReadonlyMap<number, number>): [id: number, orders: number][] {
  return [...ordersBySeller].sort(([a, m], [b, n]) => n - m || a - b).slice(0, maxSellers)
}

export const orderFiguresAdminRoutes: Route[] = [getFigures]
