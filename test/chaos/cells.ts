import { setTimeout as sleep } from 'node:timers/promises'
import { nextJobs } from '../../bench/deliver/throughput.ts'
import type { WorkerProcess } from '../../bench/deliver/worker-process.ts'
import { moveClock } from '../../src/sandbox/clock.ts'
import type { ChaosContext, LoadChaosCell } from './load-chaos-runner.ts'
import { watchDeadRows } from './tables.ts'

const hourMs = 3_600_000

/** What goes wrong, one thing a cell. */
export const cells: Record<string, LoadChaosCell> = {
  restart: {
    name: 'PostgreSQL is restarted',
    async injectFault({ server }) {
      await server.stop('SIGINT')
      await server.start()
    },
  },
  crash: {
    name: 'PostgreSQL crashes and recovers',
    async injectFault({ server }) {
      await server.stop('SIGQUIT')
      await server.start()
    },
  },
  terminate: {
    name: 'all connections are terminated, three times',
    async injectFault({ server, scale }) {
      for (let time = 0; time < 3; time++) {
        await server.ask(`select pg_terminate_backend(pid) from pg_stat_activity
          where pid <> pg_backend_pid() and backend_type = 'client backend'`)
        await sleep(scale.duringMs / 6)
      }
    },
  },
  idle: {
    name: '300 idle connections',
    async injectFault({ server }, over) {
      const clients = await Promise.all(Array.from({ length: 300 }, () => server.connectClient()))
      await untilAborted(over)
      await Promise.all(clients.map((client) => client.end()))
    },
  },
  kill: {
    name: 'one of two dispatchers is killed',
    async injectFault(context) {
      await killDispatcher(context)
    },
  },
  kills: {
    name: 'dispatchers are killed again and again',
    async injectFault(context, over) {
      let times = 0
      while (!over.aborted) {
        await killDispatcher(context)
        times++
        await context.startDispatcher()
      }
      context.note(`${times} were killed`)
    },
  },
  held: {
    name: 'a transaction is held open',
    faultDurationMs: (scale) => scale.lockHeldMs,
    async injectFault(context, over) {
      const client = await context.server.connectClient()
      await client.query('begin isolation level repeatable read')
      await client.query('select txid_current(), count(*) from applications')
      const watched = watchDeadRows(context)
      await untilAborted(over)
      await client.query('rollback')
      await client.end()
      for (const line of await watched.stop()) context.note(line)
    },
  },
  clock: {
    name: 'the clock is moved by twelve hours, with retries parked',
    async prepare({ scale, world, subscribers, callbacks }) {
      // One of three is accepted, or the breakers of the lanes would leave the rest unsent.
      await callbacks.setResponseStatus(500, { spared: 3 })
      const jobs = nextJobs(callbacks.urls, Math.ceil(scale.parkedCount * 1.5))
      await world.recordJobs(jobs, subscribers)
      await waitFor(async () => (await callbacks.count()).received >= jobs.count, scale.drainMs)
      await callbacks.setResponseStatus(200)
      return jobs
    },
    async injectFault({ world, callbacks, scale, note }) {
      const past = await callbacks.receivedRequests()
      const parked = past.filter(({ status }) => status === 500).length
      const began = performance.now()
      await moveClock(world.ctx, 12 * hourMs)
      // Live traffic comes beside them: what comes at a second attempt is one of them.
      const arrived = new Set<string>()
      let from = past.length
      const haveAllArrived = async () => {
        const receivedRequests = await callbacks.receivedRequests(from)
        from += receivedRequests.length
        for (const { resource, attempt } of receivedRequests) if (attempt > 1) arrived.add(resource)
        return arrived.size >= parked
      }
      await waitFor(haveAllArrived, scale.drainMs)
      const seconds = (performance.now() - began) / 1_000
      note(`${arrived.size} of ${parked} parked retries came within ${seconds.toFixed(1)} s`)
    },
  },
}

async function killDispatcher({ dispatchers }: ChaosContext): Promise<void> {
  const work = dispatchers.find((each) => each.isRunning()) as WorkerProcess
  await work.kill()
}

async function untilAborted(over: AbortSignal): Promise<void> {
  if (over.aborted) return
  await new Promise((resolve) => over.addEventListener('abort', resolve, { once: true }))
}

/** Goes on after the bound as well: what is missing then shows in the account. */
async function waitFor(look: () => Promise<boolean>, boundMs: number): Promise<void> {
  const end = performance.now() + boundMs
  while (!(await look()) && performance.now() < end) await sleep(100)
}
