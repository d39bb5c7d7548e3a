import type { Dispatcher } from 'undici'

/** What is sent: `headers` beside those that belong to the connection. */
export interface Posted {
  path: string
  headers: Record<string, string>
  body: string
}

export interface Answer {
  status: number
  headers: Record<string, string>
  /** The first 4 KiB, as UTF-8. */
  body: string
}

export class DeadlineOver extends Error {}

const keptBytes = 4_096
/** An answer is read on to here for the sake of its connection, which has cost more to open. */
const drainedBytes = 65_536
/** Of what may come before an answer (103 and its like). */
const mostEarly = 20

/**
 * One request and its answer, on whatever connection it is given. The answer is whole, or its kept
 * bytes have come, before `onSettled` is called; `onOver` follows when the connection is free again.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly posted: Posted
  readonly #resolve: (answer: Answer) => void
  readonly #reject: (error: Error) => void
  readonly #timeoutMs: number
  #timer: NodeJS.Timeout | undefined
  #controller: Dispatcher.DispatchController | undefined
  #aborted: Error | undefined
  #status = 0
  #early = 0
  #headers: Record<string, string> = {}
  #parts: Buffer[] = []
  #size = 0
  #isSettled = false
  /** Told when the connection is free: with what broke it, if something did. */
  onOver: (error: Error | undefined) => void = () => {}

  constructor(
    posted: Posted,
    how: { resolve(answer: Answer): void; reject(e: Error): void; timeoutMs: number },
  ) {
    this.posted = posted
    this.#resolve = how.resolve
    this.#reject = how.reject
    this.#timeoutMs = how.timeoutMs
  }

  /** From now on the other side has its time, unless it has it already. */
  startDeadline(): void {
    this.#timer ??= setTimeout(() => this.#abort(new DeadlineOver()), this.#timeoutMs)
  }

  /** Once the connection is free. */
  endDeadline(): void {
    clearTimeout(this.#timer)
  }

  /** Whether an answer has begun, or will be waited for no longer: then it must not be sent again. */
  get isDecided(): boolean {
    return this.#status > 0 || this.#isSettled
  }

  /** Ends it now, wherever it stands. */
  #abort(error: Error): void {
    this.#aborted = error
    this.fail(error)
    this.#controller?.abort(error)
  }

  fail(error: Error): void {
    if (this.#isSettled) return
    this.#isSettled = true
    this.#reject(error)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#aborted) controller.abort(this.#aborted)
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) {
      if (++this.#early > mostEarly) controller.abort(new Error('too much before the answer'))
      return
    }
    this.#status = status
    this.#headers = flatten(headers)
  }

  onResponseData(controller: Dispatcher.DispatchController, part: Buffer): void {
    const before = this.#size
    this.#size += part.length
    if (before < keptBytes) {
      this.#parts.push(part)
      if (this.#size >= keptBytes) this.#settle()
    }
    if (this.#size > drainedBytes) controller.abort(new Error('the answer is too long'))
  }

  onResponseEnd(): void {
    this.#settle()
    this.onOver(undefined)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.onOver(error)
  }

  #settle(): void {
    if (this.#isSettled) return
    this.#isSettled = true
    const [status, headers] = [this.#status, this.#headers]
    this.#resolve({ status, headers, body: this.#kept() })
    this.#parts = []
  }

  /** As text; a character that the cut went through is left out. */
  #kept(): string {
    const bytes = Buffer.concat(this.#parts)
    if (bytes.length <= keptBytes) return bytes.toString('utf8')
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, keptBytes), {
      stream: true,
    })
  }
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return flat
}
