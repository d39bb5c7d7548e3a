import { totalmem } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Agent } from 'undici'
import { runWithoutPauses } from '../../src/kernel/slices.ts'
import { lowestTier } from '../../src/listings/search/index/tokens.ts'
import { Dictionary } from '../../src/listings/search/words/dictionary.ts'
import { SuggestionBuilder } from '../../src/listings/suggestions/builder.ts'
import { categoryWordsOf } from '../../src/listings/suggestions/category-words.ts'
import { parseTypedText } from '../../src/listings/suggestions/typed-text.ts'
import { foldText } from '../../src/predictor/title/tokenize.ts'
import { seededRandom } from '../../src/sandbox/random.ts'
import { openConnection, startDatabase } from '../database.ts'
import { mainFile, makeFolder, percentile, residentBytes, startServer } from '../measure.ts'
import type { Figure } from '../run.ts'
import { runOpenLoop } from '../search/latency.ts'
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
  const world = makeListingGenerator()
  // Before there is load, whose garbage would count.
  const memory = measureIndex(world)
  const dataFolder = process.env['FERIA_BENCH_DATA']
  const folder = dataFolder ? { path: dataFolder, remove() {} } : makeFolder()
  const database = await startDatabase({
    dataDirectory: folder.path,
    durable: false,
    sharedBuffersMb: short ? 128 : Math.floor(totalmem() / 4 / 2 ** 20),
  })
  const stops: (() => Promise<unknown>)[] = []
  try {
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
    const began = performance.now()
    for (const site of generatedSiteIds) {
      const isEmpty = async () =>
        (await get(`/sites/${site}/autosuggest?q=a`)).suggested_queries.length === 0
      while (await isEmpty()) await wait(20)
    }
    const builtMs = performance.now() - began
    const paths = pathsOf(world, { count, requests: 2 * seconds * requestsPerSecond })
    const quiet = await suggestAll(get, paths.slice(0, paths.length / 2))
    const client = await openConnection(url)
    stops.push(() => client.end())
    // What a process says when a listing was saved.
    const announce = setInterval(() => {
      client.query(`select pg_notify('feria', '["bench","listings",""]')`).catch(() => {})
    }, 200)
    stops.push(async () => clearInterval(announce))
    const rebuilding = await suggestAll(get, paths.slice(paths.length / 2))
    process.stdout.write(`the server takes ${(residentBytes(server.pid) / 1e6).toFixed(0)} MB\n`)
    for (const [name, { times, empty }] of Object.entries({ quiet, rebuilding })) {
      process.stdout.write(
        `${name}: p50 ${percentile(times, 0.5).toFixed(2)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms, most ${percentile(times, 1).toFixed(1)} ms, ${empty} of ${times.length} without suggestions\n`,
      )
    }
    return [
      { name: 'autosuggest.p99', value: percentile(quiet.times, 0.99), unit: 'ms' },
      { name: 'autosuggest.p99_rebuilding', value: percentile(rebuilding.times, 0.99), unit: 'ms' },
      { name: 'autosuggest.first_build', value: builtMs / 1_000, unit: 's, of four sites' },
      { name: 'autosuggest.memory', value: memory, unit: 'MB, of 25,000 titles' },
    ]
  } finally {
    for (const stop of stops.reverse()) await stop()
    await database.stop()
    folder.remove()
  }
}

const measuredTitles = 25_000

/** Returns how many megabytes the suggestions of one site keep in memory. */
function measureIndex(world: ListingGenerator): number {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  const usedBytes = () => {
    collectGarbage()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers
  }
  const tree = world.catalog.tree('MLA')
  const before = usedBytes()
  const build = () => {
    const builder = new SuggestionBuilder()
    for (let index = 0, added = 0; added < measuredTitles; index++) {
      const { title, siteId, categoryId } = world.listing(index).listing
      if (siteId !== tree.siteId) continue
      const category = Number(categoryId.slice(siteId.length))
      runWithoutPauses(builder.add({ title, category, tier: lowestTier }))
      added++
    }
    return runWithoutPauses(builder.build(categoryWordsOf(tree)))
  }
  const index = build()
  const bytes = usedBytes() - before
  // Used after the measurement, so that it is not collected before.
  const [suggestion] = index.suggest(parseTypedText('a'), 1, new Dictionary())
  if (!suggestion) throw new Error('an index without suggestions')
  return bytes / 1e6
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

/** Sends the requests at a steady rate. Returns how long each took, and how many had no suggestions. */
async function suggestAll(
  get: (path: string) => Promise<{ suggested_queries: unknown[] }>,
  paths: readonly string[],
): Promise<{ times: number[]; empty: number }> {
  let empty = 0
  const times = await runOpenLoop(paths, {
    perSecond: requestsPerSecond,
    run: async (path) => {
      const { suggested_queries: suggestions } = await get(path)
      if (suggestions.length === 0) empty++
    },
  })
  return { times, empty }
}
