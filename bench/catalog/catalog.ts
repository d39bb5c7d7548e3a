import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrate } from '../../src/platform/database/migrate.ts'
import { seededRandom } from '../../src/sandbox/random.ts'
import { compareInTurn } from '../compare-in-turn.ts'
import { startDatabase } from '../database.ts'
import { mainFile, makeFolder, median, residentBytes, startServer } from '../measure.ts'
import type { Figure } from '../run.ts'
import { bytesPerSecond } from './bytes.ts'
import { startNginx } from './nginx.ts'

const floorFile = fileURLToPath(new URL('./floor.ts', import.meta.url))
const titlesFile = new URL('../predict/titles.tsv', import.meta.url)

/**
 * Categories, and categories proposed for titles, against Fastify with nothing around it that answers the
 * same bytes from memory; a whole tree against nginx that sends the same file; and what the trees
 * and predictors of all sites occupy.
 */
export async function catalog({ short }: { short: boolean }): Promise<Figure[]> {
  const load = short ? { seconds: 1, rounds: 1 } : { seconds: 10, rounds: 3 }
  const folder = makeFolder()
  const database = await startDatabase({ dataDirectory: folder.path })
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
      const searches = titles
        .map((line) => line.split('\t'))
        .filter(([, site]) => site === 'MLA' || site === 'MLB')
        .map(([, site = '', , q = '']) => ({ site, q }))
      const bodies: Record<string, string> = {}
      for (const id of ids) bodies[id] = await read(`/categories/${id}`)
      const discovery = ({ site, q }: { site: string; q: string }) =>
        `/sites/${site}/domain_discovery/search?q=${encodeURIComponent(q)}`
      for (const search of searches)
        bodies[`${search.site} ${search.q}`] = await read(discovery(search))
      const file = join(folder.path, 'bodies.json')
      writeFileSync(file, JSON.stringify(bodies))
      const floor = await startServer([floorFile], { ...env, BODIES: file })
      try {
        const random = seededRandom(5)
        const sidesOf = (next: () => { path: string }) => ({
          floor: { address: floor.address, next },
          program: { address, next },
        })
        const categories = await compareInTurn({
          name: 'category',
          connections: 32,
          staysAwake: true,
          ...load,
          ...sidesOf(() => ({ path: `/categories/${random.pick(ids)}` })),
        })
        const discoveries = await compareInTurn({
          name: 'discovery',
          connections: 32,
          staysAwake: true,
          ...load,
          ...sidesOf(() => ({ path: discovery(random.pick(searches)) })),
        })
        const trees = await treesInTurn(address, { folder: folder.path, ...load })
        for (const { id } of JSON.parse(await read('/sites')) as { id: string }[]) {
          await read(`/sites/${id}/categories`)
          await read(`/sites/${id}/domain_discovery/search?q=celular`)
        }
        const grown = residentBytes(program.pid) - idle
        return [
          { name: 'category.floor', value: categories.floor, unit: 'categories/s' },
          { name: 'category.program', value: categories.program, unit: 'categories/s' },
          { name: 'category.ratio', value: categories.ratio, unit: 'of the floor' },
          { name: 'discovery.floor', value: discoveries.floor, unit: 'titles/s' },
          { name: 'discovery.program', value: discoveries.program, unit: 'titles/s' },
          { name: 'discovery.ratio', value: discoveries.ratio, unit: 'of the floor' },
          ...trees,
          {
            name: 'catalog.mb',
            value: grown / 2 ** 20,
            unit: 'MB with the trees and predictors of all sites',
          },
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

/** The whole tree of a site: bytes a second, and what nginx makes of the same bytes. */
async function treesInTurn(
  address: string,
  { folder, seconds, rounds }: { folder: string; seconds: number; rounds: number },
): Promise<Figure[]> {
  const path = '/sites/MLA/categories/all'
  // Not fetch, which would unpack it.
  const compressed = await new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = []
    get(address + path, (answer) => {
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => resolve(Buffer.concat(chunks)))
      answer.on('error', reject)
    }).on('error', reject)
  })
  const nginx = await startNginx(folder, compressed)
  if (!nginx) {
    process.stdout.write('tree: left out, since there is no nginx (apt-get install nginx-light)\n')
    return []
  }
  try {
    const measured: [number, number][] = []
    for (let round = seconds > 1 ? 0 : 1; round <= rounds; round++) {
      const load = { connections: 8, seconds: round === 0 ? Math.min(2, seconds) : seconds }
      const floor = await bytesPerSecond(nginx.address, { ...load, path: '/tree.json' })
      const program = await bytesPerSecond(address, { ...load, path })
      if (round > 0) measured.push([floor / 2 ** 20, program / 2 ** 20])
    }
    return [
      { name: 'tree.nginx', value: median(measured.map(([each]) => each)), unit: 'MB/s' },
      { name: 'tree.program', value: median(measured.map(([, each]) => each)), unit: 'MB/s' },
      {
        name: 'tree.ratio',
        value: median(measured.map(([one, other]) => other / one)),
        unit: 'of nginx',
      },
    ]
  } finally {
    await nginx.stop()
  }
}
