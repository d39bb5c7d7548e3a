import { setTimeout as pause } from 'node:timers/promises'
import { mainFile, percentile, startServer } from '../measure.ts'
import { runThenRelease } from '../resources.ts'
import type { Figure } from '../run.ts'
import { numberSetting, numbersSetting } from '../settings.ts'
import { makeBacklog } from './backlog.ts'
import { BenchSandbox, benchProgramEnv } from './bench-sandbox.ts'
import { type CallbackReceiver, openCallbackReceiver, type ReceivedRequest } from './callbacks.ts'
import { type DeliveryBench, openDeliveryBench } from './delivery-bench.ts'
import { arrivalTimesOf, createBenchMarket, resourcesOfSale, saleLagsOf } from './market.ts'
import { processorSeconds } from './processor.ts'
import { type AcknowledgedSale, type SalesResult, sellSteadily } from './sales.ts'
import { startWorker } from './worker-process.ts'

const applications = 20
/** Application 0 never answers, the next ones are slow, the others are healthy but for the forced failures. */
const [hanging, slow] = [1, 2]
const slowMs = [500, 1_000] as const
const failingShare = 0.2
const linesPerSale = 3
/** A sale changes an order, a shipment and the stock of each item. */
const changesPerSale = 2 + linesPerSale
const arrivalBoundMs = 120_000
const warmSeconds = 10

/**
 * Deliveries when much goes wrong at once. A marketplace sells over HTTP, so that 200 and 1,000 changes a second are
 * notified. Of 20 applications one never answers and two take 0.5 to 1 s, and a fifth of all requests is answered
 * 500. Measured is the time from the acknowledged sale to the first attempt to notify its order and its shipment at
 * each of the other 17 applications; then once more beside a million parked notifications of a paused application.
 */
export async function deliverExam({ short }: { short: boolean }): Promise<Figure[]> {
  const seconds = numberSetting('FERIA_BENCH_SECONDS', short ? 3 : 600)
  const parked = numberSetting('FERIA_BENCH_PARKED', short ? 2_000 : 1_000_000)
  const rates = numbersSetting('FERIA_BENCH_CHANGES', short ? [50] : [200, 1_000], {
    isOfAnyLength: true,
  })
  const bench = await openDeliveryBench(['program'])
  return runThenRelease(
    () =>
      withExam(bench, async (exam) => {
        const plain = new Map<number, ExamResult>()
        for (const rate of rates) plain.set(rate, await exam.measure(rate, seconds))
        await exam.park(parked)
        process.stdout.write(`beside ${parked} parked notifications:\n`)
        const figures: Figure[] = []
        for (const rate of rates) {
          const beside = await exam.measure(rate, seconds)
          figures.push(...figuresOf(rate, plain.get(rate) as ExamResult, beside))
        }
        return figures
      }),
    () => bench.close(),
  )
}

interface ExamResult {
  /** Acknowledged changes a second. */
  rate: number
  /** From the acknowledged sale to the first attempt at a healthy application, in milliseconds. */
  lags: number[]
}

interface Exam {
  measure(perSecond: number, seconds: number): Promise<ExamResult>
  /** Leaves so many parked notifications of another application. */
  park(count: number): Promise<void>
}

async function withExam<T>(bench: DeliveryBench, work: (exam: Exam) => Promise<T>): Promise<T> {
  const { databaseUrl, folder } = bench
  const callbacks = await openCallbackReceiver(applications)
  const world = await BenchSandbox.open(databaseUrl)
  const market = await createBenchMarket(world, callbacks)
  const program = await startServer([mainFile, 'serve'], {
    ...benchProgramEnv,
    DATABASE_URL: databaseUrl,
    FERIA_DATA: folder,
    FERIA_RATE_PER_MINUTE: '100000000',
    FERIA_LOG_LEVEL: 'error',
  })
  const deliverer = await startWorker(bench)
  const processors: Record<string, () => number> = {
    serve: () => processorSeconds(program.pid),
    work: () => processorSeconds(deliverer.pid),
    PostgreSQL: () => processorSeconds(bench.databasePid),
    receivers: () => processorSeconds(callbacks.pid),
    load: ownProcessorSeconds,
  }
  const sell = async (changesPerSecond: number, seconds: number) => {
    await callbacks.clear()
    const perSecond = changesPerSecond / changesPerSale
    return sellSteadily(program.address, { ...market, linesPerSale, perSecond, seconds })
  }
  const release = async () => {
    await callbacks.stop()
    await deliverer.stop()
    await program.stop()
    await world.close()
  }
  return runThenRelease(async () => {
    // What registering the market is notified of is sent before anybody is slow.
    await waitForArrival(callbacks, await sell(100, 1))
    await callbacks.setResponseStatus(0, { urls: callbacks.urls.slice(0, hanging) })
    await callbacks.setDelay(callbacks.urls.slice(hanging, hanging + slow), slowMs)
    await callbacks.setFailureShare(failingShare)
    return work({
      async measure(changesPerSecond, seconds) {
        await waitForArrival(
          callbacks,
          await sell(changesPerSecond, Math.min(warmSeconds, seconds)),
        )
        const before = Object.values(processors).map((seconds) => seconds())
        const written = await sell(changesPerSecond, seconds)
        const busy = Object.entries(processors).map(
          ([name, now], n) => `${name} ${((now() - (before[n] as number)) / seconds).toFixed(2)}`,
        )
        const received = await waitForArrival(callbacks, written)
        const result = {
          rate: (written.sales.length * changesPerSale) / seconds,
          lags: saleLagsOf(written.sales.filter(isHealthy), received),
        }
        process.stdout.write(
          `${reportLines(changesPerSecond, { written, receivedRequests: received, result, busy }).join('\n  ')}\n`,
        )
        return result
      },
      park: (count) => makeBacklog(world, databaseUrl, count),
    })
  }, release)
}

/** Without the servers, which are children of this process. */
function ownProcessorSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

const isHealthy = ({ shop }: AcknowledgedSale) => shop % applications >= hanging + slow
/** Waits until healthy applications were sent all that was acknowledged. Throws when something is missing. */
async function waitForArrival(
  callbacks: CallbackReceiver,
  { sales }: SalesResult,
): Promise<ReceivedRequest[]> {
  const end = performance.now() + arrivalBoundMs
  const healthy = sales.filter(isHealthy)
  for (;;) {
    const receivedRequests = await callbacks.receivedRequests()
    const { first, last } = arrivalTimesOf(receivedRequests)
    const missing = healthy.filter(
      (sale) =>
        resourcesOfSale(sale).some((resource) => !first.has(resource)) ||
        // Stock that changes again before it is notified is notified once.
        sale.itemIds.some((id) => (last.get(`/items/${id}`) ?? 0) < sale.sentAt),
    )
    if (missing.length === 0) return receivedRequests
    if (performance.now() > end) {
      throw new Error(`healthy applications were not sent all changes of ${missing.length} sales`)
    }
    await pause(500)
  }
}

function reportLines(
  changesPerSecond: number,
  of: {
    written: SalesResult
    receivedRequests: readonly ReceivedRequest[]
    result: ExamResult
    busy: readonly string[]
  },
): string[] {
  const { written, receivedRequests, result, busy } = of
  const { sales, notSent } = written
  const answerMs = sales.map(({ sentAt, acknowledgedAt }) => acknowledgedAt - sentAt)
  const ms = (values: readonly number[], shares: readonly number[]) =>
    shares.map((share) => percentile(values, share).toFixed(0)).join(', ')
  const refused =
    receivedRequests.filter(({ status }) => status === 500).length / receivedRequests.length
  return [
    `${changesPerSecond}/s: ${result.rate.toFixed(0)}/s acknowledged, in ${sales.length} sales answered in p50, p99 ${ms(answerMs, [0.5, 0.99])} ms` +
      `, ${notSent} not sent, ${written.failed} failed`,
    `to healthy applications: ${result.lags.length} sent, p50, p95, p99, most ${ms(result.lags, [0.5, 0.95, 0.99, 1])} ms` +
      `, ${(100 * refused).toFixed(1)} % of all answered 500`,
    `processors: ${busy.join(', ')}`,
  ]
}

function figuresOf(rate: number, plain: ExamResult, beside: ExamResult): Figure[] {
  const p = (of: ExamResult, share: number) => percentile(of.lags, share)
  return [
    { name: `exam.rate_${rate}`, value: plain.rate, unit: 'changes/s' },
    { name: `exam.p50_${rate}`, value: p(plain, 0.5), unit: 'ms' },
    { name: `exam.p95_${rate}`, value: p(plain, 0.95), unit: 'ms' },
    { name: `exam.p99_${rate}`, value: p(plain, 0.99), unit: 'ms' },
    { name: `exam.p95_parked_${rate}`, value: p(beside, 0.95), unit: 'ms' },
    {
      name: `exam.parked_ratio_${rate}`,
      value: p(beside, 0.95) / p(plain, 0.95),
      unit: 'of p95 without parked ones',
    },
  ]
}
