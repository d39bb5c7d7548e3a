import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'

/** What the benchmarks share: servers in processes of their own, load from this one. */

const startBoundMs = 120_000

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
  const port = await freePort()
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const server = {
    address: `http://127.0.0.1:${port}`,
    pid: child.pid as number,
    stop: () => stop(child),
  }
  const end = performance.now() + startBoundMs
  while (!(await answers(server.address))) {
    if (child.exitCode !== null)
      throw new Error(`${args.join(' ')} ended with code ${child.exitCode}`)
    if (performance.now() > end) {
      await stop(child)
      throw new Error(`${args.join(' ')} did not answer in time`)
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return server
}

/** Whether anything at all answers there. */
export async function answers(address: string): Promise<boolean> {
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

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

export interface Load {
  connections: number
  seconds: number
  /** See `stayAwake`. */
  staysAwake?: boolean
  /** The next request, by path and access token; a POST where it has a body, which is JSON. */
  next(): { path: string; token?: string; body?: string }
}

/** Requests a second that were answered with 2xx under this load; throws on any other answer. */
export async function requestsPerSecond(address: string, load: Load): Promise<number> {
  const sleep = load.staysAwake ? stayAwake() : () => {}
  try {
    const result = await autocannon({
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
    })
    if (result.non2xx > 0 || result.errors > 0) {
      throw new Error(`${result.non2xx} answers were not 2xx, ${result.errors} failed`)
    }
    return result['2xx'] / result.duration
  } finally {
    sleep()
  }
}

/** Keeps this process from sleeping until it may: for a server that needs one processor, where there are
 * two. Whoever is slower than the load would else wake it for every answer, which costs the one who wakes: in
 * a virtual machine as much as a small request. */
export function stayAwake(): () => void {
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
    const found = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return Number(found?.[1]) * 1024
  } catch {
    return Number.NaN
  }
}

export function makeFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'feria-bench-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

export const mainFile = new URL('../src/cli/main.ts', import.meta.url).pathname
