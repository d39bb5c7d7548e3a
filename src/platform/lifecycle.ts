import type { Log } from './log.ts'

/**
 * Closes all opened parts in reverse order, each within a time limit. A hanging part must not keep the others, above
 * all the database, from a clean end.
 */
export class Lifecycle {
  readonly #closers: { name: string; close: () => Promise<unknown> }[] = []
  readonly #boundMs: number
  readonly #log: Log
  #closing: Promise<void> | undefined

  constructor(boundMs: number, log: Log) {
    this.#boundMs = boundMs
    this.#log = log
  }

  add(name: string, close: () => Promise<unknown>): void {
    this.#closers.push({ name, close })
  }

  /** Closes everything, once however often it is called. */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll()
    return this.#closing
  }

  /**
   * Closes on these signals and then exits with `code`. A second signal exits at once. `onStop` runs before the parts close. `close` does not return after a
   * signal, so that work that fails because its database is closed is not reported.
   */
  closeOnSignals(
    signals: readonly NodeJS.Signals[],
    { code = 0, onStop = () => {} }: { code?: number; onStop?: () => void } = {},
  ): void {
    let isStopping = false
    const onSignal = (signal: NodeJS.Signals) => {
      // 130 is what shells report for Ctrl-C, by which people end a process that hangs.
      if (isStopping) process.exit(130)
      isStopping = true
      this.#log.info({ signal }, 'stopping')
      onStop()
      this.#closing = this.close().then(() => process.exit(code))
    }
    for (const signal of signals) process.on(signal, onSignal)
  }

  /** Closes the parts in the reverse order of their start, one after the other. One that fails or does not stop in
   * time is logged and left. */
  async #closeAll(): Promise<void> {
    for (const { name, close } of this.#closers.toReversed()) {
      let timer: NodeJS.Timeout | undefined
      const bound = new Promise<void>((resolve) => {
        timer = setTimeout(() => {
          this.#log.warn({ part: name }, 'did not stop in time')
          resolve()
        }, this.#boundMs)
      })
      const closed = (async () => close())().catch((error: unknown) => {
        this.#log.error({ err: error, part: name }, 'failed while stopping')
      })
      await Promise.race([closed, bound])
      clearTimeout(timer)
    }
  }
}
