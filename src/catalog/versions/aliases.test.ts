import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { openTestApp, operatorToken, type TestApp } from '../../../test/harness/app.ts'
import { smallCatalog, uploadCatalog } from '../../../test/harness/catalog-files.ts'
import { tier } from '../../../test/harness/tier.ts'
import { formContentType, multipartForm, openRequest } from '../../../test/harness/upload.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
})
beforeEach(() => app.client.operator('POST', '/operator/catalog/versions/0/activate'))
after(() => app.close())

function upload(lines: readonly string[], query = '', field = 'aliases') {
  const { request, answer } = openRequest(app.address, {
    method: 'POST',
    path: `/operator/catalog/aliases${query}`,
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': formContentType },
  })
  request.end(multipartForm({ field, filename: 'aliases.tsv', content: lines.join('\n') }))
  return answer
}
const versions = async () => (await app.client.operator('GET', '/operator/catalog/versions')).body
const exported = async () =>
  (await app.client.operator('GET', '/operator/catalog/export?file=categories')).text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
const aliasesOf = async (key: string) =>
  (await exported()).find((category: { key: string }) => category.key === key)?.aliases
async function firstFor(title: string, site = 'MLA'): Promise<string | undefined> {
  const query = new URLSearchParams({ q: title })
  const { body } = await app.client.get(`/sites/${site}/domain_discovery/search?${query}`)
  return body[0]?.category_name
}

test('imported aliases lead to their categories on their sites, as a new version', async () => {
  await uploadCatalog(app.address, smallCatalog(), '')
  const [{ id: books }] = (await app.client.get('/sites/MLA/categories')).body.slice(-1)
  assert.equal(await firstFor('zumbel usado'), undefined)
  const { status, body } = await upload(
    [
      '# our own words',
      'own-tv\tes\tzumbel\tthe rest of a line is ignored\t7',
      '',
      `${books}\tMLA, MLB\tcuentero`,
      'own-radio\t*\ttranquelo',
      'own-radio\t\ttranquelo',
    ],
    '?note=words',
  )
  assert.deepEqual([status, body.is_new, body.categories.changed.count], [201, true, 3])
  assert.deepEqual(
    [body.categories.added.count, body.attributes.changed.count, body.numbers_given],
    [0, 0, 0],
  )
  assert.equal(await firstFor('zumbel usado'), 'Televisores')
  assert.equal(await firstFor('tranquelo', 'MLB'), 'Radios pt')
  assert.deepEqual(await aliasesOf('own-tv'), [{ text: 'zumbel', sites: ['es'] }])
  assert.deepEqual(await aliasesOf('own-radio'), [{ text: 'tranquelo' }])
  assert.deepEqual(await aliasesOf('own-books'), [{ text: 'cuentero', sites: ['MLB', 'MLA'] }])
  const [newest] = (await versions()).versions
  assert.deepEqual([newest.version, newest.note, newest.in_force], [body.version, 'words', true])
})

test('aliases of the default catalog are added to it, and nothing else differs', async () => {
  // To put it in force takes seconds, and shows no more of it.
  const query = tier === 'fast' ? '?dry_run=true' : ''
  const { body } = await upload(['MLA1443\tMLA\tzumbel'], query)
  const { added, removed, renamed, moved, changed } = body.categories
  assert.deepEqual(
    [added, removed, renamed, moved, changed].map(({ count }) => count),
    [0, 0, 0, 0, 1],
  )
  assert.equal(changed.examples[0].number, 1443)
})

test('an alias again adds its new sites, and the same once more is no new version', async () => {
  await uploadCatalog(app.address, smallCatalog(), '')
  await upload(['own-tv\tMLA\tzumbel'])
  const wider = await upload(['own-tv\tMLU\tZumbel'])
  assert.deepEqual(await aliasesOf('own-tv'), [{ text: 'zumbel', sites: ['MLU', 'MLA'] }])
  const again = await upload(['own-tv\tMLA,MLU\tzumbel'])
  assert.deepEqual(
    [again.status, again.body.is_new, again.body.version],
    [200, false, wider.body.version],
  )
})

test('a dry run tells what would change, and changes nothing', async () => {
  await uploadCatalog(app.address, smallCatalog(), '')
  const before = await versions()
  const { status, body } = await upload(['own-tv\tMLA\tzumbel'], '?dry_run=true')
  assert.deepEqual([status, body.dry_run, body.categories.changed.count], [200, true, 1])
  assert.deepEqual(await versions(), before)
  assert.equal(await firstFor('zumbel'), undefined)
})

test('everything that is wrong is told at once, by line and column, and nothing changes', async () => {
  await uploadCatalog(app.address, smallCatalog(), '')
  const before = await versions()
  const lines = [
    'own-tv\tMLA\tzumbel',
    'own-tv\tzumbel',
    'nobody\tMLA\tzumbel',
    'own-tv\tMLX\tzumbel',
    'own-tv\tMLA\t',
    'own-tv\tMLA\t500 ml',
    `own-tv\tMLA\t${'x'.repeat(201)}`,
  ]
  for (const query of ['', '?dry_run=true']) {
    const { status, body } = await upload(lines, query)
    assert.deepEqual([status, body.error], [400, 'bad_request'])
    assert.match(body.message, /^aliases, line 2, line: expected three columns .* 5 more/)
    assert.deepEqual(
      body.cause.map(({ file, line, field }: Record<string, unknown>) => [file, line, field]),
      [
        ['aliases', 2, 'line'],
        ['aliases', 3, 'category'],
        ['aliases', 4, 'sites'],
        ['aliases', 5, 'alias'],
        ['aliases', 6, 'alias'],
        ['aliases', 7, 'alias'],
      ],
    )
  }
  assert.deepEqual(await versions(), before)
  const wrongFile = await upload(lines, '', 'words')
  assert.match(wrongFile.body.message, /a form with the file aliases, not one .* "words"/)
})

test('a category has at most 2,000 aliases, told once', async () => {
  await uploadCatalog(app.address, smallCatalog(), '')
  const many = Array.from({ length: 2_005 }, (_, n) => `own-tv\tMLA\tzum${n}bel`)
  assert.equal((await upload(many.slice(0, 2_000), '?dry_run=true')).status, 200)
  const { body } = await upload(many)
  assert.deepEqual(
    body.cause.map(({ line, message }: Record<string, unknown>) => [line, message]),
    [[2_001, 'expected at most 2000 aliases of one category']],
  )
})

test('a category with children can have a domain where listings are allowed in it, and is proposed', async () => {
  const files = smallCatalog()
  Object.assign(files.categories[0] ?? {}, { domain: 'RADIOS' })
  const refused = await uploadCatalog(app.address, files, '')
  assert.match(
    refused.body.message,
    /^categories, line 1, domain: expected none, others hang below/,
  )
  Object.assign(files.categories[0] ?? {}, { settings: { listing_allowed: true } })
  assert.equal((await uploadCatalog(app.address, files, '')).status, 201)
  const { body } = await app.client.get('/sites/MLA/domain_discovery/search?q=electronica')
  assert.deepEqual([body[0].category_name, body[0].domain_id], ['Electrónica', 'MLA-RADIOS'])
  const parent = (await app.client.get(`/categories/${body[0].category_id}`)).body
  assert.equal(parent.settings.listing_allowed, true)
  assert.equal(parent.children_categories.length, 2)
  const attributes = await app.client.get(`/categories/${body[0].category_id}/attributes`)
  assert.equal(attributes.body.length, 2)
  await uploadCatalog(app.address, smallCatalog(), '')
  const usual = await app.client.get('/sites/MLA/domain_discovery/search?q=electronica')
  assert.deepEqual(
    usual.body.map(({ category_name }: { category_name: string }) => category_name).sort(),
    ['Radios', 'Televisores'],
  )
})
