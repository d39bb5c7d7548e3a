import { setTimeout as sleep } from 'node:timers/promises'

/** How requests are retried. */
export interface RetryOptions {
  /** How often a request is sent at most, including the first time. Default: 4. */
  tries?: number
  /** An answer with a longer `Retry-After` is returned at once. Default: 60. */
  longestWaitSeconds?: number
  /** Timeout of one try. Default: 30. */
  timeoutSeconds?: number
  /** Sends a request, for tests and proxies. Default: `globalThis.fetch`. */
  fetch?: (request: Request) => Promise<Response>
  /** Waits, for tests. */
  wait?: (ms: number, signal: AbortSignal) => Promise<unknown>
  /** From 0 to 1, for tests. */
  random?: () => number
  now?: () => number
}

const firstPauseMs = 250
const longestPauseMs = 10_000
const maximumJitterMs = 1_000
/** Statuses of failures that a retry may overcome. */
const transientStatuses = new Set([500, 502, 503, 504])

/**
 * Returns a `fetch` that retries where that is safe. Network errors and 5xx are retried for idempotent requests: GET,
 * HEAD, OPTIONS, PUT, DELETE, and any with an `Idempotency-Key`. A 429 is always retried, because it was not executed.
 * Waits for `Retry-After` plus jitter, otherwise with exponential backoff. Throws the error of the last try.
 */
export function makeRetryingFetch(options: RetryOptions = {}) {
  const { tries = 4, longestWaitSeconds = 60, timeoutSeconds = 30 } = options
  const { random = Math.random, now = Date.now } = options
  const { fetch: send = (request: Request) => globalThis.fetch(request) } = options
  const { wait = (ms, signal) => sleep(ms, undefined, { signal }) } = options
  return async (request: Request): Promise<Response> => {
    const mayRepeat = isRepeatable(request)
    for (let retriesLeft = tries - 1; ; retriesLeft--) {
      const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutSeconds * 1000)])
      // A body can be read only once, so all tries but the last send a clone.
      const attempt = retriesLeft > 0 ? request.clone() : request
      let pauseMs: number
      try {
        const answer = await send(new Request(attempt, { signal }))
        const shouldRetry =
          answer.status === 429 || (mayRepeat && transientStatuses.has(answer.status))
        if (!shouldRetry || retriesLeft <= 0) return answer
        const askedMs = retryAfterMs(answer.headers.get('retry-after'), now())
        if (askedMs !== undefined && askedMs > longestWaitSeconds * 1000) return answer
        pauseMs =
          askedMs === undefined ? pauseBefore(tries - retriesLeft) : askedMs + jitter(askedMs)
        await answer.body?.cancel()
      } catch (error) {
        if (request.signal.aborted || !mayRepeat || retriesLeft <= 0) throw error
        pauseMs = pauseBefore(tries - retriesLeft)
      }
      await wait(pauseMs, request.signal)
    }
  }

  function pauseBefore(tried: number): number {
    const maximumMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (tried - 1))
    return maximumMs * (0.5 + random() / 2)
  }

  function jitter(askedMs: number): number {
    return random() * Math.max(firstPauseMs, Math.min(maximumJitterMs, askedMs / 10))
  }
}

/** Returns whether a request is idempotent. */
function isRepeatable({ method, headers }: Request): boolean {
  return /^(GET|HEAD|OPTIONS|PUT|DELETE)$/.test(method) || headers.has('idempotency-key')
}

/** Returns the wait of a `Retry-After` header, in seconds or as a date, in milliseconds. Undefined if it has none. */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs)
}
