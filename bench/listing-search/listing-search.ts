import { totalmem } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { Agent } from 'undici'
import { migrate } from '../../src/platform/database/migrate.ts'
import { seededRandom } from '../../src/sandbox/random.ts'
import { openConnection, startDatabase } from '../database.ts'
import { mainFile, makeFolder, percentile, startServer } from '../measure.ts'
import type { Figure } from '../run.ts'
import {
  formatTable,
  type LatencyClient,
  openLatencyClient,
  runJobs,
  runOpenLoop,
} from '../search/latency.ts'
import { numberSetting, numbersSetting } from '../settings.ts'
import {
  generatedSiteIds,
  type ListingGenerator,
  makeListingGenerator,
} from './listing-generator.ts'
import { fillListings } from './load.ts'
import { searchRequestMakers } from './search-requests.ts'

const usualSizes = [100_000, 1_000_000] as const
const shortSizes = [2_000, 10_000] as const
const connections = 4
/** Searches that are sent each second in the open loop, whether or not those before were answered. */
const openLoopPerSecond = 40
/** Connections are not waited for: more requests than these are never under way on a machine that keeps up. */
const openLoopConnections = 256

/**
 * `GET /sites/{site_id}/search` over a smaller and a larger market of the same kind, each kind of search
 * in mixed order, against a floor that answers 50 stored bodies of a category. Then other searches of the larger market
 * in an open loop. Nothing writes meanwhile.
 *
 * `FERIA_BENCH_LISTINGS` names other sizes (`50000,500000`); `FERIA_BENCH_DATA` a folder in which the
 * markets are kept, and found again by the next run; `FERIA_BENCH_SAMPLES` how often each kind is asked.
 */
export async function listingSearch({ short }: { short: boolean }): Promise<Figure[]> {
  const usual = short ? shortSizes : usualSizes
  const [small = 0, large = 0] = numbersSetting('FERIA_BENCH_LISTINGS', usual)
  const samples = numberSetting('FERIA_BENCH_SAMPLES', short ? 20 : 300)
  const dataFolder = process.env['FERIA_BENCH_DATA']
  const folder = dataFolder ? { path: dataFolder, remove() {} } : makeFolder()
  const database = await startDatabase({
    dataDirectory: folder.path,
    durable: false,
    sharedBuffersMb: short ? 128 : Math.floor(totalmem() / 4 / 2 ** 20),
  })
  const stops: (() => Promise<unknown>)[] = []
  try {
    const world = makeListingGenerator()
    const urls = [
      await prepareListings(database.url, world, small),
      await prepareListings(database.url, world, large),
    ] as const
    const serve = async (file: string[], url: string) => {
      const server = await startServer(file, {
        DATABASE_URL: url,
        FERIA_MODE: 'sandbox',
        FERIA_DEMO: 'off',
        FERIA_RATE_PER_MINUTE: '100000000',
        FERIA_LOG_LEVEL: 'warn',
      })
      stops.push(() => server.stop())
      return server.address
    }
    const floorFile = fileURLToPath(new URL('./floor.ts', import.meta.url))
    const places: ServerAddresses = {
      small: await serve([mainFile, 'serve'], urls[0]),
      large: await serve([mainFile, 'serve'], urls[1]),
      floor: await serve([floorFile], urls[1]),
    }
    const sizes = { small, large }
    const input = { world, sizes, samples, url: urls[1], quietS: short ? 1 : 8 }
    const figures = await measure(places, input)
    return [...figures, await measureOpenLoop(places.large, { world, count: large, samples })]
  } finally {
    for (const stop of stops.reverse()) await stop()
    await database.stop()
    folder.remove()
  }
}

type MarketSize = 'small' | 'large'
type ServerAddresses = Record<MarketSize | 'floor', string>

/** Fills a database with a market of `count` listings, or finds it filled. Returns its URL. */
export async function prepareListings(
  serverUrl: string,
  world: ListingGenerator,
  count: number,
): Promise<string> {
  const url = new URL(serverUrl)
  url.pathname = `/listings_${count}`
  const log = (step: string) => process.stdout.write(`${step}\n`)
  const client = await openConnection(serverUrl)
  const name = url.pathname.slice(1)
  const { rows } = await client.query('select 1 from pg_database where datname = $1', [name])
  if (rows.length === 0) await client.query(`create database ${name}`)
  await client.end()
  await migrate(url.href)
  const own = await openConnection(url.href)
  const { rows: states } = await own.query(`select exists (select from listing_index) as filled,
    to_regclass('bench_floor') is not null as floored`)
  const { filled, floored } = states[0]
  if (filled && !floored) throw new Error('FERIA_BENCH_DATA: its market is unfinished; remove it')
  try {
    if (!filled) {
      await fillListings(url.href, { world, count, log })
      await makeFloor(own)
    }
    await warmCache(own)
  } finally {
    await own.end()
  }
  return url.href
}

/** Bodies as they are answered, in the order in which they were listed. */
async function makeFloor(client: pg.Client): Promise<void> {
  await client.query(`create table bench_floor as
    select site_id || (kind >> 8) as category, score, item,
      '{"available_quantity":12,"sold_quantity":3,' || rtrim(body) as body
    from listing_index order by item limit 200000`)
  await client.query('create index on bench_floor (category, score desc, item)')
  await client.query('vacuum analyze bench_floor')
}

async function warmCache(client: pg.Client): Promise<void> {
  await client.query('create extension if not exists pg_prewarm')
  await client.query(
    `select sum(pg_prewarm(part, 'buffer')) from pg_class c
    cross join lateral (select c.oid union all select c.reltoastrelid where c.reltoastrelid <> 0
      union all select indexrelid from pg_index where indrelid in (c.oid, c.reltoastrelid))
      parts (part)
    where c.relname = any($1) and c.relkind = 'r'`,
    [['listing_index', 'listing_stock', 'listing_words', 'bench_floor']],
  )
}

interface SearchJob {
  kind: string
  size: MarketSize | 'floor'
  path: string
  counts: boolean
}

async function measure(
  places: ServerAddresses,
  of: {
    world: ListingGenerator
    sizes: Record<MarketSize, number>
    samples: number
    url: string
    quietS: number
  },
): Promise<Figure[]> {
  const { world, sizes, samples } = of
  const above = ancestorPicker(world)
  const full = await floorCategories(of.url)
  const jobs: SearchJob[] = []
  const warmUp = Math.ceil(samples / 3)
  for (let round = 0; round < warmUp + samples; round++) {
    const counts = round >= warmUp
    for (const kind of Object.keys(searchRequestMakers)) {
      for (const size of ['small', 'large'] as const) {
        const random = seededRandom(81, round, kind.length, size.length)
        const { listing } = world.listing(random.between(0, sizes[size] - 1))
        const params = searchRequestMakers[kind]?.({
          listing,
          random,
          ancestorOf: (id) => above(id, random.fraction()),
        })
        const path = `/sites/${listing.siteId}/search?${new URLSearchParams(params)}`
        jobs.push({ kind, size, path, counts })
      }
      const category = full[round % full.length] as string
      jobs.push({ kind: 'floor', size: 'floor', path: `/search?category=${category}`, counts })
    }
  }
  const callers = Array.from({ length: connections }, () => ({
    small: openLatencyClient(places.small),
    large: openLatencyClient(places.large),
    floor: openLatencyClient(places.floor),
  }))
  const timings = new Map<string, { ms: number; path: string }[]>()
  const byFirst = new Map(callers.map((each) => [each.small, each]))
  const work = {
    callers: callers.map(({ small }) => small),
    run: async ({ kind, size, path, counts }: SearchJob, caller: LatencyClient) => {
      const own = byFirst.get(caller) as Record<SearchJob['size'], LatencyClient>
      const { ms } = await own[size].get(path, 'none')
      if (!counts) return
      const key = `${kind} ${size}`
      const keyTimings = timings.get(key)
      if (keyTimings) keyTimings.push({ ms, path })
      else timings.set(key, [{ ms, path }])
    },
  }
  for (const address of [places.small, places.large]) await loadSiteTrees(address)
  await runJobs(
    jobs.filter(({ counts }) => !counts),
    work,
  )
  // What there is most of is counted ahead, beside what is asked: it is to be done by then.
  process.stdout.write('counting ahead …\n')
  await waitUntilQuiet(of.url, of.quietS)
  await runJobs(
    jobs.filter(({ counts }) => counts),
    work,
  )
  for (const callersBySize of callers)
    for (const caller of Object.values(callersBySize)) await caller.close()
  return report(timings)
}

/** Searches the larger market at a steady rate: each time counts from when the search was due. */
async function measureOpenLoop(
  address: string,
  { world, count, samples }: { world: ListingGenerator; count: number; samples: number },
): Promise<Figure> {
  const above = ancestorPicker(world)
  const paths = Array.from({ length: samples }).flatMap((_, round) =>
    Object.values(searchRequestMakers).map((makeRequest, kind) => {
      const random = seededRandom(82, round, kind)
      const { listing } = world.listing(random.between(0, count - 1))
      const ancestorOf = (id: string) => above(id, random.fraction())
      const params = new URLSearchParams(makeRequest({ listing, random, ancestorOf }))
      return `/sites/${listing.siteId}/search?${params}`
    }),
  )
  const agent = new Agent({ connections: openLoopConnections })
  const times = await runOpenLoop(paths, {
    perSecond: openLoopPerSecond,
    run: async (path) => {
      const { statusCode, body } = await agent.request({ origin: address, method: 'GET', path })
      const text = await body.text()
      if (statusCode !== 200) throw new Error(`GET ${path}: ${statusCode} ${text}`)
    },
  })
  await agent.close()
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)]
  process.stdout.write(
    `open loop, ${openLoopPerSecond} per second, large: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, of ${times.length}\n`,
  )
  return {
    name: 'listing-search.open_p99',
    value: p99,
    unit: `ms, ${openLoopPerSecond} per second`,
  }
}

const mostTries = 30

/** Searches every site once. The first search builds its tree: on a busy machine that takes longer than a
 * connection to PostgreSQL may, which the program answers with 503. */
async function loadSiteTrees(address: string): Promise<void> {
  for (const siteId of generatedSiteIds) {
    for (let tries = 1; ; tries++) {
      const answer = await fetch(`${address}/sites/${siteId}/search?q=de`)
      const body = await answer.text()
      if (answer.status === 200) break
      if (tries === mostTries) throw new Error(`a search of ${siteId}: ${answer.status} ${body}`)
      await wait(1_000)
    }
  }
}

const longestWaitMs = 600_000

/** Resolves once nothing has been counted for so many seconds. */
async function waitUntilQuiet(url: string, seconds: number): Promise<void> {
  const client = await openConnection(url)
  const end = performance.now() + longestWaitMs
  for (let quiet = false; !quiet && performance.now() < end; ) {
    await wait(1_000)
    const { rows } = await client.query(
      `select coalesce(max(state_change), '-infinity') <
      now() - make_interval(secs => $1) as quiet from pg_stat_activity
      where application_name = 'feria' and query like '%from listing_index%'`,
      [seconds],
    )
    quiet = rows[0].quiet
  }
  await client.end()
}

function report(timings: ReadonlyMap<string, readonly { ms: number; path: string }[]>): Figure[] {
  const kinds = Object.keys(searchRequestMakers)
  const all = (size: MarketSize) => kinds.flatMap((kind) => timings.get(`${kind} ${size}`) ?? [])
  const at = (some: readonly { ms: number }[], share: number) =>
    percentile(
      some.map(({ ms }) => ms),
      share,
    )
  const floor = timings.get('floor floor') ?? []
  const floorP99 = at(floor, 0.99)
  const rowOf = (name: string, small: readonly { ms: number }[], large: typeof small) => [
    name,
    at(small, 0.5),
    at(small, 0.99),
    at(large, 0.5),
    at(large, 0.99),
    at(large, 0.99) / at(small, 0.99),
    at(large, 0.99) / floorP99,
  ]
  const rows = kinds.map((kind) =>
    rowOf(kind, timings.get(`${kind} small`) ?? [], timings.get(`${kind} large`) ?? []),
  )
  const mix = rowOf('all of it', all('small'), all('large'))
  process.stdout.write(
    `\n${connections} at a time, ms, of ${timings.get(`${kinds[0]} large`)?.length} of each kind\n${formatTable(
      [
        ['', 'small p50', 'p99', 'large p50', 'p99', 'p99 large/small', 'p99 large/floor'],
        ...rows,
        mix,
        ['the floor', '', '', at(floor, 0.5), floorP99, '', ''],
      ],
    )}`,
  )
  const slowest = all('large')
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, 8)
  for (const { ms, path } of slowest) process.stdout.write(`${ms.toFixed(1)} ms ${path}\n`)
  return [
    { name: 'listing-search.floor_p99', value: floorP99, unit: 'ms' },
    { name: 'listing-search.p99', value: at(all('large'), 0.99), unit: 'ms' },
    { name: 'listing-search.growth', value: Number(mix[5]), unit: 'times, of the mix' },
    { name: 'listing-search.ratio', value: Number(mix[6]), unit: 'of the floor, of the mix' },
  ]
}

/** From a category to one above it, or itself: the lower the share, the nearer to the top. */
function ancestorPicker({ catalog }: ListingGenerator): (id: string, share: number) => string {
  return (id, share) => {
    const path = catalog.category(id)?.path ?? []
    return path[Math.floor(share * path.length)]?.id ?? id
  }
}

/** Categories with at least a page of the floor's listings. */
async function floorCategories(url: string): Promise<string[]> {
  const client = await openConnection(url)
  const { rows } = await client.query<{ category: string }>(
    `select category from bench_floor group by 1 having count(*) >= 50 order by md5(category) limit 500`,
  )
  await client.end()
  if (rows.length > 0) return rows.map(({ category }) => category)
  throw new Error('no category has a page of listings')
}
