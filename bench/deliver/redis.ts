import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { freePort } from '../measure.ts'
import { startBenchProgram } from '../program.ts'

export interface Redis {
  port: number
  pid: number
  stop(): Promise<void>
}

const startBoundMs = 10_000

/**
 * A Redis of our own that keeps what it holds as BullMQ advises (append-only file, written out every
 * second); undefined where there is none to run.
 */
export async function startRedis(folder: string): Promise<Redis | undefined> {
  if (spawnSync('redis-server', ['--version']).status !== 0) return undefined
  const data = join(folder, 'redis')
  mkdirSync(data)
  const port = await freePort()
  const logfile = join(data, 'redis.log')
  const settings = {
    logfile,
    port,
    bind: '127.0.0.1',
    dir: data,
    daemonize: 'no',
    save: '""',
    appendonly: 'yes',
    appendfsync: 'everysec',
    'maxmemory-policy': 'noeviction',
  }
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
  const program = startBenchProgram('redis-server', { command: 'redis-server', args })
  const end = performance.now() + startBoundMs
  while (!(await answers(port))) {
    if (program.hasEnded() || performance.now() > end) {
      await program.stop()
      throw new Error(`redis-server did not start: ${lastLine(logfile) ?? program.describeEnd()}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return { port, pid: program.pid, stop: () => program.stop() }
}

function lastLine(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').at(-1)
  } catch {
    return undefined
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
