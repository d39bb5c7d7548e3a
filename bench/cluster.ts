import { setTimeout as pause } from 'node:timers/promises'
import { migrate } from '../src/platform/database/migrate.ts'
import { type BenchRequest, compareInTurn } from './compare-in-turn.ts'
import { withClient } from './database.ts'
import { BenchSandbox, benchProgramEnv } from './deliver/bench-sandbox.ts'
import { type CallbackReceiver, openCallbackReceiver } from './deliver/callbacks.ts'
import {
  arrivalTimesOf,
  type BenchMarket,
  createBenchMarket,
  resourcesOfSale,
  saleLagsOf,
} from './deliver/market.ts'
import { type AcknowledgedSale, sellSteadily } from './deliver/sales.ts'
import { startWorker, type WorkerProcess } from './deliver/worker-process.ts'
import {
  type BenchServer,
  mainFile,
  makeFolder,
  median,
  percentile,
  startServer,
} from './measure.ts'
import { runThenRelease, trackResource } from './resources.ts'
import type { Figure } from './run.ts'
import { numberSetting, urlsSetting } from './settings.ts'

const applications = 10
const connections = 16
const linesPerSale = 2
const knownOrders = 400
/** Sales a second while the lag of notifications is measured: less than a small cluster takes. */
const steadySales = 10
const arrivalBoundMs = 120_000

/**
 * The same program on two databases, in turn: a single server and a cluster, which FERIA_BENCH_URLS names in this
 * order. Both must be empty, or left by an earlier run; the second is distributed. Everything goes over HTTP.
 */
export async function cluster({ short }: { short: boolean }): Promise<Figure[]> {
  const [singleUrl, clusterUrl] = urlsSetting('FERIA_BENCH_URLS')
  const seconds = numberSetting('FERIA_BENCH_SECONDS', short ? 2 : 10)
  const rounds = numberSetting('FERIA_BENCH_ROUNDS', short ? 1 : 5)
  const deliveries = numberSetting('FERIA_BENCH_DELIVERIES', short ? 500 : 5_000)
  const folder = makeFolder()
  const single = await ClusterSide.open('single', { url: singleUrl, folder: folder.path })
  const other = await ClusterSide.open('cluster', { url: clusterUrl, folder: folder.path })
  const sides = [single, other] as const
  return runThenRelease(
    async () => {
      const figures: Figure[] = []
      const loads: [name: string, next: (side: ClusterSide) => () => BenchRequest][] = [
        ['order-read', (side) => side.reads()],
        ['order-search', (side) => side.searches()],
        ['order-intake', (side) => side.sales()],
      ]
      for (const [name, next] of loads) {
        const result = await compareInTurn({
          name: `cluster.${name}`,
          connections,
          seconds,
          rounds,
          names: ['single', 'cluster'],
          floor: { address: single.program.address, next: next(single) },
          program: { address: other.program.address, next: next(other) },
        })
        figures.push(...figuresOf(name, 'requests/s', [result.floor, result.program]))
      }
      figures.push(...(await measureDeliveries(sides, { count: deliveries, rounds })))
      figures.push(...(await measureLags(sides, { seconds, rounds })))
      return figures
    },
    async () => {
      for (const side of sides) await side.close()
      folder.remove()
    },
  )
}

type FigurePair = readonly [single: number, cluster: number]

function figuresOf(name: string, unit: string, [single, other]: FigurePair): Figure[] {
  return [
    { name: `cluster.${name}_single`, value: single, unit },
    { name: `cluster.${name}_cluster`, value: other, unit },
    { name: `cluster.${name}_ratio`, value: other / single, unit: 'of the single server' },
  ]
}

async function measureDeliveries(
  sides: readonly [ClusterSide, ClusterSide],
  { count, rounds }: { count: number; rounds: number },
): Promise<Figure[]> {
  for (const side of sides) await side.deliverBacklog()
  const measured: FigurePair[] = []
  for (let round = 1; round <= rounds; round++) {
    const [single, other] = [await sides[0].deliver(count), await sides[1].deliver(count)]
    measured.push([single, other])
    process.stdout.write(
      `cluster.deliveries, round ${round}: single ${single.toFixed(0)}/s, cluster ${other.toFixed(0)}/s\n`,
    )
  }
  const medians = [0, 1].map((side) => median(measured.map((pair) => pair[side] as number)))
  return figuresOf('deliveries', 'notifications/s', medians as [number, number])
}

async function measureLags(
  sides: readonly [ClusterSide, ClusterSide],
  { seconds, rounds }: { seconds: number; rounds: number },
): Promise<Figure[]> {
  const lags: [number[], number[]] = [[], []]
  for (let round = 1; round <= rounds; round++) {
    for (const [index, side] of sides.entries()) {
      const sideLags = await side.lags(seconds)
      lags[index as 0 | 1].push(...sideLags)
      const shown = [0.5, 0.95].map((share) => percentile(sideLags, share).toFixed(0)).join(', ')
      process.stdout.write(`cluster.lag, round ${round}: ${side.name} p50, p95 ${shown} ms\n`)
    }
  }
  return [0.5, 0.95].flatMap((share) =>
    figuresOf(`lag_p${share * 100}`, 'ms', [
      percentile(lags[0], share),
      percentile(lags[1], share),
    ]),
  )
}

interface KnownOrder {
  path: string
  sellerId: number
  token: string
}

/** One of the two databases, with a server, a market and receivers of its own. */
class ClusterSide {
  readonly name: string
  readonly program: BenchServer
  readonly #url: string
  readonly #folder: string
  readonly #world: BenchSandbox
  readonly #market: BenchMarket
  readonly #callbacks: CallbackReceiver
  #orders: readonly KnownOrder[] = []
  /** No two recorded changes are of one resource. */
  #nextResource = 1e12

  private constructor(
    name: string,
    of: {
      url: string
      folder: string
      world: BenchSandbox
      market: BenchMarket
      callbacks: CallbackReceiver
      program: BenchServer
    },
  ) {
    this.name = name
    this.program = of.program
    this.#url = of.url
    this.#folder = of.folder
    this.#world = of.world
    this.#market = of.market
    this.#callbacks = of.callbacks
  }

  static async open(
    name: string,
    { url, folder }: { url: string; folder: string },
  ): Promise<ClusterSide> {
    const hasCitus = await withClient(url, async (client) => {
      const { rows } = await client.query(`select to_regclass('pg_dist_node') is not null as has`)
      return rows[0].has as boolean
    })
    await migrate(url, { distribute: hasCitus })
    const callbacks = await openCallbackReceiver(applications)
    const world = await BenchSandbox.open(url)
    const closeWorld = trackResource(() => world.close())
    const market = await createBenchMarket(world, callbacks)
    const program = await startServer([mainFile, 'serve'], {
      ...benchProgramEnv,
      DATABASE_URL: url,
      FERIA_DATA: folder,
      FERIA_LOG_LEVEL: 'error',
      FERIA_RATE_PER_MINUTE: '100000000',
      DATABASE_POOL: String(connections),
    })
    const side = new ClusterSide(name, { url, folder, world, market, callbacks, program })
    side.#close = async () => {
      await program.stop()
      await callbacks.stop()
      await closeWorld()
    }
    side.#orders = await side.#makeOrders()
    return side
  }

  #close = async () => {}
  close(): Promise<void> {
    return this.#close()
  }

  /** Sells enough to be read and searched. */
  async #makeOrders(): Promise<KnownOrder[]> {
    const { sellerIds } = this.#market
    const perSecond = 50
    const plan = { ...this.#market, linesPerSale, perSecond, seconds: knownOrders / perSecond }
    const { sales } = await sellSteadily(this.program.address, plan)
    if (sales.length === 0) throw new Error(`no order could be made on ${this.name}`)
    const tokens: string[] = []
    for (const [shop, sellerId] of sellerIds.entries()) {
      tokens.push(await this.#world.createToken(sellerId, 7_000_000 + (shop % applications)))
    }
    return sales.map(({ shop, orderId }) => ({
      path: `/orders/${orderId}`,
      sellerId: sellerIds[shop] as number,
      token: tokens[shop] as string,
    }))
  }

  reads(): () => BenchRequest {
    return () => pickRandom(this.#orders)
  }

  searches(): () => BenchRequest {
    const filters = ['', '&order.status=paid', '&tags=not_delivered', '&sort=date_asc&limit=20']
    return () => {
      const { sellerId, token } = pickRandom(this.#orders)
      return { path: `/orders/search?seller=${sellerId}${pickRandom(filters)}`, token }
    }
  }

  sales(): () => BenchRequest {
    const { shops, buyerIds, token } = this.#market
    return () => {
      const { itemIds } = pickRandom(shops)
      return {
        path: '/operator/orders',
        token,
        body: JSON.stringify({
          buyer_id: pickRandom(buyerIds),
          currency_id: 'ARS',
          lines: [pickRandom(itemIds.slice(0, 50)), pickRandom(itemIds.slice(50))].map(
            (item_id) => ({
              item_id,
              quantity: 1,
            }),
          ),
          shipping: { mode: 'me2', logistic_type: 'drop_off', cost: 990.5 },
        }),
      }
    }
  }

  async #withWorker<T>(work: (deliverer: WorkerProcess) => Promise<T>): Promise<T> {
    const deliverer = await startWorker({ databaseUrl: this.#url, folder: this.#folder })
    return runThenRelease(
      () => work(deliverer),
      () => deliverer.stop(),
    )
  }

  /** Waits until nothing arrives any more. */
  async deliverBacklog(): Promise<void> {
    await this.#withWorker(async () => {
      let before = -1
      for (;;) {
        const { received } = await this.#callbacks.count()
        if (received === before) return
        before = received
        await pause(3_000)
      }
    })
  }

  /** Notifications a second, from the first to the last of `count` that wait. */
  async deliver(count: number): Promise<number> {
    await this.#callbacks.clear()
    const first = this.#nextResource
    this.#nextResource += count
    const { urls } = this.#callbacks
    const sellerIds = [...this.#market.sellerIds]
    await this.#world.recordJobs({ urls, first, count }, { applicationIds: [], sellerIds })
    return this.#withWorker(async () => {
      const end = performance.now() + arrivalBoundMs
      for (;;) {
        const { received, lastAt } = await this.#callbacks.count()
        if (received >= count) {
          const notified = await this.#callbacks.receivedRequests()
          const firstAt = Math.min(...notified.map(({ at }) => at))
          return count / (((lastAt as number) - firstAt) / 1_000)
        }
        if (performance.now() > end) throw new Error(`${received} of ${count} were delivered`)
        await pause(100)
      }
    })
  }

  /** From the acknowledged sale to the first attempt to notify it, in milliseconds. */
  async lags(seconds: number): Promise<number[]> {
    return this.#withWorker(async () => {
      await this.#callbacks.clear()
      const plan = { ...this.#market, linesPerSale, perSecond: steadySales, seconds }
      const { sales } = await sellSteadily(this.program.address, plan)
      const end = performance.now() + arrivalBoundMs
      for (;;) {
        const notified = await this.#callbacks.receivedRequests()
        const { first } = arrivalTimesOf(notified)
        const isTold = (sale: AcknowledgedSale) =>
          resourcesOfSale(sale).every((resource) => first.has(resource))
        if (sales.every(isTold)) return saleLagsOf(sales, notified)
        if (performance.now() > end) throw new Error('not all sales were notified')
        await pause(200)
      }
    })
  }
}

function pickRandom<T>(from: readonly T[]): T {
  return from[Math.floor(Math.random() * from.length)] as T
}
