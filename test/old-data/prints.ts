import type { DerivationName } from '../../src/app/derivations.ts'

/** What each derivation gives for the rows of `rules.test.ts`: digests, by the version of its rule. */
export const derivedPrints: Readonly<Record<DerivationName, { version: number; print: string }>> = {
  orders: { version: 1, print: '745aa197e5821214' },
  listings: { version: 1, print: '154630ffa10db99c' },
  'order texts': { version: 1, print: '26bff406e3a120de' },
  'user texts': { version: 1, print: '144c45be41aa6b99' },
  'shipment texts': { version: 1, print: '83500cde62493d8a' },
  'feedback texts': { version: 1, print: 'b2f795fe8760f22f' },
  lessons: { version: 2, print: 'd547ef7c97ce174c' },
}

/** The same for the rows that all of it is derived from. */
export const sourcePrint = 'd333a76ecb0fa8fb'
