import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrate } from '../../src/platform/database/migrate.ts'
import { startEmbedded } from '../../src/platform/postgres/embedded.ts'
import { randomOf } from '../../src/sandbox/demo/random.ts'
import { inTurn } from '../in-turn.ts'
import { mainFile, makeFolder, residentBytes, startServer } from '../measure.ts'
import type { Figure } from '../run.ts'

const floorFile = fileURLToPath(new URL('./floor.ts', import.meta.url))
const titlesFile = new URL('../predict/titles.tsv', import.meta.url)

/**
 * Categories, and categories proposed for titles, against Fastify with nothing around it that answers the
 * same bytes from memory; and what the trees of all sites occupy.
 */
export async function catalog({ short }: { short: boolean }): Promise<Figure[]> {
  const load = short ? { seconds: 1, rounds: 1 } : { seconds: 10, rounds: 3 }
  const folder = makeFolder()
  const database = await startEmbedded({ dataDirectory: folder.path })
  const env = { DATABASE_URL: database.url, FERIA_MODE: 'sandbox', FERIA_DEMO: 'off' }
  try {
    await migrate(database.url)
    const program = await startServer([mainFile, 'serve'], {
      ...env,
      FERIA_RATE_PER_MINUTE: '100000000',
    })
    try {
      const { address } = program
      const read = async (path: string) => {
        const answer = await fetch(address + path)
        assert.equal(answer.status, 200, path)
        return answer.text()
      }
      const idle = residentBytes(program.pid)
      const ids = Object.keys(JSON.parse(await read('/sites/MLA/categories/all')))
      const titles = readFileSync(titlesFile, 'utf8').trimEnd().split('\n').slice(1)
      const asked = titles
        .map((line) => line.split('\t'))
        .filter(([, site]) => site === 'MLA' || site === 'MLB')
        .map(([, site = '', , q = '']) => ({ site, q }))
      const bodies: Record<string, string> = {}
      for (const id of ids) bodies[id] = await read(`/categories/${id}`)
      const discovery = ({ site, q }: { site: string; q: string }) =>
        `/sites/${site}/domain_discovery/search?q=${encodeURIComponent(q)}`
      for (const each of asked) bodies[`${each.site} ${each.q}`] = await read(discovery(each))
      const file = join(folder.path, 'bodies.json')
      writeFileSync(file, JSON.stringify(bodies))
      const floor = await startServer([floorFile], { ...env, BODIES: file })
      try {
        const random = randomOf(5)
        const sidesOf = (next: () => { path: string }) => ({
          floor: { address: floor.address, next },
          program: { address, next },
        })
        const categories = await inTurn({
          ...{ what: 'category', connections: 32, ...load },
          ...sidesOf(() => ({ path: `/categories/${random.pick(ids)}` })),
        })
        const discoveries = await inTurn({
          ...{ what: 'discovery', connections: 32, ...load },
          ...sidesOf(() => ({ path: discovery(random.pick(asked)) })),
        })
        for (const { id } of JSON.parse(await read('/sites')) as { id: string }[]) {
          await read(`/sites/${id}/categories`)
        }
        const grown = residentBytes(program.pid) - idle
        return [
          { name: 'category.floor', value: categories.floor, unit: 'categories/s' },
          { name: 'category.program', value: categories.program, unit: 'categories/s' },
          { name: 'category.ratio', value: categories.ratio, unit: 'of the floor' },
          { name: 'discovery.floor', value: discoveries.floor, unit: 'titles/s' },
          { name: 'discovery.program', value: discoveries.program, unit: 'titles/s' },
          { name: 'discovery.ratio', value: discoveries.ratio, unit: 'of the floor' },
          { name: 'catalog.mb', value: grown / 2 ** 20, unit: 'MB with the trees of all sites' },
        ]
      } finally {
        await floor.stop()
      }
    } finally {
      await program.stop()
    }
  } finally {
    await database.stop()
    folder.remove()
  }
}
