import type { ClaimBody } from '../../../claims/bodies.ts'
import type { Role, Saying } from '../../../feedback/feedback.ts'
import type { User } from '../../../identity/user.ts'
import { parseTimestamp } from '../../../kernel/clock.ts'
import type { GuideOption } from '../../../kernel/guide-options.ts'
import type { Listing } from '../../../listings/listing.ts'
import type { Checkout, OrderPatch } from '../../../orders/commands/bodies.ts'
import type { PaymentNews } from '../../../orders/payment.ts'
import type { ShipmentPatch } from '../../../shipments/change.ts'

/** An action of a user. `index` is the order of the pack and `place` its payment, both from 0. */
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

/** An action and its time in the scenario. */
export interface Step {
  at: Date
  action: Action
}

/** What a simulation counts. */
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
 * Shifts all timestamps in a value from scenario time to the present: `told` becomes `now`. No timestamp becomes earlier
 * than `begun`.
 */
export function atMoment<T>(
  content: T,
  { told, now, begun }: { told: Date; now: Date; begun: Date },
): T {
  const shift = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shift)
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, shift(field)]))
    }
    const isTimestamp = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)
    const date = isTimestamp ? parseTimestamp(value) : undefined
    if (!date) return value
    const shiftedMs = now.getTime() + date.getTime() - told.getTime()
    return new Date(Math.max(shiftedMs, begun.getTime())).toISOString()
  }
  return shift(content) as T
}
