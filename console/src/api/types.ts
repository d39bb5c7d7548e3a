import type { QueueState, ReplayState } from './lists.ts'

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

export interface DeliveryQueue {
  application_id: number
  callback_url: string | null
  state: QueueState
  state_since: string | null
  health: 'working' | 'failing' | 'probed'
  failures: number
  failing_since: string | null
  rests_until: string | null
  waiting: number
  parked: number
  lost: number
  retry_due: string | null
  last_sequence: number
}

export interface FeedEntry {
  _id: string
  resource: string
  user_id: number
  topic: string
  application_id: number
  attempts: number
  sent: string
  received: string
  request: { url: string; headers: Record<string, string | number>; data: string }
  response: {
    req_time: number
    http_code: number | null
    body: string
    headers: Record<string, string>
  }
  outcome: string
}

export interface FeedPage {
  messages: FeedEntry[]
  next_cursor: string | null
  searched_until?: string
  notes?: { at: string; kind: string; details: Record<string, unknown> }[]
}

export interface ExplainedChange {
  outcome: string
  says: string
  topic: string | null
  resource: string
  user_id: number | null
  received: string | null
  notification_id: string | null
  since?: string | null
  until?: string
  behind?: number
  attempts?: number
  attempt?: { attempt: number; sent: string; outcome: string; http_code: number | null }
}

export interface Explanation {
  queue: Pick<DeliveryQueue, 'state' | 'failing_since' | 'waiting'>
  explained: ExplainedChange[]
}

export interface Replay {
  id: string
  state: ReplayState
  since: string
  until: string
  topics: string[] | null
  failed_only: boolean
  rate_per_second: number
  total: number
  done: number
  accepted: number
  failed: number
  eta: string | null
  date_created: string
}

export interface Grant {
  user_id: string
  app_id: string
  date_created: string
  scopes: string[]
}

export interface SigningSecret {
  id: string
  begins_with: string
  date_created: string
  expires_at: string | null
}

export interface AccessToken {
  access_token: string
  expires_in: number
  scope: string
  user_id: number
}
