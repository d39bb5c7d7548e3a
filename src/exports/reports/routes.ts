import { type TObject, Type } from 'typebox'
import { claimStages, claimStatuses, claimTypes } from '../../claims/claim.ts'
import { ok, type Route, type RouteResponse, route } from '../../http/route.ts'
import { allSites, siteInQuery } from '../../http/site-rule.ts'
import { dayMs, parseTimestamp, timestamp } from '../../kernel/clock.ts'
import { badField } from '../../kernel/failure.ts'
import { CommaSeparated, Currency, Id, OrNull, Site, Timestamp } from '../../kernel/schema.ts'
import { isCancelled, orderStatuses } from '../../orders/status.ts'
import { csvRecords, csvType, makeCellReader } from '../csv.ts'
import { parseList, sellerParameter, siteParameter } from '../filters.ts'
import {
  type ReportDimension,
  type ReportSpan,
  reportClaims,
  reportDeliveries,
  reportDimensions,
  reportRefunds,
  reportSales,
} from './read-model.ts'

const tag = 'Operator: exports'
const maxDays = 366
const maxRows = 10_000
const span =
  '400 `bad_request`: the span is longer than 366 days or ends before it begins, or the report has more than 10,000 rows.'

const Day = (description: string) => Type.String({ format: 'date', description })
const spanParameters = {
  from: Day('The first day (UTC)'),
  to: Day('The last day (UTC)'),
  site_id: siteParameter,
  seller: sellerParameter,
  format: Type.Optional(
    Type.Enum(['json', 'csv'], { description: 'The format of the answer. Default: `json`' }),
  ),
}
const groupParameter = (dimensions: readonly ReportDimension[]) =>
  Type.Optional({
    ...CommaSeparated(
      100,
      `One or more of ${dimensions.join(', ')}, separated by commas. Default: \`day\``,
    ),
    examples: ['day,site'],
  })

const Count = Type.Integer({ minimum: 0 })
const Amount = Type.Number({ minimum: 0 })
const NullableDay = OrNull(Type.String({ format: 'date' }))

/** Returns the schema of a report with these rows. */
const reportOf = <T extends TObject>(row: T) => Type.Object({ rows: Type.Array(row) })

const SalesReportRow = Type.Object({
  day: NullableDay,
  site_id: OrNull(Site),
  category_id: OrNull(Type.String()),
  seller_id: OrNull(Id),
  currency_id: Currency,
  orders: Count,
  items: Count,
  amount: Amount,
})

const getSales = route({
  method: 'GET',
  url: '/operator/reports/sales',
  scope: 'operator',
  permission: 'finance:read',
  sites: siteInQuery,
  tag,
  summary: 'Report sales',
  description: `Counts the orders and items that were sold, and sums their prices without shipping, by currency and what \`group_by\` names. Orders count on the day of their creation (UTC); cancelled and invalid ones do not count. An order of several categories counts in each. ${span}`,
  refuses: { bad_request: 'to: expected a day from `from` on, at most 366 days' },
  query: Type.Object({ ...spanParameters, group_by: groupParameter(reportDimensions) }),
  answers: { 200: reportOf(SalesReportRow) },
  async handle({ db }, { query }) {
    const groupBy = groupsOf(query.group_by, reportDimensions)
    const rows = await reportSales(db, { ...spanOf(query), groupBy, leftOut, limit: maxRows + 1 })
    return reportAnswer(
      SalesReportRow,
      query.format,
      rows.map((row) => ({
        day: row.day,
        site_id: row.siteId,
        category_id: row.categoryId,
        seller_id: row.sellerId,
        currency_id: row.currencyId,
        orders: row.orders,
        items: row.items,
        amount: Number(row.amount),
      })),
    )
  },
})

const RefundsReportRow = Type.Object({
  day: NullableDay,
  site_id: OrNull(Site),
  seller_id: OrNull(Id),
  currency_id: Currency,
  payments: Count,
  amount: Amount,
})

const refundDimensions = ['day', 'site', 'seller'] as const

const getRefunds = route({
  method: 'GET',
  url: '/operator/reports/refunds',
  scope: 'operator',
  permission: 'finance:read',
  sites: siteInQuery,
  tag,
  summary: 'Report refunds',
  description: `Counts the payments of which something was refunded, and sums the refunds, by currency and what \`group_by\` names. A refund counts on the day of the order's creation (UTC), so that it compares with the sales of that day. ${span}`,
  refuses: { bad_request: 'to: expected a day from `from` on, at most 366 days' },
  query: Type.Object({ ...spanParameters, group_by: groupParameter(refundDimensions) }),
  answers: { 200: reportOf(RefundsReportRow) },
  async handle({ db }, { query }) {
    const groupBy = groupsOf(query.group_by, refundDimensions)
    const rows = await reportRefunds(db, { ...spanOf(query), groupBy, limit: maxRows + 1 })
    return reportAnswer(
      RefundsReportRow,
      query.format,
      rows.map((row) => ({
        day: row.day,
        site_id: row.siteId,
        seller_id: row.sellerId,
        currency_id: row.currencyId,
        payments: row.payments,
        amount: Number(row.amount),
      })),
    )
  },
})

const ClaimsReportRow = Type.Object({
  site_id: Site,
  type: Type.Enum([...claimTypes]),
  reason_id: OrNull(Type.String()),
  stage: Type.Enum(claimStages),
  status: Type.Enum([...claimStatuses]),
  claims: Count,
})

const getClaims = route({
  method: 'GET',
  url: '/operator/reports/claims',
  scope: 'operator',
  permission: 'claims:read',
  sites: siteInQuery,
  tag,
  summary: 'Report claims',
  description: `Counts the claims that were opened in a span of days (UTC), by site, type, reason, stage and status. ${span}`,
  refuses: { bad_request: 'to: expected a day from `from` on, at most 366 days' },
  query: Type.Object(spanParameters),
  answers: { 200: reportOf(ClaimsReportRow) },
  async handle({ db }, { query }) {
    const rows = await reportClaims(db, { ...spanOf(query), limit: maxRows + 1 })
    return reportAnswer(
      ClaimsReportRow,
      query.format,
      rows.map((row) => ({
        site_id: row.siteId,
        type: row.type,
        reason_id: row.reasonId,
        stage: row.stage,
        status: row.status,
        claims: row.claims,
      })),
    )
  },
})

const DeliveriesReportRow = Type.Object({
  application_id: Id,
  name: Type.String({ examples: ['Stock keeper'] }),
  delivered: Count,
  retries: Count,
  failed_attempts: Count,
  lost: Count,
  pending: Count,
  oldest_pending: OrNull(Timestamp),
})

const getDeliveries = route({
  method: 'GET',
  url: '/operator/reports/notifications',
  scope: 'operator',
  permission: 'deliveries:read',
  sites: allSites,
  tag,
  summary: 'Report notifications',
  description: `Counts by application, over a span of days (UTC): notifications that were delivered, attempts after the first one, attempts that failed, and notifications that were lost. \`pending\` and \`oldest_pending\` are about now: notifications that wait for a retry, and when the oldest of them was received. Attempts are kept for a limited time. Applications without any are left out. ${span}`,
  refuses: { bad_request: 'to: expected a day from `from` on, at most 366 days' },
  query: Type.Object({
    from: spanParameters.from,
    to: spanParameters.to,
    format: spanParameters.format,
  }),
  answers: { 200: reportOf(DeliveriesReportRow) },
  async handle({ db }, { query }) {
    const rows = await reportDeliveries(db, { ...spanOf(query), limit: maxRows + 1 })
    return reportAnswer(
      DeliveriesReportRow,
      query.format,
      rows.map((row) => ({
        application_id: row.applicationId,
        name: row.name,
        delivered: row.delivered,
        retries: row.retries,
        failed_attempts: row.failedAttempts,
        lost: row.lost,
        pending: row.pending,
        oldest_pending: timestamp(row.oldestPending),
      })),
    )
  },
})

/** Statuses of orders that were no sale. */
const leftOut = orderStatuses.filter((status) => isCancelled(status) || status === 'invalid')

function groupsOf(
  text: string | undefined,
  dimensions: readonly ReportDimension[],
): ReadonlySet<ReportDimension> {
  return new Set((parseList('group_by', text, dimensions) ?? ['day']) as ReportDimension[])
}

/** Returns the span of a request. Throws `bad_request` for one that is too long or ends before it begins. */
function spanOf(query: {
  from: string
  to: string
  site_id?: string
  seller?: number
}): ReportSpan {
  const from = startOf('from', query.from)
  const last = startOf('to', query.to)
  const days = (last.getTime() - from.getTime()) / dayMs + 1
  if (days < 1 || days > maxDays)
    throw badField('to', `a day from \`from\` on, at most ${maxDays} days`)
  return {
    from,
    to: new Date(last.getTime() + dayMs),
    siteId: query.site_id ?? null,
    sellerId: query.seller ?? null,
  }
}

function startOf(name: string, day: string): Date {
  const start = parseTimestamp(`${day}T00:00:00.000Z`)
  if (!start) throw badField(name, 'a day, such as 2026-03-10')
  return start
}

/** Answers with these rows as JSON or CSV. Throws `bad_request` if there are too many. */
function reportAnswer(
  { properties }: TObject,
  format: 'json' | 'csv' = 'json',
  rows: readonly object[],
): RouteResponse {
  if (rows.length > maxRows) {
    throw badField('to', `a span with at most ${maxRows} rows; shorten it or group by less`)
  }
  if (format === 'json') return ok({ rows })
  const names = Object.keys(properties)
  const cellsOf = makeCellReader(Object.fromEntries(names.map((name) => [name, name])))
  return {
    status: 200,
    text: csvRecords([names, ...rows.map(cellsOf)]),
    headers: { 'content-type': csvType },
  }
}

export const reportRoutes: Route[] = [getSales, getRefunds, getClaims, getDeliveries]
