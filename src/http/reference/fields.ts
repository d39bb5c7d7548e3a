import type { Schema } from './examples.ts'

/**
 * Descriptions of fields that mean the same in all operations, by name or by `parent.name`. A description in the schema
 * of a module comes first.
 */
const fields: Readonly<Record<string, string>> = {
  // Ids.
  site_id:
    'Id of a country site, such as `MLA` (Argentina) or `MLB` (Brazil). `GET /sites` lists them.',
  category_id: 'Id of a category, such as `MLA1443`.',
  currency_id: 'Currency code of ISO 4217, such as `ARS`.',
  order_id: 'Id of the order.',
  pack_id:
    'Id of the pack: the orders of one checkout that are shipped together. Null for an order without a pack.',
  item_id: 'Id of the item: the site and a number.',
  user_id: 'Id of the user.',
  seller_id: 'User id of the seller.',
  buyer_id: 'User id of the buyer.',
  'seller.id': 'User id of the seller.',
  'buyer.id': 'User id of the buyer.',
  application_id: 'Id of the application.',
  application_name: 'Name of the application.',
  app_id: 'Id of the application.',
  payment_id: 'Id of the payment.',
  shipping_id: 'Id of the shipment.',
  feedback_id: 'Id of the rating, from `GET /orders/{order_id}/feedback`.',
  claim_id: 'Id of the claim.',
  question_id: 'Id of the question.',
  note_id: 'Id of the note, from the list of notes.',
  message_id: 'Id of the message: 32 hexadecimal digits.',
  attachment_id: 'Id of the attachment, from the upload.',
  invoice_id: 'Id of the invoice.',
  quotation_id: 'Id of the quotation.',
  picture_id: 'Id of the picture.',
  replay_id: '`id` of the replay, from the call that created it.',
  variation_id:
    'Id of the variation that was sold, such as one color of the item. Null without variations.',
  attribute_id: 'Id of an attribute of listings, such as `BRAND`.',
  domain_id: 'Id of a domain: the product type of a category, such as `MLA-MOBILE_SMART_PHONES`.',
  domain_name: 'Name of the domain, the product type.',
  client_id: 'Id of your application.',

  // Dates.
  date_created: 'When it was created (ISO 8601).',
  last_updated: 'When it last changed (ISO 8601).',
  date_last_updated: 'When it last changed (ISO 8601).',
  date_last_modified: 'When it last changed (ISO 8601).',
  date_closed: 'When the order first became `confirmed` or `paid`. Null before.',
  date_approved: 'When the payment was approved. Null if it never was.',
  expiration_date: 'When it expires (ISO 8601).',

  // Paging.
  limit: 'Most results of one page.',
  offset: 'Number of results to skip. Default: 0.',
  'paging.total': 'Number of all results.',
  'paging.limit': 'Page size that was used.',
  'paging.offset': 'Number of results before this page.',
  scroll_id: 'Marks the next page of a scan. Send it with the next request. Null on the last page.',
  search_type:
    '`scan` begins a scan: pages without the limit of `offset`, each with a `scroll_id`.',
  next_after: 'Send it as `after` to get the next page. Null on the last page.',
  sort: 'Order of the results.',
  available_sorts: 'Other orders in which you may sort.',
  'filters.values': 'Values that the search was narrowed to.',
  available_filters: 'Further filters for these results, with the number of results of each value.',
  'values.results': 'Number of results with this value.',

  // Users.
  nickname: 'Public name of the user.',
  area_code: 'Area code of the phone number.',
  extension: 'Extension of the phone number. Empty if there is none.',
  'phone.verified': 'Whether the number is verified.',
  'alternative_phone.verified': 'Whether the number is verified.',
  doc_type: 'Type of the identity document, such as `DNI`.',
  doc_number: 'Number of the identity document.',
  billing_info: 'Name, identity document and address for the invoice.',
  'additional_info.type': 'Name of the datum, such as `FIRST_NAME` or `CITY_NAME`.',

  // Orders.
  order_items: 'What was bought: one entry per line of the order.',
  status_detail: 'Reason of the status. Null if there is none.',
  total_amount: 'Sum of the lines, without shipping.',
  paid_amount: 'Sum of the credited payments, with shipping where it was paid.',
  unit_price: 'Price of one unit that the buyer pays.',
  full_unit_price: 'Price of one unit before discounts.',
  sale_fee: 'Sales commission of the marketplace.',
  listing_type_id:
    'Listing type: how prominently an item is shown and what it costs, such as `gold_special`.',
  base_currency_id: 'Currency in which the item is listed, if it was converted. Null otherwise.',
  base_exchange_rate: 'Rate of the conversion from `base_currency_id`. Null without a conversion.',
  differential_pricing_id: 'Id of a price for certain payments. Null if there is none.',
  manufacturing_days: 'Days that the seller needs to make the item. Null if it is in stock.',
  manufacturing_ending_date: 'When the item will be made. Null if it is in stock.',
  element_id: 'Number of the line in the order, from 1.',
  requested_quantity: 'Units that the buyer asked for.',
  'requested_quantity.measure': 'Always `unit`.',
  picked_quantity: 'Always null.',
  stock: 'Always empty.',
  seller_sku:
    'Stock keeping unit: the code of the item in the seller’s own system. Null if there is none.',
  seller_custom_field: 'Older place for the seller’s own code. Null if there is none.',
  global_price: 'Always null.',
  net_weight: 'Always null.',
  user_product_id: 'Always null.',
  release_date: 'Always null.',
  warranty: 'Warranty in the seller’s words. Null if there is none.',
  'feedback.sale': 'Rating that the seller gave. Null until then, or while it is hidden from you.',
  'feedback.purchase':
    'Rating that the buyer gave. Null until then, or while it is hidden from you.',
  sale: 'Rating that the seller gave. Null until then, or while it is hidden from you.',
  purchase: 'Rating that the buyer gave. Null until then, or while it is hidden from you.',
  'context.channel':
    'Where the sale was made: `marketplace`, `shops` (the seller’s own shop), `proximity` (in person) or `payments-channel`.',
  'context.flows':
    'Special kinds of the sale, such as `catalog`, `subscription` or `reservation`. Empty for an ordinary sale.',
  'context.site': 'Id of the country site of the sale.',
  mediations: 'Claims on the order.',
  comments: 'Free text. Null if there is none.',
  pickup_id: 'Id of the pickup in a shop. Null if the order is shipped.',
  order_request:
    'Requests of the buyer to change or return the order. Null for a request that was not made.',
  fulfilled: 'Whether the sale was carried out. Null while nobody has said so.',
  coupon: 'Discount coupon of the buyer.',
  coupon_id: 'Id of the discount coupon. Null if there is none.',
  coupon_amount: 'Part of the price that the coupon pays.',
  hidden_for_seller: 'Whether the seller has hidden the order from the own list.',
  shipping_cost: 'What the buyer pays for shipping.',
  taxes: 'Taxes of the order. Null values: there are none.',
  taxes_amount: 'Taxes in the payment.',
  'cancel_detail.group':
    'Area in which the order was cancelled, such as `buyer`, `seller` or `fraud`.',
  'cancel_detail.code': 'Code of the reason for the cancellation.',
  'cancel_detail.requested_by': 'Who cancelled: `buyer`, `seller` or `platform`.',
  cancel_detail: 'Why and by whom the order was cancelled. Null if it was not.',
  product_attributes:
    'Attributes of the products, as the buyer saw them at the checkout. Left out: those of the sold variations.',

  // Discounts.
  discounts: 'Coupons, discounts and cashback of the order. Left out: none.',
  'cashback.id': 'Id of the cashback: money that the buyer gets back.',
  counter_currency:
    'Value of the cashback in the currency that it is paid in. Null if there is none.',
  supplier: 'Who offers the discount. Its fields are null if they are not known.',
  'supplier.platform_campaign': 'Campaign of the marketplace.',
  'supplier.offer_id': 'Id of the offer.',
  'supplier.funding_mode': 'How the discount is paid for.',
  'supplier.campaign_id': 'Id of the seller’s campaign.',
  'amounts.total': 'Discount on this line.',
  'amounts.seller': 'Part of the discount that the seller pays.',

  // Payments.
  payer_id: 'User id of who pays. Left out in a body: the buyer.',
  'collector.id': 'User id of the seller, who collects the payment.',
  card_id: 'Id of the saved card. Null without one.',
  payment_method_id: 'Means of payment, such as `visa`. Null if it is not known.',
  payment_type: 'Type of the means of payment, such as `credit_card`. Null if it is not known.',
  operation_type: 'Kind of the payment, as a rule `regular_payment`.',
  installments: 'Number of installments. 1: paid at once.',
  installment_amount: 'Amount of one installment. Null if it is not known.',
  issuer_id: 'Id of the bank that issued the card. Null if it is not known.',
  status_code: 'Code of the status from the payment provider. Null if there is none.',
  transaction_amount: 'Amount of the payment for the items, without shipping.',
  transaction_amount_refunded: 'Part of the amount that was refunded.',
  overpaid_amount: 'What the buyer paid too much.',
  total_paid_amount:
    'All that the buyer paid: amount, shipping, taxes and overpaid amount, minus the coupon.',
  marketplace_fee: 'Fee of the marketplace for this payment. Null if it is not known.',
  deferred_period: 'Period by which the payment is deferred. Null if it is not.',
  authorization_code: 'Authorization code of the payment provider. Null if there is none.',
  transaction_order_id: 'Id of the payment at the provider. Null if there is none.',
  activation_uri: 'Address at which the buyer completes the payment. Null if there is none.',
  atm_transfer_reference:
    'References of a bank transfer. Their values are null for other payments.',
  available_actions: 'What can be done next, such as `refund`.',
  reference_id: 'Reference of the payment at the provider. Null if there is none.',
  reason: 'Title of what was paid for.',

  // Shipments.
  substatus: 'Detail of the status. Null if there is none.',
  mode: 'Who ships: `me2` and `me1` are the shipping of the marketplace, `custom` is that of the seller, `not_specified` is agreed between the parties.',
  logistic_type:
    'How the parcel reaches the carrier: `drop_off` (the seller brings it), `xd_drop_off` and `cross_docking` (through a hub), `fulfillment` (from the warehouse of the marketplace), `self_service` (the seller delivers) or `default`. Null if it is not known.',
  external_reference: 'Your own reference. Null if there is none.',
  declared_value: 'Value of the goods. Default: the price of the orders in the shipment.',
  'dimensions.height': 'Height in centimeters. Null if it is not known.',
  'dimensions.width': 'Width in centimeters. Null if it is not known.',
  'dimensions.length': 'Length in centimeters. Null if it is not known.',
  'dimensions.weight': 'Weight in grams. Null if it is not known.',
  'logistic.direction': 'Always `forward`: to the buyer.',
  'logistic.type': 'How the parcel reaches the carrier, as `logistic_type`.',
  market_place: 'Marketplace on which the sale was made.',
  tracking_number: 'Number by which the carrier tracks the parcel. Null if there is none.',
  tracking_method: 'Service by which the parcel is tracked. Null if there is none.',
  service_id: 'Id of the shipping service. Null if it is not known.',
  option_id: 'Id of the shipping option that the buyer chose. Null if it is not known.',
  shipping_method:
    'Shipping method that the buyer chose. Its values are null if they are not known.',
  'shipping_method.deliver_to': 'Where it is delivered, such as `address` or `agency`.',
  delivery_type: 'How sure the time of delivery is, such as `estimated`.',
  list_cost: 'Price of the transport before discounts.',
  cost: 'What the buyer pays for the transport.',
  base_cost: 'Price of the transport before discounts.',
  order_cost: 'Price of all that is in the shipment, without the transport.',
  cost_type:
    'Who pays the transport: `free` (not the buyer), `charged` (the buyer) or `partially_free` (both).',
  cost_components:
    'Parts of the price of the transport, as the operator reported them. 0 by default.',
  'cost_components.special_discount': 'Special discount.',
  'cost_components.loyal_discount': 'Discount for loyal buyers.',
  'cost_components.compensation': 'Compensation.',
  'cost_components.gap_discount': 'Gap discount.',
  'cost_components.ratio': 'Ratio that the operator reported.',
  estimated_schedule_limit:
    'Until when the delivery can be scheduled. `date` is null without a limit.',
  estimated_delivery_time: 'When the parcel is expected to arrive.',
  'estimated_delivery_time.type':
    '`known` has a date, `known_frame` a time frame, `unknown` and `unknown_frame` wait for the payment.',
  'estimated_delivery_time.unit':
    'Unit of `shipping`, `handling` and `schedule`, as a rule `hour`.',
  'estimated_delivery_time.pay_before':
    'The estimate holds if the payment is made until then. Null without such a limit.',
  'estimated_delivery_time.shipping': 'Duration of the transport, in `unit`.',
  'estimated_delivery_time.handling': 'Duration of the seller’s preparation, in `unit`.',
  'estimated_delivery_time.schedule': 'Delay that the buyer asked for, in `unit`.',
  'estimated_delivery_time.offset': 'How much later than `date` it may arrive.',
  'time_frame.from': 'Earliest hour of the day. Null without a frame.',
  'time_frame.to': 'Latest hour of the day. Null without a frame.',
  'offset.date': 'Latest date of arrival.',
  'offset.shipping': 'Additional duration of the transport.',
  estimated_delivery_limit: 'Until when the buyer must have the parcel.',
  estimated_delivery_final: 'Last date of delivery. After it the sale can be cancelled.',
  estimated_delivery_extended: 'Date of delivery after an extension.',
  'estimated_delivery_limit.offset': 'Hours after the estimate.',
  'estimated_delivery_final.offset': 'Hours after the estimate.',
  'estimated_delivery_extended.offset': 'Hours after the estimate.',
  estimated_handling_limit: 'Until when the seller must hand over the parcel.',
  delay: 'Delays of the shipment, such as `handling_delayed`. Empty if it is on time.',
  agency: 'Agency of the carrier where the parcel is handed over. Its values are null without one.',
  geolocation_type: 'How exact the coordinates are. Null if there are none.',
  delivery_preference:
    'Whether the address is `residential` or `business`. Null if it is not known.',
  address_line: 'Street and number in one line.',
  sender_id: 'User id of the seller, who sends.',
  receiver_id: 'User id of the buyer, who receives.',
  status_history: 'When the shipment reached each status. Null for one that it has not reached.',
  date_first_printed: 'When the label was printed first. Null before.',
  carrier_info: 'Always null.',
  return_details: 'Always null.',
  created_by: 'Always `receiver`.',

  // Ratings and reputation.
  rating: 'Judgement of the sale.',
  role: 'Whether the author was the `seller` or the `buyer`.',
  extended_feedback: 'Always empty.',
  visibility_date: 'When the other party sees the rating. Before that it is hidden from it.',
  has_seller_refunded_money: 'Whether the seller gave the money back. Null if nobody said so.',
  modified: 'Whether the rating was changed after it was given.',
  points: 'Positive minus negative ratings as a seller. Always 0 inside of a rating.',
  seller_reputation: 'How well the user sells.',
  buyer_reputation: 'How well the user buys.',
  level_id: 'Always null.',
  power_seller_status: 'Always null.',
  'transactions.period': 'Always `historic`: all sales or purchases so far.',
  'transactions.completed': 'Number of those that were completed.',
  'transactions.canceled': 'Number of those that were cancelled.',
  'ratings.positive': 'Share of positive ratings, 0 to 1.',
  'ratings.negative': 'Share of negative ratings, 0 to 1.',
  'ratings.neutral': 'Share of neutral ratings, 0 to 1.',
  canceled_transactions: 'Number of purchases that were cancelled.',
  unrated: 'Always null: not counted.',
  not_yet_rated: 'Always null: not counted.',
  site_status: '`active`, or `deactive` for a closed account.',
  user_type: 'Fixed text for existing clients.',
  seller_experience: 'Experience of the seller.',
  permalink: 'Address of the page for people.',
  'list.allow': 'Whether the user may list items: not with a closed account.',
  'buy.allow': 'Whether the user may buy.',
  'sell.allow': 'Whether the user may sell.',
  'billing.allow': 'Whether the user may be billed.',
  codes: 'Codes of the reasons why not. Empty if it is allowed.',
  immediate_payment: 'Whether buyers must pay at once. Always false.',

  // Claims.
  stage:
    '`claim` (the parties talk), `dispute` (the marketplace mediates), `recontact` (opened again) or `none`.',
  parent_id: 'Id of the claim that this one follows. Null if there is none.',
  reason_id: 'Code of the reason: letters and a number, such as `PDD9939`. Null if there is none.',
  quantity_type: 'Whether all or some of the units are claimed.',
  claimed_quantity: 'Number of units that the claim is about.',
  claim_version: 'Version of this shape. Always 2.',
  players: 'The two parties of the claim.',
  'players.role': '`complainant` (who opened the claim) or `respondent`.',
  'players.type': '`buyer` or `seller`.',
  resolution: 'How the claim ended. Null while it is open.',
  'resolution.benefited': 'Who got right: `complainant`, `respondent` or both.',
  'resolution.closed_by': 'Who closed it: `complainant`, `respondent` or `mediator`.',
  'resolution.applied_coverage': 'Whether the marketplace paid for the loss.',
  'resolution.reason': 'Code of the reason for the end.',
  related_entities: 'What belongs to the claim: `return`, `change` or both.',

  // Messages.
  tag: 'Send `post_sale`, the only value. It may be left out.',
  mark_as_read: 'Whether to mark received messages as read. Default: true.',
  conversation_status: 'Whether you may write now, and why not.',
  status_update_allowed: 'Always false.',
  status_date: 'When the status began.',
  message_date:
    'When the message was created, received, made available, notified and read. Null for what has not happened.',
  message_moderation: 'What moderation decided about the text.',
  'message_moderation.source': 'Who decided: `online` is the automatic check. Null if nobody has.',
  'moderation.source': 'Who decided: `online` is the automatic check. Null if nobody has.',
  conversation_first_message: 'Whether it is the first message of the conversation.',
  message_resources: 'What the message is about: the pack and the seller, by name and id.',
  potential_security_threat: 'Whether the file may be dangerous.',
  original_filename: 'Name of the file when it was uploaded.',
  attachments_validations:
    'Lists of refused attachments. Always empty: a refused attachment refuses the message.',
  seller_max_message_length: 'Most characters of a message from the seller.',
  buyer_max_message_length: 'Most characters of a message from the buyer.',

  // Items.
  vertical: '`core` (goods), or the classifieds `real_estate`, `motors` and `services`.',
  base_price: 'Same as `price`.',
  original_price: 'Always null.',
  initial_quantity: 'Available plus sold units.',
  available_quantity: 'Units that can be bought now.',
  sold_quantity: 'Units sold so far.',
  sub_status: 'Why the item is in its status, such as `out_of_stock`. Empty if nothing is to say.',
  warnings: 'Doubtful values that were accepted, each with a code and a field.',
  attribute_combinations: 'Attributes by which the variations differ, such as the color.',
  picture_ids: 'Pictures of this variation, by id.',
  value_id:
    'Id of the value, if it is one of the known values of the attribute. Null for free text.',
  value_name: 'Value as text.',
  value_struct: 'Value as number and unit. Null for other values.',
  sale_terms: 'Conditions of the sale, such as the warranty.',
  video_id: 'Id of a video. Null if there is none.',
  catalog_product_id: 'Id of the product in the catalog of products. Null if there is none.',
  catalog_listing: 'Whether the item is listed on the page of its catalog product.',
  family_name: 'Name of a family of similar items, which becomes the title. Null if there is none.',
  official_store_id: 'Id of the official store of a brand. Null if there is none.',
  accepts_platformpay: 'Whether the payment of the marketplace is accepted.',
  channels: 'Where the item is sold: `marketplace`, `mshops`, or both.',
  automatic_relist: 'Whether the item is listed again when it ends.',
  inventory_id: 'Id of the stock in the warehouse of the marketplace. Null if there is none.',
  seller_contact: 'How to reach the seller of a classified. Null for goods.',
  coverage_areas: 'Areas in which a service is offered.',
  local_pick_up: 'Whether the buyer may pick it up.',
  store_pick_up: 'Whether the buyer may pick it up in a store.',
  free_shipping: 'Whether the seller pays the shipping.',
  free_methods: 'Shipping methods that are free, by id.',
  'shipping.methods': 'Shipping methods that the item offers, by id.',
  'shipping.dimensions':
    'Height x width x length in centimeters, and the weight in grams: `10x20x30,500`. Null if they are not known.',
  thumbnail: 'Address of a small picture. Null if there is none.',
  condition: '`new`, `used` or `not_specified`.',
  primary_results: 'Number of results.',
  secondary_results: 'Always empty.',
  related_results: 'Always empty.',
  reservation_price: 'Always null.',
  reservation_currency_id: 'Always null.',
  stop_time: 'When the listing ends.',
  deleted_from_listing: 'Whether the question is not shown on the page of the item.',
  hold: 'Whether the question is held back.',
  'answer.status': 'Status of the answer.',

  // The catalog.
  path_from_root: 'The categories from the top down to this one.',
  total_items_in_this_category: 'Number of active listings in the category and below it.',
  attribute_types: '`attributes` if listings of the category have attributes, else `none`.',
  meta_categ_id: 'Id of a category of another tree. Null if there is none.',
  attributable: 'Whether listings of the category have attributes.',
  hierarchy: 'Role of the attribute, such as `PARENT_PK` for one that tells products apart.',
  relevance: 'How important the attribute is: 1 is the most important.',
  value_type:
    'Type of the values. `list` takes one of `values`, `number_unit` a number with one of `allowed_units`.',
  value_max_length: 'Most characters of a value.',
  attribute_group_id: 'Id of the group in which attributes are shown.',
  metric: 'Number of new listings that have the value.',
  ratio: 'What one unit of the first currency is worth in the second.',
  rate: 'What one unit of the first currency is worth in the second.',
  inv_rate: 'What one unit of the second currency is worth in the first.',

  // Applications and tokens.
  callback_url: 'Address to which notifications are sent. Null: none are sent.',
  topics: 'Topics (kinds of changes) that the application is notified of.',
  redirect_uris: 'Addresses to which the authorization page may return.',
  requires_pkce: 'Whether authorization needs PKCE (RFC 7636).',
  is_public:
    'Whether the application cannot keep a secret, such as one in a browser or on a phone. It has none, and must use PKCE.',
  owner_id: 'User id of the owner. Null without an owner.',
  scopes: '`read` reads, `write` also changes, `offline_access` allows refresh tokens.',
  scope: 'The scopes, separated by spaces.',
  access_token: 'Send it as `Authorization: Bearer …`.',
  token_type: 'Always `Bearer`.',
  expires_in: 'Seconds until the token expires.',
  refresh_token: 'Get a new access token with it. Works once.',
  previous_secret_until: 'Until when the previous secret works.',
  form_token: 'The hidden field of the form.',
  return_to: 'Path on this service to go to afterwards. Default: `/account`.',

  // Notifications.
  _id: 'Id of the notification.',
  topic: 'Topic: the kind of change that applications subscribe to.',
  resource:
    'Path of what has changed, such as `/orders/2000003508419013`. Read it to learn its state.',
  received: 'When the change was recorded.',
  attempts: 'Number of attempts to deliver it so far.',
  sent: 'When the latest attempt was sent.',
  req_time: 'Milliseconds until the response.',
  http_code: 'Status of the response. Null if none came.',
  outcome:
    'What came of the latest attempt: `accepted`, `not_200` (another status), `timeout`, `unreachable` (no connection) or `refused_address` (the address is not allowed).',
  notification_id: '`_id` of the notification.',
}

/** Returns the schema with a description of each field that has one in the list above or in its own schema. */
export function described(schema: Schema, parent = ''): Schema {
  const { properties, items, anyOf, allOf } = schema
  return {
    ...schema,
    ...(properties ? { properties: describedFields(properties, parent) } : {}),
    ...(items ? { items: described(items, parent) } : {}),
    ...(anyOf ? { anyOf: anyOf.map((part) => described(part, parent)) } : {}),
    ...(allOf ? { allOf: allOf.map((part) => described(part, parent)) } : {}),
  }
}

function describedFields(
  properties: Readonly<Record<string, Schema>>,
  parent: string,
): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const description = descriptionOf(property, name, parent)
      const field = described(property, name)
      return [name, description === undefined ? field : { ...field, description }]
    }),
  )
}

/** Returns the description of a field: its own, that of a member of its union, or the one of its name. */
export function descriptionOf(
  { description, anyOf = [] }: Schema,
  name: string,
  parent = '',
): string | undefined {
  const own = [description, ...anyOf.map((part) => part.description)].find(isSpecific)
  return own ?? fields[`${parent}.${name}`] ?? fields[name] ?? description
}

/** Texts of shared schemas describe the format of a value only. */
const formats = [
  'ISO 8601 with milliseconds and `Z` or a numeric offset',
  'A whole number',
  'Values separated by commas',
]
const isSpecific = (text: string | undefined) => text !== undefined && !formats.includes(text)
