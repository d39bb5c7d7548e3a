import { type Static, Type } from 'typebox'
import { itemConditions } from '../catalog/conditions.ts'
import { servedCatalogOf } from '../catalog/open.ts'
import { verticals } from '../catalog/verticals.ts'
import { created, ok, type Route, route } from '../http/route.ts'
import { findUser } from '../identity/store.ts'
import { badField, Failure } from '../kernel/failure.ts'
import { fitsCurrency, placesOf } from '../kernel/money.ts'
import { Currency, Id, Money, OrNull, Site, Strict, Text } from '../kernel/schema.ts'
import { shippingModes } from '../kernel/shipping-modes.ts'
import { commitListing } from './commands.ts'
import {
  type Listing,
  listingStatuses,
  noVariation,
  plainListing,
  type SellerContact,
  subStatuses,
  type VariationAttribute,
} from './listing.ts'
import { findListings, itemOwners, lockListing } from './store.ts'

export const Quantity = Type.Integer({ minimum: 0, maximum: 1_000_000_000 })
const Attribute = Strict({
  id: Text(60),
  name: Text(120),
  value_id: Type.Optional(OrNull(Text(60))),
  value_name: Text(120),
})

export const PictureId = Type.String({
  pattern: '^[0-9A-Za-z_-]{1,80}$',
  description: 'letters, digits, - and _',
})
export const Url = Type.String({ format: 'http-url', maxLength: 2048 })

const ContactBody = Strict({
  contact: Type.Optional(OrNull(Text(120))),
  area_code: Type.Optional(OrNull(Text(10))),
  phone: Type.Optional(OrNull(Text(40))),
  email: Type.Optional(OrNull(Text(120))),
})
const CoverageBody = Type.Array(Text(120), { maxItems: 200 })

/** What the operator says of a listing. */
export const ItemBody = Strict({
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
      Strict({
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
  pictures: Type.Optional(Type.Array(Strict({ id: PictureId, url: Url }), { maxItems: 30 })),
  attributes: Type.Optional(Type.Array(Attribute, { maxItems: 100 })),
  shipping: Type.Optional(
    Strict({
      mode: Type.Enum([...shippingModes]),
      free_shipping: Type.Optional(Type.Boolean()),
      local_pick_up: Type.Optional(Type.Boolean()),
    }),
  ),
  seller_contact: Type.Optional(OrNull(ContactBody)),
  coverage_areas: Type.Optional(CoverageBody),
})

export type ItemBody = Static<typeof ItemBody>

/** The listing that the operator's words make. Throws a `bad_request` that names the field. */
export function listingOf(id: string, body: ItemBody): Listing {
  if (!new RegExp(`^${body.site_id}[1-9][0-9]{0,14}$`).test(id)) {
    throw badField('id', `${body.site_id} and a number, such as ${body.site_id}600000001`)
  }
  if (!fitsCurrency(body.price, body.currency_id)) {
    throw badField('price', `at most ${placesOf(body.currency_id)} decimal places`)
  }
  if ((body.available_quantity === undefined) === (body.variations === undefined)) {
    throw badField('available_quantity', 'this field or variations, one of the two')
  }
  refuseTwins('variations', 'variation', body.variations)
  refuseTwins('pictures', 'picture', body.pictures)
  return {
    id,
    sellerId: body.seller_id,
    siteId: body.site_id,
    title: body.title,
    categoryId: body.category_id,
    vertical: body.vertical ?? plainListing.vertical,
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
    subtitle: body.subtitle ?? plainListing.subtitle,
    permalink: body.permalink ?? plainListing.permalink,
    pictures: body.pictures ?? plainListing.pictures,
    attributes: (body.attributes ?? plainListing.attributes).map(attributeOf),
    shipping: { ...plainListing.shipping, ...body.shipping },
    sellerContact: contactOf(body.seller_contact),
    coverageAreas: body.coverage_areas ?? plainListing.coverageAreas,
    publication: plainListing.publication,
    stock: (
      body.variations ?? [{ id: noVariation, available_quantity: body.available_quantity ?? 0 }]
    ).map((each) => ({
      variationId: each.id,
      availableQuantity: each.available_quantity,
      attributes: ('attributes' in each ? (each.attributes ?? []) : []).map(attributeOf),
      sellerSku: ('seller_sku' in each ? each.seller_sku : undefined) ?? body.seller_sku ?? null,
    })),
  }
}

/**
 * Returns the operator's listing with what only a seller can say of it (`POST /items`): how the item is published,
 * the further fields of `shipping`, and the details of variations that are still there. A picture that the listing
 * no longer has leaves its variations too.
 */
export function withSellersFields(listing: Listing, before: Listing): Listing {
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

/** Whom to talk to; what was not said is null. */
export function contactOf(
  said: Static<typeof ContactBody> | null | undefined,
): SellerContact | null {
  return said ? { contact: null, area_code: null, phone: null, email: null, ...said } : null
}

function attributeOf(said: Static<typeof Attribute>): VariationAttribute {
  return { ...said, value_id: said.value_id ?? null }
}

function refuseTwins(
  field: string,
  what: string,
  all: readonly { id: string | number }[] = [],
): void {
  for (const [index, { id }] of all.entries()) {
    if (all.findIndex((each) => each.id === id) !== index) {
      throw badField(`${field}[${index}].id`, `an id that no ${what} before it has`)
    }
  }
}

const putItem = route({
  method: 'PUT',
  url: '/operator/items/:id',
  scope: 'operator',
  tag: 'Operator: listings',
  summary: 'Register a listing with its stock, or replace it',
  description:
    'Stock is `available_quantity` of the listing, or of each of its `variations`, never both. `vertical` is `core` unless it says otherwise: sales of the other three send no notifications on the topics `orders`, `created_orders`, `payments` and `messages`. The operator is trusted: unlike what a seller lists (`POST /items`), it is checked against no category. What only a seller can say stays: how the item is published (`sale_terms`, `location`, `channels` and others), the further fields of `shipping`, and the attributes, codes and pictures of variations that keep their id.',
  params: Type.Object({ id: Type.String() }),
  body: ItemBody,
  answers: { 200: Type.Object({ id: Type.String() }), 201: Type.Object({ id: Type.String() }) },
  async handle(ctx, { params, body }) {
    const { db, now } = ctx
    const { catalog } = servedCatalogOf(ctx)
    const listing = listingOf(params.id, body)
    if (!(await findUser(db, body.seller_id))) throw badField('seller_id', 'a registered user')
    const at = now()
    const committed = await db.transaction(async (tx) => {
      const { id, sellerId } = listing
      // Null where the id is another seller's, which is refused below.
      const before = await itemOwners.findRow(tx, id, async (owner) =>
        owner.sellerId === sellerId ? lockListing(tx, { sellerId, id }) : null,
      )
      const merged = before ? withSellersFields(listing, before) : listing
      return commitListing(tx, { listing: merged, at, catalog })
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
  tag: 'Operator: listings',
  summary: 'A listing and what is left of it',
  params: Type.Object({ id: Type.String() }),
  query: Type.Object({ seller_id: Id }),
  answers: { 200: Type.Object({ id: Type.String() }) },
  async handle({ db }, { params, query }) {
    const found = await findListings(db, { sellerId: query.seller_id, ids: [params.id] })
    const listing = found.get(params.id)
    if (!listing) throw new Failure('not_found', `Item not found: ${params.id}`)
    return ok({
      id: listing.id,
      seller_id: listing.sellerId,
      title: listing.title,
      stock: stockView(listing),
    })
  },
})

function stockView(listing: Listing): object[] {
  return listing.stock.map((each) => ({
    variation_id: each.variationId === noVariation ? null : each.variationId,
    available_quantity: each.availableQuantity,
  }))
}

export const listingsAdminRoutes: Route[] = [putItem, getItem]
