import type { SiteId } from '../kernel/sites.ts'

export interface Phone {
  area_code: string
  number: string
  extension: string
  verified?: boolean
}

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
  billingInfo: { doc_type: string | null; doc_number: string | null }
}

export const noPhone: Phone = { area_code: '', number: '', extension: '' }
