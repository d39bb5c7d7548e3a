import { Type } from 'typebox'
import { ok, type Route, route } from '../../http/route.ts'
import { dayMs } from '../../kernel/clock.ts'
import { Id } from '../../kernel/schema.ts'
import { isUnavailable } from '../../platform/database/errors.ts'
import { dayOf } from '../facets.ts'
import { countByDay, type DayCount, findNicknames } from './store.ts'

const usualDays = 30
const mostSellers = 10
/** A page that is looked at in passing must not keep the database from its work. */
const mostMs = 2_000

const Count = Type.Integer({ minimum: 0 })
const ByStatus = Type.Object({}, { description: 'how many are in each status, by its name' })

const getFigures = route({
  method: 'GET',
  url: '/operator/orders/figures',
  scope: 'operator',
  tag: 'Operator: orders',
  summary: 'How many orders were made, day by day, and who sold most',
  description:
    'Of all sellers, by the day of creation (UTC) and by the status that they have now; today is the last day. `is_complete` is false, and everything zero, where counting took longer than two seconds.',
  query: Type.Object({
    days: Type.Optional(Type.Integer({ minimum: 1, maximum: 92 })),
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
    const days = query.days ?? usualDays
    const today = dayOf(now())
    const sinceDay = today - days + 1
    const counted = await countByDay(db, { sinceDay, mostMs }).catch((error) => {
      if (isUnavailable(error)) return undefined
      throw error
    })
    const counts = (counted ?? []).filter(({ day }) => day <= today)
    const sellers = topOf(totals(counts, ({ sellerId }) => sellerId))
    const nicknames = await findNicknames(
      db,
      sellers.map(([id]) => id),
    )
    const ofDay = Map.groupBy(counts, ({ day }) => day)
    return ok({
      is_complete: counted !== undefined,
      ...summed(counts),
      days: Array.from({ length: days }, (_, index) => ({
        date: new Date((sinceDay + index) * dayMs).toISOString().slice(0, 10),
        ...summed(ofDay.get(sinceDay + index) ?? []),
      })),
      sellers: sellers.map(([id, orders]) => ({
        user_id: id,
        nickname: nicknames.get(id) ?? '',
        orders,
      })),
    })
  },
})

function summed(counts: readonly DayCount[]) {
  const total = counts.reduce((sum, { n }) => sum + n, 0)
  return { total, by_status: Object.fromEntries(totals(counts, ({ status }) => status)) }
}

function totals<Key>(counts: readonly DayCount[], keyOf: (count: DayCount) => Key) {
  const found = new Map<Key, number>()
  for (const count of counts) found.set(keyOf(count), (found.get(keyOf(count)) ?? 0) + count.n)
  return found
}

function topOf(found: ReadonlyMap<number, number>): [id: number, orders: number][] {
  return [...found].sort(([a, m], [b, n]) => n - m || a - b).slice(0, mostSellers)
}

export const orderFiguresAdminRoutes: Route[] = [getFigures]
