import { Type } from 'typebox'
import { ok, type Route, route } from '../../http/route.ts'
import { timestamp } from '../../kernel/clock.ts'
import { pathId } from '../../kernel/ids.ts'
import { Id, OrNull, Timestamp } from '../../kernel/schema.ts'
import type { Db } from '../../platform/database/database.ts'
import {
  callerTypes,
  isReadBy,
  quotationNotFound,
  quotationSite,
  quotationStatuses,
} from './quotation.ts'
import { findQuotation, quotationOwners, type SavedQuotation } from './store.ts'

const TextOrNull = OrNull(Type.String())
export const QuotationAnswer = Type.Object({
  id: Id,
  site_id: Type.Literal(quotationSite),
  item_id: Type.String(),
  seller_id: Id,
  user_id: OrNull(Id),
  status: Type.Enum([...quotationStatuses]),
  price: OrNull(Type.Number()),
  currency_id: Type.String(),
  contact: Type.Object({ name: TextOrNull, email: TextOrNull, phone: TextOrNull }),
  comments: TextOrNull,
  expiration_date: OrNull(Timestamp),
  date_created: Timestamp,
  last_updated: Timestamp,
})

const getQuotation = route({
  method: 'GET',
  url: '/quotations/:quotation_id',
  scope: 'read',
  tag: 'Items',
  summary: 'Get a quotation',
  description:
    'Returns a quotation to the seller of its item, or with `caller.type=user` to the user who asked for it. Use it to read what a notification of the topic `quotations` names. 404 `not_found`: there is no such quotation, or you may not read it in this role.',
  refuses: { not_found: 'Quotation not found: 7000001' },
  params: Type.Object({ quotation_id: Type.String() }),
  query: Type.Object({
    'caller.type': Type.Optional(
      Type.Enum([...callerTypes], { description: 'Your role. Default: `seller`.' }),
    ),
  }),
  answers: { 200: QuotationAnswer },
  async handle({ reads }, { params, query, caller }) {
    const id = pathId('quotation_id', params.quotation_id)
    const quotation = await quotationOrFail(reads, id)
    const capacity = { reader: caller.userId, as: query['caller.type'] ?? 'seller' }
    if (!isReadBy(quotation, capacity)) throw quotationNotFound(id)
    return ok(quotationView(quotation))
  },
})

/** Returns the quotation of this id, whoever may read it. Throws `not_found`. */
export async function quotationOrFail(db: Db, id: number): Promise<SavedQuotation> {
  const quotation = await quotationOwners.findRow(db, id, (owner) =>
    findQuotation(db, { ...owner, id }),
  )
  if (!quotation) throw quotationNotFound(id)
  return quotation
}

/** Renders a quotation as the HTTP interface shows it. */
export function quotationView(quotation: SavedQuotation): object {
  return {
    id: quotation.id,
    site_id: quotationSite,
    item_id: quotation.itemId,
    seller_id: quotation.sellerId,
    user_id: quotation.userId,
    status: quotation.status,
    price: quotation.price,
    currency_id: quotation.currencyId,
    contact: quotation.contact,
    comments: quotation.comments,
    expiration_date: quotation.expirationDate,
    date_created: timestamp(quotation.dateCreated),
    last_updated: timestamp(quotation.lastUpdated),
  }
}

export const quotationRoutes: Route[] = [getQuotation]
