import { hourMs, secondMs } from '../../../kernel/clock.ts'
import type { SimulatedStep } from './action.ts'

/** The speed of simulated sales: days in half a minute, or real days. */
export const paces = ['quick', 'real'] as const
export type Pace = (typeof paces)[number]

/** Returns when each step is due, in milliseconds after the first one. */
export function stepOffsetsMs(
  { steps }: { steps: readonly SimulatedStep[] },
  pace: Pace,
): number[] {
  let due = 0
  return steps.map(({ at }, index) => {
    const gapMs = index === 0 ? 0 : at.getTime() - (steps[index - 1] as SimulatedStep).at.getTime()
    due += pace === 'real' ? gapMs : quick(gapMs)
    return due
  })
}

/** Compresses a gap: minutes become seconds, a day half a minute, a week about two minutes. Order stays visible. */
function quick(gapMs: number): number {
  return gapMs === 0 ? 0 : Math.round(secondMs + 4 * secondMs * (gapMs / hourMs) ** 0.6)
}
