import { itemConditions } from '../../kernel/item-conditions.ts'
import { shippingModes } from '../../kernel/shipping-modes.ts'
import { type SiteId, sites } from '../../kernel/sites.ts'
import type { Vertical } from '../../kernel/verticals.ts'

/** The properties of a category on which its settings depend. */
export interface SettingsInput {
  vertical: Vertical
  siteId: SiteId
  /** Whether it has children. By default, listings are allowed only in leaf categories. */
  isParent: boolean
  domainId: string | null
  /** The settings of the category that differ from the defaults. */
  overrides: Readonly<Record<string, unknown>>
}

/** The default settings, in the order of the answer. */
const defaults = {
  adult_content: false,
  buying_allowed: true,
  buying_modes: ['buy_it_now'],
  catalog_domain: null,
  coverage_areas: 'not_allowed',
  currencies: [],
  fragile: false,
  immediate_payment: 'required',
  item_conditions: itemConditions,
  items_reviews_allowed: true,
  listing_allowed: true,
  max_description_length: 50_000,
  max_pictures_per_item: 12,
  max_pictures_per_item_var: 10,
  max_sub_title_length: 70,
  max_title_length: 60,
  maximum_price: null,
  minimum_price: null,
  mirror_category: null,
  mirror_master_category: null,
  mirror_slave_categories: [],
  price: 'required',
  reservation_allowed: 'not_allowed',
  restrictions: [],
  rounded_address: false,
  seller_contact: 'not_allowed',
  shipping_modes: shippingModes,
  shipping_options: ['carrier', 'custom'],
  shipping_profile: 'optional',
  show_contact_information: false,
  simple_shipping: 'optional',
  stock: 'required',
  sub_vertical: null,
  subscribable: false,
  tags: [],
  vertical: 'core',
  vip_subdomain: 'articulo',
  buyer_protection_programs: ['delivered', 'undelivered'],
  status: 'enabled',
} as const

export type CategorySettings = { [Name in keyof typeof defaults]: unknown }

/** Settings of classifieds: buyer and seller agree elsewhere, so nothing is shipped, paid or counted here. */
const classified = {
  buying_modes: ['classified'],
  immediate_payment: 'not_allowed',
  items_reviews_allowed: false,
  max_pictures_per_item: 30,
  reservation_allowed: 'not_allowed',
  seller_contact: 'required',
  shipping_modes: ['not_specified'],
  shipping_options: [],
  shipping_profile: 'not_allowed',
  show_contact_information: true,
  simple_shipping: 'not_allowed',
  stock: 'not_allowed',
  subscribable: true,
  buyer_protection_programs: [],
}

const byVertical = {
  core: {},
  real_estate: {
    ...classified,
    coverage_areas: 'not_allowed',
    item_conditions: itemConditions,
    rounded_address: true,
  },
  motors: {
    ...classified,
    item_conditions: ['new', 'used'],
    reservation_allowed: 'optional',
  },
  services: {
    ...classified,
    coverage_areas: 'required',
    item_conditions: ['not_specified'],
    price: 'optional',
    seller_contact: 'optional',
  },
} satisfies Record<Vertical, Partial<CategorySettings>>

/** Subdomains of the pages of listings, by language. */
const subdomains = {
  core: { es: 'articulo', pt: 'produto' },
  real_estate: { es: 'inmueble', pt: 'imovel' },
  motors: { es: 'vehiculo', pt: 'veiculo' },
  services: { es: 'servicio', pt: 'servico' },
} as const

/** Returns all settings of a category. */
export function settingsOf({
  vertical,
  siteId,
  isParent,
  domainId,
  overrides,
}: SettingsInput): CategorySettings {
  const { currency, language } = sites[siteId]
  // Real estate and vehicles are priced in dollars in half of these countries.
  const takesDollars = vertical === 'real_estate' || vertical === 'motors'
  return {
    ...defaults,
    ...byVertical[vertical],
    catalog_domain: domainId,
    currencies: [...new Set([currency, ...(takesDollars ? ['USD'] : [])])],
    listing_allowed: !isParent,
    vertical,
    vip_subdomain: subdomains[vertical][language],
    ...overrides,
  }
}
