import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import autocannon, { type Options, type Result } from 'autocannon'
import { startBenchProgram } from './program.ts'
import { trackResource } from './resources.ts'

/** What the benchmarks share: servers in processes of their own, load from this one. */

const startBoundMs = 120_000
const maxStartAttempts = 3

let compileCache: string | undefined

/**
 * Lets all servers of a smoke run share their sources without types: a start takes half of the processor time
 * then. Full runs start their servers as users do.
 */
export function shareCompiledSources(): void {
  compileCache = makeFolder().path
  process.env['NODE_COMPILE_CACHE'] = compileCache
}

export interface BenchServer {
  address: string
  pid: number
  stop(): Promise<void>
}

/**
 * Starts a program on a free port and waits until it answers anything at all. Its log is made, but
 * goes nowhere: reading it would take time from whoever makes the load.
 */
export async function startServer(
  args: string[],
  env: Record<string, string>,
): Promise<BenchServer> {
  const name = args
    .map((arg) => (arg === mainFile ? 'feria' : relative(process.cwd(), arg)))
    .join(' ')
  for (let start = 1; ; start++) {
    const port = await freePort()
    const program = startBenchProgram(name, {
      command: process.execPath,
      args,
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        ...(compileCache ? { NODE_COMPILE_CACHE: compileCache } : {}),
        // A machine that is busy makes answers late, which is measured; it must not end the benchmark.
        FERIA_READ_DEADLINE_MS: '15000',
        FERIA_QUEUE_WAIT_MS: '15000',
        ...env,
        PORT: String(port),
      },
    })
    const address = `http://127.0.0.1:${port}`
    const end = performance.now() + startBoundMs
    while (!program.hasEnded() && performance.now() < end && !(await isAnswering(address))) {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    if (!program.hasEnded() && performance.now() < end) {
      return { address, pid: program.pid, stop: () => program.stop() }
    }
    const isLate = !program.hasEnded()
    await program.stop()
    if (isLate) throw new Error(`${name} did not answer within ${startBoundMs / 1_000} s`)
    // Somebody else may have taken the port since it was free.
    if (start < maxStartAttempts && /EADDRINUSE/.test(program.describeEnd())) continue
    throw new Error(program.describeEnd())
  }
}

/** Whether anything at all answers there. */
export async function isAnswering(address: string): Promise<boolean> {
  try {
    await (await fetch(`${address}/health/live`)).arrayBuffer()
    return true
  } catch {
    return false
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

export interface RequestLoad {
  connections: number
  seconds: number
  /** See `keepProcessAwake`. */
  staysAwake?: boolean
  /** The next request, by path and access token; a POST where it has a body, which is JSON. */
  next(): { path: string; token?: string; body?: string }
}

/** Requests a second that were answered with 2xx under this load; throws on any other answer. */
export async function requestsPerSecond(address: string, load: RequestLoad): Promise<number> {
  const sleep = load.staysAwake ? keepProcessAwake() : () => {}
  let firstFailure: string | undefined
  try {
    const options: Options = {
      url: address,
      connections: load.connections,
      duration: load.seconds,
      requests: [
        {
          setupRequest(request) {
            const { path, token, body } = load.next()
            const headers = {
              ...(token ? { authorization: `Bearer ${token}` } : {}),
              ...(body ? { 'content-type': 'application/json' } : {}),
            }
            return { ...request, path, headers, ...(body ? { method: 'POST', body } : {}) }
          },
        },
      ],
    }
    const result = await new Promise<Result>((resolve, reject) => {
      const running = autocannon(options, (error, result) =>
        error ? reject(error) : resolve(result),
      )
      running.on('reqError', (error: Error) => {
        firstFailure ??= error.message
      })
    })
    if (result.non2xx > 0 || result.errors > 0) {
      const codes = Object.entries(result.statusCodeStats ?? {})
        .filter(([code]) => !code.startsWith('2'))
        .map(([code, { count = 0 }]) => `${count} answers ${code}`)
      const failed = result.errors > 0 ? [`${result.errors} failed (${firstFailure})`] : []
      throw new Error(`requests to ${address}: ${[...codes, ...failed].join(', ')}`)
    }
    return result['2xx'] / result.duration
  } finally {
    sleep()
  }
}

/** Keeps this process from sleeping until it may: for a server that needs one processor, where there are
 * two. Whoever is slower than the load would else wake it for every answer, which costs the one who wakes: in
 * a virtual machine as much as a small request. */
export function keepProcessAwake(): () => void {
  let isAwake = true
  const turn = () => {
    if (isAwake) setImmediate(turn)
  }
  turn()
  return () => {
    isAwake = false
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** Exact, from all samples; `share` from 0 to 1. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** What a process occupies. Linux only: elsewhere the figure is not a number. */
export function residentBytes(pid: number): number {
  try {
    const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return Number(match?.[1]) * 1024
  } catch {
    return Number.NaN
  }
}

export function makeFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'feria-bench-'))
  const remove = trackResource(() => rmSync(path, { recursive: true, force: true }))
  return { path, remove: () => void remove() }
}

export const mainFile = new URL('../src/cli/main.ts', import.meta.url).pathname
