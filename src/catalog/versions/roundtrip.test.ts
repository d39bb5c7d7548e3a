import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { changedCatalog, uploadCatalog } from '../../../test/harness/catalog-files.ts'
import { contract } from '../../../test/harness/contract.ts'
import { tier } from '../../../test/harness/tier.ts'
import { catalogFiles } from '../import/problems.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
})
after(() => app.close())

/** What anybody downloads of a site, uncompressed, as the bytes that they are. */
async function whole(site: string): Promise<string> {
  const url = `${app.address}/sites/${site}/categories/all?withAttributes=true`
  const { status, text } = await app.client.get(url.slice(app.address.length))
  assert.equal(status, 200)
  return text
}

async function exported(version: number) {
  const read = async (file: string) => {
    const path = `/operator/catalog/export?file=${file}&version=${version}`
    const { status, headers, text } = await app.client.operator('GET', path)
    assert.equal(status, 200)
    assert.equal(headers.get('x-catalog-version'), String(version))
    return text.trimEnd().split('\n')
  }
  const [categories = [], attributes = [], domains = []] = await Promise.all(catalogFiles.map(read))
  return { categories, attributes, domains }
}

/** Exports a version, imports it after another one, and compares both. `more` is the category of the other one. */
async function assertRoundTrip(version: number, more: Record<string, unknown>): Promise<void> {
  const sites = ['MLA', 'MLB', 'MCO']
  const own = await exported(version)
  const had = await Promise.all(sites.map(whole))
  const same = await uploadCatalog(app.address, own)
  assert.deepEqual([same.status, same.body.is_new, same.body.version], [200, false, version])
  // One more category makes it another version; without it again it must be what it was.
  const other = { ...own, categories: [...own.categories, JSON.stringify(more)] }
  assert.equal((await uploadCatalog(app.address, other)).body.version, version + 1)
  assert.notEqual(await whole(sites[0] ?? ''), had[0])
  const { status, body } = await uploadCatalog(app.address, own)
  assert.deepEqual([status, body.version, body.categories.removed.count], [201, version + 2, 1])
  assert.deepEqual(await Promise.all(sites.map(whole)), had)
  assert.deepEqual(await exported(version + 2), own)
}

contract(
  ['2.13', '2.14'],
  'what is exported and imported again is served the same, byte for byte',
  async () => {
    const named = { key: 'zz', names: { es: 'Z', pt: 'Z', en: 'Z' } }
    if (tier === 'all') await assertRoundTrip(0, { ...named, domain: 'GIFT_CARDS' })
    const aliases = [{ text: 'novela', sites: ['es'] }]
    const { body } = await uploadCatalog(
      app.address,
      changedCatalog(({ categories }) => Object.assign(categories[3], { aliases })),
    )
    assert.equal(body.is_new, true)
    await assertRoundTrip(body.version, { ...named, domain: 'BOOKS' })
  },
)
