import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { freePort } from '../measure.ts'

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
  const settings = {
    ...{ port, bind: '127.0.0.1', dir: data, daemonize: 'no', save: '""' },
    ...{ appendonly: 'yes', appendfsync: 'everysec', 'maxmemory-policy': 'noeviction' },
  }
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
  const child = spawn('redis-server', args, { stdio: 'ignore' })
  const exited = once(child, 'exit')
  const stop = async () => {
    if (child.exitCode === null) child.kill('SIGTERM')
    await exited
  }
  const end = performance.now() + startBoundMs
  while (!(await answers(port))) {
    if (child.exitCode !== null || performance.now() > end) {
      await stop()
      throw new Error('redis-server did not start')
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return { port, pid: child.pid as number, stop }
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
