import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { tier } from '../../test/harness/tier.ts'
import { readDefaultSource } from '../catalog/source/default.ts'
import { type SiteId, siteIds } from '../kernel/sites.ts'
import { makeYielder } from '../kernel/slices.ts'
import { CatalogPredictor } from './catalog-predictor.ts'
import type { PredictorCategory } from './source.ts'
import type { TableStore } from './tables.ts'

const source = readDefaultSource(fileURLToPath(new URL('../../catalog', import.meta.url)))
const titles = [
  'Heladera no frost blanca 300 lts',
  'zapatilas negras talle 42',
  'capinha para celular samsung galaxy s23',
  'placa de precio fiat 500',
  'caminhão de brinquedo',
]

class MemoryStore implements TableStore {
  readonly files = new Map<string, Uint8Array>()
  rules = 'rules'
  writes = 0

  async rulesDigest() {
    return this.rules
  }

  async read(digest: string) {
    return this.files.get(digest)
  }

  async write(digest: string, pieces: readonly Uint8Array[]) {
    this.writes++
    this.files.set(digest, Buffer.concat(pieces))
  }
}

/** Both languages, and aliases of three countries. */
const someSites: readonly SiteId[] = ['MLA', 'MLB', 'MLM']

/** A process pauses after this time, at the next occasion. */
const sliceMs = 4

/** Prepares some sites. `pauses` has the processor time of this thread between two pauses, in milliseconds. */
async function prepared(store: TableStore | undefined, categories = source.categories) {
  const predictor = new CatalogPredictor({ ...source, categories })
  const pauses: number[] = []
  let startedAt = performance.now()
  let last = process.threadCpuUsage()
  const breathe = () => {
    // Asking for the processor time at each occasion takes longer than building.
    if (performance.now() - startedAt < sliceMs) return undefined
    const current = process.threadCpuUsage()
    pauses.push((current.user - last.user + current.system - last.system) / 1_000)
    last = current
    startedAt = performance.now()
    return undefined
  }
  await predictor.prepare(someSites, { breathe, store })
  return { predictor, pauses }
}

const answersOf = ({ predictor }: { predictor: CatalogPredictor<PredictorCategory> }) =>
  someSites.flatMap((siteId) =>
    titles.map((title) => {
      const proposals = predictor.predict(title, { siteId, limit: 8 })
      const [first] = proposals
      assert.ok(first, `${siteId} ${title}`)
      return {
        proposals: proposals.map(({ category: { key }, ...rest }) => ({ key, ...rest })),
        explanation: predictor.site(siteId).explain(title, first.category, undefined),
      }
    }),
  )

/** A catalog that is built in a moment. */
const small = source.categories.filter(({ key }) => /^(aa-1|sg-4|aa|sg)$|^(aa-1|sg-4)-/.test(key))
const answers = ({ predictor }: Awaited<ReturnType<typeof prepared>>) =>
  ['camisa azul', 'pelota de futbol'].map((title) => {
    const [first] = predictor.predict(title, { siteId: 'MLA', limit: 1 })
    assert.ok(first, title)
    return [first.category.key, first.score]
  })

const store = new MemoryStore()
const built = await prepared(store)
const expected = answersOf(built)

test('predictions and explanations are the same with tables, read or built, as on first use', async () => {
  assert.deepEqual(answersOf({ predictor: new CatalogPredictor(source) }), expected)
  // The code that builds does not depend on the store, except for its last step.
  if (tier === 'all') assert.deepEqual(answersOf(await prepared(undefined)), expected)
  assert.equal(store.writes, 1)
  assert.deepEqual(answersOf(await prepared(store)), expected)
  assert.equal(store.writes, 1, 'they were read')
})

test('a damaged file is built again, wherever the damage is', async () => {
  const original = new MemoryStore()
  const expected = answers(await prepared(original, small))
  const [[digest, file] = ['', new Uint8Array()]] = [...original.files]
  const damaged = {
    'an empty file': new Uint8Array(),
    'a file that ends early': file.subarray(0, file.length - 8),
    'a file that ends in its head': file.subarray(0, 30),
    'a byte of the magic': flipped(file, 3),
    'a byte of the first length': flipped(file, 40),
    'a byte in the middle': flipped(file, file.length >> 1),
    'the last byte': flipped(file, file.length - 1),
    'bytes after the end': new Uint8Array([...file.subarray(0, 100), ...file]),
  }
  for (const [what, bytes] of Object.entries(damaged)) {
    const other = new MemoryStore()
    other.files.set(digest, bytes)
    assert.deepEqual(answers(await prepared(other, small)), expected, what)
    assert.equal(other.writes, 1, what)
    assert.deepEqual(Buffer.from(other.files.get(digest) ?? ''), Buffer.from(file), what)
  }
})

function flipped(file: Uint8Array, at: number): Uint8Array {
  const copy = Uint8Array.from(file)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

test('another word, or another rule, asks for other tables', async () => {
  const other = new MemoryStore()
  await prepared(other, small)
  const last = small.at(-1) as (typeof small)[number]
  const aliases = [{ text: 'zumbiquete', sites: siteIds }]
  const changed = await prepared(other, [...small.slice(0, -1), { ...last, aliases }])
  assert.equal(other.writes, 2)
  const [proposal] = changed.predictor.predict('zumbiquete', { siteId: 'MLA', limit: 1 })
  assert.equal(proposal?.category.key, last.key)
  other.rules = 'others'
  await prepared(other, small)
  assert.equal(other.writes, 3)
})

test('a store that fails only costs the time of building', async () => {
  const broken: TableStore = {
    rulesDigest: async () => 'rules',
    read: async () => undefined,
    write: () => Promise.reject(new Error('the disk is full')),
  }
  assert.deepEqual(
    answers(await prepared(broken, small)),
    answers(await prepared(undefined, small)),
  )
})

test('a request waits at most 60 ms of processor time while tables are read, 150 ms while they are built', async () => {
  // Collecting garbage counts as well, and is not the same twice: the slices of the work itself are.
  await assertPauses(60, () => prepared(store))
  await assertPauses(150, () => prepared(new MemoryStore()), built)
})

/** Succeeds when one of three runs has no longer pause, in milliseconds. `first` has run already. */
async function assertPauses(
  limitMs: number,
  run: () => ReturnType<typeof prepared>,
  first?: Awaited<ReturnType<typeof prepared>>,
) {
  const longest: number[] = []
  for (let i = 0; i < 3; i++) {
    const { pauses } = i === 0 && first !== undefined ? first : await run()
    const most = pauses.reduce((most, one) => Math.max(most, one), 0)
    if (most < limitMs) return
    longest.push(most)
  }
  assert.fail(`the longest pauses of three runs: ${longest.join(', ')} ms`)
}

test('calls at the same time build once', async () => {
  const other = new MemoryStore()
  const predictor = new CatalogPredictor({ ...source, categories: small })
  let requests = 0
  const request = setInterval(() => requests++, 0)
  await Promise.all([
    predictor.prepare(['MLA'], { breathe: makeYielder(), store: other }),
    predictor.prepare(siteIds, { breathe: makeYielder(), store: other }),
  ])
  clearInterval(request)
  assert.equal(other.writes, 1)
  assert.deepEqual(predictor.builtSites.toSorted(), siteIds.toSorted())
  assert.ok(requests > 0, 'others have a turn meanwhile')
})
