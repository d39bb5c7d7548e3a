import type { UserStatus } from '../../../api/lists.ts'

export interface User {
  id: number
  site_id: string
  nickname: string
  status: UserStatus
  email: string | null
  first_name: string | null
  last_name: string | null
  phone: Record<string, unknown>
  alternative_phone: Record<string, unknown>
  billing_info: Record<string, unknown>
}
