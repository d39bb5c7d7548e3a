import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Callbacks } from './callbacks.ts'
import { type Checked, check } from './check.ts'
import type { Jobs } from './jobs.ts'
import { processorSeconds } from './processor.ts'
import { isRival } from './rival.ts'
import type { Answer, Order, Setting } from './sides/serve.ts'

/** How long nothing may come before a measurement counts as stuck. */
const stuckMs = 60_000

/** Whoever delivers: told to prepare, then to begin. */
export interface Runner {
  name: string
  pid(): number
  prepare(jobs: Jobs): Promise<void>
  /** Resolves with the moment from which on it works. */
  begin(): Promise<number>
  end(): Promise<void>
}

/** Deliveries a second from its start of work to the last one received, every one of them checked. */
export async function race(
  runner: Runner,
  jobs: Jobs,
  callbacks: Callbacks,
): Promise<{ perSecond: number; processorUs: number; duplicates: number }> {
  await runner.prepare(jobs)
  await callbacks.clear()
  try {
    const beganAt = await runner.begin()
    const before = processorSeconds(runner.pid())
    const { lastAt, duplicates } = await allReceived(jobs, callbacks, runner.name)
    const processor = processorSeconds(runner.pid()) - before
    return {
      perSecond: (jobs.count / (lastAt - beganAt)) * 1_000,
      processorUs: (processor / jobs.count) * 1e6,
      duplicates,
    }
  } finally {
    await runner.end()
  }
}

/** Waits until every one has come, whatever came twice. */
async function allReceived(
  jobs: Jobs,
  callbacks: Callbacks,
  who: string,
): Promise<Checked & { lastAt: number }> {
  let movedAt = performance.now()
  let known = 0
  for (;;) {
    const { received, lastAt } = await callbacks.count()
    if (received > known) {
      movedAt = performance.now()
      known = received
      const checked = received < jobs.count ? undefined : check(jobs, await callbacks.told())
      if (checked?.lost === 0) return { ...checked, lastAt: lastAt ?? Number.NaN }
    }
    if (performance.now() - movedAt > stuckMs) {
      const { lost } = check(jobs, await callbacks.told())
      throw new Error(`${who}: ${lost} of ${jobs.count} never came`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const sideBoundMs = 300_000

/** A side that runs in a process of its own: `sides/<name>.ts`, or `bench/rivals/<name>.ts`. */
export function sideRunner(
  name: string,
  { setting, env }: { setting: Setting; env: Record<string, string> },
): Runner {
  const folder = isRival(name) ? '../rivals' : './sides'
  const file = new URL(`${folder}/${name}.ts`, import.meta.url).pathname
  let child: ChildProcess | undefined
  const answered = async <T extends Answer['say']>(order: Order, say: T) => {
    if (!child) throw new Error(`${name} does not run`)
    const signal = AbortSignal.timeout(sideBoundMs)
    const coming = once(child, 'message', { signal })
    child.send(order)
    const [answer] = (await coming) as [Answer]
    if (answer.say === say) return answer as Extract<Answer, { say: T }>
    throw new Error(answer.say === 'failed' ? answer.why : `${name} said ${answer.say}`)
  }
  return {
    name,
    pid: () => child?.pid ?? 0,
    async prepare(jobs) {
      const path = process.env['PATH']
      child = fork(file, { env: { PATH: path, ...env }, execArgv: [] })
      await answered({ say: 'prepare', jobs, setting }, 'prepared')
    },
    begin: async () => (await answered({ say: 'go' }, 'began')).at,
    async end() {
      if (!child || child.exitCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}
