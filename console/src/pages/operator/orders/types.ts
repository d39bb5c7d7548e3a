interface OrderParty {
  id: number
  nickname?: string
}

interface Payment {
  id: number
  status: string
  status_detail: string | null
  transaction_amount: number
  total_paid_amount: number
  currency_id: string
  payment_method_id: string | null
  date_created: string
  date_approved: string | null
}

/** An order in the wider format, with the fields that are shown. */
export interface Order {
  id: number
  status: string
  date_created: string
  date_closed: string | null
  last_updated: string
  expiration_date: string
  total_amount: number
  paid_amount: number
  currency_id: string
  pack_id: number | null
  tags: string[]
  order_items: {
    item: { id: string; title: string; variation_id: number | null }
    quantity: number
    unit_price: number
    currency_id?: string
  }[]
  payments: Payment[]
  buyer: OrderParty
  seller: OrderParty
  shipping: {
    id: number | null
    status?: string
    substatus?: string | null
    shipping_mode?: string
  }
  feedback: {
    sale: { rating: string; fulfilled: boolean } | null
    purchase: { rating: string; fulfilled: boolean } | null
  }
  mediations: { id: number }[]
}

export interface OrderSearchPage {
  results: Order[]
  paging: { total: number; offset: number; limit: number }
  available_filters: {
    id: string
    name: string
    values: { id: string; name: string; results: number }[]
  }[]
  sort: { id: string; name: string }
  available_sorts: { id: string; name: string }[]
  scroll_id?: string | null
}

export interface OrderHistoryBody {
  resources: string[]
  events: { at: string; kind: string; resource: string; details: Record<string, unknown> }[]
  changes: { at: string; topic: string; resource: string }[]
}

export interface OrderNotificationList {
  applications: { id: number; name: string }[]
  notifications: {
    application_id: number
    application_name: string
    _id: string
    topic: string
    resource: string
    user_id: number
    received: string
    attempts: number
    sent: string | null
    outcome: string | null
    http_code: number | null
  }[]
}
