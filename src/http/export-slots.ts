import { TooManyRequests } from '../kernel/failure.ts'
import type { OperatorActor } from '../kernel/operator-actor.ts'

declare module '../platform/context.ts' {
  interface Context {
    readonly exportSlots: ExportSlots
  }
}

const maxExports = 4
/** An export holds at most one connection at a time. This share of them leaves the others to requests. */
const shareOfConnections = 0.25
const retryAfterSeconds = 10

/** Limits the exports that this process runs at a time. An account or API key leaves one to others. */
export class ExportSlots {
  readonly limit: number
  /** The exports that one account or API key may run. */
  readonly share: number
  readonly #running: OperatorActor[] = []

  constructor({ poolSize }: { poolSize: number }) {
    this.limit = Math.min(maxExports, Math.max(1, Math.floor(shareOfConnections * poolSize)))
    this.share = Math.max(1, this.limit - 1)
  }

  get used(): number {
    return this.#running.length
  }

  /** Takes a slot and returns the function that releases it, once. Throws `too_many_exports`. */
  take(operator: OperatorActor): () => void {
    const own = this.#running.filter((other) => isSame(other, operator))
    if (own.length >= this.share && operator.kind !== 'token') throw tooMany(this.share)
    if (this.used >= this.limit) throw tooMany(this.limit)
    const slot = { ...operator }
    this.#running.push(slot)
    return () => {
      const index = this.#running.indexOf(slot)
      if (index !== -1) this.#running.splice(index, 1)
    }
  }
}

function tooMany(limit: number): TooManyRequests {
  return new TooManyRequests(retryAfterSeconds, 'too_many_exports', String(limit))
}

function isSame(one: OperatorActor, other: OperatorActor): boolean {
  return one.kind === other.kind && 'id' in one && 'id' in other && one.id === other.id
}
