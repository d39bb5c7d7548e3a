import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { siteIds } from '../kernel/sites.ts'
import { makeYielder } from '../kernel/slices.ts'
import type { Context } from '../platform/context.ts'
import { ActiveCatalog } from './active-catalog.ts'
import { Catalog } from './catalog.ts'
import type { CatalogSource } from './source/source.ts'

const same = (name: string) => ({ es: name, pt: name, en: name })
const sourceOf = (name: string): CatalogSource => ({
  categories: [
    {
      key: name,
      number: 1,
      parent: null,
      names: same(name),
      vertical: 'core',
      kinds: [],
      aliases: [],
      domain: null,
      settings: {},
    },
  ],
  attributes: [],
  domains: [],
})
const opened = (name: string) => new Catalog(sourceOf(name), new Date(0))

function activeCatalog(t: { after: (fn: () => void) => void }) {
  const folder = mkdtempSync(join(tmpdir(), 'feria-tables-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const warnings: string[] = []
  const tools = {
    config: { http: { publicUrl: undefined, port: 0 }, dataDirectory: folder },
    now: () => new Date(0),
    signals: { on: () => {} },
    log: { warn: (_: object, message: string) => warnings.push(message) },
  } as unknown as Context
  const active = new ActiveCatalog(tools, {
    countListings: async () => new Map(),
    countsChangedChannel: 'listings',
    open: () => opened('Mates'),
  })
  return { active, folder, warnings, tables: () => readdirSync(join(folder, 'predictor')) }
}

test('a data directory that takes no tables costs a warning, and nothing else', async (t) => {
  const { active, folder, warnings } = activeCatalog(t)
  writeFileSync(join(folder, 'predictor'), 'a file where the folder should be')
  await active.prepareAll()
  assert.deepEqual(active.served.builtParts.predictors.toSorted(), siteIds.toSorted())
  assert.match(warnings.join(), /^the tables of predictors could not be written/)
})

test('a process that is ready, and a catalog that was swapped, have the predictors of all sites', async (t) => {
  const { active, tables } = activeCatalog(t)
  await active.prepareAll()
  assert.deepEqual(active.served.builtParts.predictors.toSorted(), siteIds.toSorted())
  assert.deepEqual(active.served.builtParts.sites.toSorted(), siteIds.toSorted())
  const breathe = makeYielder()
  for (const [version, name] of ['Termos', 'Vasos', 'Platos'].entries()) {
    await active.replace({ version, catalog: opened(name) }, (next, { builtParts }) =>
      next.prepare(builtParts, { breathe, store: active.predictorFiles }),
    )
    const { catalog, builtParts } = active.served
    assert.deepEqual(builtParts.predictors.toSorted(), siteIds.toSorted())
    const [first] = catalog.predictor('MLB').predict(name, { limit: 1 })
    assert.equal(first?.category.key, name)
  }
  assert.equal(tables().length, 2, 'old tables are removed')
})

test('a catalog that is swapped in while another is prepared is prepared too', async (t) => {
  const { active } = activeCatalog(t)
  const preparing = active.prepareAll()
  await active.replace({ version: 1, catalog: opened('Termos') }, async () => {})
  await preparing
  assert.equal(active.version, 1)
  assert.deepEqual(active.served.builtParts.predictors.toSorted(), siteIds.toSorted())
})

test('background work makes only the predictors that it needs, and no tree', async (t) => {
  const { active } = activeCatalog(t)
  await active.preparePredictors(['MLA'])
  assert.deepEqual(active.served.builtParts.predictors, ['MLA'])
  assert.deepEqual(active.served.builtParts.sites, [])
})
