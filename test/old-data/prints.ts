import type { DerivationName } from '../../src/app/derivations.ts'

/** What each derivation gives for the rows of `rules.test.ts`: digests, by the version of its rule. */
export const derivedPrints: Readonly<Record<DerivationName, { version: number; print: string }>> = {
  orders: { version: 1, print: '745aa197e5821214' },
  listings: { version: 2, print: 'f3f04e3c9c66a569' },
  'order texts': { version: 1, print: '26bff406e3a120de' },
  'user texts': { version: 1, print: '144c45be41aa6b99' },
  'shipment texts': { version: 1, print: '83500cde62493d8a' },
  'feedback texts': { version: 1, print: 'b2f795fe8760f22f' },
  lessons: { version: 3, print: 'ac46e0f97a0b6c62' },
}

/** Digests of the source rows, by table. */
export const sourcePrints: Readonly<Record<string, string>> = {
  claims: '4eb1de66ad14ebda',
  feedback: 'f33f58d98b42f307',
  listing_stock: '56915df5b1da425d',
  listings: 'f65066dd809a4c15',
  order_items: '2e5afcb05aa04a05',
  orders: '8a25c659752adc9c',
  payments: 'd2b36e48a304f03f',
  shipments: '1ae6fec8d70ff31a',
  users: 'e118cdc95fe81746',
}
