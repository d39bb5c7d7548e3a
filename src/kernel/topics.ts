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

/** Whether a topic tells of real estate, vehicles and services too (contract 6). */
const coversClassifieds: Readonly<Record<Topic, boolean>> = {
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

/** Whether a change is told on this topic when it is about nothing but real estate, vehicles and services. */
export function tellsOfClassifieds(topic: Topic): boolean {
  return coversClassifieds[topic]
}
