export interface Attachment {
  filename: string
  original_filename: string
  type: string
  size: number
  potential_security_threat: boolean
}

export interface Message {
  id: string
  site_id: string
  from: { user_id: number }
  to: { user_id: number }
  status: string
  text: string
  message_date: { created: string; read: string | null }
  message_moderation: { status: string; reason: string | null }
  message_attachments: Attachment[] | null
  message_resources: { id: string; name: string }[]
  finding: { rule: string; text: string; from: number; to: number } | null
  option_id: string | null
  date_overruled: string | null
}

export interface ConversationState {
  status: 'active' | 'blocked'
  substatus: string | null
}

export interface ConversationBody {
  pack_id: number
  seller_id: number
  buyer_id: number
  order_ids: number[]
  block: string | null
  date_blocked: string | null
  status_for_seller: ConversationState
  status_for_buyer: ConversationState
  messages: Message[]
  next: string | null
}

export interface ConversationListEntry {
  pack_id: number
  seller_id: number
  buyer_id: number
  buyer_nickname: string | null
  messages: number
  last_message_at: string | null
  block: string | null
}

export interface ModerationTerm {
  id: string
  kind: string
  value: string
  reason: string | null
  site_id: string | null
  note: string | null
}

export interface ModerationVerdict {
  status: 'clean' | 'rejected'
  reason: string | null
  rule: string | null
  from: number | null
  to: number | null
}
