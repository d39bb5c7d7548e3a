import { setTimeout as sleep } from 'node:timers/promises'

/** How a request is tried again. */
export interface RetryOptions {
  /** How often a request is sent at most, the first time included; 4 unless said otherwise. */
  tries?: number
  /** An answer that asks to wait for longer than this is handed to the caller at once; 60. */
  longestWaitSeconds?: number
  /** How long one try may take; 30. */
  timeoutSeconds?: number
  /** What sends a request; for tests and proxies. `globalThis.fetch` unless said otherwise. */
  fetch?: (request: Request) => Promise<Response>
  /** Waits, for tests. */
  wait?: (ms: number, signal: AbortSignal) => Promise<unknown>
  /** From 0 to 1, for tests. */
  random?: () => number
  now?: () => number
}

const firstPauseMs = 250
const longestPauseMs = 10_000
const mostJitterMs = 1_000
/** Answers that say nothing about the request: another try may have another one. */
const passing = new Set([500, 502, 503, 504])

/**
 * A `fetch` that tries again what may be tried again: what failed on the way or was answered with 5xx,
 * when repeating it does nothing twice (GET, HEAD, OPTIONS, PUT, DELETE, and anything with an
 * `Idempotency-Key`); and whatever was answered with 429, which was not done. Waits as long as
 * `Retry-After` asks and a little more, so that not everybody comes back at once; without it longer
 * every time. Throws what the last try threw.
 */
export function makeRetryingFetch(options: RetryOptions = {}) {
  const { tries = 4, longestWaitSeconds = 60, timeoutSeconds = 30 } = options
  const { random = Math.random, now = Date.now } = options
  const { fetch: send = (request: Request) => globalThis.fetch(request) } = options
  const { wait = (ms, signal) => sleep(ms, undefined, { signal }) } = options
  return async (request: Request): Promise<Response> => {
    const mayRepeat = isRepeatable(request)
    for (let left = tries - 1; ; left--) {
      const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutSeconds * 1000)])
      // The body of a request can be read once: the last try takes the original.
      const once = left > 0 ? request.clone() : request
      let pauseMs: number
      try {
        const answer = await send(new Request(once, { signal }))
        const again = answer.status === 429 || (mayRepeat && passing.has(answer.status))
        if (!again || left <= 0) return answer
        const askedMs = retryAfterMs(answer.headers.get('retry-after'), now())
        if (askedMs !== undefined && askedMs > longestWaitSeconds * 1000) return answer
        pauseMs = askedMs === undefined ? pauseBefore(tries - left) : askedMs + jitter(askedMs)
        await answer.body?.cancel()
      } catch (error) {
        if (request.signal.aborted || !mayRepeat || left <= 0) throw error
        pauseMs = pauseBefore(tries - left)
      }
      await wait(pauseMs, request.signal)
    }
  }

  function pauseBefore(tried: number): number {
    const most = Math.min(longestPauseMs, firstPauseMs * 2 ** (tried - 1))
    return most * (0.5 + random() / 2)
  }

  function jitter(askedMs: number): number {
    return random() * Math.max(firstPauseMs, Math.min(mostJitterMs, askedMs / 10))
  }
}

/** Whether sending it twice does no more than sending it once. */
function isRepeatable({ method, headers }: Request): boolean {
  return /^(GET|HEAD|OPTIONS|PUT|DELETE)$/.test(method) || headers.has('idempotency-key')
}

/** What `Retry-After` asks for, in milliseconds: seconds, or a date. Undefined when it says nothing. */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs)
}
