import { type EventEmitter, once } from 'node:events'

/** Waits of tests. Each has a bound, and fails with what did not happen. */

/** Much longer than anything here takes on a machine that others use as well. */
const defaultBoundMs = 60_000

/** For programs that a test runs to their end. */
export const programBoundMs = 300_000

/** Waits for a condition of the outside world that no clock of a test moves. Resolves with what the condition returns. */
export async function pollUntil<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
  boundMs = 20_000,
): Promise<T> {
  const end = performance.now() + boundMs
  for (let pauseMs = 1; ; pauseMs = Math.min(25, 2 * pauseMs)) {
    const result = await look()
    if (result) return result
    if (performance.now() > end) throw new Error(`waited in vain for: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

/** Resolves and rejects as the promise does, and rejects when that takes too long. */
export async function within<T>(
  what: string,
  promise: Promise<T>,
  boundMs = defaultBoundMs,
): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`waited in vain for: ${what}`)), boundMs)
  try {
    return await Promise.race([promise, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Waits for the next event of this name. Resolves with its arguments, and rejects for an `error`. */
export function nextEvent(
  emitter: EventEmitter,
  event: string,
  { what = `'${event}' of a ${emitter.constructor.name}`, boundMs = defaultBoundMs } = {},
  // biome-ignore lint/suspicious/noExplicitAny: events have arguments of every type
): Promise<any[]> {
  return within(what, once(emitter, event), boundMs)
}

/** Far more turns than any test has work for. */
const mostTurns = 10_000

/** Repeats the turn of a loop until it returns that nothing was left to do. */
export async function drain(turn: () => Promise<unknown>): Promise<void> {
  for (let turns = 0; turns < mostTurns; turns++) if (!(await turn())) return
  throw new Error(`waited in vain for the end of the work after ${mostTurns} turns of: ${turn}`)
}
