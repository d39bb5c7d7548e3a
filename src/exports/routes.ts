import type { IncomingHttpHeaders } from 'node:http'
import { type TSchema, Type } from 'typebox'
import { claimStages, claimStatuses, claimTypes } from '../claims/claim.ts'
import { ClaimAnswer } from '../claims/view.ts'
import { baseAddress } from '../http/address.ts'
import { type Route, type RouteResponse, route } from '../http/route.ts'
import { siteInQuery } from '../http/site-rule.ts'
import { userStatuses } from '../identity/user.ts'
import { UserAnswer } from '../identity/view.ts'
import { Bounded } from '../kernel/schema.ts'
import { shippingModes } from '../kernel/shipping-modes.ts'
import { fold } from '../kernel/text.ts'
import { listingStatuses } from '../listings/listing.ts'
import { ItemAnswer } from '../listings/view.ts'
import { messageStatuses } from '../messages/message.ts'
import { MessageAnswer } from '../messages/schemas.ts'
import { paymentStatuses } from '../orders/payment.ts'
import { OrderAnswer, PaymentAnswer } from '../orders/schemas.ts'
import { OrderSearchQuery, parseOrderConditions } from '../orders/search/parameters.ts'
import type { Context } from '../platform/context.ts'
import { WiderShipment } from '../shipments/schemas.ts'
import { logisticTypes, shipmentStatuses } from '../shipments/shipment.ts'
import { claimExport } from './claims.ts'
import {
  buyerParameter,
  createdFilterOf,
  createdParameters,
  exportParameters,
  oneOf,
  parseList,
  parseTexts,
  sellerParameter,
  siteParameter,
  updatedFilterOf,
  updatedParameters,
} from './filters.ts'
import type { ExportKey, ExportKind } from './kind.ts'
import { listingExport } from './listings.ts'
import { messageExport } from './messages.ts'
import { orderExport } from './orders.ts'
import { listSellersOfBuyer } from './orders-read-model.ts'
import { paymentExport } from './payments.ts'
import { type ExportFormat, entriesTrailer, runExport } from './run.ts'
import { shipmentExport } from './shipments.ts'
import {
  siteOfClaimExport,
  siteOfListingExport,
  siteOfMessageExport,
  siteOfOrderExport,
  siteOfPaymentExport,
  siteOfShipmentExport,
} from './site-rules.ts'
import { userExport } from './users.ts'

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

interface ExportRequest {
  query: { format?: ExportFormat; after?: string }
  headers: IncomingHttpHeaders
}

/** Runs the export that a request describes. */
function answer<Filter, Key extends ExportKey>(
  ctx: Context,
  kind: ExportKind<Filter, Key>,
  { query, headers, filter }: ExportRequest & { filter: Filter },
): Promise<RouteResponse> {
  const { format = 'ndjson', after } = query
  return runExport(ctx, kind, { format, after, filter, base: baseAddress(ctx.config, headers) })
}

/** The parameters of a search without those of its parties and of the page. */
const orderConditionParameters = Type.Omit(OrderSearchQuery, [
  'seller',
  'buyer',
  'sort',
  'limit',
  'offset',
  'search_type',
  'scroll_id',
  'display',
]).properties

const exportOrders = route({
  method: 'GET',
  url: '/operator/exports/orders',
  scope: 'operator',
  permission: 'exports:download',
  sites: siteOfOrderExport,
  tag,
  summary: 'Export orders',
  description: `Returns all orders that match the filters of \`/operator/orders/search\`, by seller and id. Without \`seller\`, cancelled orders are among them. ${download}`,
  refuses,
  mayBreakOff: true,
  isUnqueued: true,
  query: Type.Object({
    ...exportParameters,
    seller: sellerParameter,
    buyer: buyerParameter,
    site_id: siteParameter,
    ...orderConditionParameters,
  }),
  answers: answersOf(OrderAnswer),
  answerHeaders,
  async handle(ctx, { query, headers }) {
    const { seller: sellerId = null, buyer: buyerId = null, site_id: siteId = null } = query
    const sellerIds =
      buyerId === null || sellerId !== null ? null : await listSellersOfBuyer(ctx.db, buyerId)
    const filter = { ...parseOrderConditions(query), sellerId, buyerId, sellerIds, siteId }
    return answer(ctx, orderExport, { query, headers, filter })
  },
})

const exportPayments = route({
  method: 'GET',
  url: '/operator/exports/payments',
  scope: 'operator',
  permission: 'exports:download',
  sites: siteOfPaymentExport,
  tag,
  summary: 'Export payments',
  description: `Returns all payments, by seller, order and id. ${download}`,
  refuses,
  mayBreakOff: true,
  isUnqueued: true,
  query: Type.Object({
    ...exportParameters,
    seller: sellerParameter,
    site_id: siteParameter,
    status: oneOf(paymentStatuses),
    ...createdParameters,
  }),
  answers: answersOf(PaymentAnswer),
  answerHeaders,
  async handle(ctx, { query, headers }) {
    const filter = {
      sellerId: query.seller ?? null,
      siteId: query.site_id ?? null,
      statuses: parseList('status', query.status, paymentStatuses),
      created: createdFilterOf(query),
    }
    return answer(ctx, paymentExport, { query, headers, filter })
  },
})

const exportShipments = route({
  method: 'GET',
  url: '/operator/exports/shipments',
  scope: 'operator',
  permission: 'exports:download',
  sites: siteOfShipmentExport,
  tag,
  summary: 'Export shipments',
  description: `Returns all shipments in the wider format, by seller and id. ${download}`,
  refuses,
  mayBreakOff: true,
  isUnqueued: true,
  query: Type.Object({
    ...exportParameters,
    seller: sellerParameter,
    buyer: buyerParameter,
    site_id: siteParameter,
    status: oneOf(shipmentStatuses),
    mode: oneOf(shippingModes),
    logistic_type: oneOf(logisticTypes),
    ...createdParameters,
    ...updatedParameters,
  }),
  answers: answersOf(WiderShipment),
  answerHeaders,
  async handle(ctx, { query, headers }) {
    const filter = {
      sellerId: query.seller ?? null,
      buyerId: query.buyer ?? null,
      siteId: query.site_id ?? null,
      statuses: parseList('status', query.status, shipmentStatuses),
      modes: parseList('mode', query.mode, shippingModes),
      logisticTypes: parseList('logistic_type', query.logistic_type, logisticTypes),
      created: createdFilterOf(query),
      updated: updatedFilterOf(query),
    }
    return answer(ctx, shipmentExport, { query, headers, filter })
  },
})

const exportListings = route({
  method: 'GET',
  url: '/operator/exports/listings',
  scope: 'operator',
  permission: 'listings:read',
  sites: siteOfListingExport,
  tag,
  summary: 'Export listings',
  description: `Returns all listings as their sellers read them, deleted ones included, by seller and id. ${download}`,
  refuses,
  mayBreakOff: true,
  isUnqueued: true,
  query: Type.Object({
    ...exportParameters,
    seller: sellerParameter,
    site_id: siteParameter,
    category: Type.Optional(
      Bounded(2_000, 'Only those of these leaf categories, separated by commas. Default: all'),
    ),
    status: oneOf(listingStatuses),
    ...createdParameters,
    ...updatedParameters,
  }),
  answers: answersOf(ItemAnswer),
  answerHeaders,
  async handle(ctx, { query, headers }) {
    const filter = {
      sellerId: query.seller ?? null,
      siteId: query.site_id ?? null,
      categoryIds: parseTexts(query.category),
      statuses: parseList('status', query.status, listingStatuses),
      created: createdFilterOf(query),
      updated: updatedFilterOf(query),
    }
    return answer(ctx, listingExport, { query, headers, filter })
  },
})

const exportUsers = route({
  method: 'GET',
  url: '/operator/exports/users',
  scope: 'operator',
  permission: 'personal-data:export',
  sites: siteInQuery,
  tag,
  summary: 'Export users',
  description: `Returns all users as \`/operator/users\` does, by id. ${download}`,
  refuses,
  mayBreakOff: true,
  isUnqueued: true,
  query: Type.Object({
    ...exportParameters,
    site_id: siteParameter,
    nickname: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 60,
        description:
          'Beginning of the nickname, in any case and with or without accents. Default: all',
      }),
    ),
    status: oneOf(userStatuses),
    ...createdParameters,
    ...updatedParameters,
  }),
  answers: answersOf(UserAnswer),
  answerHeaders,
  async handle(ctx, { query, headers }) {
    const filter = {
      siteId: query.site_id ?? null,
      prefix: query.nickname === undefined ? null : fold(query.nickname),
      statuses: parseList('status', query.status, userStatuses),
      created: createdFilterOf(query),
      updated: updatedFilterOf(query),
    }
    return answer(ctx, userExport, { query, headers, filter })
  },
})

const exportClaims = route({
  method: 'GET',
  url: '/operator/exports/claims',
  scope: 'operator',
  permission: 'exports:download',
  sites: siteOfClaimExport,
  tag,
  summary: 'Export claims',
  description: `Returns all claims, by seller and id. ${download}`,
  refuses,
  mayBreakOff: true,
  isUnqueued: true,
  query: Type.Object({
    ...exportParameters,
    seller: sellerParameter,
    buyer: buyerParameter,
    site_id: siteParameter,
    status: oneOf(claimStatuses),
    type: oneOf(claimTypes),
    stage: oneOf(claimStages),
    reason: Type.Optional(Bounded(100, 'Only those with this reason (`reason_id`). Default: all')),
    ...createdParameters,
    ...updatedParameters,
  }),
  answers: answersOf(ClaimAnswer),
  answerHeaders,
  async handle(ctx, { query, headers }) {
    const filter = {
      sellerId: query.seller ?? null,
      buyerId: query.buyer ?? null,
      siteId: query.site_id ?? null,
      statuses: parseList('status', query.status, claimStatuses),
      types: parseList('type', query.type, claimTypes),
      stages: parseList('stage', query.stage, claimStages),
      reasonId: query.reason ?? null,
      created: createdFilterOf(query),
      updated: updatedFilterOf(query),
    }
    return answer(ctx, claimExport, { query, headers, filter })
  },
})

const exportMessages = route({
  method: 'GET',
  url: '/operator/exports/messages',
  scope: 'operator',
  permission: 'personal-data:export',
  sites: siteOfMessageExport,
  tag,
  summary: 'Export messages',
  description: `Returns all messages in the newer format, those that moderation holds back included, by seller, pack and id. ${download}`,
  refuses,
  mayBreakOff: true,
  isUnqueued: true,
  query: Type.Object({
    ...exportParameters,
    seller: sellerParameter,
    buyer: buyerParameter,
    site_id: siteParameter,
    status: oneOf(messageStatuses),
    ...createdParameters,
  }),
  answers: answersOf(MessageAnswer),
  answerHeaders,
  async handle(ctx, { query, headers }) {
    const filter = {
      sellerId: query.seller ?? null,
      buyerId: query.buyer ?? null,
      siteId: query.site_id ?? null,
      statuses: parseList('status', query.status, messageStatuses),
      created: createdFilterOf(query),
    }
    return answer(ctx, messageExport, { query, headers, filter })
  },
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
