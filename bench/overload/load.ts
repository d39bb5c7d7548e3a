import autocannon, { type Result } from 'autocannon'
import type { BenchRequest } from '../compare-in-turn.ts'
import { percentile } from '../measure.ts'
import { startSlowClients } from './slow-clients.ts'

/** What all connections got, in one round; shares and times are those of the quick ones. */
export interface LoadResult {
  /** Answers 2xx a second, to quick and to slow clients. */
  goodput: number
  /** Answers 503 with `Retry-After`, as a share of all. */
  refusedShare: number
  /** Of those that were answered 2xx. */
  p99Ms: number
  maxMs: number
  /** Answers of any other kind, and connections that broke. */
  unexpectedAnswers: readonly string[]
  /** Answers 2xx that slow clients got. */
  slowAnswers: number
  /** Processor time of this process, in processors. */
  generatorCpu: number
}

/** Every third connection is slow; the others send their next request as soon as they are answered, also 503. */
export async function runLoad(
  address: string,
  of: { connections: number; seconds: number; next: () => BenchRequest },
): Promise<LoadResult> {
  const { connections, seconds, next } = of
  const slow = startSlowClients(address, { clients: Math.floor(connections / 3), next })
  const times: number[] = []
  const wrong = new Map<string, number>()
  const count = (what: string) => wrong.set(what, (wrong.get(what) ?? 0) + 1)
  let [refused, all] = [0, 0]
  const before = process.cpuUsage()
  const result = await new Promise<Result>((resolve, reject) => {
    const running = autocannon(
      {
        url: address,
        connections: connections - slow.clients,
        duration: seconds,
        timeout: 60,
        requests: [{ setupRequest: (request) => ({ ...request, ...encodeRequest(next()) }) }],
      },
      (error, result) => (error ? reject(error) : resolve(result)),
    )
    running.on('response', (_client, status, _bytes, ms) => {
      all++
      if (status >= 200 && status < 300) times.push(ms)
      else if (status === 503) refused++
      else count(`${status}`)
    })
    running.on('reqError', (error: Error) => count(error.message))
  })
  const { user, system } = process.cpuUsage(before)
  const slowAnswers = await slow.stop()
  return {
    goodput: (times.length + slowAnswers) / result.duration,
    refusedShare: refused / Math.max(1, all),
    p99Ms: percentile(times, 0.99),
    maxMs: percentile(times, 1),
    unexpectedAnswers: [...wrong].map(([what, times]) => `${times} × ${what}`),
    slowAnswers,
    generatorCpu: (user + system) / 1e6 / result.duration,
  }
}

function encodeRequest({ path, token, body }: BenchRequest) {
  return {
    path,
    method: body === undefined ? ('GET' as const) : ('POST' as const),
    ...(body === undefined ? {} : { body }),
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
  }
}
