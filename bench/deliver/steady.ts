import { median, percentile } from '../measure.ts'
import { runThenRelease } from '../resources.ts'
import type { Figure } from '../run.ts'
import { BenchSandbox } from './bench-sandbox.ts'
import { type CallbackReceiver, openCallbackReceiver } from './callbacks.ts'
import type { DeliveryBench } from './delivery-bench.ts'
import { type DeliveryJobs, jobResource } from './jobs.ts'
import { changeLagsOf } from './lags.ts'
import type { ProducerResult } from './producer.ts'
import { type ProducerProcess, startProducer } from './producer-process.ts'
import { nextApplications, nextJobs } from './throughput.ts'
import { startWorker } from './worker-process.ts'

const arrivalBoundMs = 60_000

export interface SteadyLoad {
  applications: number
  perSecond: number
  seconds: number
  rounds: number
}

/**
 * How many a second go all the way, from transactions that record them to their receivers, while nothing
 * waits for longer and longer: more happens only as it is told.
 */
export async function maxSteadyRate(
  bench: DeliveryBench,
  { applications, seconds }: { applications: number; seconds: number },
): Promise<number> {
  let rate = Number.NaN
  const load = { applications, perSecond: null, seconds, rounds: 1 }
  await withSteadyRun(bench, load, async ({ begin, callbacks, waitForArrival }) => {
    const { jobs, producing } = await begin(seconds * 20_000)
    const began = performance.now()
    let from: { at: number; received: number } | undefined
    for (let passed = 0; passed < seconds * 1_000; passed = performance.now() - began) {
      const { received } = await callbacks.count()
      producing.reportReceived(received)
      // The first third only warms up.
      if (!from && passed > (seconds * 1_000) / 3) from = { at: passed, received }
      if (from) rate = ((received - from.received) / (passed - from.at)) * 1_000
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await waitForArrival(jobs, await producing.stop())
  })
  process.stdout.write(`from transactions to receivers: ${Math.round(rate)}/s at most\n`)
  return rate
}

/** How soon what was committed arrives, at a steady rate. */
export async function measureLag(bench: DeliveryBench, load: SteadyLoad): Promise<Figure[]> {
  const measured: number[][] = []
  await withSteadyRun(bench, load, async (steady) => {
    for (let round = 1; round <= load.rounds; round++) {
      const { jobs, produced } = await steady.produce(round === 1)
      const lags = changeLagsOf(jobs, produced, await steady.waitForArrival(jobs, produced))
      measured.push(lags)
      printLags(`round ${round}, ${load.perSecond}/s`, lags)
    }
  })
  const of = (share: number) => median(measured.map((lags) => percentile(lags, share)))
  return [
    { name: 'deliver.lag_rate', value: load.perSecond, unit: 'notifications/s' },
    { name: 'deliver.lag_p50_ms', value: of(0.5), unit: 'ms' },
    { name: 'deliver.lag_p99_ms', value: of(0.99), unit: 'ms' },
  ]
}

/** What a tenth of the receivers, hanging, costs the others: p99 of the others over their own before. */
export async function measureIsolation(bench: DeliveryBench, load: SteadyLoad): Promise<Figure[]> {
  const ratios: number[] = []
  for (let round = 1; round <= load.rounds; round++) {
    await withSteadyRun(bench, load, async (steady) => {
      const hanging = steady.callbacks.urls.slice(0, Math.ceil(load.applications / 10))
      const healthy = (application: number) => application >= hanging.length
      const p99 = async (what: string, warm: boolean) => {
        const { jobs, produced } = await steady.produce(warm)
        const lags = changeLagsOf(
          jobs,
          produced,
          await steady.waitForArrival(jobs, produced, healthy),
          healthy,
        )
        printLags(`round ${round}, ${what}`, lags)
        return percentile(lags, 0.99)
      }
      const before = await p99('none hangs', true)
      await steady.callbacks.setResponseStatus(0, { urls: hanging })
      const during = await p99(`${hanging.length} hang`, false)
      await steady.callbacks.setResponseStatus(200, { urls: hanging })
      ratios.push(during / before)
    })
  }
  return [{ name: 'deliver.isolation', value: median(ratios), unit: 'of p99 while none hangs' }]
}

function printLags(what: string, lags: readonly number[]): void {
  const [p50, p99] = [percentile(lags, 0.5), percentile(lags, 0.99)].map((ms) => ms.toFixed(1))
  process.stdout.write(`${what}: ${lags.length} told, p50 ${p50} ms, p99 ${p99} ms\n`)
}

interface SteadyRun {
  callbacks: CallbackReceiver
  /** Begins to make this many things happen. */
  begin(count: number): Promise<{ jobs: DeliveryJobs; producing: ProducerProcess }>
  /** Makes things happen for the time that was asked for; `warm`: for some seconds before as well. */
  produce(warm: boolean): Promise<{ jobs: DeliveryJobs; produced: ProducerResult }>
  /** Waits for all that was committed, of those applications that count. */
  waitForArrival(
    jobs: DeliveryJobs,
    produced: ProducerResult,
    counts?: (application: number) => boolean,
  ): ReturnType<CallbackReceiver['receivedRequests']>
}

async function withSteadyRun(
  bench: DeliveryBench,
  {
    applications,
    perSecond,
    seconds,
  }: Omit<SteadyLoad, 'perSecond'> & { perSecond: number | null },
  measure: (steady: SteadyRun) => Promise<void>,
): Promise<void> {
  const callbacks = await openCallbackReceiver(applications)
  const { databaseUrl } = bench
  const world = await BenchSandbox.open(databaseUrl)
  const subscribers = await world.registerSubscribers(
    callbacks.urls,
    nextApplications(applications),
  )
  const work = await startWorker(bench)
  const begin = async (count: number) => {
    const jobs = nextJobs(callbacks.urls, count)
    const plan = { databaseUrl, jobs, sellerIds: subscribers.sellerIds, perSecond }
    return { jobs, producing: await startProducer(plan) }
  }
  const rate = perSecond ?? 0
  const produceFor = async (forSeconds: number) => {
    const { jobs, producing } = await begin(Math.round(rate * forSeconds))
    return { jobs, produced: await producing.done }
  }
  const waitForArrival: SteadyRun['waitForArrival'] = async (
    jobs,
    produced,
    counts = () => true,
  ) => {
    const wanted = produced.committed
      .filter(([n]) => counts(n % applications))
      .map(([n]) => jobResource(jobs, n))
    const end = performance.now() + arrivalBoundMs
    for (;;) {
      const receivedRequests = await callbacks.receivedRequests()
      const arrived = new Set(receivedRequests.map(({ resource }) => resource))
      if (wanted.every((each) => arrived.has(each)) || performance.now() > end)
        return receivedRequests
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }
  const release = async () => {
    // What those who hung have not been told shall not be told to nobody while others are measured.
    for (const id of subscribers.applicationIds) await world.removeCallback(id)
    // Before the dispatcher, which waits for requests under way: those that hang end with their receiver.
    await callbacks.stop()
    await work.stop()
    await world.close()
  }
  const measuring = () =>
    measure({
      callbacks,
      begin,
      waitForArrival,
      async produce(warm) {
        if (warm) {
          const { jobs, produced } = await produceFor(Math.min(5, seconds))
          await waitForArrival(jobs, produced)
        }
        await callbacks.clear()
        const production = await produceFor(seconds)
        const wanted = rate * seconds
        const { committed } = production.produced
        if (committed.length < wanted * 0.95) {
          process.stdout.write(`only ${committed.length} of ${wanted} could be recorded in time\n`)
        }
        return production
      },
    })
  await runThenRelease(measuring, release)
}
