import type { User } from '../../../identity/user.ts'
import { parseTimestamp } from '../../../kernel/clock.ts'
import type { GuideOption } from '../../../kernel/guide-options.ts'
import type { Listing } from '../../../listings/listing.ts'
import type { Checkout } from '../../../orders/commands/bodies.ts'
import type { SaleAction } from '../../demo/sale-action.ts'

/** An action of a user. `index` counts the orders of the pack, from 0. */
export type SimulatedAction =
  | { kind: 'user'; user: User }
  | { kind: 'listing'; listing: Listing }
  | { kind: 'question'; itemId: string; text: string }
  | { kind: 'answer'; text: string }
  | { kind: 'order'; index: number; checkout: Checkout }
  | SaleAction
  | { kind: 'message'; by: 'buyer' | 'seller'; text: string }
  | { kind: 'option'; option: GuideOption; text: string }

/** An action and its time in the scenario. */
export interface SimulatedStep {
  at: Date
  action: SimulatedAction
}

/** What a simulation counts. */
export const simulationCounts = [
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
export type SimulationCount = (typeof simulationCounts)[number]

/**
 * Shifts all timestamps in a value from scenario time to the present: `scenarioTime` becomes `now`. No timestamp becomes
 * earlier than `startedAt`.
 */
export function shiftTimestamps<T>(
  content: T,
  { scenarioTime, now, startedAt }: { scenarioTime: Date; now: Date; startedAt: Date },
): T {
  const shift = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shift)
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, shift(field)]))
    }
    const isTimestamp = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)
    const date = isTimestamp ? parseTimestamp(value) : undefined
    if (!date) return value
    const shiftedMs = now.getTime() + date.getTime() - scenarioTime.getTime()
    return new Date(Math.max(shiftedMs, startedAt.getTime())).toISOString()
  }
  return shift(content) as T
}
