import { type Clock, secondMs } from '../../kernel/clock.ts'
import type { Log } from '../log.ts'
import { systemTimers, type Timer, type Timers } from '../timers.ts'
import { isUnavailable, sqlState } from './errors.ts'

const askEveryMs = secondMs
/** A problem that goes on refusing requests is logged again after this long. */
const repeatMs = 10 * secondMs
/** An outage is over once the database has been usable for this long without another failure. A pool
 * may hand out a connection that was lost before, and a server may come and go. */
const quietMs = 5 * secondMs

/** What an operator reads, by SQLSTATE or, where PostgreSQL said nothing, by message; the first match counts. */
const problems: readonly [pattern: RegExp, text: string][] = [
  [/^25006/, 'the database takes no writes: it is read-only'],
  [/^53100/, 'the database takes no writes: its disk is full'],
  [/^53200/, 'the database is out of memory'],
  [/^53300/, 'the database has no connection left'],
  [/^53/, 'the database has reached a limit of its own'],
  [/^58/, 'the database cannot use its files'],
  [/^(57014|55P03)/, 'the database does not answer in time'],
  [
    /timeout exceeded when trying to connect|query read timeout/i,
    'the database does not answer in time',
  ],
  [/^40/, 'the database does not get past conflicts of transactions'],
]
const unreachable = 'the database cannot be reached'

export interface OutageLogOptions {
  log: Log
  /** Returns the error that a write meets now; undefined when the database can be used. */
  ask: () => Promise<Error | undefined>
  timers?: Timers
  /** Time of day of `since`: that of the other log lines, also where a sandbox has moved its own clock. */
  clock?: Clock
}

/** What failed: a request by its id, which is counted, or other work by its name. */
export interface FailedWork {
  request?: string
  [name: string]: unknown
}

interface Outage {
  since: string
  beganMs: number
  refused: number
  /** When the database could be used again, if it has not failed since. */
  usableMs: number | undefined
  /** What was logged of each problem, by its text. */
  told: Map<string, { atMs: number; refused: number }>
}

/**
 * Logs an outage of the database once for all who meet it: when each problem begins, then at most every ten
 * seconds with how many requests were refused meanwhile, and when the database can be used again.
 */
export class OutageLog {
  readonly #options: Required<OutageLogOptions>
  #outage: Outage | undefined
  #asking: Timer | undefined
  #isAsking = false
  #isClosed = false

  constructor(options: OutageLogOptions) {
    this.#options = { timers: systemTimers, clock: () => new Date(), ...options }
  }

  /** Records that work has failed. Returns false for an error that is no outage: the caller logs that one. */
  record(error: unknown, work: FailedWork = {}): boolean {
    if (!isUnavailable(error)) return false
    this.#outage ??= this.#begin()
    const outage = this.#outage
    outage.usableMs = undefined
    const text = problemOf(error as Error)
    const now = this.#options.timers.runningMs()
    const isNew = !outage.told.has(text)
    const told = outage.told.get(text) ?? { atMs: now, refused: 0 }
    outage.told.set(text, told)
    if (work.request !== undefined) {
      outage.refused++
      told.refused++
    }
    const isDue = told.refused > 0 && now - told.atMs >= repeatMs
    if (!isNew && !isDue) return true
    const { since } = outage
    const fields = {
      cause: causeOf(error as Error),
      code: codeOf(error),
      since,
      refused: told.refused,
    }
    this.#options.log.warn({ ...fields, ...work }, isNew ? text : `still: ${text}`)
    told.atMs = now
    told.refused = 0
    return true
  }

  /** Logs nothing more. */
  close(): void {
    this.#isClosed = true
    this.#asking?.cancel()
  }

  #begin(): Outage {
    const { timers, clock } = this.#options
    if (!this.#isClosed) {
      this.#asking = timers.every(askEveryMs, () => void this.#askAgain())
      this.#asking.unref()
    }
    return {
      since: clock().toISOString(),
      beganMs: timers.runningMs(),
      refused: 0,
      usableMs: undefined,
      told: new Map(),
    }
  }

  async #askAgain(): Promise<void> {
    if (this.#isAsking) return
    this.#isAsking = true
    const refusal = await this.#options.ask()
    this.#isAsking = false
    const outage = this.#outage
    if (!outage || this.#isClosed) return
    const now = this.#options.timers.runningMs()
    if (refusal) {
      outage.usableMs = undefined
      return
    }
    outage.usableMs ??= now
    if (now - outage.usableMs < quietMs) return
    this.#asking?.cancel()
    this.#outage = undefined
    const { since, refused, usableMs, beganMs } = outage
    this.#options.log.warn(
      { since, lasted_ms: Math.round(usableMs - beganMs), refused },
      'the database can be used again',
    )
  }
}

function problemOf(error: Error): string {
  const said = sqlState(error) ?? error.message
  return problems.find(([pattern]) => pattern.test(said))?.[1] ?? unreachable
}

/** Node gives an error of several addresses no message of its own. */
function causeOf(error: Error): string {
  if (error.message !== '' || !(error instanceof AggregateError)) return error.message
  return error.errors.map((each: unknown) => (each as Error).message).join('; ')
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown }).code
}
