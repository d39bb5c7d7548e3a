import { hourMs, minuteMs, secondMs } from '../../kernel/clock.ts'

/** How a lane has fared. A lane is one application's callback. */
export interface Health {
  /** Attempts in a row that were not accepted. */
  failures: number
  /** When the first of them was made; null when the last was accepted. */
  failingSince: Date | null
}

/** So many failures in a row open the breaker: one is sent, and the rest waits for what comes of it. */
export const breaksAt = 10

const shortestRestMs = 30 * secondMs
/** After a batch that hung, as long as the breaker is closed. */
const shortestHangRestMs = secondMs
const longestRestMs = 10 * minuteMs

/** One attempt as far as the breaker asks. `hung` when the receiver took its time and said nothing. */
export interface Seen {
  accepted: boolean
  hung: boolean
}

/** The health after these attempts, in the order in which they came back. */
export function healthAfter(before: Health, seen: readonly Seen[], now: Date): Health {
  return seen.reduce<Health>(
    ({ failures, failingSince }, { accepted }) =>
      accepted
        ? { failures: 0, failingSince: null }
        : { failures: failures + 1, failingSince: failingSince ?? now },
    before,
  )
}

export function isBroken({ failures }: Health): boolean {
  return failures >= breaksAt
}

/**
 * For how long a lane is left alone after a batch, in milliseconds: while its breaker is open, and when
 * all of a batch hung, so that many that hang cannot take all places. The longer it has failed the
 * longer it rests, up to ten minutes: one answer that comes too late costs a second.
 */
export function restAfter(health: Health, seen: readonly Seen[], now: Date): number {
  const { failingSince } = health
  const hangs = seen.length > 0 && seen.every(({ hung }) => hung)
  if (!failingSince || (!isBroken(health) && !hangs)) return 0
  const failedMs = now.getTime() - failingSince.getTime()
  const leastMs = isBroken(health) ? shortestRestMs : shortestHangRestMs
  return Math.min(longestRestMs, Math.max(leastMs, failedMs / 4))
}

/** Whether nothing was accepted for so long that the lane is to be disabled. */
export function isGivenUp(health: Health, now: Date, afterHours: number): boolean {
  const { failingSince } = health
  if (!failingSince || !isBroken(health)) return false
  return now.getTime() - failingSince.getTime() >= afterHours * hourMs
}
