import { setTimeout as pause } from 'node:timers/promises'
import { mainFile, percentile, startServer } from '../measure.ts'
import { releasing } from '../resources.ts'
import type { Figure } from '../run.ts'
import { numberSetting } from '../settings.ts'
import { makeBacklog } from './backlog.ts'
import { type Callbacks, openCallbacks, type Told } from './callbacks.ts'
import { openPlace, type Place } from './place.ts'
import { processorSeconds } from './processor.ts'
import { startWork } from './program.ts'
import { programEnv, World } from './world.ts'
import { changePrices, type Item, type Written } from './writers.ts'

const applications = 20
/** Application 0 never answers, the next ones are slow, the others are healthy but for the forced failures. */
const [hanging, slow] = [1, 2]
const slowMs = [500, 1_000] as const
const failingShare = 0.2
const itemCount = 2_000
const arrivalBoundMs = 120_000
const warmSeconds = 10

/**
 * Deliveries when much goes wrong at once. Sellers' programs change prices over HTTP, 200 and 1,000 times a second;
 * each change is one notification. Of 20 applications one never answers and two take 0.5 to 1 s, and a fifth of all
 * requests is answered 500. Measured is the time from the acknowledged write to the first attempt at each of the
 * other 17 applications; then once more beside a million parked notifications of a paused application.
 */
export async function deliverExam({ short }: { short: boolean }): Promise<Figure[]> {
  const seconds = numberSetting('FERIA_BENCH_SECONDS', short ? 3 : 600)
  const parked = numberSetting('FERIA_BENCH_PARKED', short ? 2_000 : 1_000_000)
  const rates = short ? [50] : [200, 1_000]
  const place = await openPlace(['program'])
  return releasing(
    () =>
      withExam(place, async (exam) => {
        const plain = new Map<number, Result>()
        for (const rate of rates) plain.set(rate, await exam.measure(rate, seconds))
        await exam.park(parked)
        process.stdout.write(`beside ${parked} parked notifications:\n`)
        const figures: Figure[] = []
        for (const rate of rates) {
          const beside = await exam.measure(rate, seconds)
          figures.push(...figuresOf(rate, plain.get(rate) as Result, beside))
        }
        return figures
      }),
    () => place.close(),
  )
}

interface Result {
  /** Acknowledged writes a second. */
  rate: number
  /** From the acknowledged write to the first attempt at a healthy application, in milliseconds. */
  lags: number[]
}

interface Exam {
  measure(perSecond: number, seconds: number): Promise<Result>
  /** Leaves so many parked notifications of another application. */
  park(count: number): Promise<void>
}

async function withExam<T>(place: Place, work: (exam: Exam) => Promise<T>): Promise<T> {
  const { databaseUrl, folder } = place
  const callbacks = await openCallbacks(applications)
  const world = await World.open(databaseUrl)
  const items = await listItems(world, callbacks)
  const program = await startServer([mainFile, 'serve'], {
    ...{ ...programEnv, DATABASE_URL: databaseUrl, FERIA_DATA: folder },
    ...{ FERIA_RATE_PER_MINUTE: '100000000', FERIA_LOG_LEVEL: 'error' },
  })
  const deliverer = await startWork(place)
  const processors: Record<string, () => number> = {
    serve: () => processorSeconds(program.pid),
    work: () => processorSeconds(deliverer.pid),
    PostgreSQL: () => processorSeconds(place.databasePid),
    receivers: () => processorSeconds(callbacks.pid),
    load: ownProcessorSeconds,
  }
  let price = 1_000
  const drive = async (perSecond: number, seconds: number) => {
    await callbacks.clear()
    const from = price
    price += perSecond * seconds
    const written = await changePrices(program.address, { items, from, perSecond, seconds })
    return { written, told: await arrived(callbacks, written) }
  }
  const release = async () => {
    await callbacks.stop()
    await deliverer.stop()
    await program.stop()
    await world.close()
  }
  return releasing(async () => {
    // What registering the items is told is sent before anybody is slow.
    await drive(Math.min(100, itemCount), 1)
    await callbacks.answer(0, { urls: callbacks.urls.slice(0, hanging) })
    await callbacks.delay(callbacks.urls.slice(hanging, hanging + slow), slowMs)
    await callbacks.fail(failingShare)
    return work({
      async measure(perSecond, seconds) {
        await drive(perSecond, Math.min(warmSeconds, seconds))
        const before = Object.values(processors).map((seconds) => seconds())
        const { written, told } = await drive(perSecond, seconds)
        const busy = Object.entries(processors).map(
          ([name, now], n) => `${name} ${((now() - (before[n] as number)) / seconds).toFixed(2)}`,
        )
        const result = { rate: written.answerMs.length / seconds, lags: lagsOf(written, told) }
        process.stdout.write(
          `${linesOf(perSecond, { written, told, result, busy }).join('\n  ')}\n`,
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

/** Registers sellers with items on sale, as many of each application. */
async function listItems(world: World, { urls }: Callbacks): Promise<Item[]> {
  const { sellerIds, applicationIds } = await world.cast(urls, 0, ['items'])
  const tokens = await Promise.all(
    sellerIds.map((seller, n) =>
      world.token(seller, applicationIds[n % applicationIds.length] as number),
    ),
  )
  const items: Item[] = []
  for (let n = 0; n < itemCount; n++) {
    const seller = n % sellerIds.length
    const id = `MLA${9_000_000 + n}`
    await world.put(`items/${id}`, {
      ...{ seller_id: sellerIds[seller], site_id: 'MLA', title: `Pava eléctrica ${n}` },
      ...{ category_id: 'MLA1580', currency_id: 'ARS', price: 999, available_quantity: 5 },
    })
    items.push({ id, token: tokens[seller] as string })
  }
  return items
}

const isHealthy = (item: string) => numberOf(item) % applications >= hanging + slow
const numberOf = (item: string) => Number(item.slice('MLA'.length)) - 9_000_000

/** Waits until healthy applications were sent all that was acknowledged. Throws when something is missing. */
async function arrived(callbacks: Callbacks, written: Written): Promise<Told[]> {
  const end = performance.now() + arrivalBoundMs
  for (;;) {
    const told = await callbacks.told()
    const firsts = firstAttempts(told)
    const missing = [...written.acknowledged].filter(
      ([id, times]) => isHealthy(id) && (firsts.get(id)?.length ?? 0) < times.length,
    )
    if (missing.length === 0) return told
    if (performance.now() > end) {
      throw new Error(`healthy applications were not sent all changes of ${missing.length} items`)
    }
    await pause(500)
  }
}

/** When each notification was first sent, by its item, in the order of time. */
function firstAttempts(told: readonly Told[]): Map<string, number[]> {
  const ids = new Set<string | null>()
  const firsts = new Map<string, number[]>()
  for (const { id, resource, at } of told) {
    if (ids.has(id)) continue
    ids.add(id)
    const item = resource.slice('/items/'.length)
    const times = firsts.get(item)
    if (times) times.push(at)
    else firsts.set(item, [at])
  }
  return firsts
}

/** What arrives before its write is seen to be acknowledged counts as 0. */
function lagsOf({ acknowledged, unsure }: Written, told: readonly Told[]): number[] {
  const firsts = firstAttempts(told)
  return [...acknowledged]
    .filter(([id]) => isHealthy(id) && !unsure.has(id))
    .flatMap(([id, times]) =>
      times.map((at, n) => Math.max(0, (firsts.get(id)?.[n] as number) - at)),
    )
}

function linesOf(
  perSecond: number,
  of: { written: Written; told: readonly Told[]; result: Result; busy: readonly string[] },
): string[] {
  const { written, told, result, busy } = of
  const { answerMs, unsure, notBegun } = written
  const ms = (values: readonly number[], shares: readonly number[]) =>
    shares.map((share) => percentile(values, share).toFixed(0)).join(', ')
  const failed = told.filter(({ status }) => status === 500).length / told.length
  return [
    `${perSecond}/s: ${result.rate.toFixed(0)}/s acknowledged, answers p50, p99 ${ms(answerMs, [0.5, 0.99])} ms` +
      `, ${notBegun} not begun, ${unsure.size} items with a change that failed`,
    `to healthy applications: ${result.lags.length} sent, p50, p95, p99, most ${ms(result.lags, [0.5, 0.95, 0.99, 1])} ms` +
      `, ${(100 * failed).toFixed(1)} % of all answered 500`,
    `processors: ${busy.join(', ')}`,
  ]
}

function figuresOf(rate: number, plain: Result, beside: Result): Figure[] {
  const p = (of: Result, share: number) => percentile(of.lags, share)
  return [
    { name: `exam.rate_${rate}`, value: plain.rate, unit: 'writes/s' },
    { name: `exam.p50_${rate}`, value: p(plain, 0.5), unit: 'ms' },
    { name: `exam.p95_${rate}`, value: p(plain, 0.95), unit: 'ms' },
    { name: `exam.p99_${rate}`, value: p(plain, 0.99), unit: 'ms' },
    { name: `exam.p95_parked_${rate}`, value: p(beside, 0.95), unit: 'ms' },
    {
      ...{ name: `exam.parked_ratio_${rate}`, value: p(beside, 0.95) / p(plain, 0.95) },
      unit: 'of p95 without parked ones',
    },
  ]
}
