import type { SiteId } from '../kernel/sites.ts'

export interface Phone {
  area_code: string
  number: string
  extension: string
  verified?: boolean
}

/** Where invoices go, as far as it is known. */
export interface BillingAddress {
  street_name?: string | null
  street_number?: string | null
  zip_code?: string | null
  city_name?: string | null
  state_name?: string | null
  comment?: string | null
  country_id?: string | null
}

/** Whose account is `deactivated` takes part in no conversation any more. */
export const userStatuses = ['active', 'deactivated'] as const
export type UserStatus = (typeof userStatuses)[number]

/** A buyer or seller: what an order shows of one in private detail (contract 2.2). */
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
    /** Orders do not show it. */
    address?: BillingAddress
  }
}

export const noPhone: Phone = { area_code: '', number: '', extension: '' }
