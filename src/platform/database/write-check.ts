import { secondMs } from '../../kernel/clock.ts'
import { systemTimers, type Timers } from '../timers.ts'
import { sqlState } from './errors.ts'

/** Throws unless the database takes writes; with `addsToFiles` unless it also takes those that need room. */
export type Probe = (how: { addsToFiles: boolean }) => Promise<void>

/** The longest is what a change may wait for in vain once writes are taken again. */
const pauseMs = { first: secondMs / 4, last: secondMs }

/** Read-only, or nothing can be added to its files: a read may well succeed. */
const refusals = new Set(['25006', '53100', '58030'])

/**
 * Whether the database takes writes. A write that it refuses leaves that in doubt until a write of the same kind
 * succeeds: on a full disk small changes still do. While it is in doubt one question is asked for all who want to
 * know, with growing pauses.
 */
export class WriteCheck {
  readonly #probe: Probe
  readonly #timers: Timers
  #refusal: Error | undefined
  #pauseMs = pauseMs.first
  #nextAt = 0
  #asking: Promise<Error | undefined> | undefined

  constructor(probe: Probe, timers = systemTimers) {
    this.#probe = probe
    this.#timers = timers
  }

  /** Whether a write was refused and none has been tried successfully since. */
  get isInDoubt(): boolean {
    return this.#refusal !== undefined
  }

  /** Takes note of an error, of whatever kind. */
  failed(error: unknown): void {
    if (error instanceof Error && refusals.has(sqlState(error) ?? '')) this.#refusal = error
  }

  /** Returns the error that a write meets now; undefined when writes are taken. */
  ask(): Promise<Error | undefined> {
    if (this.isInDoubt && this.#timers.runningMs() < this.#nextAt)
      return Promise.resolve(this.#refusal)
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined
    })
    return this.#asking
  }

  async #ask(): Promise<Error | undefined> {
    try {
      await this.#probe({ addsToFiles: this.isInDoubt })
      this.#refusal = undefined
      this.#pauseMs = pauseMs.first
      return undefined
    } catch (error) {
      this.failed(error)
      this.#nextAt = this.#timers.runningMs() + this.#pauseMs
      this.#pauseMs = Math.min(pauseMs.last, 2 * this.#pauseMs)
      return error as Error
    }
  }
}
