import { isDeepStrictEqual } from 'node:util'
import { type Static, Type } from 'typebox'
import { recordChanges } from '../../changes/record.ts'
import { created, ok, type Route, route } from '../../http/route.ts'
import { refuseErasedUsers } from '../../identity/erase.ts'
import { findUser } from '../../identity/store.ts'
import { parseTimestamp, timestamp } from '../../kernel/clock.ts'
import { badField } from '../../kernel/failure.ts'
import { pathId } from '../../kernel/ids.ts'
import { decimalPlacesOf, fitsCurrency } from '../../kernel/money.ts'
import {
  Currency,
  Id,
  IdText,
  Money,
  OrNull,
  StrictObject,
  Text,
  Timestamp,
} from '../../kernel/schema.ts'
import type { Context } from '../../platform/context.ts'
import type { Listing } from '../listing.ts'
import { findListing } from '../store.ts'
import { checkQuotable, type Quotation, quotationStatuses, quotationTaken } from './quotation.ts'
import { QuotationAnswer, quotationOrFail, quotationView } from './routes.ts'
import { siteOfQuotation, siteOfSavedQuotation } from './site-rules.ts'
import { findQuotation, quotationOwners, type SavedQuotation, saveQuotation } from './store.ts'
import { versionedQuotation } from './versioned-quotation.ts'

const tag = 'Operator: listings'
const url = '/operator/quotations/:quotation_id'
const params = Type.Object({ quotation_id: IdText })

const QuotationBody = StrictObject({
  item_id: Text(40),
  user_id: Type.Optional(OrNull(Id)),
  status: Type.Optional(Type.Enum([...quotationStatuses])),
  price: Type.Optional(OrNull(Money)),
  currency_id: Type.Optional(Currency),
  contact: Type.Optional(
    StrictObject({
      name: Type.Optional(OrNull(Text(120))),
      email: Type.Optional(OrNull(Text(254))),
      phone: Type.Optional(OrNull(Text(40))),
    }),
  ),
  comments: Type.Optional(OrNull(Text(2_000))),
  expiration_date: Type.Optional(OrNull(Timestamp)),
})

const putQuotation = route({
  method: 'PUT',
  url,
  scope: 'operator',
  permission: 'listings:write',
  sites: siteOfSavedQuotation,
  audits: 'quotation',
  versioned: versionedQuotation,
  tag,
  summary: 'Register or replace a quotation',
  description:
    'Saves a quotation for a real estate item on the site MLC. When something changes, the seller of the item is notified on the topic `quotations`. `user_id` is the user who asked for it; leave it out for somebody without an account. 400 `bad_request`: a field has a wrong value. 409 `id_taken`: the id belongs to a quotation of another seller. 409 `user_erased`: the seller or the user was erased.',
  refuses: {
    bad_request: 'item_id: expected a registered item',
    id_taken: "quotation_id: expected a quotation of this seller's, 7000001 is another's",
    user_erased: '1001',
  },
  params,
  body: QuotationBody,
  answers: { 200: QuotationAnswer, 201: QuotationAnswer },
  async handle({ audit, db, now }, { params, body }) {
    const id = pathId('quotation_id', params.quotation_id)
    const listing = await findListing(db, body.item_id)
    if (!listing) throw badField('item_id', 'a registered item')
    checkQuotable(listing)
    if (body.user_id && !(await findUser(db, body.user_id))) {
      throw badField('user_id', 'a registered user')
    }
    await refuseErasedUsers(db, [listing.sellerId, ...(body.user_id ? [body.user_id] : [])])
    const quotation = quotationFromBody(id, body, listing)
    const isNew = await db.transaction(async (tx) => {
      const owner = await quotationOwners.claimLocked(tx, quotation)
      if (owner.sellerId !== quotation.sellerId) {
        throw quotationTaken(id)
      }
      const before = await findQuotation(tx, quotation)
      if (before && isSame(before, quotation)) return false
      auditQuotation(audit, before, quotation)
      const at = now()
      saveQuotation(tx, quotation, at)
      const { sellerId } = quotation
      const resource = `/quotations/${id}`
      recordChanges(tx, [{ topic: 'quotations', resource, userIds: [sellerId], sellerId, at }])
      return before === undefined
    })
    const saved = await quotationOrFail(db, id)
    return { ...(isNew ? created : ok)(quotationView(saved)), state: saved }
  },
})

/** Describes a change of a quotation for the audit log. The contact of somebody without an account is left out, because
 * nobody could have it erased. */
function auditQuotation(
  audit: Context['audit'],
  before: Quotation | undefined,
  after: Quotation,
): void {
  audit.relate('listing', after.itemId)
  if (after.userId !== null) audit.relate('user', after.userId)
  audit.change({ before: before ? auditedFields(before) : null, after: auditedFields(after) })
  if (after.userId !== null) {
    audit.personal(after.userId, {
      before: before ? { contact: before.contact, comments: before.comments } : null,
      after: { contact: after.contact, comments: after.comments },
    })
  }
}

function auditedFields({ itemId, userId, status, price, currencyId, expirationDate }: Quotation) {
  return {
    item_id: itemId,
    user_id: userId,
    status,
    price,
    currency_id: currencyId,
    expiration_date: expirationDate,
  }
}

/** Returns the quotation that a body describes, of this listing. The currency is that of the listing unless the
 * body has one. Throws a `bad_request` if the price does not fit its currency. */
function quotationFromBody(
  id: number,
  body: Static<typeof QuotationBody>,
  listing: Listing,
): Quotation {
  const currencyId = body.currency_id ?? listing.currencyId
  if (typeof body.price === 'number' && !fitsCurrency(body.price, currencyId)) {
    throw badField('price', `at most ${decimalPlacesOf(currencyId)} decimal places`)
  }
  return {
    id,
    sellerId: listing.sellerId,
    itemId: listing.id,
    userId: body.user_id ?? null,
    status: body.status ?? 'pending',
    price: body.price ?? null,
    currencyId,
    contact: { name: null, email: null, phone: null, ...body.contact },
    comments: body.comments ?? null,
    expirationDate: timestamp(parseTimestamp(body.expiration_date ?? '') ?? null),
  }
}

function isSame(saved: SavedQuotation, quotation: Quotation): boolean {
  const { dateCreated: _, lastUpdated: __, ...fields } = saved
  return isDeepStrictEqual(fields, { ...quotation })
}

const getQuotation = route({
  method: 'GET',
  url,
  scope: 'operator',
  permission: 'listings:read',
  sites: siteOfQuotation,
  versioned: versionedQuotation,
  tag,
  summary: 'Get a quotation',
  description: 'Returns a quotation. 404 `not_found`: there is no such quotation.',
  refuses: { not_found: 'Quotation not found: 7000001' },
  params,
  answers: { 200: QuotationAnswer },
  async handle({ db }, { params }) {
    const quotation = await quotationOrFail(db, pathId('quotation_id', params.quotation_id))
    return { ...ok(quotationView(quotation)), state: quotation }
  },
})

export const quotationsAdminRoutes: Route[] = [putQuotation, getQuotation]
