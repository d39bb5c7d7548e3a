/** What notifications are about, all that there are; a test holds this equal to the service's list. */
export const topics = [
  'items',
  'orders',
  'created_orders',
  'orders_v2',
  'questions',
  'payments',
  'pictures',
  'messages',
  'shipments',
  'quotations',
  'invoices',
  'claims',
] as const

/** How an attempt at telling an application ended. */
export const outcomes = [
  'accepted',
  'not_200',
  'timeout',
  'unreachable',
  'refused_address',
] as const
