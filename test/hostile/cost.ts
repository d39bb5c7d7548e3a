import assert from 'node:assert/strict'
import { Agent, request as httpRequest, type OutgoingHttpHeaders } from 'node:http'
import type { Route } from '../../src/http/route.ts'
import type { TestApp } from '../harness/app.ts'
import type { HostileCase, HostileRequest } from './requests.ts'

/** What one request within the bounds may take of a processor. */
const maxCpuMs = 50
/** Where a request costs less, its growth is the noise of the machine. */
const minimumMeasuredMs = 10
const maxGrowth = 3
const minAttempts = 5
const maxAttempts = 40

export interface RequestTarget {
  route: Route
  path: string
  headers: Record<string, string>
}

/** What each request cost, for those who look for the slowest. */
export const slowestRequests: { name: string; ms: number }[] = []

/**
 * Holds the processor time of a hostile request: bounded at its whole size, and less than threefold that of half
 * of it. What the client takes is measured with it: 0.3 ms a request and 1 ms a MB, for the bytes are made before.
 * The cheapest of five to forty runs counts: whatever else runs here, and the collection of garbage, adds to the
 * others.
 */
export async function assertCostBounded(
  app: TestApp,
  {
    target,
    hostile,
    boundMs = maxCpuMs,
  }: { target: RequestTarget; hostile: HostileCase; boundMs?: number },
): Promise<void> {
  const [halfSize, wholeSize] = hostile.sizes
  const whole = hostile.requestOfSize(wholeSize)
  const name = `${target.route.method} ${target.route.url}, ${hostile.name}`
  const measure = (request: HostileRequest) => costOf(app, { target, request, name })
  let ms = await measure(whole)
  let halfMs = Number.POSITIVE_INFINITY
  const half = ms > minimumMeasuredMs ? hostile.requestOfSize(halfSize) : whole
  const isHeld = () => ms <= boundMs && ms < maxGrowth * halfMs
  for (let attempt = 1; attempt < maxAttempts && ms > minimumMeasuredMs; attempt++) {
    if (attempt >= minAttempts && isHeld()) break
    halfMs = Math.min(halfMs, await measure(half))
    ms = Math.min(ms, await measure(whole))
  }
  slowestRequests.push({ name, ms })
  if (ms <= minimumMeasuredMs) return
  assert.ok(ms <= boundMs, `${name}: ${ms.toFixed(1)} ms of processor time`)
  const growth = ms / halfMs
  assert.ok(growth < maxGrowth, `${name}: twice the size costs ${growth.toFixed(1)} times as much`)
}

async function costOf(
  app: TestApp,
  { target, request, name }: { target: RequestTarget; request: HostileRequest; name: string },
): Promise<number> {
  const { query, payload } = request
  const path = query === undefined ? target.path : `${target.path}?${query}`
  const headers = {
    ...target.headers,
    ...request.headers,
    ...(payload ? { 'content-length': String(payload.length) } : {}),
  }
  const before = process.cpuUsage()
  const status = await send(app.address, { method: target.route.method, path, headers, payload })
  const { user, system } = process.cpuUsage(before)
  assert.ok(status < 500, `${name}: ${status}`)
  return (user + system) / 1_000
}

const agent = new Agent({ keepAlive: true })

interface RawRequest {
  method: string
  path: string
  headers: OutgoingHttpHeaders
  payload: Buffer | undefined
}

/** Resolves once all of the answer is there. Who is refused early may still be sending. */
function send(address: string, sent: RawRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    const { payload, ...requestOptions } = sent
    const { hostname, port } = new URL(address)
    const request = httpRequest({ agent, hostname, port, ...requestOptions }, (response) => {
      response.on('error', reject).on('end', () => resolve(response.statusCode ?? 0))
      response.resume()
    })
    request.on('error', (error: NodeJS.ErrnoException) => {
      // The server has closed the connection while it was idle: this process did nothing for a minute.
      const isStale = request.reusedSocket && error.code === 'ECONNRESET'
      if (isStale) resolve(send(address, sent))
      else reject(error)
    })
    request.end(payload)
  })
}
