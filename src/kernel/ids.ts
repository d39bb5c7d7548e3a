import { badField } from './failure.ts'

/** The kinds of entities with generated ids. A pack takes its id from those of orders: an order without a pack is its
 * own pack, so no id may be both. */
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
  | 'operator_account'
  | 'operator_key'

/** The largest id. Ids are JSON numbers, which are exact up to 2^53 - 1. */
export const largestId = Number.MAX_SAFE_INTEGER

/** The first generated id of each kind. The ranges lie far apart, so that an id of the wrong kind is not found. */
export const firstId: Readonly<Record<IdKind, number>> = {
  user: 200_000_001,
  claim: 5_000_000_001,
  note: 10_000_000_001,
  question: 20_000_000_001,
  shipment: 40_000_000_001,
  payment: 90_000_000_001,
  // Operators import items and variations with ids of their own. Generated ids are longer, so that they do not collide.
  item: 800_000_000_001,
  variation: 900_000_000_001,
  operator_account: 1_000_000_000_001,
  operator_key: 2_000_000_000_001,
  feedback: 5_000_000_000_001,
  order: 2_000_000_000_000_001,
  application: 5_000_000_000_000_001,
}

/** The pattern of an id in a path. */
export const idPattern = '^[1-9][0-9]{0,15}$'
const idExpression = new RegExp(idPattern)

/** Parses an id: a whole number from 1 to `largestId`. Returns undefined for anything else. */
export function parseId(text: string): number | undefined {
  if (!idExpression.test(text)) return undefined
  const id = Number(text)
  return id <= largestId ? id : undefined
}

/** Parses the id of a path. Throws `bad_request` with the name of the field. */
export function pathId(field: string, text: string): number {
  const id = parseId(text)
  if (id === undefined) throw badField(field, `a whole number from 1 to ${largestId}`)
  return id
}
