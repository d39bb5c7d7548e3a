import { TooManyRequests } from '../kernel/failure.ts'

declare module '../platform/context.ts' {
  interface Context {
    readonly exportSlots: ExportSlots
  }
}

const maxExports = 4
/** An export holds at most one connection at a time. This share of them leaves the others to requests. */
const shareOfConnections = 0.25
const retryAfterSeconds = 10

/** Limits the exports that this process runs at a time. */
export class ExportSlots {
  readonly limit: number
  #used = 0

  constructor({ poolSize }: { poolSize: number }) {
    this.limit = Math.min(maxExports, Math.max(1, Math.floor(shareOfConnections * poolSize)))
  }

  get used(): number {
    return this.#used
  }

  /** Takes a slot and returns the function that releases it, once. Throws `too_many_exports`. */
  take(): () => void {
    if (this.#used >= this.limit) {
      throw new TooManyRequests(retryAfterSeconds, 'too_many_exports', String(this.limit))
    }
    this.#used++
    let isReleased = false
    return () => {
      if (!isReleased) this.#used--
      isReleased = true
    }
  }
}
