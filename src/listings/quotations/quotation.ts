import { badField, Failure } from '../../kernel/failure.ts'
import type { SiteId } from '../../kernel/sites.ts'
import type { Listing } from '../listing.ts'

/** Quotations exist on one site only, for real estate. */
export const quotationSite: SiteId = 'MLC'
const quotationVertical = 'real_estate'

/** Statuses of a quotation. */
export const quotationStatuses = ['pending', 'sent', 'accepted', 'rejected', 'expired'] as const

/** Values of `caller.type`: whether the caller reads as the seller or as the user who asked. */
export const callerTypes = ['seller', 'user'] as const
export type CallerType = (typeof callerTypes)[number]

/** Contact of the person who asked for a quotation. */
interface QuotationContact {
  name: string | null
  email: string | null
  phone: string | null
}

export interface Quotation {
  id: number
  sellerId: number
  itemId: string
  /** The user who asked for it; null for somebody without an account. */
  userId: number | null
  status: (typeof quotationStatuses)[number]
  price: number | null
  currencyId: string
  contact: QuotationContact
  comments: string | null
  expirationDate: string | null
}

/** Throws a `bad_request` that names the field unless the listing is real estate on the site with quotations. */
export function checkQuotable({ id, siteId, vertical }: Listing): void {
  if (siteId !== quotationSite) {
    throw badField(
      'item_id',
      `an item of ${quotationSite}, the only site with quotations; ${id} is of ${siteId}`,
    )
  }
  if (vertical !== quotationVertical) {
    throw badField('item_id', `an item of ${quotationVertical}, ${id} is of ${vertical}`)
  }
}

/** Returns the failure of a quotation that does not exist. */
export function quotationNotFound(id: number): Failure {
  return new Failure('not_found', `Quotation not found: ${id}`)
}

/** Returns the failure of a quotation id that another seller has. */
export function quotationTaken(id: number): Failure {
  return new Failure(
    'id_taken',
    `quotation_id: expected a quotation of this seller's, ${id} is another's`,
  )
}

/** Returns whether `reader` may read the quotation in the role `as`: its seller as `seller`, who asked for it as
 * `user`. The operator is not checked here. */
export function isReadBy(
  { sellerId, userId }: Pick<Quotation, 'sellerId' | 'userId'>,
  { reader, as }: { reader: number; as: CallerType },
): boolean {
  return reader === (as === 'seller' ? sellerId : userId)
}
