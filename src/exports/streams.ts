import { type Static, type TObject, Type } from 'typebox'
import { claimStages, claimStatuses, claimTypes } from '../claims/claim.ts'
import type { OperatorPermission } from '../http/permissions.ts'
import { userStatuses } from '../identity/user.ts'
import { Bounded } from '../kernel/schema.ts'
import { shippingModes } from '../kernel/shipping-modes.ts'
import { fold } from '../kernel/text.ts'
import { listingStatuses } from '../listings/listing.ts'
import { messageStatuses } from '../messages/message.ts'
import { paymentStatuses } from '../orders/payment.ts'
import { OrderSearchQuery, parseOrderConditions } from '../orders/search/parameters.ts'
import type { Context } from '../platform/context.ts'
import { logisticTypes, shipmentStatuses } from '../shipments/shipment.ts'
import { claimExport } from './claims.ts'
import {
  buyerParameter,
  createdFilterOf,
  createdParameters,
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
import { shipmentExport } from './shipments.ts'
import { userExport } from './users.ts'

/** What an operator can export, and who may. */
export interface ExportStream<
  Q extends TObject = TObject,
  Filter = unknown,
  Key extends ExportKey = ExportKey,
> {
  permission: OperatorPermission
  kind: ExportKind<Filter, Key>
  /** The parameters that select entries. */
  filters: Q
  /** Parses the parameters. Throws `bad_request`. */
  filterOf(ctx: Pick<Context, 'db'>, query: Static<Q>): Promise<Filter>
}

/** Returns the stream. It only infers and checks the types, as `route` does. */
function stream<Q extends TObject, Filter, Key extends ExportKey>(
  definition: ExportStream<Q, Filter, Key>,
): ExportStream {
  return definition
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

const orders = stream({
  permission: 'exports:download',
  kind: orderExport,
  filters: Type.Object({
    seller: sellerParameter,
    buyer: buyerParameter,
    site_id: siteParameter,
    ...orderConditionParameters,
  }),
  async filterOf({ db }, query) {
    const { seller: sellerId = null, buyer: buyerId = null, site_id: siteId = null } = query
    const sellerIds =
      buyerId === null || sellerId !== null ? null : await listSellersOfBuyer(db, buyerId)
    return { ...parseOrderConditions(query), sellerId, buyerId, sellerIds, siteId }
  },
})

const payments = stream({
  permission: 'exports:download',
  kind: paymentExport,
  filters: Type.Object({
    seller: sellerParameter,
    site_id: siteParameter,
    status: oneOf(paymentStatuses),
    ...createdParameters,
  }),
  async filterOf(_, query) {
    return {
      sellerId: query.seller ?? null,
      siteId: query.site_id ?? null,
      statuses: parseList('status', query.status, paymentStatuses),
      created: createdFilterOf(query),
    }
  },
})

const shipments = stream({
  permission: 'exports:download',
  kind: shipmentExport,
  filters: Type.Object({
    seller: sellerParameter,
    buyer: buyerParameter,
    site_id: siteParameter,
    status: oneOf(shipmentStatuses),
    mode: oneOf(shippingModes),
    logistic_type: oneOf(logisticTypes),
    ...createdParameters,
    ...updatedParameters,
  }),
  async filterOf(_, query) {
    return {
      sellerId: query.seller ?? null,
      buyerId: query.buyer ?? null,
      siteId: query.site_id ?? null,
      statuses: parseList('status', query.status, shipmentStatuses),
      modes: parseList('mode', query.mode, shippingModes),
      logisticTypes: parseList('logistic_type', query.logistic_type, logisticTypes),
      created: createdFilterOf(query),
      updated: updatedFilterOf(query),
    }
  },
})

const listings = stream({
  permission: 'listings:read',
  kind: listingExport,
  filters: Type.Object({
    seller: sellerParameter,
    site_id: siteParameter,
    category: Type.Optional(
      Bounded(2_000, 'Only those of these leaf categories, separated by commas. Default: all'),
    ),
    status: oneOf(listingStatuses),
    ...createdParameters,
    ...updatedParameters,
  }),
  async filterOf(_, query) {
    return {
      sellerId: query.seller ?? null,
      siteId: query.site_id ?? null,
      categoryIds: parseTexts(query.category),
      statuses: parseList('status', query.status, listingStatuses),
      created: createdFilterOf(query),
      updated: updatedFilterOf(query),
    }
  },
})

const users = stream({
  permission: 'personal-data:export',
  kind: userExport,
  filters: Type.Object({
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
  async filterOf(_, query) {
    return {
      siteId: query.site_id ?? null,
      prefix: query.nickname === undefined ? null : fold(query.nickname),
      statuses: parseList('status', query.status, userStatuses),
      created: createdFilterOf(query),
      updated: updatedFilterOf(query),
    }
  },
})

const claims = stream({
  permission: 'exports:download',
  kind: claimExport,
  filters: Type.Object({
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
  async filterOf(_, query) {
    return {
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
  },
})

const messages = stream({
  permission: 'personal-data:export',
  kind: messageExport,
  filters: Type.Object({
    seller: sellerParameter,
    buyer: buyerParameter,
    site_id: siteParameter,
    status: oneOf(messageStatuses),
    ...createdParameters,
  }),
  async filterOf(_, query) {
    return {
      sellerId: query.seller ?? null,
      buyerId: query.buyer ?? null,
      siteId: query.site_id ?? null,
      statuses: parseList('status', query.status, messageStatuses),
      created: createdFilterOf(query),
    }
  },
})

export const exportStreamNames = [
  'orders',
  'payments',
  'shipments',
  'listings',
  'users',
  'claims',
  'messages',
] as const
export type ExportStreamName = (typeof exportStreamNames)[number]

/** Every stream, by its name. */
export const exportStreams: Readonly<Record<ExportStreamName, ExportStream>> = {
  orders,
  payments,
  shipments,
  listings,
  users,
  claims,
  messages,
}
