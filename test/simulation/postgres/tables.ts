/** The tables that the core of deliveries uses, as far as it uses them, and the key of each. */
export interface TableRows {
  changes: WaitingChange & { topic: string; resource: string; user_ids: readonly number[] }
  waiting_changes: WaitingChange
  taken_changes: WaitingChange
  fan_out_mark: { id: number; swept_at: Date; swept_to: Date }
  applications: { id: number; callback_url: string | null; topics: readonly string[] }
  authorizations: { user_id: number; application_id: number }
  signing_secrets: { application_id: number; secret: string }
  lanes: QueueTable
  holders: { id: string; alive_until: Date; has_lock: boolean }
  notifications: NotificationColumns & { fanned_at: Date }
  unaccepted: NotificationColumns & { attempts: number; due: Date | null }
  attempts: {
    application_id: number
    seq: number
    attempt: number
    sent: Date
    outcome: string
  }
  passed_over: { application_id: number; seq: number; at: Date; into_seq: number | null }
  lane_notes: { application_id: number; id: string; kind: string }
  /** Which parts by day a table has. */
  parts: { part: string; table: string }
}

export type TableName = keyof TableRows

interface WaitingChange {
  slot: number
  seller_id: number
  id: string
  recorded_at: Date
}

interface NotificationColumns {
  application_id: number
  seq: number
  id: string
  user_id: number
  topic: string
  resource: string
  received: Date
}

export interface QueueTable {
  application_id: number
  last_seq: number
  last_at: Date
  cursor_seq: number
  cursor_at: Date
  retry_due: Date | null
  fence: number
  rests_until: Date
  holder: string | null
  is_waiting: boolean
  state: 'open' | 'paused' | 'disabled'
  failures: number
  failing_since: Date | null
  in_flight: number | null
  rate_per_second: number | null
  coalesces: boolean | null
  latest_up_to: number
}

const changeKey = ({ recorded_at, seller_id, slot, id }: WaitingChange) =>
  `${recorded_at.getTime()} ${seller_id} ${slot} ${id}`

export const primaryKeyOf: { [Name in TableName]: (row: TableRows[Name]) => string } = {
  changes: changeKey,
  waiting_changes: changeKey,
  taken_changes: changeKey,
  fan_out_mark: ({ id }) => `${id}`,
  applications: ({ id }) => `${id}`,
  authorizations: ({ user_id, application_id }) => `${user_id} ${application_id}`,
  signing_secrets: ({ application_id, secret }) => `${application_id} ${secret}`,
  lanes: ({ application_id }) => `${application_id}`,
  holders: ({ id }) => id,
  notifications: ({ application_id, seq, fanned_at }) =>
    `${application_id} ${seq} ${fanned_at.getTime()}`,
  unaccepted: ({ application_id, seq }) => `${application_id} ${seq}`,
  attempts: ({ application_id, seq, attempt, sent }) =>
    `${application_id} ${seq} ${attempt} ${sent.getTime()}`,
  passed_over: ({ application_id, seq, at }) => `${application_id} ${seq} ${at.getTime()}`,
  lane_notes: ({ application_id, id }) => `${application_id} ${id}`,
  parts: ({ part }) => part,
}

/** A row before and after a commit. */
export type RowChange = {
  [Name in TableName]: {
    table: Name
    key: string
    before: TableRows[Name] | undefined
    after: TableRows[Name] | undefined
  }
}[TableName]
