import type { Dispatcher } from 'undici'

/** A request to send. `headers` exclude those of the connection. */
export interface PostRequest {
  path: string
  headers: Record<string, string>
  body: string
}

export interface ExchangeResponse {
  status: number
  headers: Record<string, string>
  /** The first 4 KiB, as UTF-8. */
  body: string
}

/** The other side did not answer in time. */
export class DeadlineExceeded extends Error {}

/** Bytes of an answer that are kept. */
const keptBytes = 4_096
/** An answer is read up to this size to keep its connection, which costs more to open. */
const drainedBytes = 65_536
/** Limit of informational responses before an answer (such as 103). */
const mostEarly = 20

/**
 * A request and its answer on any connection. It resolves when the answer is complete, or when its first 4 KiB have
 * arrived. `onConnectionFree` is called when the connection is free again.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly posted: PostRequest
  readonly #resolve: (answer: ExchangeResponse) => void
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
  /** Called when the connection is free, with the error that broke it, if any. */
  onConnectionFree: (error: Error | undefined) => void = () => {}

  constructor(
    posted: PostRequest,
    how: { resolve(answer: ExchangeResponse): void; reject(e: Error): void; timeoutMs: number },
  ) {
    this.posted = posted
    this.#resolve = how.resolve
    this.#reject = how.reject
    this.#timeoutMs = how.timeoutMs
  }

  /** Starts the deadline, unless it has started. */
  startDeadline(): void {
    this.#timer ??= setTimeout(() => this.#abort(new DeadlineExceeded()), this.#timeoutMs)
  }

  /** Stops the deadline. */
  endDeadline(): void {
    clearTimeout(this.#timer)
  }

  /** Whether an answer has begun or is no longer awaited. Then the request must not be sent again. */
  get isDecided(): boolean {
    return this.#status > 0 || this.#isSettled
  }

  /** Ends the exchange at once. */
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
      if (++this.#early > mostEarly)
        controller.abort(new Error('too many informational responses before the answer'))
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
    this.onConnectionFree(undefined)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.onConnectionFree(error)
  }

  #settle(): void {
    if (this.#isSettled) return
    this.#isSettled = true
    const [status, headers] = [this.#status, this.#headers]
    this.#resolve({ status, headers, body: this.#keptText() })
    this.#parts = []
  }

  /** Returns the kept bytes as text, without a character that is cut in two. */
  #keptText(): string {
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
