import { type TSchema, Type } from 'typebox'
import { ClaimAnswer } from '../claims/view.ts'
import { baseAddress } from '../http/address.ts'
import { entriesTrailer } from '../http/export-stream.ts'
import { type Route, type RouteInput, type RouteResponse, route } from '../http/route.ts'
import { siteInQuery } from '../http/site-rule.ts'
import { UserAnswer } from '../identity/view.ts'
import { ItemAnswer } from '../listings/view.ts'
import { MessageAnswer } from '../messages/schemas.ts'
import { OrderAnswer, PaymentAnswer } from '../orders/schemas.ts'
import type { Context } from '../platform/context.ts'
import { WiderShipment } from '../shipments/schemas.ts'
import { exportParameters } from './filters.ts'
import { type ExportFormat, runExport } from './run.ts'
import {
  siteOfClaimExport,
  siteOfListingExport,
  siteOfMessageExport,
  siteOfOrderExport,
  siteOfPaymentExport,
  siteOfShipmentExport,
} from './site-rules.ts'
import { type ExportStream, exportStreams } from './streams.ts'

const tag = 'Operator: exports'
const download =
  'The answer is a stream of any length, in a stable order. It is complete if it ends without an error of the connection; the trailer `X-Feria-Entries` then has the number of entries. After a break, send the id of the last complete entry as `after`. 429 `too_many_exports`: the process runs as many exports as it may. 400 `bad_request`: a parameter is unknown or wrong, or the request is HTTP/1.0.'
const refuses = {
  too_many_exports: '4',
  bad_request: 'after: expected the id of the last entry that you have',
}

const answersOf = (line: TSchema): Record<number, TSchema> => ({
  200: { ...line, contentMediaType: 'application/x-ndjson' } as TSchema,
})
const answerHeaders = Type.Object({
  [entriesTrailer]: Type.String({
    description: 'A trailer: the number of entries. Only a complete answer has it',
  }),
})

const queryOf = ({ filters }: ExportStream) =>
  Type.Object({ ...exportParameters, ...filters.properties })

type ExportRequest = Pick<
  RouteInput<unknown, { format?: ExportFormat; after?: string }, unknown, 'operator'>,
  'query' | 'headers' | 'operator'
>

/** Runs the export that a request describes. */
async function answer(
  ctx: Context,
  { kind, filterOf }: ExportStream,
  { query, headers, operator }: ExportRequest,
): Promise<RouteResponse> {
  const { format = 'ndjson', after, ...filter } = query
  const input = { format, after, base: baseAddress(ctx.config, headers), operator }
  return runExport(ctx, kind, { ...input, filter: await filterOf(ctx, filter) })
}

const exportOrders = route({
  method: 'GET',
  url: '/operator/exports/orders',
  scope: 'operator',
  permission: exportStreams.orders.permission,
  sites: siteOfOrderExport,
  tag,
  summary: 'Export orders',
  description: `Returns all orders that match the filters of \`/operator/orders/search\`, by seller and id. Without \`seller\`, cancelled orders are among them. ${download}`,
  refuses,
  mayBreakOff: true,
  isUnqueued: true,
  query: queryOf(exportStreams.orders),
  answers: answersOf(OrderAnswer),
  answerHeaders,
  handle: (ctx, request) => answer(ctx, exportStreams.orders, request),
})

const exportPayments = route({
  method: 'GET',
  url: '/operator/exports/payments',
  scope: 'operator',
  permission: exportStreams.payments.permission,
  sites: siteOfPaymentExport,
  tag,
  summary: 'Export payments',
  description: `Returns all payments, by seller, order and id. ${download}`,
  refuses,
  mayBreakOff: true,
  isUnqueued: true,
  query: queryOf(exportStreams.payments),
  answers: answersOf(PaymentAnswer),
  answerHeaders,
  handle: (ctx, request) => answer(ctx, exportStreams.payments, request),
})

const exportShipments = route({
  method: 'GET',
  url: '/operator/exports/shipments',
  scope: 'operator',
  permission: exportStreams.shipments.permission,
  sites: siteOfShipmentExport,
  tag,
  summary: 'Export shipments',
  description: `Returns all shipments in the wider format, by seller and id. ${download}`,
  refuses,
  mayBreakOff: true,
  isUnqueued: true,
  query: queryOf(exportStreams.shipments),
  answers: answersOf(WiderShipment),
  answerHeaders,
  handle: (ctx, request) => answer(ctx, exportStreams.shipments, request),
})

const exportListings = route({
  method: 'GET',
  url: '/operator/exports/listings',
  scope: 'operator',
  permission: exportStreams.listings.permission,
  sites: siteOfListingExport,
  tag,
  summary: 'Export listings',
  description: `Returns all listings as their sellers read them, deleted ones included, by seller and id. ${download}`,
  refuses,
  mayBreakOff: true,
  isUnqueued: true,
  query: queryOf(exportStreams.listings),
  answers: answersOf(ItemAnswer),
  answerHeaders,
  handle: (ctx, request) => answer(ctx, exportStreams.listings, request),
})

const exportUsers = route({
  method: 'GET',
  url: '/operator/exports/users',
  scope: 'operator',
  permission: exportStreams.users.permission,
  sites: siteInQuery,
  tag,
  summary: 'Export users',
  description: `Returns all users as \`/operator/users\` does, by id. ${download}`,
  refuses,
  mayBreakOff: true,
  isUnqueued: true,
  query: queryOf(exportStreams.users),
  answers: answersOf(UserAnswer),
  answerHeaders,
  handle: (ctx, request) => answer(ctx, exportStreams.users, request),
})

const exportClaims = route({
  method: 'GET',
  url: '/operator/exports/claims',
  scope: 'operator',
  permission: exportStreams.claims.permission,
  sites: siteOfClaimExport,
  tag,
  summary: 'Export claims',
  description: `Returns all claims, by seller and id. ${download}`,
  refuses,
  mayBreakOff: true,
  isUnqueued: true,
  query: queryOf(exportStreams.claims),
  answers: answersOf(ClaimAnswer),
  answerHeaders,
  handle: (ctx, request) => answer(ctx, exportStreams.claims, request),
})

const exportMessages = route({
  method: 'GET',
  url: '/operator/exports/messages',
  scope: 'operator',
  permission: exportStreams.messages.permission,
  sites: siteOfMessageExport,
  tag,
  summary: 'Export messages',
  description: `Returns all messages in the newer format, those that moderation holds back included, by seller, pack and id. ${download}`,
  refuses,
  mayBreakOff: true,
  isUnqueued: true,
  query: queryOf(exportStreams.messages),
  answers: answersOf(MessageAnswer),
  answerHeaders,
  handle: (ctx, request) => answer(ctx, exportStreams.messages, request),
})

export const exportRoutes: Route[] = [
  exportOrders,
  exportPayments,
  exportShipments,
  exportListings,
  exportUsers,
  exportClaims,
  exportMessages,
]
