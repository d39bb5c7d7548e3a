/** The closed list of what notifications are about (contract 6.2). */
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

export type Topic = (typeof topics)[number]

/** Topics that tell nothing of real estate, vehicles and services (contract 6). */
export const coreOnlyTopics: readonly Topic[] = ['orders', 'created_orders', 'payments', 'messages']
