import { type ChildProcess, fork, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { type Program, watchProgram } from '../program.ts'
import { releasing } from '../resources.ts'
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
  /** Why it delivers no more, where it has said so. */
  failure?(): string | undefined
}

/** Deliveries a second from its start of work to the last one received, every one of them checked. */
export async function race(
  runner: Runner,
  jobs: Jobs,
  callbacks: Callbacks,
): Promise<{ perSecond: number; processorUs: number; duplicates: number }> {
  const measure = async () => {
    await runner.prepare(jobs)
    await callbacks.clear()
    const beganAt = await runner.begin()
    const before = processorSeconds(runner.pid())
    const { lastAt, duplicates } = await allReceived(jobs, callbacks, runner)
    const processor = processorSeconds(runner.pid()) - before
    return {
      perSecond: (jobs.count / (lastAt - beganAt)) * 1_000,
      processorUs: (processor / jobs.count) * 1e6,
      duplicates,
    }
  }
  return releasing(measure, () => runner.end())
}

/** Waits until every one has come, whatever came twice. */
async function allReceived(
  jobs: Jobs,
  callbacks: Callbacks,
  runner: Runner,
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
    const failure = runner.failure?.()
    if (failure !== undefined) throw new Error(failure)
    if (performance.now() - movedAt > stuckMs) {
      const { lost } = check(jobs, await callbacks.told())
      throw new Error(`${runner.name}: ${lost} of ${jobs.count} never came`)
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
  let program: Program | undefined
  let failure: string | undefined
  const answered = async <T extends Answer['say']>(order: Order, say: T) => {
    if (!child || !program) throw new Error(`${name} does not run`)
    const over = new AbortController()
    const late = AbortSignal.timeout(sideBoundMs)
    const signal = AbortSignal.any([over.signal, late])
    const coming = once(child, 'message', { signal }).catch((error: unknown) => {
      throw late.aborted
        ? new Error(`${name} did not answer within ${sideBoundMs / 1_000} s`)
        : error
    })
    const ended = once(child, 'close', { signal }).then(() => {
      throw new Error(program?.ending())
    })
    for (const each of [coming, ended]) each.catch(() => {})
    try {
      child.send(order)
      const [answer] = (await Promise.race([coming, ended])) as [Answer]
      if (answer.say === say) return answer as Extract<Answer, { say: T }>
      throw new Error(
        answer.say === 'failed' ? `${name}: ${answer.why}` : `${name} said ${answer.say}`,
      )
    } finally {
      over.abort()
    }
  }
  return {
    name,
    pid: () => child?.pid ?? 0,
    failure: () => failure ?? (program?.hasEnded() ? program.ending() : undefined),
    async prepare(jobs) {
      const path = process.env['PATH']
      const stdio = ['ignore', 'inherit', 'pipe', 'ipc'] as StdioOptions
      child = fork(file, { env: { PATH: path, ...env }, execArgv: [], stdio })
      program = watchProgram(name, child)
      // The queues say there what goes wrong and is tried again.
      child.stderr?.on('data', (chunk: Buffer) => process.stderr.write(chunk))
      failure = undefined
      child.on('message', (answer: Answer) => {
        if (answer.say === 'failed') failure = `${name}: ${answer.why}`
      })
      await answered({ say: 'prepare', jobs, setting }, 'prepared')
    },
    begin: async () => (await answered({ say: 'go' }, 'began')).at,
    async end() {
      await program?.stop('SIGKILL')
    },
  }
}
