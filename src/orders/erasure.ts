import { erasedText } from '../kernel/erased-text.ts'
import type { Order, OrderItem } from './order.ts'
import type { Payment } from './payment.ts'

/** What a user is in a sale. */
export type PartyRole = 'buyer' | 'seller'

/**
 * Returns a sale without the personal data of one party. Its amounts, dates and items stay. Texts of the operator about
 * the sale go for either party. Comments and engravings are the buyer's, and so is how the buyer paid. The codes of items are
 * the seller's; titles and warranty are what the buyer was promised.
 */
export function withoutParty(order: Order, role: PartyRole): Order {
  const { details } = order
  const withoutTexts = {
    ...details,
    status_detail: details.status_detail && { ...details.status_detail, description: null },
    cancel_detail: details.cancel_detail && { ...details.cancel_detail, description: erasedText },
  }
  if (role === 'seller') {
    return { ...order, details: withoutTexts, items: order.items.map(withoutCodes) }
  }
  const { product_attributes: _, ...kept } = withoutTexts
  return {
    ...order,
    details: { ...kept, comments: null },
    payments: order.payments.map(withoutPayer),
  }
}

/** Returns a line of an order without the codes by which its seller finds the item. */
function withoutCodes(line: OrderItem): OrderItem {
  return { ...line, item: { ...line.item, seller_custom_field: null, seller_sku: null } }
}

/** Returns a payment without what identifies the card, the bank account or the payer. */
function withoutPayer(payment: Payment): Payment {
  return {
    ...payment,
    reason: erasedText,
    card_id: null,
    issuer_id: null,
    authorization_code: null,
    activation_uri: null,
    atm_transfer_reference: { transaction_id: null, company_id: null },
  }
}
