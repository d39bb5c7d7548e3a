import { either, oneOf, orNull, type Shape } from './shape.ts'

type ObjectShape = Readonly<Record<string, Shape>>

/** Keys and types of the bodies that the contract describes. A value may be null if a recorded answer has null there. */

const id: Shape = 'a whole number'
const text = orNull('text')
const number = orNull('a number')
const integer = orNull('a whole number')
const flag = orNull('true or false')
const moment = orNull('a timestamp')
const object = orNull('an object')
/** Ids that are numbers in some answers and texts in others. */
const anyId = either('a whole number', 'text')

export const siteCodes = [
  'MLU',
  'MSV',
  'MLV',
  'MPA',
  'MGT',
  'MRD',
  'MBO',
  'MCO',
  'MLB',
  'MEC',
  'MHN',
  'MPE',
  'MLA',
  'MLC',
  'MCU',
  'MLM',
  'MCR',
  'MPY',
  'MPT',
  'MNI',
]
const siteCode = oneOf(...siteCodes)

export const site: ObjectShape = { id: siteCode, name: 'text' }

const orderItem: ObjectShape = {
  item: {
    id: 'text',
    title: 'text',
    variation_id: integer,
    variation_attributes: 'a list',
    category_id: 'text',
    seller_custom_field: text,
    seller_sku: text,
    condition: 'text',
    warranty: text,
  },
  quantity: id,
  unit_price: 'a number',
  full_unit_price: number,
  sale_fee: number,
  listing_type_id: text,
  currency_id: 'text',
  base_currency_id: text,
  base_exchange_rate: number,
  manufacturing_days: integer,
}

const payment: ObjectShape = {
  ...{
    id: anyId,
    order_id: id,
    payer_id: id,
    collector: { id },
    card_id: 'any',
    site_id: siteCode,
  },
  reason: 'text',
  payment_method_id: text,
  payment_type: text,
  operation_type: 'text',
  currency_id: 'text',
  installments: integer,
  installment_amount: number,
  issuer_id: 'any',
  status: 'text',
  status_code: 'any',
  status_detail: text,
  transaction_amount: 'a number',
  shipping_cost: number,
  overpaid_amount: number,
  total_paid_amount: number,
  marketplace_fee: number,
  deferred_period: 'any',
  date_approved: moment,
  date_created: 'a timestamp',
  date_last_modified: 'a timestamp',
  authorization_code: 'any',
  transaction_order_id: 'any',
  activation_uri: 'any',
  atm_transfer_reference: orNull({ transaction_id: 'any', company_id: 'any' }),
  available_actions: ['text'],
}

export const contractOrderStatuses = [
  'confirmed',
  'payment_required',
  'payment_in_process',
  'partially_paid',
  'paid',
  'cancelled',
  'invalid',
  'manually_cancelled',
  'partially_refunded',
  'pending_cancel',
]

/** An order, in both formats. */
export const order: ObjectShape = {
  id,
  status: oneOf(...contractOrderStatuses),
  date_created: 'a timestamp',
  date_closed: moment,
  status_detail: orNull({ code: 'any', description: 'any' }),
  last_updated: 'a timestamp',
  order_items: [orderItem],
  total_amount: 'a number',
  paid_amount: number,
  currency_id: 'text',
  buyer: { id },
  seller: { id },
  payments: [payment],
  feedback: 'an object',
  shipping: orNull({ id: integer }),
  context: {
    channel: oneOf('shops', 'proximity', 'payments-channel', 'marketplace'),
    site: siteCode,
    flows: ['text'],
  },
  tags: ['text'],
  taxes: { amount: number, currency_id: text },
  mediations: 'a list',
  cancel_detail: orNull({
    group: oneOf(
      'mediations',
      'fiscal',
      'buyer',
      'fraud',
      'item',
      'shipment',
      'delivery',
      'seller',
      'internal',
    ),
    code: 'text',
    description: 'text',
    requested_by: 'text',
    date: moment,
    application_id: 'any',
  }),
  pack_id: integer,
  order_request: { change: object, return: object },
  fulfilled: flag,
  buying_mode: text,
  shipping_cost: number,
  manufacturing_ending_date: moment,
}

const phone: ObjectShape = { area_code: text, extension: text, number: text }
const party: ObjectShape = {
  id,
  nickname: 'text',
  email: text,
  first_name: text,
  last_name: text,
  phone: orNull({ ...phone, verified: 'true or false' }),
  alternative_phone: orNull(phone),
}

/** An order as its parties read it in the older format. */
export const partyOrder: ObjectShape = {
  ...order,
  expiration_date: moment,
  date_last_updated: 'a timestamp',
  comments: text,
  hidden_for_seller: 'true or false',
  pickup_id: integer,
  application_id: 'any',
  coupon: orNull({ id: 'any', amount: number }),
  feedback: { purchase: object, sale: object },
  buyer: { ...party, billing_info: { doc_type: text, doc_number: text } },
  seller: party,
}

const paging: ObjectShape = { total: id, offset: id, limit: id }
const named: ObjectShape = { id: 'text', name: 'text' }

/** An order in search results. Before a payment is confirmed, a party sees only the id of the other one. */
const searchedOrder: ObjectShape = {
  ...partyOrder,
  buyer: either(partyOrder['buyer'] ?? 'any', { id }),
  seller: either(party, { id }),
}
export const orderSearchShape: ObjectShape = {
  query: 'text',
  display: 'text',
  results: [searchedOrder],
  paging,
  sort: named,
  available_sorts: [named],
  filters: 'a list',
}

export const discounts: ObjectShape = {
  details: [
    {
      type: oneOf('coupon', 'discount', 'cashback'),
      'coupon?': { id },
      'cashback?': { id: 'text' },
      supplier: {
        platform_campaign: text,
        offer_id: text,
        funding_mode: text,
        campaign_id: text,
      },
      'counter_currency?': orNull({ currency_id: 'text', value: 'a number' }),
      items: [
        {
          id: 'text',
          element_id: integer,
          quantity: id,
          amounts: { total: 'a number', seller: 'a number' },
        },
      ],
    },
  ],
}

const templates: Shape = [{ id: 'text', vars: orNull([{ id: 'text' }]) }]
export const optionIds = [
  'REQUEST_VARIANTS',
  'REQUEST_BILLING_INFO',
  'SEND_INVOICE_LINK',
  'OTHER',
  'DELIVERY_PROMISE',
]

export const guideOptionsShape: ObjectShape = {
  options: [
    {
      id: oneOf(...optionIds),
      internal_description: 'text',
      enabled: 'true or false',
      type: oneOf('template', 'free_text'),
      templates: orNull(templates),
      actionable: 'true or false',
      'char_limit?': integer,
      cap_available: id,
      child_options: orNull('a list'),
    },
  ],
}

const messageDate: ObjectShape = {
  received: moment,
  available: moment,
  notified: moment,
  created: moment,
  read: moment,
}
export const contractModerationStatuses = ['clean', 'rejected', 'pending', 'non_moderated']
const moderation: ObjectShape = {
  status: oneOf(...contractModerationStatuses),
  reason: text,
  source: text,
  moderation_date: moment,
}
export const contractMessageStatuses = ['available', 'moderated', 'rejected', 'pending_translation']
const messageStatus = oneOf(...contractMessageStatuses)

export const message: ObjectShape = {
  id: 'hexadecimal digits',
  site_id: siteCode,
  client_id: integer,
  from: { user_id: id },
  to: { user_id: id },
  status: messageStatus,
  subject: text,
  text: 'text',
  message_date: messageDate,
  message_moderation: moderation,
  message_attachments: orNull('a list'),
  message_resources: [{ id: 'text', name: 'text' }],
  conversation_first_message: 'true or false',
}

/** A message as an option of the action guide returns it. */
export const guideMessage: ObjectShape = {
  id: 'hexadecimal digits',
  to: { user_id: id, name: 'text' },
  status: messageStatus,
  text: 'text',
  message_date: messageDate,
  message_moderation: moderation,
}

export const legacyMessage: ObjectShape = {
  message_id: 'hexadecimal digits',
  date: moment,
  date_received: moment,
  date_available: moment,
  date_notified: moment,
  date_read: moment,
  from: { user_id: id },
  to: either([{ user_id: id }], { user_id: id }),
  subject: text,
  text: { plain: 'text' },
  attachments: 'a list',
  site_id: siteCode,
  resource: 'text',
  resource_id: 'text',
  attachments_validations: {
    invalid_size: 'a list',
    invalid_extension: 'a list',
    forbidden: 'a list',
    internal_error: 'a list',
  },
  ...{
    status: messageStatus,
    moderation: { status: 'text', date_moderated: moment, source: text },
  },
}

const conversation: ObjectShape = {
  path: 'text',
  status: 'text',
  substatus: text,
  status_date: moment,
  status_update_allowed: 'true or false',
  shipping_id: 'any',
}

export const conversationPage: ObjectShape = {
  paging,
  conversation_status: conversation,
  messages: [message],
  seller_max_message_length: oneOf(350),
  buyer_max_message_length: oneOf(3500),
}

const strings: Shape = ['text']

export const category: ObjectShape = {
  id: 'text',
  name: 'text',
  picture: text,
  permalink: text,
  total_items_in_this_category: id,
  path_from_root: [named],
  children_categories: [{ ...named, total_items_in_this_category: id }],
  attribute_types: 'text',
  meta_categ_id: 'any',
  attributable: 'true or false',
  date_created: 'a moment',
  settings: {
    adult_content: 'true or false',
    buying_allowed: 'true or false',
    buying_modes: strings,
    catalog_domain: text,
    coverage_areas: 'text',
    currencies: strings,
    fragile: flag,
    immediate_payment: 'text',
    item_conditions: strings,
    items_reviews_allowed: flag,
    listing_allowed: 'true or false',
    max_description_length: id,
    max_pictures_per_item: id,
    max_pictures_per_item_var: id,
    max_sub_title_length: id,
    max_title_length: id,
    maximum_price: number,
    minimum_price: number,
    mirror_category: 'any',
    mirror_master_category: text,
    mirror_slave_categories: 'a list',
    price: 'text',
    reservation_allowed: 'text',
    restrictions: 'a list',
    rounded_address: flag,
    seller_contact: 'text',
    shipping_modes: strings,
    shipping_options: 'a list',
    shipping_profile: 'text',
    show_contact_information: flag,
    simple_shipping: 'text',
    stock: 'text',
    sub_vertical: text,
    subscribable: flag,
    tags: 'a list',
    vertical: text,
    vip_subdomain: text,
    buyer_protection_programs: strings,
    status: 'text',
  },
}

export const attribute: ObjectShape = {
  id: 'text',
  name: 'text',
  tags: 'an object',
  hierarchy: 'text',
  relevance: id,
  value_type: 'text',
  'value_max_length?': integer,
  'values?': [{ id: 'text', name: 'text' }],
  attribute_group_id: 'text',
  attribute_group_name: 'text',
}

export const domainDiscovery: ObjectShape = {
  domain_id: 'text',
  domain_name: 'text',
  category_id: 'text',
  category_name: 'text',
  attributes: [{ id: 'text' }],
}

export const listingSearchShape: ObjectShape = {
  site_id: siteCode,
  query: text,
  paging,
  results: 'a list',
  sort: named,
  available_sorts: [named],
  filters: 'a list',
  available_filters: 'a list',
}

export const feedShape: ObjectShape = {
  messages: [
    {
      _id: 'text',
      resource: 'text',
      user_id: anyId,
      topic: 'text',
      application_id: id,
      attempts: id,
      sent: 'a timestamp',
      received: 'a timestamp',
      request: { url: 'text', headers: 'an object', data: 'text' },
      response: { req_time: id, http_code: integer, body: text, headers: 'an object' },
    },
  ],
}

/** The general error body. */
export const refusal: ObjectShape = { message: 'text', error: 'text', status: id, cause: 'any' }
/** The error bodies of the action guide and of creating messages. */
export const guideRefusal: ObjectShape = {
  cause: 'any',
  error: 'text',
  message: 'text',
  status: id,
}
export const messageRefusal: ObjectShape = { status_code: id, code: 'text', message: 'text' }
