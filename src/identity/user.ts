import type { SiteId } from '../kernel/sites.ts'

export interface Phone {
  area_code: string
  number: string
  extension: string
  verified?: boolean
}

/** The address for invoices. Unknown parts are missing or null. */
export interface BillingAddress {
  street_name?: string | null
  street_number?: string | null
  zip_code?: string | null
  city_name?: string | null
  state_name?: string | null
  comment?: string | null
  country_id?: string | null
}

/** A `deactivated` user can neither sign in nor take part in conversations. */
export const userStatuses = ['active', 'deactivated'] as const
type UserStatus = (typeof userStatuses)[number]

/** A buyer or seller, with the private details that their orders show. */
export interface User {
  id: number
  siteId: SiteId
  nickname: string
  email: string | null
  firstName: string | null
  lastName: string | null
  phone: Phone
  alternativePhone: Phone
  /** Missing for an open account. */
  status?: UserStatus
  billingInfo: {
    doc_type: string | null
    doc_number: string | null
    /** Orders do not show the address. */
    address?: BillingAddress
  }
}

export const noPhone: Phone = { area_code: '', number: '', extension: '' }
