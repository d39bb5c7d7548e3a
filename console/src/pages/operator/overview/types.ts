export interface OrderFigures {
  is_complete: boolean
  total: number
  by_status: Record<string, number>
  days: { date: string; total: number; by_status: Record<string, number> }[]
  sellers: { user_id: number; nickname: string; orders: number }[]
}

interface DeliveryCounts {
  notifications: number
  outcomes: Record<string, number>
  lag_ms: { p50: number; p95: number; max: number } | null
}

export interface SlowQueue {
  application_id: number
  application_name: string
  state: string
  waiting: number
  waiting_since: string | null
  failures: number
  failing_since: string | null
  rests_until: string | null
}

export interface DeliveryFigures extends DeliveryCounts {
  now: string
  bucket_seconds: number
  applications: number
  is_complete: boolean
  buckets: (DeliveryCounts & { at: string })[]
  slow_queues: SlowQueue[]
}
