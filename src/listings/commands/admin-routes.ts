import { type Static, Type } from 'typebox'
import { created, ok, type Route, route } from '../../http/route.ts'
import { everyRule, siteInBody } from '../../http/site-rule.ts'
import { refuseErasedUsers } from '../../identity/erase.ts'
import { findUser } from '../../identity/store.ts'
import { badField, Failure } from '../../kernel/failure.ts'
import { itemConditions } from '../../kernel/item-conditions.ts'
import { decimalPlacesOf, fitsCurrency } from '../../kernel/money.ts'
import { Currency, Id, Money, OrNull, Site, StrictObject, Text } from '../../kernel/schema.ts'
import { shippingModes } from '../../kernel/shipping-modes.ts'
import { verticals } from '../../kernel/verticals.ts'
import {
  type ItemAttribute,
  type Listing,
  listingDefaults,
  listingStatuses,
  noVariation,
  type SellerContact,
  subStatuses,
} from '../listing.ts'
import { categoryOfItem, sellerOfItem, siteOfItem } from '../site-rules.ts'
import { findListings, itemOwners, lockListing } from '../store.ts'
import { commitListing } from './commands.ts'
import { stateOfListing, versionedListing } from './versioned-listing.ts'

export const Quantity = Type.Integer({ minimum: 0, maximum: 1_000_000_000 })
const Attribute = StrictObject({
  id: Text(60),
  name: Text(120),
  value_id: Type.Optional(OrNull(Text(60))),
  value_name: Text(120),
})

export const PictureId = Type.String({
  pattern: '^[0-9A-Za-z_-]{1,80}$',
  description: 'Letters, digits, - and _.',
})
export const Url = Type.String({ format: 'http-url', maxLength: 2048 })

const ContactBody = StrictObject({
  contact: Type.Optional(OrNull(Text(120))),
  area_code: Type.Optional(OrNull(Text(10))),
  phone: Type.Optional(OrNull(Text(40))),
  email: Type.Optional(OrNull(Text(120))),
})
const CoverageBody = Type.Array(Text(120), { maxItems: 200 })

/** The body by which the operator registers a listing. */
export const OperatorItemBody = StrictObject({
  seller_id: Id,
  site_id: Site,
  title: Text(200),
  subtitle: Type.Optional(OrNull(Text(200))),
  category_id: Text(40),
  vertical: Type.Optional(Type.Enum([...verticals])),
  currency_id: Currency,
  price: Money,
  available_quantity: Type.Optional(Quantity),
  variations: Type.Optional(
    Type.Array(
      StrictObject({
        id: Id,
        available_quantity: Quantity,
        attributes: Type.Optional(Type.Array(Attribute, { maxItems: 20 })),
        seller_sku: Type.Optional(OrNull(Text(120))),
      }),
      { minItems: 1, maxItems: 250 },
    ),
  ),
  status: Type.Optional(Type.Enum([...listingStatuses])),
  sub_status: Type.Optional(Type.Array(Type.Enum([...subStatuses]), { maxItems: 4 })),
  condition: Type.Optional(Type.Enum([...itemConditions])),
  listing_type_id: Type.Optional(Text(40)),
  warranty: Type.Optional(OrNull(Text(200))),
  seller_custom_field: Type.Optional(OrNull(Text(120))),
  seller_sku: Type.Optional(OrNull(Text(120))),
  manufacturing_days: Type.Optional(OrNull(Type.Integer({ minimum: 0, maximum: 365 }))),
  permalink: Type.Optional(OrNull(Url)),
  pictures: Type.Optional(Type.Array(StrictObject({ id: PictureId, url: Url }), { maxItems: 30 })),
  attributes: Type.Optional(Type.Array(Attribute, { maxItems: 100 })),
  shipping: Type.Optional(
    StrictObject({
      mode: Type.Enum([...shippingModes]),
      free_shipping: Type.Optional(Type.Boolean()),
      local_pick_up: Type.Optional(Type.Boolean()),
    }),
  ),
  seller_contact: Type.Optional(OrNull(ContactBody)),
  coverage_areas: Type.Optional(CoverageBody),
})

export type OperatorItemBody = Static<typeof OperatorItemBody>

/** Returns the listing of an operator's body. Throws a `bad_request` that names the field. */
export function listingOf(id: string, body: OperatorItemBody): Listing {
  if (!new RegExp(`^${body.site_id}[1-9][0-9]{0,14}$`).test(id)) {
    throw badField('id', `${body.site_id} and a number, such as ${body.site_id}600000001`)
  }
  if (!fitsCurrency(body.price, body.currency_id)) {
    throw badField('price', `at most ${decimalPlacesOf(body.currency_id)} decimal places`)
  }
  if ((body.available_quantity === undefined) === (body.variations === undefined)) {
    throw badField('available_quantity', 'this field or variations, one of the two')
  }
  refuseDuplicateIds('variations', 'variation', body.variations)
  refuseDuplicateIds('pictures', 'picture', body.pictures)
  return {
    id,
    sellerId: body.seller_id,
    siteId: body.site_id,
    title: body.title,
    categoryId: body.category_id,
    vertical: body.vertical ?? listingDefaults.vertical,
    currencyId: body.currency_id,
    price: String(body.price),
    status: body.status ?? 'active',
    ...(body.sub_status?.length ? { subStatus: [...new Set(body.sub_status)] } : {}),
    condition: body.condition ?? 'new',
    listingTypeId: body.listing_type_id ?? 'gold_special',
    warranty: body.warranty ?? null,
    sellerCustomField: body.seller_custom_field ?? null,
    sellerSku: body.seller_sku ?? null,
    manufacturingDays: body.manufacturing_days ?? null,
    subtitle: body.subtitle ?? listingDefaults.subtitle,
    permalink: body.permalink ?? listingDefaults.permalink,
    pictures: body.pictures ?? listingDefaults.pictures,
    attributes: (body.attributes ?? listingDefaults.attributes).map(attributeOf),
    shipping: { ...listingDefaults.shipping, ...body.shipping },
    sellerContact: contactOf(body.seller_contact),
    coverageAreas: body.coverage_areas ?? listingDefaults.coverageAreas,
    publication: listingDefaults.publication,
    stock: (
      body.variations ?? [{ id: noVariation, available_quantity: body.available_quantity ?? 0 }]
    ).map((variation) => ({
      variationId: variation.id,
      availableQuantity: variation.available_quantity,
      attributes: ('attributes' in variation ? (variation.attributes ?? []) : []).map(attributeOf),
      sellerSku:
        ('seller_sku' in variation ? variation.seller_sku : undefined) ?? body.seller_sku ?? null,
    })),
  }
}

/**
 * Returns the operator's listing with the stored fields that only a seller can set (`POST /items`). These are the
 * publication, further fields of `shipping`, and the details of remaining variations. Variations lose pictures that
 * the listing lost.
 */
function withSellersFields(listing: Listing, before: Listing): Listing {
  const pictureIds = new Set(listing.pictures.map(({ id }) => id))
  const detailsBefore = new Map(before.stock.map((stock) => [stock.variationId, stock.details]))
  return {
    ...listing,
    publication: before.publication,
    shipping: { ...before.shipping, ...listing.shipping },
    stock: listing.stock.map((stock) => {
      const details = detailsBefore.get(stock.variationId)
      if (!details) return stock
      const picture_ids = details.picture_ids.filter((id) => pictureIds.has(id))
      return { ...stock, details: { ...details, picture_ids } }
    }),
  }
}

/** Returns the contact with null for missing fields. */
export function contactOf(
  contact: Static<typeof ContactBody> | null | undefined,
): SellerContact | null {
  return contact ? { contact: null, area_code: null, phone: null, email: null, ...contact } : null
}

function attributeOf(attribute: Static<typeof Attribute>): ItemAttribute {
  return { ...attribute, value_id: attribute.value_id ?? null }
}

function refuseDuplicateIds(
  field: string,
  entity: string,
  entries: readonly { id: string | number }[] = [],
): void {
  for (const [index, { id }] of entries.entries()) {
    if (entries.findIndex((entry) => entry.id === id) !== index) {
      throw badField(`${field}[${index}].id`, `an id that no ${entity} before it has`)
    }
  }
}

const StockAnswer = Type.Object({
  id: Type.String(),
  seller_id: Id,
  title: Type.String(),
  stock: Type.Array(
    Type.Object({
      variation_id: OrNull({ ...Id, description: 'Id of the variation. Null without variations' }),
      available_quantity: Type.Integer({ description: 'Units that can be bought now' }),
    }),
  ),
})

const putItem = route({
  method: 'PUT',
  url: '/operator/items/:id',
  scope: 'operator',
  permission: 'listings:write',
  sites: everyRule(siteInBody, sellerOfItem, categoryOfItem),
  audits: 'listing',
  versioned: versionedListing,
  tag: 'Operator: listings',
  summary: 'Register or replace a listing',
  description:
    'Saves a listing with its stock: `available_quantity` of the listing or of each of its `variations`, never both. It is not checked against its category, unlike what sellers list with `POST /items`; operators who are limited to sites choose one of the same site. Fields that only a seller can set are kept: the publication (`sale_terms`, `location`, `channels` and others) and the further fields of `shipping`. Variations that keep their id keep their attributes, codes and pictures. Sales of another `vertical` than `core` (the default) send no notifications on the topics `orders`, `created_orders`, `payments` and `messages`. 400 `bad_request`: a field has a wrong value. 409 `id_taken`: the id belongs to another seller. 409 `user_erased`: the seller was erased.',
  refuses: {
    bad_request: 'seller_id: expected a registered user',
    user_erased: '468424240',
    id_taken: "id: expected an id of this seller's, MLA600000001 is another's",
  },
  params: Type.Object({ id: Type.String() }),
  body: OperatorItemBody,
  answers: { 200: StockAnswer, 201: StockAnswer },
  async handle(ctx, { params, body }) {
    const { audit, config, db, now } = ctx
    const { catalog } = ctx.catalog.served
    const listing = listingOf(params.id, body)
    if (!(await findUser(db, body.seller_id))) throw badField('seller_id', 'a registered user')
    await refuseErasedUsers(db, [body.seller_id])
    const at = now()
    const committed = await db.transaction(async (tx) => {
      const { id, sellerId } = listing
      // Null when the id belongs to another seller: `commitListing` then throws `id_taken`.
      const before = await itemOwners.findRow(tx, id, async (owner) =>
        owner.sellerId === sellerId ? lockListing(tx, { sellerId, id }) : null,
      )
      const merged = before ? withSellersFields(listing, before) : listing
      audit.change({
        before: before ? auditedListing(before) : null,
        after: auditedListing(merged),
      })
      if (before?.title !== merged.title) {
        audit.personal(sellerId, {
          before: before ? { title: before.title } : null,
          after: { title: merged.title },
        })
      }
      return commitListing(tx, { listing: merged, at, catalog, factors: config.search.factors })
    })
    const view = {
      id: listing.id,
      seller_id: listing.sellerId,
      title: listing.title,
      stock: stockView(listing),
    }
    return committed === 'new' ? created(view) : ok(view)
  },
})

const getItem = route({
  method: 'GET',
  url: '/operator/items/:id',
  scope: 'operator',
  permission: 'listings:read',
  sites: siteOfItem,
  versioned: versionedListing,
  tag: 'Operator: listings',
  summary: 'Get the stock of a listing',
  description:
    'Returns the title of a listing and the available quantity of each variation. A listing without variations has one entry, with `variation_id` null. Send the seller too: items are stored by seller. 404 `not_found`: the seller has no such item.',
  refuses: { not_found: 'Item not found: MLA600000001' },
  params: Type.Object({ id: Type.String() }),
  query: Type.Object({ seller_id: Id }),
  answers: { 200: StockAnswer },
  async handle({ db }, { params, query }) {
    const listings = await findListings(db, { sellerId: query.seller_id, ids: [params.id] })
    const listing = listings.get(params.id)
    if (!listing) throw new Failure('not_found', `Item not found: ${params.id}`)
    const view = {
      id: listing.id,
      seller_id: listing.sellerId,
      title: listing.title,
      stock: stockView(listing),
    }
    return { ...ok(view), state: stateOfListing(listing) }
  },
})

/** Returns the fields of a listing that the audit log compares. */
function auditedListing(listing: Listing): object {
  const { sellerId, categoryId, currencyId, price, status, stock } = listing
  return {
    seller_id: sellerId,
    category_id: categoryId,
    currency_id: currencyId,
    // As a number: the database returns decimal places that a body may leave out.
    price: price && Number(price),
    status,
    stock: stock.map(({ variationId, availableQuantity }) => ({
      variation_id: variationId === noVariation ? null : variationId,
      available_quantity: availableQuantity,
    })),
  }
}

function stockView(listing: Listing): object[] {
  return listing.stock.map((stock) => ({
    variation_id: stock.variationId === noVariation ? null : stock.variationId,
    available_quantity: stock.availableQuantity,
  }))
}

export const listingsAdminRoutes: Route[] = [putItem, getItem]
