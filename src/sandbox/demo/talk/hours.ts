import { dayMs, hourMs } from '../../../kernel/clock.ts'
import { type DemoSite, landOf } from '../places.ts'

/** Nobody writes to a shop from half past midnight to seven, by the clock of the wall. */
const [sleeps, wakes] = [0.5 * hourMs, 7 * hourMs]
const nightMs = wakes - sleeps
const wakingDayMs = dayMs - nightMs
/** Whoever writes has at least this long for it. */
const shortestGapMs = 20_000

interface Span {
  from: Date
  until: Date
}

/**
 * Moments so far from one another, in the hours in which people are awake; closer together where the
 * time would not be enough for all of them. Undefined where there is no time.
 */
export function momentsIn(
  { from, until }: Span,
  { gaps, site }: { gaps: readonly number[]; site: DemoSite },
): Date[] | undefined {
  const aheadMs = landOf(site).utcHours * hourMs
  const waking = { first: awake(from, aheadMs), last: awake(until, aheadMs) }
  const wall = { first: from.getTime(), last: until.getTime() }
  const least = gaps.length * shortestGapMs
  const isAwake = waking.last - waking.first > least
  const { first, last } = isAwake ? waking : wall
  if (last - first <= least) return undefined
  const sum = gaps.reduce((all, gap) => all + gap, 0)
  // A last breath is left, so that what follows from the last one lies before the end too.
  const scale = Math.min(1, (0.95 * (last - first)) / sum)
  let at = first
  return gaps.map((gap) => {
    at += gap * scale
    return new Date(Math.floor(isAwake ? onWall(at, aheadMs) : at))
  })
}

/** The time that people have been awake until then. */
function awake(moment: Date, aheadMs: number): number {
  const local = moment.getTime() + aheadMs
  const day = Math.floor(local / dayMs)
  const passed = local - day * dayMs
  return day * wakingDayMs + Math.min(passed, sleeps) + Math.max(0, passed - wakes)
}

/** The moment at which they have been awake for so long. */
function onWall(waking: number, aheadMs: number): number {
  const day = Math.floor(waking / wakingDayMs)
  const passed = waking - day * wakingDayMs
  return day * dayMs + passed + (passed < sleeps ? 0 : nightMs) - aheadMs
}
