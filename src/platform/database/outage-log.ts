import { type Clock, secondMs } from '../../kernel/clock.ts'
import type { Log } from '../log.ts'
import { systemTimers, type Timer, type Timers } from '../timers.ts'
import { isNodeUnavailable, isUnavailable, sqlState } from './errors.ts'

const probeEveryMs = secondMs
/** A problem that still refuses requests is logged again after this time. */
const repeatMs = 10 * secondMs
/** An outage is over after this time without another failure. A pool may still return a lost connection, and a server
 * may come and go. */
const quietMs = 5 * secondMs

/** The text for the operator by SQLSTATE, or by message if there is none. The first match counts. */
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
const nodeUnreachable = 'a node of the database cluster cannot be reached'

export interface OutageLogOptions {
  log: Log
  /** Returns the error that a write gets now, or undefined if the database is usable. */
  currentWriteError: () => Promise<Error | undefined>
  timers?: Timers
  /** The clock of `since`. It is that of other log lines, even if a sandbox has moved its own clock. */
  clock?: Clock
}

/** The failed work: a request by its id, which is counted, or other work by its name. */
export interface FailedWork {
  request?: string
  [name: string]: unknown
}

interface Outage {
  since: string
  beganMs: number
  refused: number
  /** When the database became usable, if it has not failed since. */
  usableMs: number | undefined
  /** The last line of each problem by its text, and the requests refused since then. */
  logged: Map<string, { atMs: number; refused: number }>
}

/**
 * Logs an outage of the database once for all failures. It writes a line when a problem begins and when the database is
 * usable again. In between, it writes the number of refused requests at most every 10 s.
 */
export class OutageLog {
  readonly #options: Required<OutageLogOptions>
  #outage: Outage | undefined
  #probing: Timer | undefined
  #isProbing = false
  #isClosed = false

  constructor(options: OutageLogOptions) {
    this.#options = { timers: systemTimers, clock: () => new Date(), ...options }
  }

  /** Records failed work. Returns false for an error that is no outage, which the caller must log. */
  record(error: unknown, work: FailedWork = {}): boolean {
    if (!isUnavailable(error)) return false
    this.#outage ??= this.#begin()
    const outage = this.#outage
    outage.usableMs = undefined
    const text = problemOf(error as Error)
    const now = this.#options.timers.runningMs()
    const isNew = !outage.logged.has(text)
    const problem = outage.logged.get(text) ?? { atMs: now, refused: 0 }
    outage.logged.set(text, problem)
    if (work.request !== undefined) {
      outage.refused++
      problem.refused++
    }
    const isDue = problem.refused > 0 && now - problem.atMs >= repeatMs
    if (!isNew && !isDue) return true
    const { since } = outage
    const fields = {
      cause: causeOf(error as Error),
      code: codeOf(error),
      since,
      refused: problem.refused,
    }
    this.#options.log.warn({ ...fields, ...work }, isNew ? text : `still: ${text}`)
    problem.atMs = now
    problem.refused = 0
    return true
  }

  /** Stops the log. */
  close(): void {
    this.#isClosed = true
    this.#probing?.cancel()
  }

  /** Begins an outage and tests the database every second until it is over. */
  #begin(): Outage {
    const { timers, clock } = this.#options
    if (!this.#isClosed) {
      this.#probing = timers.every(probeEveryMs, () => void this.#probeAgain())
      this.#probing.unref()
    }
    return {
      since: clock().toISOString(),
      beganMs: timers.runningMs(),
      refused: 0,
      usableMs: undefined,
      logged: new Map(),
    }
  }

  /** Tests whether the database is usable. Once it has been for `quietMs`, the outage is over and a line says how
   * long it lasted. */
  async #probeAgain(): Promise<void> {
    if (this.#isProbing) return
    this.#isProbing = true
    const refusal = await this.#options.currentWriteError()
    this.#isProbing = false
    const outage = this.#outage
    if (!outage || this.#isClosed) return
    const now = this.#options.timers.runningMs()
    if (refusal) {
      outage.usableMs = undefined
      return
    }
    outage.usableMs ??= now
    if (now - outage.usableMs < quietMs) return
    this.#probing?.cancel()
    this.#outage = undefined
    const { since, refused, usableMs, beganMs } = outage
    this.#options.log.warn(
      { since, lasted_ms: Math.round(usableMs - beganMs), refused },
      'the database can be used again',
    )
  }
}

function problemOf(error: Error): string {
  if (isNodeUnavailable(error)) return nodeUnreachable
  const key = sqlState(error) ?? error.message
  return problems.find(([pattern]) => pattern.test(key))?.[1] ?? unreachable
}

/** Returns the message of an error. An `AggregateError` of several addresses has none, so theirs are joined. */
function causeOf(error: Error): string {
  if (error.message !== '' || !(error instanceof AggregateError)) return error.message
  return error.errors.map((part: unknown) => (part as Error).message).join('; ')
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown }).code
}
