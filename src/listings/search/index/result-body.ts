import { timestamp } from '../../../kernel/clock.ts'
import { sites } from '../../../kernel/sites.ts'
import { isClassified, isSellerSku, type Listing } from '../../listing.ts'

/** `stop_time` is this many years after the listing was created. */
const lifeYears = 20

/**
 * Returns a listing as search results show it, without the quantities that sales change, as JSON without its opening
 * brace. Fields that Feria does not have are null or empty.
 */
export function resultBodyOf(listing: Listing, dateCreated: Date): string {
  const { id, siteId, sellerId, shipping, publication } = listing
  const visible = listing.attributes.filter((attribute) => !isSellerSku(attribute))
  const { country } = sites[siteId]
  const isForSale = !isClassified(listing)
  const unknownPlace = { id: '', name: '' }
  const card = {
    id,
    site_id: siteId,
    title: listing.title,
    seller: {
      id: sellerId,
      power_seller_status: null,
      car_dealer: listing.vertical === 'motors',
      real_estate_agency: listing.vertical === 'real_estate',
      tags: [],
    },
    price: listing.price === null ? null : Number(listing.price),
    currency_id: listing.currencyId,
    reservation_price: null,
    reservation_currency_id: null,
    buying_mode: isForSale ? 'buy_it_now' : 'classified',
    listing_type_id: listing.listingTypeId,
    stop_time: timestamp(stopTimeOf(dateCreated)),
    condition: listing.condition,
    permalink: listing.permalink,
    thumbnail: listing.pictures[0]?.url ?? null,
    accepts_platformpay: publication.accepts_platformpay ?? isForSale,
    installments: null,
    address: { state_id: '', state_name: '', city_id: '', city_name: '' },
    shipping: { free_shipping: shipping.free_shipping, mode: shipping.mode, tags: [] },
    seller_address: {
      id: null,
      comment: '',
      address_line: '',
      zip_code: '',
      country: { id: country, name: sites[siteId].name },
      state: unknownPlace,
      city: unknownPlace,
      latitude: null,
      longitude: null,
    },
    attributes: visible.map(({ id, name, value_id, value_name }) => ({
      attribute_group_id: 'MAIN',
      attribute_group_name: mainGroup[sites[siteId].language],
      id,
      name,
      value_id,
      value_name,
      value_struct: null,
    })),
    original_price: null,
    category_id: listing.categoryId,
    official_store_id: publication.official_store_id,
    catalog_product_id: publication.catalog_product_id,
    reviews: { rating_average: 0, total: 0 },
  }
  return JSON.stringify(card).slice(1)
}

const mainGroup = { es: 'Principales', pt: 'Principais' }

function stopTimeOf(from: Date): Date {
  const to = new Date(from)
  to.setUTCFullYear(Math.min(9999, to.getUTCFullYear() + lifeYears))
  return to
}
