/** What the interface answers, as far as the console shows it; `/openapi.json` has it whole. */

export interface Application {
  id: number
  name: string
  callback_url: string | null
  topics: string[]
  redirect_uris: string[]
  scopes: string[]
  requires_pkce: boolean
  is_public: boolean
  owner_id: number | null
  date_created: string
  last_updated: string
}
