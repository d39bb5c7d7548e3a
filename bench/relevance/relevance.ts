import { type SiteId, sites } from '../../src/kernel/sites.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { openConnection, startDatabase } from '../database.ts'
import { fillListings } from '../listing-search/load.ts'
import { mainFile, makeFolder, startServer } from '../measure.ts'
import type { Figure } from '../run.ts'
import { formatTable } from '../search/latency.ts'
import { type Judgment, readJudgments, readQueries, type ShopperQuery } from './judgments.ts'
import { writePool } from './pool.ts'
import { kappaOf, ndcgOf, precisionOf } from './scores.ts'
import { readShopTitles, type ShopTitle, shopListings, shops } from './shops.ts'
import { openFeria, openFullText, openMiniSearch, type TitleSearch } from './systems.ts'

/** The hashes of the titles that a system found, by number of the query. */
type Results = ReadonlyMap<number, readonly string[]>

/**
 * How well the listing search finds what shoppers mean, beside MiniSearch and the full text search of PostgreSQL over
 * the same titles. Two judges graded the titles that any of them found.
 *
 * `FERIA_BENCH_SHOPS` names the folder of the titles, which may not be passed on. `FERIA_BENCH_POOL` names a file to
 * write the titles to that are not judged yet.
 */
export async function relevance(): Promise<Figure[]> {
  const folder = process.env['FERIA_BENCH_SHOPS']
  if (!folder) {
    process.stdout.write('Skipped: FERIA_BENCH_SHOPS names no folder with titles of shops.\n')
    return []
  }
  const titles = readShopTitles(folder)
  const [queries, judgments] = [readQueries(), readJudgments()]
  const bySystem = await searchAll(titles, queries)
  const poolFile = process.env['FERIA_BENCH_POOL']
  if (poolFile) {
    const results = [...bySystem.values()]
    const count = writePool(poolFile, { queries, results, titles, judgments })
    process.stdout.write(`${poolFile}: ${count} titles to judge\n`)
  }
  return report(bySystem, queries, judgments)
}

async function searchAll(
  titles: readonly ShopTitle[],
  queries: readonly ShopperQuery[],
): Promise<Map<string, Results>> {
  const folder = makeFolder()
  const database = await startDatabase({ dataDirectory: folder.path, durable: false })
  try {
    await migrate(database.url)
    const world = shopListings(titles)
    const log = (step: string) => process.stdout.write(`${step}\n`)
    await fillListings(database.url, { world, count: titles.length, log })
    const server = await startServer([mainFile, 'serve'], {
      DATABASE_URL: database.url,
      FERIA_MODE: 'sandbox',
      FERIA_DEMO: 'off',
      FERIA_RATE_PER_MINUTE: '100000000',
      FERIA_LOG_LEVEL: 'warn',
    })
    const client = await openConnection(database.url)
    try {
      const miniSearch = openMiniSearch(titles)
      const systems: Record<string, TitleSearch> = {
        feria: openFeria(server.address, titles),
        minisearch: miniSearch.allThenAny,
        minisearch_or: miniSearch.any,
        postgresql: await openFullText(client, titles),
      }
      const bySystem = new Map<string, Results>()
      for (const [name, search] of Object.entries(systems)) {
        const results = new Map<number, readonly string[]>()
        for (const query of queries) results.set(query.number, await search(query))
        bySystem.set(name, results)
      }
      return bySystem
    } finally {
      await client.end()
      await server.stop()
    }
  } finally {
    await database.stop()
    folder.remove()
  }
}

interface QueryScore {
  query: ShopperQuery
  ndcg: number | undefined
  precision: number | undefined
  shown: number
  unjudged: number
}

function report(
  bySystem: ReadonlyMap<string, Results>,
  queries: readonly ShopperQuery[],
  judgments: readonly Judgment[],
): Figure[] {
  if (judgments.length === 0) {
    process.stdout.write('No judgments: bench/relevance/judgments.tsv is empty.\n')
    return []
  }
  const grades = new Map<number, Map<string, number>>()
  for (const {
    query,
    title,
    grades: [first, second],
  } of judgments) {
    const ofQuery = grades.get(query) ?? new Map<string, number>()
    grades.set(query, ofQuery.set(title, (first + second) / 2))
  }
  const scores = new Map(
    [...bySystem].map(([system, results]) => [
      system,
      queries.map((query): QueryScore => {
        const judged = grades.get(query.number) ?? new Map<string, number>()
        const hashes = results.get(query.number) ?? []
        // A title without a judgment counts as wrong.
        const own = hashes.map((hash) => judged.get(hash) ?? 0)
        return {
          query,
          ndcg: ndcgOf(own, [...judged.values()]),
          precision: precisionOf(own, [...judged.values()]),
          shown: hashes.length,
          unjudged: hashes.filter((hash) => !judged.has(hash)).length,
        }
      }),
    ]),
  )
  const groups = groupsOf(queries)
  const rows = groups.flatMap(({ name, includes }) =>
    [...scores].map(([system, all]) => {
      const { count, ndcg, precision, nothing, unjudged } = summaryOf(
        all.filter(({ query }) => includes(query)),
      )
      return [
        name,
        String(count),
        system,
        ndcg.toFixed(3),
        precision.toFixed(3),
        String(nothing),
        unjudged.toFixed(1),
      ]
    }),
  )
  const head = ['', 'queries', 'system', 'nDCG@10', 'P@5', 'nothing found', '% unjudged']
  process.stdout.write(`${formatTable([head, ...rows])}`)
  const figures = [...scores].flatMap(([system, all]): Figure[] => {
    const { ndcg, precision, nothing, unjudged } = summaryOf(all)
    const prefix = `relevance.${system}`
    return [
      { name: `${prefix}.ndcg10`, value: ndcg, unit: '1 is best' },
      { name: `${prefix}.precision5`, value: precision, unit: '1 is best' },
      { name: `${prefix}.nothing_found`, value: nothing, unit: `of ${all.length} queries` },
      { name: `${prefix}.unjudged`, value: unjudged, unit: '% of the results' },
    ]
  })
  const kappa = kappaOf(judgments.map(({ grades }) => grades))
  return [
    ...figures,
    { name: 'relevance.kappa', value: kappa, unit: `of ${judgments.length} pairs` },
  ]
}

function groupsOf(
  queries: readonly ShopperQuery[],
): { name: string; includes: (query: ShopperQuery) => boolean }[] {
  const languageOf = ({ shop }: ShopperQuery) => sites[shops[shop].siteId as SiteId].language
  const distinct = (texts: readonly string[]) => [...new Set(texts)]
  return [
    { name: 'all', includes: () => true },
    ...distinct(queries.map(languageOf)).map((language) => ({
      name: language,
      includes: (query: ShopperQuery) => languageOf(query) === language,
    })),
    ...distinct(queries.map(({ kind }) => kind)).map((kind) => ({
      name: kind,
      includes: (query: ShopperQuery) => query.kind === kind,
    })),
  ]
}

/** Queries without a title that is any good do not count in the means. */
function summaryOf(scores: readonly QueryScore[]) {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  const mean = (values: readonly (number | undefined)[]) => {
    const defined = values.filter((value) => value !== undefined)
    return sum(defined) / defined.length
  }
  const shown = sum(scores.map((score) => score.shown))
  return {
    count: scores.length,
    ndcg: mean(scores.map(({ ndcg }) => ndcg)),
    precision: mean(scores.map(({ precision }) => precision)),
    nothing: scores.filter((score) => score.shown === 0).length,
    unjudged: (100 * sum(scores.map(({ unjudged }) => unjudged))) / shown,
  }
}
