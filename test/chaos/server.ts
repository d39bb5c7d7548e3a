import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { chooseRunner, type ProgramRunner } from '../../src/platform/postgres/account.ts'
import { type Binaries, findBinaries } from '../../src/platform/postgres/binaries.ts'
import { startEmbedded } from '../../src/platform/postgres/embedded.ts'
import { nextEvent } from '../harness/wait.ts'

const startBoundMs = 60_000

/** As the embedded server is run, but for room for many connections and for long transactions. */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '500',
  shared_buffers: '256MB',
  work_mem: '8MB',
  random_page_cost: '1.1',
  jit: 'off',
  wal_compression: 'pglz',
  max_wal_size: '1GB',
  timezone: 'UTC',
  log_destination: 'stderr',
  logging_collector: 'off',
}

/** A durable PostgreSQL on a port that stays, so that it can be stopped and started under those who
 * use it. */
export class ChaosServer {
  readonly url: string
  readonly #runner: ProgramRunner
  readonly #binaries: Binaries
  readonly #cluster: string
  #child: ChildProcess | undefined

  readonly #killChild = () => void this.#child?.kill('SIGQUIT')

  private constructor(of: {
    url: string
    cluster: string
    runner: ProgramRunner
    binaries: Binaries
  }) {
    this.url = of.url
    this.#cluster = of.cluster
    this.#runner = of.runner
    this.#binaries = of.binaries
  }

  static async open(dataDirectory: string): Promise<ChaosServer> {
    const first = await startEmbedded({ dataDirectory })
    await first.stop()
    const binaries = await findBinaries()
    const cluster = join(dataDirectory, 'postgres')
    const runner = chooseRunner({ dataDirectory, cluster, binaries, setpriv: 'setpriv' })
    const server = new ChaosServer({ url: first.url, cluster, runner, binaries })
    await server.start()
    return server
  }

  async start(): Promise<void> {
    const port = new URL(this.url).port
    const args = Object.entries({ ...settings, port }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ])
    // Whatever ends this process: no server is left behind.
    process.once('exit', this.#killChild)
    const child = this.#runner.start(this.#binaries.postgres, ['-D', this.#cluster, ...args])
    let output = ''
    child.stderr?.on('data', (part: Buffer) => {
      output = (output + part.toString('utf8')).slice(-5_000)
    })
    this.#child = child
    const end = performance.now() + startBoundMs
    while (!(await this.#answers())) {
      if (child.exitCode !== null || performance.now() > end) {
        throw new Error(`PostgreSQL did not start:\n${output}`)
      }
      await sleep(20)
    }
  }

  async #answers(): Promise<boolean> {
    return this.ask('select 1').then(
      () => true,
      () => false,
    )
  }

  get pid(): number {
    const { pid } = this.#child ?? {}
    if (pid === undefined) throw new Error('PostgreSQL does not run')
    return pid
  }

  /** Whether the server has ended by itself. */
  get hasEnded(): boolean {
    const child = this.#child
    return child !== undefined && (child.exitCode !== null || child.signalCode !== null)
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal)
  }

  /** SIGINT: everybody is disconnected, what is in memory written; SIGQUIT: as after a crash. */
  async stop(signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT'): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (!child || child.exitCode !== null) return
    process.off('exit', this.#killChild)
    const exited = nextEvent(child, 'exit')
    child.kill(signal)
    await exited
  }

  connectClient(): Promise<pg.Client> {
    return connect(this.url)
  }

  ask(text: string): Promise<Record<string, string>[]> {
    return runStatement(this.url, text)
  }
}

export async function connect(connectionString: string): Promise<pg.Client> {
  // 300 connections opened at once on a busy machine took longer than 5 s.
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 30_000 })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Runs one statement on a connection of its own. */
export async function runStatement(url: string, text: string): Promise<Record<string, string>[]> {
  const client = await connect(url)
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end().catch(() => {})
  }
}
