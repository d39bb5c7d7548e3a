/** The topics that applications subscribe to. */
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

/** Whether a topic also covers classifieds: real estate, vehicles and services. */
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

/** Returns whether changes of classifieds (real estate, vehicles, services) are notified on this topic. */
export function coversClassifieds(topic: Topic): boolean {
  return isForAll[topic]
}
