import { badField, type Failure } from '../../kernel/failure.ts'
import type { SiteId } from '../../kernel/sites.ts'

/** The only site with automatic billing. */
export const invoiceSite: SiteId = 'MLB'

/** Returns the failure of an invoice for a user who is no seller of the site. */
export function invoiceSellerUnknown(): Failure {
  return badField('user_id', `a registered user of ${invoiceSite}`)
}

/** Returns the failure of an invoice of an order that the user did not sell. */
export function invoicedOrderUnknown(): Failure {
  return badField('order_id', "a sale of this user's")
}
