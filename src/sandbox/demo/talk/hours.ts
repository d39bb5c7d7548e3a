import { dayMs, hourMs } from '../../../kernel/clock.ts'
import { type DemoSite, landOf } from '../places.ts'

/** Nobody writes between 0:30 and 7:00 local time. */
const [sleeps, wakes] = [0.5 * hourMs, 7 * hourMs]
const nightMs = wakes - sleeps
const wakingDayMs = dayMs - nightMs
/** Minimum time between two messages. */
const shortestGapMs = 20_000

interface Span {
  from: Date
  until: Date
}

/**
 * Returns times within a span at these gaps in milliseconds, in the waking hours of the site. Gaps shrink if the span is too
 * short for them. Undefined if even the minimum gaps do not fit.
 */
export function momentsIn(
  { from, until }: Span,
  { gaps, site }: { gaps: readonly number[]; site: DemoSite },
): Date[] | undefined {
  const aheadMs = landOf(site).utcHours * hourMs
  const waking = { first: toWakingTime(from, aheadMs), last: toWakingTime(until, aheadMs) }
  const wall = { first: from.getTime(), last: until.getTime() }
  const minimumMs = gaps.length * shortestGapMs
  const isAwake = waking.last - waking.first > minimumMs
  const { first, last } = isAwake ? waking : wall
  if (last - first <= minimumMs) return undefined
  const sum = gaps.reduce((total, gap) => total + gap, 0)
  // Leave 5 % at the end, so that the effects of the last message lie within the span, too.
  const scale = Math.min(1, (0.95 * (last - first)) / sum)
  let at = first
  return gaps.map((gap) => {
    at += gap * scale
    return new Date(Math.floor(isAwake ? fromWakingTime(at, aheadMs) : at))
  })
}

/** Converts a time to the waking time that has passed until then, in milliseconds. */
function toWakingTime(moment: Date, aheadMs: number): number {
  const local = moment.getTime() + aheadMs
  const day = Math.floor(local / dayMs)
  const passed = local - day * dayMs
  return day * wakingDayMs + Math.min(passed, sleeps) + Math.max(0, passed - wakes)
}

/** Converts waking time back to a time. */
function fromWakingTime(waking: number, aheadMs: number): number {
  const day = Math.floor(waking / wakingDayMs)
  const passed = waking - day * wakingDayMs
  return day * dayMs + passed + (passed < sleeps ? 0 : nightMs) - aheadMs
}
