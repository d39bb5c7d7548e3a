import { setTimeout as sleep } from 'node:timers/promises'
import type { Work } from '../../bench/deliver/program.ts'
import { nextJobs } from '../../bench/deliver/throughput.ts'
import { moveClock } from '../../src/sandbox/clock.ts'
import type { Cell, ChaosScene } from './stage.ts'
import { watchTables } from './tables.ts'

const hourMs = 3_600_000

/** What goes wrong, one thing a cell. */
export const cells: Record<string, Cell> = {
  restart: {
    name: 'PostgreSQL is restarted',
    async strike({ server }) {
      await server.stop('SIGINT')
      await server.start()
    },
  },
  crash: {
    name: 'PostgreSQL crashes and recovers',
    async strike({ server }) {
      await server.stop('SIGQUIT')
      await server.start()
    },
  },
  terminate: {
    name: 'all connections are terminated, three times',
    async strike({ server, scale }) {
      for (let time = 0; time < 3; time++) {
        await server.ask(`select pg_terminate_backend(pid) from pg_stat_activity
          where pid <> pg_backend_pid() and backend_type = 'client backend'`)
        await sleep(scale.duringMs / 6)
      }
    },
  },
  idle: {
    name: '300 idle connections',
    async strike({ server }, over) {
      const clients = await Promise.all(Array.from({ length: 300 }, () => server.connect()))
      await until(over)
      await Promise.all(clients.map((client) => client.end()))
    },
  },
  kill: {
    name: 'one of two dispatchers is killed',
    async strike(scene) {
      await killOne(scene)
    },
  },
  kills: {
    name: 'dispatchers are killed again and again',
    async strike(scene, over) {
      let times = 0
      while (!over.aborted) {
        await killOne(scene)
        times++
        await scene.startWork()
      }
      scene.note(`${times} were killed`)
    },
  },
  held: {
    name: 'a transaction is held open',
    lasts: (scale) => scale.heldMs,
    async strike(scene, over) {
      const client = await scene.server.connect()
      await client.query('begin isolation level repeatable read')
      await client.query('select txid_current(), count(*) from applications')
      const watched = watchTables(scene)
      await until(over)
      await client.query('rollback')
      await client.end()
      for (const line of await watched.stop()) scene.note(line)
    },
  },
  clock: {
    name: 'the clock is moved by twelve hours, with retries parked',
    async prepare({ scale, world, cast, callbacks }) {
      // One of three is accepted, or the breakers of the lanes would leave the rest unsent.
      await callbacks.answer(500, { spared: 3 })
      const jobs = nextJobs(callbacks.urls, Math.ceil(scale.parked * 1.5))
      await world.record(jobs, cast)
      await waitFor(async () => (await callbacks.count()).received >= jobs.count, scale.drainMs)
      await callbacks.answer(200)
      return jobs
    },
    async strike({ world, callbacks, scale, note }) {
      const past = await callbacks.told()
      const parked = past.filter(({ status }) => status === 500).length
      const began = performance.now()
      await moveClock(world.ctx, 12 * hourMs)
      // Live traffic comes beside them: what comes at a second attempt is one of them.
      const came = new Set<string>()
      let from = past.length
      const allCame = async () => {
        const told = await callbacks.told(from)
        from += told.length
        for (const { resource, attempt } of told) if (attempt > 1) came.add(resource)
        return came.size >= parked
      }
      await waitFor(allCame, scale.drainMs)
      const seconds = (performance.now() - began) / 1_000
      note(`${came.size} of ${parked} parked retries came within ${seconds.toFixed(1)} s`)
    },
  },
}

async function killOne({ works }: ChaosScene): Promise<void> {
  const work = works.find((each) => each.isRunning()) as Work
  await work.kill()
}

async function until(over: AbortSignal): Promise<void> {
  if (over.aborted) return
  await new Promise((resolve) => over.addEventListener('abort', resolve, { once: true }))
}

/** Goes on after the bound as well: what is missing then shows in the account. */
async function waitFor(look: () => Promise<boolean>, boundMs: number): Promise<void> {
  const end = performance.now() + boundMs
  while (!(await look()) && performance.now() < end) await sleep(100)
}
