import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { runLoad } from '../../../bench/overload/load.ts'
import type { ChaosServer } from '../server.ts'
import {
  killBackend,
  openEmbeddedDatabase,
  openExternalDatabase,
  openServerDatabase,
  type StatementAccess,
} from './database.ts'
import { embeddedFaults } from './embedded.ts'
import { type ChaosSeller, renewTokens } from './market.ts'
import type { HttpCellContext, HttpChaosCell, InjectedFault, ServerProcess } from './run-cell.ts'

/** What goes wrong where several processes share one database, whoever runs its server. */
const databaseFaults: Record<string, InjectedFault<StatementAccess>> = {
  none: {
    name: 'nothing goes wrong',
    injectFault: ({ scale }) => sleep(scale.faultMs),
  },
  'kill-process': {
    name: 'one of two processes is killed',
    async injectFault({ processes, kill, scale }) {
      await kill(processes[0] as ServerProcess)
      await sleep(scale.faultMs)
    },
  },
  'kill-processes': {
    name: 'of four processes one after the other is killed and replaced',
    processes: 4,
    async injectFault({ processes, kill, start }) {
      for (const process of processes.slice(0, 3)) {
        await kill(process)
        await start()
      }
    },
  },
  'idle-killed': {
    name: 'connections at rest are terminated, again and again',
    injectFault: ({ server, scale }) =>
      repeatedly(scale.faultMs, () =>
        server.ask(`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and state = 'idle'`),
      ),
  },
  'table-lock': {
    name: 'a table is locked',
    async injectFault({ server, scale }) {
      const client = await server.connectClient()
      await client.query('begin')
      await client.query('lock table orders, questions in access exclusive mode')
      await sleep(scale.faultMs)
      await client.query('rollback')
      await client.end()
    },
  },
  'late-commit': {
    name: 'a write is committed late, and then nothing happens',
    isQuiet: true,
    async injectFault(context) {
      for (let time = 0; time < 5; time++) {
        await delayWrite(context)
        await sleep(1_500)
      }
    },
  },
  'late-commit-clock': {
    name: 'a write is committed late, and the clock is moved by 13 hours',
    isQuiet: true,
    async injectFault(context) {
      const [{ client }] = context.processes as [ServerProcess]
      for (let time = 0; time < 3; time++) {
        await delayWrite(context)
        await client.operator('POST', '/operator/clock', { advance: '13h' })
        await sleep(1_500)
      }
      // As a database stands after years of such moves.
      await client.operator('POST', '/operator/clock', { advance: '1000d' })
      await renewTokens(client, context.market)
      await delayWrite(context)
      await sleep(1_500)
    },
  },
  sigterm: {
    name: 'processes are asked to end, one after the other, with connections kept alive',
    async injectFault({ processes, start }) {
      for (const process of processes.slice()) {
        const ended = process.program.stop()
        // A client goes on sending to a process until it cannot be reached.
        await ended
        process.isRunning = false
        await start()
      }
    },
  },
  overload: {
    name: 'many more requests come than can be answered, over 300 connections',
    async injectFault({ processes, market, scale }) {
      const { sellers } = market
      const next = () => {
        const { id, token } = sellers[Math.floor(Math.random() * sellers.length)] as ChaosSeller
        return { path: `/orders/search?seller=${id}&limit=50`, token }
      }
      const { program } = processes[0] as ServerProcess
      await runLoad(program.address, { connections: 300, seconds: scale.faultMs / 1_000, next })
    },
  },
  clocks: {
    name: 'the clocks of two processes are 60 seconds apart, and the one that is ahead ends',
    env: (index) => (index === 0 ? {} : { NODE_OPTIONS: `--import ${slowClockModule(60_000)}` }),
    // It ends in order, so that nothing has to be noticed first.
    recoveryBoundMs: 0,
    async injectFault({ processes, scale }) {
      await sleep(scale.faultMs)
      // What it leaves behind must be free by the clock of the other.
      const [ahead] = processes as [ServerProcess]
      await ahead.program.stop()
      ahead.isRunning = false
    },
  },
}

/** What goes wrong with a server that the cell runs. */
const serverFaults: Record<string, InjectedFault<ChaosServer>> = {
  'kill-everything': {
    name: 'all processes and the server are killed, and started again',
    async injectFault(context) {
      await Promise.all([...context.processes.map(context.kill), context.server.stop('SIGQUIT')])
      await context.server.start()
      await context.start()
      await context.start()
    },
  },
  'kill-backend': {
    name: 'a backend is killed, and PostgreSQL recovers',
    async injectFault({ server, scale }) {
      await killBackend(server)
      await sleep(scale.faultMs)
    },
  },
  'restart-fast': {
    name: 'PostgreSQL is restarted (fast)',
    async injectFault({ server, scale }) {
      await server.stop('SIGINT')
      await sleep(scale.faultMs)
      await server.start()
    },
  },
  'restart-immediate': {
    name: 'PostgreSQL is stopped at once, and recovers',
    async injectFault({ server, scale }) {
      await server.stop('SIGQUIT')
      await sleep(scale.faultMs)
      await server.start()
    },
  },
  'restart-smart': {
    name: 'PostgreSQL lets nobody in (smart stop), then is restarted',
    async injectFault({ server, scale }) {
      server.signal('SIGTERM')
      await sleep(scale.faultMs)
      await server.stop('SIGINT')
      await server.start()
    },
  },
  paused: {
    name: 'the server stands still',
    async injectFault({ server, scale }) {
      const pids = [server.pid, ...childrenOf(server.pid)]
      for (const pid of pids) process.kill(pid, 'SIGSTOP')
      await sleep(scale.faultMs)
      for (const pid of pids) process.kill(pid, 'SIGCONT')
    },
  },
  exhausted: {
    name: 'no connection is left',
    async injectFault({ server, scale }) {
      const clients: pg.Client[] = []
      const takeAll = async () => {
        for (let isLeft = true; isLeft; ) {
          const ten = Array.from({ length: 10 }, () =>
            server.connectClient().catch(() => undefined),
          )
          const connected = (await Promise.all(ten)).filter((client) => client !== undefined)
          clients.push(...connected)
          isLeft = connected.length === ten.length
        }
      }
      await takeAll()
      const end = performance.now() + scale.faultMs
      while (performance.now() < end) {
        // Whoever connects anew is refused, but for the moment until its place is taken as well.
        await clients[0]?.query(`select pg_terminate_backend(pid) from pg_stat_activity
          where application_name like 'feria%' and pid <> pg_backend_pid()`)
        await takeAll()
        await sleep(20)
      }
      await Promise.all(clients.map((client) => client.end()))
    },
  },
  'read-only': {
    name: 'the database is read-only',
    async injectFault({ server, scale }) {
      await setReadOnly(server, true)
      await sleep(scale.faultMs)
      await setReadOnly(server, false)
    },
  },
  'disk-full': {
    name: 'the disk of the database is full',
    diskMiB: 600,
    skipReason: () => (process.getuid?.() === 0 ? undefined : 'only root can mount a small disk'),
    async injectFault({ server, folder, scale }) {
      const file = join(folder, 'full')
      fillDisk(file)
      await sleep(scale.faultMs)
      rmSync(file)
      // A server that has no room for its log ends, and its operator starts it again.
      if (server.hasEnded) await server.start()
    },
  },
}

/** A database that its user runs, such as a cluster; its rows are deleted before each cell. */
const externalDatabaseUrl = process.env['CHAOS_DATABASE_URL']

/** What goes wrong, one thing a cell. */
export const cells: Record<string, HttpChaosCell> = externalDatabaseUrl
  ? cellsOn(() => openExternalDatabase(externalDatabaseUrl), databaseFaults)
  : {
      ...cellsOn(openServerDatabase, { ...databaseFaults, ...serverFaults }),
      ...cellsOn(openEmbeddedDatabase, embeddedFaults),
    }

function cellsOn<Server>(
  open: HttpChaosCell<Server>['open'],
  faults: Record<string, InjectedFault<Server>>,
): Record<string, HttpChaosCell<Server>> {
  const entries = Object.entries(faults)
  return Object.fromEntries(entries.map(([name, fault]) => [name, { ...fault, open }]))
}

/** Has a write wait for a row that somebody else holds for half a second. */
async function delayWrite({ server, writers }: HttpCellContext<StatementAccess>): Promise<void> {
  const client = await server.connectClient()
  await client.query('begin')
  await client.query('lock table listings, questions, orders in share row exclusive mode')
  const writing = writers.write()
  await sleep(500)
  await client.query('rollback')
  await client.end()
  await writing
}

/** Writes until there is no room for another page. */
function fillDisk(file: string): void {
  const handle = openSync(file, 'w')
  for (const page of [Buffer.alloc(2 ** 20), Buffer.alloc(2 ** 12)]) {
    try {
      for (;;) writeSync(handle, page)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }
  closeSync(handle)
}

async function setReadOnly(server: ChaosServer, isOn: boolean): Promise<void> {
  const client = await server.connectClient()
  // The session that sets it may have to write itself.
  await client.query('set default_transaction_read_only = off')
  await client.query(`alter system set default_transaction_read_only = ${isOn ? 'on' : 'off'}`)
  await client.query('select pg_reload_conf()')
  await client.end()
}

async function repeatedly(forMs: number, work: () => Promise<unknown>): Promise<void> {
  const end = performance.now() + forMs
  while (performance.now() < end) {
    await work()
    await sleep(200)
  }
}

/** A module that puts the clock of a process back. */
function slowClockModule(ms: number): string {
  const source = `
    const { now } = Date
    const OriginalDate = Date
    globalThis.Date = class extends OriginalDate {
      constructor(...parts) { parts.length === 0 ? super(now() - ${ms}) : super(...parts) }
      static now() { return now() - ${ms} }
    }`
  return `data:text/javascript,${encodeURIComponent(source)}`
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent
      } catch {
        return false
      }
    })
}
