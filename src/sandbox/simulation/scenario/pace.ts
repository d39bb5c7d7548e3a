import { hourMs, secondMs } from '../../../kernel/clock.ts'
import type { Step } from './action.ts'

/** How fast stories go: a day in seconds, or as long as a day is. */
export const paces = ['quick', 'real'] as const
export type Pace = (typeof paces)[number]

/** For each step, how long after the first one it is done. */
export function dueAfter({ steps }: { steps: readonly Step[] }, pace: Pace): number[] {
  let due = 0
  return steps.map(({ at }, index) => {
    const gapMs = index === 0 ? 0 : at.getTime() - (steps[index - 1] as Step).at.getTime()
    due += pace === 'real' ? gapMs : quick(gapMs)
    return due
  })
}

/** Minutes become seconds, a day half a minute, a week some two: order and proportion can still be seen,
 * and a sale is over within minutes. */
function quick(gapMs: number): number {
  return gapMs === 0 ? 0 : Math.round(secondMs + 4 * secondMs * (gapMs / hourMs) ** 0.6)
}
