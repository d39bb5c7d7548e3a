import { writeFileSync } from 'node:fs'
import { seededRandom } from '../../src/sandbox/random.ts'
import { shuffled } from '../predict/curve.ts'
import type { Judgment, ShopperQuery } from './judgments.ts'
import type { ShopTitle } from './shops.ts'

/** Writes what no judge has graded yet of the titles that any system found: the titles of each query in random order,
 * so that nobody sees which system found them. Returns the number of lines. */
export function writePool(
  file: string,
  {
    queries,
    results,
    titles,
    judgments,
  }: {
    queries: readonly ShopperQuery[]
    /** The hashes that each system found, by number of the query. */
    results: readonly ReadonlyMap<number, readonly string[]>[]
    titles: readonly ShopTitle[]
    judgments: readonly Judgment[]
  },
): number {
  const texts = new Map(titles.map(({ shop, hash, title }) => [`${shop} ${hash}`, title]))
  const judged = new Set(judgments.map(({ query, title }) => `${query} ${title}`))
  const rows: (readonly string[])[] = []
  for (const { number, shop, text, intent } of queries) {
    const found = new Set(results.flatMap((byQuery) => byQuery.get(number) ?? []))
    const open = [...found].filter((hash) => !judged.has(`${number} ${hash}`)).sort()
    for (const hash of shuffled(open, seededRandom(92, number))) {
      rows.push([shop, text, intent, texts.get(`${shop} ${hash}`) as string])
    }
  }
  const lines = rows.map((row, index) => `${[index + 1, ...row].join('\t')}\n`)
  writeFileSync(file, `number\tcatalog\tquery\tintent\ttitle\n${lines.join('')}`)
  return rows.length
}
