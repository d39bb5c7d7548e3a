import { type ChildProcess, fork, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { type BenchProgram, watchBenchProgram } from '../program.ts'
import { runThenRelease } from '../resources.ts'
import type { CallbackReceiver } from './callbacks.ts'
import { checkDeliveries, type DeliveryCheck } from './check.ts'
import type { DeliveryJobs } from './jobs.ts'
import { processorSeconds } from './processor.ts'
import { isRival } from './rival.ts'
import type { SideCommand, SideReply, SideSetting } from './sides/serve.ts'

/** How long nothing may come before a measurement counts as stuck. */
const stalledAfterMs = 60_000

/** Whoever delivers: told to prepare, then to begin. */
export interface DeliverySide {
  name: string
  pid(): number
  prepare(jobs: DeliveryJobs): Promise<void>
  /** Resolves with the moment from which on it works. */
  begin(): Promise<number>
  end(): Promise<void>
  /** Why it delivers no more, where it has said so. */
  failure?(): string | undefined
}

/** Deliveries a second from its start of work to the last one received, every one of them checked. */
export async function measureThroughput(
  runner: DeliverySide,
  jobs: DeliveryJobs,
  callbacks: CallbackReceiver,
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
  return runThenRelease(measure, () => runner.end())
}

/** Waits until every one has come, whatever came twice. */
async function allReceived(
  jobs: DeliveryJobs,
  callbacks: CallbackReceiver,
  runner: DeliverySide,
): Promise<DeliveryCheck & { lastAt: number }> {
  let movedAt = performance.now()
  let lastReceived = 0
  for (;;) {
    const { received, lastAt } = await callbacks.count()
    if (received > lastReceived) {
      movedAt = performance.now()
      lastReceived = received
      const checked =
        received < jobs.count
          ? undefined
          : checkDeliveries(jobs, await callbacks.receivedRequests())
      if (checked?.lost === 0) return { ...checked, lastAt: lastAt ?? Number.NaN }
    }
    const failure = runner.failure?.()
    if (failure !== undefined) throw new Error(failure)
    if (performance.now() - movedAt > stalledAfterMs) {
      const { lost } = checkDeliveries(jobs, await callbacks.receivedRequests())
      throw new Error(`${runner.name}: ${lost} of ${jobs.count} never came`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const sideBoundMs = 300_000

/** A side that runs in a process of its own: `sides/<name>.ts`, or `bench/rivals/<name>.ts`. */
export function openSideProcess(
  name: string,
  { setting, env }: { setting: SideSetting; env: Record<string, string> },
): DeliverySide {
  const folder = isRival(name) ? '../rivals' : './sides'
  const file = new URL(`${folder}/${name}.ts`, import.meta.url).pathname
  let child: ChildProcess | undefined
  let program: BenchProgram | undefined
  let failure: string | undefined
  const requestReply = async <T extends SideReply['say']>(order: SideCommand, say: T) => {
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
      throw new Error(program?.describeEnd())
    })
    for (const promise of [coming, ended]) promise.catch(() => {})
    try {
      child.send(order)
      const [answer] = (await Promise.race([coming, ended])) as [SideReply]
      if (answer.say === say) return answer as Extract<SideReply, { say: T }>
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
    failure: () => failure ?? (program?.hasEnded() ? program.describeEnd() : undefined),
    async prepare(jobs) {
      const path = process.env['PATH']
      const stdio = ['ignore', 'inherit', 'pipe', 'ipc'] as StdioOptions
      child = fork(file, { env: { PATH: path, ...env }, execArgv: [], stdio })
      program = watchBenchProgram(name, child)
      // The queues say there what goes wrong and is tried again.
      child.stderr?.on('data', (chunk: Buffer) => process.stderr.write(chunk))
      failure = undefined
      child.on('message', (answer: SideReply) => {
        if (answer.say === 'failed') failure = `${name}: ${answer.why}`
      })
      await requestReply({ say: 'prepare', jobs, setting }, 'prepared')
    },
    begin: async () => (await requestReply({ say: 'go' }, 'began')).at,
    async end() {
      await program?.stop('SIGKILL')
    },
  }
}
