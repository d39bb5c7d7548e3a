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

/** Whether a topic is used for real estate, vehicles and services too (contract 6). */
const isForAll: Readonly<Record<Topic, boolean>> = {
  items: true,
  orders: false,
  created_orders: false,
  orders_v2: true,
  questions: true,
  payments: false,
  pictures: true,
  messages: false,
  shipments: true,
  quotations: true,
  invoices: true,
  claims: true,
}

/** Whether a change of nothing but real estate, vehicles and services is notified on this topic. */
export function coversClassifieds(topic: Topic): boolean {
  return isForAll[topic]
}
