import { type Clock, secondMs } from '../kernel/clock.ts'
import { Failure } from '../kernel/failure.ts'
import { isUnavailable } from './database/errors.ts'

/** For how long what was found out is believed. */
const believedMs = secondMs

/** Not even tried, because it could not be had a moment ago or is pretended to be out. `cause` is the error
 * that was met then. */
export class OutOfReach extends Failure {
  constructor(name: string, cause?: unknown) {
    super('unavailable', '', name)
    this.cause = cause
  }
}

/**
 * What could not be had a moment ago, so that not everybody waits for it: without this, a deadline
 * that each request pays for itself jams the few connections that they share.
 */
export class Outages {
  readonly #now: Clock
  readonly #known = new Map<string, { isOut: boolean; untilMs: number; error?: unknown }>()
  readonly #trials = new Map<string, Promise<void>>()

  constructor(now: Clock) {
    this.#now = now
  }

  /** Whether it is out. Once that is no longer to be believed, one who asks is told no, and tries it
   * for all. */
  isOut(name: string): boolean {
    const known = this.#known.get(name)
    if (!known?.isOut) return false
    if (this.#isFresh(known)) return true
    this.lost(name)
    return false
  }

  lost(name: string): void {
    this.#learn(name, true)
  }

  found(name: string): void {
    this.#known.delete(name)
  }

  /**
   * Does `work`, which needs it. While nothing is known of it one tries and the others wait for how
   * that ends; when it is out nobody tries: throws `OutOfReach`.
   */
  async past<T>(name: string, work: () => Promise<T>): Promise<T> {
    for (let trial = this.#trials.get(name); trial; trial = this.#trials.get(name)) await trial
    const known = this.#known.get(name)
    if (known && this.#isFresh(known)) {
      if (known.isOut) throw new OutOfReach(name, known.error)
      return this.#watched(name, work)
    }
    const trial = this.#watched(name, work)
    const ended = trial.then(ignore, ignore).then(() => void this.#trials.delete(name))
    this.#trials.set(name, ended)
    return trial
  }

  async #watched<T>(name: string, work: () => Promise<T>): Promise<T> {
    try {
      const result = await work()
      this.#learn(name, false)
      return result
    } catch (error) {
      if (isUnavailable(error)) this.#learn(name, true, error)
      throw error
    }
  }

  #learn(name: string, isOut: boolean, error?: unknown): void {
    this.#known.set(name, { isOut, untilMs: this.#now().getTime() + believedMs, error })
  }

  #isFresh({ untilMs }: { untilMs: number }): boolean {
    return this.#now().getTime() < untilMs
  }
}

const ignore = () => {}
