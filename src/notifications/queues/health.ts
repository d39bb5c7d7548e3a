import { hourMs, minuteMs, secondMs } from '../../kernel/clock.ts'

/** Whether the receiver of a delivery queue accepts attempts. */
export interface Health {
  /** Failed attempts in a row. */
  failures: number
  /** When the first of them was made; null when the last attempt was accepted. */
  failingSince: Date | null
}

/** This many failures in a row open the breaker. The queue then probes with one request at a time. */
export const breakerThreshold = 10

const minRestMs = 30 * secondMs
/** After a batch in which all requests hung, while the breaker is closed. */
const minHangRestMs = secondMs
const maxRestMs = 10 * minuteMs

/** The outcome of an attempt, as far as the breaker needs it. `hung`: no response for a second or more. */
export interface AttemptHealth {
  accepted: boolean
  hung: boolean
}

/** Returns the health after these attempts, which are in the order of their responses. */
export function healthAfter(before: Health, attempts: readonly AttemptHealth[], now: Date): Health {
  return attempts.reduce<Health>(
    ({ failures, failingSince }, { accepted }) =>
      accepted
        ? { failures: 0, failingSince: null }
        : { failures: failures + 1, failingSince: failingSince ?? now },
    before,
  )
}

/** Returns whether the breaker is open. */
export function isBreakerOpen({ failures }: Health): boolean {
  return failures >= breakerThreshold
}

/**
 * Returns how long a queue rests after a batch, in milliseconds; 0 for not at all. It rests while its breaker is open,
 * and when all requests hung, so that hanging receivers cannot occupy all slots. The rest is a quarter of the time that
 * it has failed, up to ten minutes. A single late response costs a second.
 */
export function restMsAfter(health: Health, attempts: readonly AttemptHealth[], now: Date): number {
  const { failingSince } = health
  const isHanging = attempts.length > 0 && attempts.every(({ hung }) => hung)
  if (!failingSince || (!isBreakerOpen(health) && !isHanging)) return 0
  const failedMs = now.getTime() - failingSince.getTime()
  const leastMs = isBreakerOpen(health) ? minRestMs : minHangRestMs
  return Math.min(maxRestMs, Math.max(leastMs, failedMs / 4))
}

/** Returns whether nothing was accepted for `afterHours`, so that the queue must be disabled. */
export function shouldDisable(health: Health, now: Date, afterHours: number): boolean {
  const { failingSince } = health
  if (!failingSince || !isBreakerOpen(health)) return false
  return now.getTime() - failingSince.getTime() >= afterHours * hourMs
}
