import { badField } from '../../kernel/failure.ts'
import type { SiteId } from '../../kernel/sites.ts'
import type { Listing } from '../listing.ts'

/** Contract 6.2: quotations are of one site, and of real estate. */
export const quotationSite: SiteId = 'MLC'
const quotationVertical = 'real_estate'

/** Where a quotation stands (the contract is silent: our own). */
export const quotationStatuses = ['pending', 'sent', 'accepted', 'rejected', 'expired'] as const

/** Who generates an action (contract 6.2, `caller.type`). */
export const callerTypes = ['seller', 'user'] as const
export type CallerType = (typeof callerTypes)[number]

/** How somebody can be reached who asked for a quotation. */
export interface Contact {
  name: string | null
  email: string | null
  phone: string | null
}

export interface Quotation {
  id: number
  sellerId: number
  itemId: string
  /** Who asked for it; null for somebody without an account. */
  userId: number | null
  status: (typeof quotationStatuses)[number]
  price: number | null
  currencyId: string
  contact: Contact
  comments: string | null
  expirationDate: string | null
}

/** Throws a `bad_request` that names the field for a listing that quotations are not for. */
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

/** Whether this user reads it in that capacity. */
export function isReadBy(
  { sellerId, userId }: Pick<Quotation, 'sellerId' | 'userId'>,
  { reader, as }: { reader: number; as: CallerType },
): boolean {
  return reader === (as === 'seller' ? sellerId : userId)
}
