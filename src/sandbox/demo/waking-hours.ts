import { dayMs, hourMs } from '../../kernel/clock.ts'
import { demoFiles } from './data.ts'
import type { DemoSite } from './ids.ts'

/** The night: from 0:30 to 7:00 local time, in milliseconds since midnight. */
const [sleeps, wakes] = [0.5 * hourMs, 7 * hourMs]
const nightMs = wakes - sleeps
const wakingDayMs = dayMs - nightMs
/** The time that a span must have for each message. Single gaps may be shorter. */
const roomPerMessageMs = 20_000

interface TimeSpan {
  from: Date
  until: Date
}

/**
 * Returns the times of messages within a span, one after each gap. `gaps` are in milliseconds of waking time at the
 * site: the night does not count. A span with less than 20 s of waking time per message counts its nights too. If the
 * sum of the gaps exceeds the span, all shrink by the same factor. Undefined if the span has less than 20 s per
 * message.
 */
export function messageTimesIn(
  { from, until }: TimeSpan,
  { gaps, site }: { gaps: readonly number[]; site: DemoSite },
): Date[] | undefined {
  const aheadMs = demoFiles().sites[site].utc_hours * hourMs
  const waking = { first: toWakingTime(from, aheadMs), last: toWakingTime(until, aheadMs) }
  const wall = { first: from.getTime(), last: until.getTime() }
  const minimumMs = gaps.length * roomPerMessageMs
  const hasWakingTime = waking.last - waking.first > minimumMs
  const { first, last } = hasWakingTime ? waking : wall
  if (last - first <= minimumMs) return undefined
  const sum = gaps.reduce((total, gap) => total + gap, 0)
  // Leave 5 % at the end, so that the effects of the last message lie within the span, too.
  const scale = Math.min(1, (0.95 * (last - first)) / sum)
  let at = first
  return gaps.map((gap) => {
    at += gap * scale
    return new Date(Math.floor(hasWakingTime ? fromWakingTime(at, aheadMs) : at))
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
