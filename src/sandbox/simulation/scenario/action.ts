import type { ClaimBody } from '../../../claims/bodies.ts'
import type { Role, Saying } from '../../../feedback/feedback.ts'
import type { User } from '../../../identity/user.ts'
import { parseTimestamp } from '../../../kernel/clock.ts'
import type { GuideOption } from '../../../kernel/guide-options.ts'
import type { Listing } from '../../../listings/listing.ts'
import type { Checkout, OrderPatch } from '../../../orders/commands/bodies.ts'
import type { PaymentNews } from '../../../orders/payment.ts'
import type { ShipmentPatch } from '../../../shipments/change.ts'

/** Something that somebody does. `index` says which order of a pack, `place` which of its payments; both
 * begin with 0. */
export type Action =
  | { kind: 'user'; user: User }
  | { kind: 'listing'; listing: Listing }
  | { kind: 'question'; itemId: string; text: string }
  | { kind: 'answer'; text: string }
  | { kind: 'order'; index: number; checkout: Checkout }
  | { kind: 'payment'; index: number; place: number; news: PaymentNews }
  | { kind: 'change'; index: number; patch: OrderPatch }
  | { kind: 'shipment'; patch: ShipmentPatch }
  | { kind: 'claim'; body: ClaimBody }
  | { kind: 'rating'; index: number; role: Role; said: Saying }
  | { kind: 'second_rating'; index: number; role: Role; said: Partial<Saying> }
  | { kind: 'reply'; index: number; role: Role; reply: string }
  | { kind: 'message'; by: 'buyer' | 'seller'; text: string }
  | { kind: 'option'; option: GuideOption; text: string }

/** A deed and when it is done, in the story's own time. */
export interface Step {
  at: Date
  action: Action
}

/** What is counted of a simulation. */
export const counted = [
  'users',
  'listings',
  'questions',
  'answers',
  'orders',
  'payments',
  'changes',
  'shipments',
  'messages',
  'claims',
  'ratings',
  'restocked',
  'refused',
] as const
export type Counted = (typeof counted)[number]

/**
 * The same words about the moment at which the deed is really done: what had been by then stays as long
 * ago, yet never before the story began, and what was to come stays as far ahead.
 */
export function atMoment<T>(
  said: T,
  { told, now, begun }: { told: Date; now: Date; begun: Date },
): T {
  const moved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(moved)
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, moved(each)]))
    }
    const moment = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)
    const date = moment ? parseTimestamp(value) : undefined
    if (!date) return value
    const at = now.getTime() + date.getTime() - told.getTime()
    return new Date(Math.max(at, begun.getTime())).toISOString()
  }
  return moved(said) as T
}
