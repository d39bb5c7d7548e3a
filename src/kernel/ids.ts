import { badField } from './failure.ts'

/** What gets a number of Feria's own. A pack shares the orders' numbers (contract 1: an order
 * without a pack is its own pack, so one number must never mean both). */
export type IdKind =
  | 'order'
  | 'payment'
  | 'shipment'
  | 'user'
  | 'application'
  | 'item'
  | 'variation'
  | 'claim'
  | 'feedback'
  | 'note'
  | 'question'

/** Ids travel as JSON numbers, which are exact up to 2^53 - 1. */
export const largestId = Number.MAX_SAFE_INTEGER

/** Where the numbers of each kind begin: far apart, so that a mixed-up id is found nowhere. */
export const firstId: Readonly<Record<IdKind, number>> = {
  user: 200_000_001,
  claim: 5_000_000_001,
  note: 10_000_000_001,
  question: 20_000_000_001,
  shipment: 40_000_000_001,
  payment: 90_000_000_001,
  // Longer than those that an operator brings along from elsewhere: items and variations have numbers of
  // both kinds.
  item: 800_000_000_001,
  variation: 900_000_000_001,
  feedback: 5_000_000_000_001,
  order: 2_000_000_000_000_001,
  application: 5_000_000_000_000_001,
}

/** How a path writes an id. */
export const idPattern = '^[1-9][0-9]{0,15}$'
const written = new RegExp(idPattern)

/** The positive whole number that `text` writes, if it is one that an id may be. */
export function parseId(text: string): number | undefined {
  if (!written.test(text)) return undefined
  const id = Number(text)
  return id <= largestId ? id : undefined
}

/** The id that a path names; throws a `bad_request` that names `field`. */
export function pathId(field: string, text: string): number {
  const id = parseId(text)
  if (id === undefined) throw badField(field, `a whole number from 1 to ${largestId}`)
  return id
}
