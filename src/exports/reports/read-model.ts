import type { ClaimStage, ClaimStatus, ClaimType } from '../../claims/claim.ts'
import type { OrderStatus } from '../../orders/status.ts'
import type { Db } from '../../platform/database/database.ts'
import { sql, type Template, unnamed } from '../../platform/database/sql.ts'

/** Counts and sums of all sellers over a span of days. Each report is one statement. */

/** By what a report can be grouped, besides the currency. */
export const reportDimensions = ['day', 'site', 'category', 'seller'] as const
export type ReportDimension = (typeof reportDimensions)[number]

export interface ReportSpan {
  from: Date
  /** Exclusive. */
  to: Date
  siteId: string | null
  sellerId: number | null
}

export interface GroupedReport extends ReportSpan {
  groupBy: ReadonlySet<ReportDimension>
  /** The most rows to return. */
  limit: number
}

export interface SalesRow {
  /** The day in UTC. Null unless grouped by it, as are the other dimensions. */
  day: string | null
  siteId: string | null
  categoryId: string | null
  sellerId: number | null
  currencyId: string
  orders: number
  items: number
  amount: string
}

/** Counts the orders that were created in a span, except for those of `leftOut` statuses. */
export async function reportSales(
  db: Db,
  { groupBy, limit, leftOut, ...span }: GroupedReport & { leftOut: readonly OrderStatus[] },
): Promise<SalesRow[]> {
  const { day, site, seller } = groupColumns(groupBy)
  const category = groupBy.has('category')
    ? sql`(i.details -> 'item' ->> 'category_id')`
    : sql`null::text`
  return db.rows(
    unnamed(sql`
      select ${day} as day, ${site} as "siteId", ${category} as "categoryId",
        ${seller} as "sellerId", o.currency_id as "currencyId",
        count(distinct o.id) as orders, sum(i.quantity)::bigint as items,
        sum(i.quantity * i.unit_price) as amount
      from orders o join order_items i on i.seller_id = o.seller_id and i.order_id = o.id
      where ${inSpan(span)} and o.status <> all(${leftOut}::text[])
      group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5 limit ${limit}`),
  )
}

export interface RefundsRow extends Omit<SalesRow, 'categoryId' | 'orders' | 'items'> {
  payments: number
}

/** Sums what was refunded of the payments of orders that were created in a span. */
export async function reportRefunds(
  db: Db,
  { groupBy, limit, ...span }: GroupedReport,
): Promise<RefundsRow[]> {
  const { day, site, seller } = groupColumns(groupBy)
  return db.rows(
    unnamed(sql`
      select ${day} as day, ${site} as "siteId", ${seller} as "sellerId",
        o.currency_id as "currencyId", count(*) as payments,
        sum((p.details ->> 'transaction_amount_refunded')::numeric) as amount
      from orders o join payments p on p.seller_id = o.seller_id and p.order_id = o.id
      where ${inSpan(span)} and (p.details ->> 'transaction_amount_refunded')::numeric > 0
      group by 1, 2, 3, 4 order by 1, 2, 3, 4 limit ${limit}`),
  )
}

export interface ClaimsRow {
  siteId: string
  type: ClaimType
  reasonId: string | null
  stage: ClaimStage
  status: ClaimStatus
  claims: number
}

/** Counts the claims that were opened in a span, by reason and status. */
export async function reportClaims(
  db: Db,
  { from, to, siteId, sellerId, limit }: ReportSpan & { limit: number },
): Promise<ClaimsRow[]> {
  return db.rows(
    unnamed(sql`
      select details ->> 'siteId' as "siteId", type, details ->> 'reasonId' as "reasonId", stage,
        status, count(*) as claims
      from claims
      where date_created >= ${from} and date_created < ${to}
        and (${siteId}::text is null or details ->> 'siteId' = ${siteId})
        ${sellerId === null ? sql`` : sql`and seller_id = ${sellerId}`}
      group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5 limit ${limit}`),
  )
}

function inSpan({ from, to, siteId, sellerId }: ReportSpan): Template {
  return sql`o.date_created >= ${from} and o.date_created < ${to}
    and (${siteId}::text is null or o.site_id = ${siteId})
    ${sellerId === null ? sql`` : sql`and o.seller_id = ${sellerId}`}`
}

function groupColumns(groupBy: ReadonlySet<ReportDimension>) {
  return {
    day: groupBy.has('day')
      ? sql`(o.date_created at time zone 'UTC')::date::text`
      : sql`null::text`,
    site: groupBy.has('site') ? sql`o.site_id` : sql`null::text`,
    seller: groupBy.has('seller') ? sql`o.seller_id` : sql`null::bigint`,
  }
}

export interface DeliveriesRow {
  applicationId: number
  name: string
  /** Accepted notifications. */
  delivered: number
  /** Attempts after the first one of a notification. */
  retries: number
  failedAttempts: number
  /** Notifications whose last attempt failed. */
  lost: number
  /** Notifications that wait for a retry now. */
  pending: number
  oldestPending: Date | null
}

/** Counts the attempts of a span by application, and what waits for a retry now. Attempts are partitioned by day, so it
 * reads those days alone. Applications without either are left out. */
export async function reportDeliveries(
  db: Db,
  { from, to, limit }: Pick<ReportSpan, 'from' | 'to'> & { limit: number },
): Promise<DeliveriesRow[]> {
  return db.rows(
    unnamed(sql`
      select l.application_id as "applicationId", a.name,
        coalesce(t.delivered, 0) as delivered, coalesce(t.retries, 0) as retries,
        coalesce(t.failed, 0) as "failedAttempts", coalesce(u.lost, 0) as lost,
        coalesce(u.pending, 0) as pending, u.oldest as "oldestPending"
      from lanes l
      join applications a on a.id = l.application_id
      left join (
        select application_id, count(*) filter (where outcome = 'accepted') as delivered,
          count(*) filter (where attempt > 1) as retries,
          count(*) filter (where outcome <> 'accepted') as failed
        from attempts where sent >= ${from} and sent < ${to}
        group by application_id) t on t.application_id = l.application_id
      left join (
        select application_id, count(*) filter (where due is not null) as pending,
          min(received) filter (where due is not null) as oldest,
          count(*) filter (where due is null and received >= ${from} and received < ${to}) as lost
        from unaccepted group by application_id) u on u.application_id = l.application_id
      where t.application_id is not null or u.application_id is not null
      order by l.application_id limit ${limit}`),
  )
}
