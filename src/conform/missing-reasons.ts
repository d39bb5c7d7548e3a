const skipReasons: Readonly<Record<string, string>> = {
  application: 'the token does not name its application',
  order: 'the seller has no paid order',
  recent: 'the seller has no paid order of the last twelve months',
  rated_currency: 'the server has no rate from the currency of the order to USD',
  shipping: 'no order of the seller has a shipment',
  shipped: 'no order of the seller has a shipment',
  unshipped: 'every order of the seller has a shipment',
  payment: 'no order of the seller has a payment',
  pack_of_many: 'no order of the seller has the tag pack_order',
  cancelled: 'no order of the seller is cancelled',
  claim: 'no order of the seller has a claim',
  feedback: 'no order of the seller has a rating',
  question: 'the seller has no questions',
  talk: 'none of the newest orders of the seller has a message',
  message: 'none of the newest orders of the seller has a message',
  guided: 'none of the newest orders of the seller has options in the action guide',
  child: 'the first category of the site has no children',
  attribute: 'no attribute of the predicted category has values',
  picture: 'the feed names no faulty picture',
  quotation: 'the feed names no quotation',
  invoice: 'the feed names no invoice',
}

/** Returns why a name in braces has no value. */
export function missingReasonOf(name: string): string {
  return skipReasons[name] ?? `{${name}} has no value: an earlier check or the operator creates it`
}
