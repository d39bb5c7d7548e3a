import { type Clock, secondMs } from '../kernel/clock.ts'
import { Failure } from '../kernel/failure.ts'
import { isNodeUnavailable, isUnavailable } from './database/errors.ts'

/** How long the last result of a resource counts. */
const freshMs = secondMs

/** A resource was not tried, because it failed a moment ago or the sandbox simulates that. `cause` is the earlier
 * error. */
export class ResourceUnavailable extends Failure {
  constructor(name: string, cause?: unknown) {
    super('unavailable', '', name)
    this.cause = cause
  }
}

/**
 * Remembers for 1 s which resources failed, so that later requests do not wait for them. Otherwise every request would
 * wait for its own deadline, and so block the few connections that all share.
 */
export class Outages {
  readonly #now: Clock
  readonly #states = new Map<string, { isOut: boolean; untilMs: number; error?: unknown }>()
  readonly #trials = new Map<string, Promise<void>>()

  constructor(now: Clock) {
    this.#now = now
  }

  /** Returns whether a resource is out. After 1 s, one caller gets false and tries it for all others. */
  isOut(name: string): boolean {
    const state = this.#states.get(name)
    if (!state?.isOut) return false
    if (this.#isFresh(state)) return true
    this.recordFailure(name)
    return false
  }

  /** Records that a resource is out. */
  recordFailure(name: string): void {
    this.#record(name, true)
  }

  /** Records that a resource is available again. */
  recordSuccess(name: string): void {
    this.#states.delete(name)
  }

  /**
   * Runs `work`, which needs a resource. While its state is unknown, one caller tries and the others wait for the
   * result. Throws `ResourceUnavailable` if the resource is out.
   */
  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    for (let trial = this.#trials.get(name); trial; trial = this.#trials.get(name)) await trial
    const state = this.#states.get(name)
    if (state && this.#isFresh(state)) {
      if (state.isOut) throw new ResourceUnavailable(name, state.error)
      return this.#runAndRecord(name, work)
    }
    const trial = this.#runAndRecord(name, work)
    const ended = trial.then(ignore, ignore).then(() => void this.#trials.delete(name))
    this.#trials.set(name, ended)
    return trial
  }

  /** Runs work and records whether the part of this name is out. */
  async #runAndRecord<T>(name: string, work: () => Promise<T>): Promise<T> {
    try {
      const result = await work()
      this.#record(name, false)
      return result
    } catch (error) {
      // A node of a cluster that is down takes its own rows along, not those of others.
      if (isUnavailable(error)) this.#record(name, !isNodeUnavailable(error), error)
      throw error
    }
  }

  #record(name: string, isOut: boolean, error?: unknown): void {
    this.#states.set(name, { isOut, untilMs: this.#now().getTime() + freshMs, error })
  }

  #isFresh({ untilMs }: { untilMs: number }): boolean {
    return this.#now().getTime() < untilMs
  }
}

const ignore = () => {}
