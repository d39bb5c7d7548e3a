import { totalmem } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { Agent } from 'undici'
import { foldText } from '../../src/predictor/title/tokenize.ts'
import { seededRandom } from '../../src/sandbox/random.ts'
import { openConnection, startDatabase } from '../database.ts'
import { mainFile, makeFolder, percentile, residentBytes, startServer } from '../measure.ts'
import type { Figure } from '../run.ts'
import { numbersSetting } from '../settings.ts'
import {
  generatedSiteIds,
  type ListingGenerator,
  makeListingGenerator,
} from './listing-generator.ts'
import { prepareListings } from './listing-search.ts'
import { misspell } from './search-requests.ts'

const requestsPerSecond = 200
/** Connections are not waited for: more requests than these are never under way on a machine that keeps up. */
const connections = 256

/**
 * `GET /sites/{site_id}/autosuggest` in an open loop: 200 requests a second are sent, whether or not those before were
 * answered, and each takes from the moment when it was due. First nothing changes, then suggestions are built again all
 * the time. `FERIA_BENCH_LISTINGS` and `FERIA_BENCH_DATA` are those of `listing-search`; the larger market counts.
 */
export async function autosuggest({ short }: { short: boolean }): Promise<Figure[]> {
  const usual = short ? [2_000, 10_000] : [100_000, 1_000_000]
  const [, count = 0] = numbersSetting('FERIA_BENCH_LISTINGS', usual)
  const seconds = short ? 2 : 60
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
    const url = await prepareListings(database.url, world, count)
    const server = await startServer([mainFile, 'serve'], {
      DATABASE_URL: url,
      FERIA_MODE: 'sandbox',
      FERIA_DEMO: 'off',
      FERIA_RATE_PER_MINUTE: '100000000',
      FERIA_LOG_LEVEL: 'warn',
    })
    stops.push(() => server.stop())
    const agent = new Agent({ connections })
    stops.push(() => agent.close())
    const get = async (path: string) => {
      const answer = await agent.request({ origin: server.address, method: 'GET', path })
      const text = await answer.body.text()
      if (answer.statusCode !== 200) throw new Error(`GET ${path}: ${answer.statusCode} ${text}`)
      return JSON.parse(text)
    }
    // A search loads the tree and the dictionary of a site, which take memory of their own.
    for (const site of generatedSiteIds) await get(`/sites/${site}/search?q=de`)
    const before = residentBytes(server.pid)
    const began = performance.now()
    for (const site of generatedSiteIds) {
      const isEmpty = async () =>
        (await get(`/sites/${site}/autosuggest?q=a`)).suggested_queries.length === 0
      while (await isEmpty()) await wait(20)
    }
    const builtMs = performance.now() - began
    const paths = pathsOf(world, { count, requests: 2 * seconds * requestsPerSecond })
    const quiet = await sendOpenLoop(get, paths.slice(0, paths.length / 2))
    const client = await openConnection(url)
    stops.push(() => client.end())
    // What a process says when a listing was saved.
    const announce = setInterval(() => {
      client.query(`select pg_notify('feria', '["bench","listings",""]')`).catch(() => {})
    }, 200)
    stops.push(async () => clearInterval(announce))
    const rebuilding = await sendOpenLoop(get, paths.slice(paths.length / 2))
    const after = residentBytes(server.pid)
    for (const [name, { times, empty }] of Object.entries({ quiet, rebuilding })) {
      process.stdout.write(
        `${name}: p50 ${percentile(times, 0.5).toFixed(2)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms, most ${percentile(times, 1).toFixed(1)} ms, ${empty} of ${times.length} without suggestions\n`,
      )
    }
    return [
      { name: 'autosuggest.p99', value: percentile(quiet.times, 0.99), unit: 'ms' },
      { name: 'autosuggest.p99_rebuilding', value: percentile(rebuilding.times, 0.99), unit: 'ms' },
      { name: 'autosuggest.first_build', value: builtMs / 1_000, unit: 's, of four sites' },
      { name: 'autosuggest.memory', value: (after - before) / 1e6, unit: 'MB, of four sites' },
    ]
  } finally {
    for (const stop of stops.reverse()) await stop()
    await database.stop()
    folder.remove()
  }
}

/** Returns requests as people type: beginnings of what listings are called, of any length, some with a slip. */
function pathsOf(
  world: ListingGenerator,
  { count, requests }: { count: number; requests: number },
): string[] {
  return Array.from({ length: requests }, (_, index) => {
    const random = seededRandom(91, index)
    const { siteId, title } = world.listing(random.between(0, count - 1)).listing
    const words = foldText(title)
      .split(/[^a-z0-9]+/)
      .filter((word) => word.length > 2)
      .slice(0, 4)
    const ordered = random.chance(0.2) ? words.reverse() : words
    const misspelled = ordered.map((word) =>
      word.length > 4 && random.chance(0.05) ? misspell(word, random) : word,
    )
    const text = misspelled.join(' ')
    const q = text.slice(0, random.between(1, Math.max(1, text.length)))
    return `/sites/${siteId}/autosuggest?${new URLSearchParams({ q, limit: '6' })}`
  })
}

/** Sends the requests at a steady rate. Returns how long each took from the moment when it was due, and how many had
 * no suggestions. */
async function sendOpenLoop(
  get: (path: string) => Promise<{ suggested_queries: unknown[] }>,
  paths: readonly string[],
): Promise<{ times: number[]; empty: number }> {
  const began = performance.now()
  let empty = 0
  const times = await Promise.all(
    paths.map(async (path, index) => {
      const due = began + (index * 1_000) / requestsPerSecond
      await wait(Math.max(0, due - performance.now()))
      const { suggested_queries: suggestions } = await get(path)
      if (suggestions.length === 0) empty++
      return performance.now() - due
    }),
  )
  return { times, empty }
}
