import { secondMs } from '../../kernel/clock.ts'
import { systemTimers, type Timers } from '../timers.ts'
import { sqlState } from './errors.ts'

/** Throws unless the database accepts writes. With `addsToFiles`, it must also accept writes that need disk space. */
export type Probe = (how: { addsToFiles: boolean }) => Promise<void>

/** Pauses between probes. The last is how long changes may still be refused after writes are accepted again. */
const pauseMs = { first: secondMs / 4, last: secondMs }

/** SQLSTATEs of refused writes: read-only, disk full, I/O error. Reads may still succeed. */
const refusals = new Set(['25006', '53100', '58030'])

/**
 * Knows whether the database accepts writes. After a refused write that is in doubt until a probe of the same kind
 * succeeds, because small changes still succeed on a full disk. While in doubt, all callers share one probe, with
 * growing pauses.
 */
export class WriteCheck {
  readonly #probe: Probe
  readonly #timers: Timers
  #refusal: Error | undefined
  #pauseMs = pauseMs.first
  #nextAt = 0
  #probing: Promise<Error | undefined> | undefined

  constructor(probe: Probe, timers = systemTimers) {
    this.#probe = probe
    this.#timers = timers
  }

  /** Whether a write was refused and no probe has succeeded since. */
  get isInDoubt(): boolean {
    return this.#refusal !== undefined
  }

  /** Records an error. Only refused writes count. */
  recordError(error: unknown): void {
    if (error instanceof Error && refusals.has(sqlState(error) ?? '')) this.#refusal = error
  }

  /** Returns the error that a write gets now, or undefined if writes are accepted. */
  currentError(): Promise<Error | undefined> {
    if (this.isInDoubt && this.#timers.runningMs() < this.#nextAt)
      return Promise.resolve(this.#refusal)
    this.#probing ??= this.#runProbe().finally(() => {
      this.#probing = undefined
    })
    return this.#probing
  }

  /** Tests the database and returns why it takes no writes, or undefined. After a failure the next test waits twice
   * as long. */
  async #runProbe(): Promise<Error | undefined> {
    try {
      await this.#probe({ addsToFiles: this.isInDoubt })
      this.#refusal = undefined
      this.#pauseMs = pauseMs.first
      return undefined
    } catch (error) {
      this.recordError(error)
      this.#nextAt = this.#timers.runningMs() + this.#pauseMs
      this.#pauseMs = Math.min(pauseMs.last, 2 * this.#pauseMs)
      return error as Error
    }
  }
}
