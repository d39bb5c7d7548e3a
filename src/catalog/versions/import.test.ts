import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import {
  catalogForm,
  smallCatalog,
  startCatalogUpload,
  uploadCatalog,
} from '../../../test/harness/catalog-files.ts'
import { contract } from '../../../test/harness/contract.ts'
import { createTestMarket, putItem } from '../../../test/harness/market.ts'
import { multipartForm, openRequest } from '../../../test/harness/upload.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
  await createTestMarket(app.client, null)
})
beforeEach(() => app.client.operator('POST', '/operator/catalog/versions/0/activate'))
after(() => app.close())

const bring = (files: Parameters<typeof uploadCatalog>[1], query = '') =>
  uploadCatalog(app.address, files, query)
const category = async (id: string) => {
  const { status, body } = await app.client.get(`/categories/${id}`)
  return status === 200 ? body.name : status
}
const versions = async () => (await app.client.operator('GET', '/operator/catalog/versions')).body
const activate = (version: number | string) =>
  app.client.operator('POST', `/operator/catalog/versions/${version}/activate`)

async function list(id: string, category_id: string): Promise<void> {
  await putItem(app.client, id, { title: 'x', category_id, price: 1 })
}

contract(
  ['2.13', '4.4', 'catalog'],
  'an import is served from the next request on, with the ids that its keys have',
  async () => {
    const { status, body } = await bring(smallCatalog(), '?note=our%20own')
    assert.deepEqual([status, body.against, body.is_new, body.dry_run], [201, 0, true, false])
    assert.equal(body.categories.total, 4)
    assert.deepEqual(
      body.categories.added.examples.map(({ key }: { key: string }) => key),
      ['own-tv', 'own-radio', 'own-books'],
    )
    assert.ok(body.categories.removed.count > 2_000)
    assert.equal(body.categories.removed.examples.length, 20)
    const top = (await app.client.get('/sites/MLA/categories')).body
    const [electronics, books] = top
    assert.deepEqual(electronics, { id: 'MLA1411', name: 'Electrónica' })
    assert.match(books.id, /^MLA1\d{6}$/)
    assert.equal(await category(`MLB${books.id.slice(3)}`), 'Libros pt')
    const proposals = await app.client.get('/sites/MLA/domain_discovery/search?q=televisores')
    assert.equal(proposals.body[0].category_name, 'Televisores')
    const attributes = await app.client.get(`/categories/${books.id}/attributes`)
    assert.deepEqual(
      attributes.body.map(({ id }: { id: string }) => id),
      ['BRAND', 'COLOR'],
    )
    const [newest] = (await versions()).versions
    assert.deepEqual(
      [newest.version, newest.note, newest.in_force],
      [body.version, 'our own', true],
    )
  },
)

test('a dry run tells what would be, and changes nothing', async () => {
  const phones = await category('MLA1443')
  const before = await versions()
  const { status, body } = await bring(smallCatalog(' seca'), '?dry_run=true')
  assert.deepEqual([status, body.dry_run, body.is_new, body.version], [200, true, false, 0])
  assert.ok(body.categories.removed.count > 2_000)
  assert.deepEqual(await versions(), before)
  assert.equal(await category('MLA1443'), phones)
})

test('what is renamed, moved, changed, added and removed is told apart', async () => {
  await bring(smallCatalog())
  const files = smallCatalog()
  const [, tv, radio, books] = files.categories
  Object.assign(tv ?? {}, { names: { es: 'Teles', pt: 'TVs', en: 'TVs' } })
  Object.assign(radio ?? {}, { parent: null })
  Object.assign(books ?? {}, { aliases: [{ text: 'novela', sites: ['es'] }] })
  files.categories.push({ key: 'own-new', names: books?.['names'], domain: 'BOOKS' })
  files.attributes.splice(1, 1)
  for (const domain of files.domains) domain['attributes'] = [{ id: 'BRAND' }]
  const { body } = await bring(files, '?dry_run=true')
  const keys = (summary: { examples: { key: string }[] }) => summary.examples.map(({ key }) => key)
  const { added, removed, renamed, moved, changed } = body.categories
  assert.deepEqual([added, removed, renamed, moved, changed].map(keys), [
    ['own-new'],
    [],
    ['own-tv'],
    ['own-radio'],
    ['own-books'],
  ])
  assert.deepEqual(
    [renamed.examples[0].before, renamed.examples[0].after],
    ['Televisores', 'Teles'],
  )
  assert.deepEqual([moved.examples[0].before, moved.examples[0].after], ['el', null])
  assert.deepEqual(body.attributes.removed, { count: 1, examples: ['COLOR'] })
  assert.deepEqual(body.domains.changed.count, 3)
})

test('the same once more is no new version', async () => {
  const { body: first } = await bring(smallCatalog(' igual'))
  const { status, body } = await bring(smallCatalog(' igual'))
  assert.deepEqual([status, body.is_new, body.version], [200, false, first.version])
})

test('everything that is wrong is told at once, by file, line and field, and nothing changes', async () => {
  const before = await versions()
  const files = smallCatalog()
  files.categories.push({ key: 'a', parent: 'b', names: {} }, { key: 'c', parent: 'nobody' })
  files.domains[0] = { id: 'TELEVISIONS', names: { es: 'x', pt: 'x' }, attributes: [{ id: 'NO' }] }
  for (const query of ['', '?dry_run=true']) {
    const { status, body } = await bring(files, query)
    assert.deepEqual([status, body.status, body.error], [400, 400, 'bad_request'])
    assert.match(
      body.message,
      /^categories, line 5, names\.es: expected .* \(and 2 more, see cause\)$/,
    )
    assert.deepEqual(
      body.cause.map(({ file, line, field }: Record<string, unknown>) => [file, line, field]),
      [
        ['categories', 5, 'names.es'],
        ['categories', 6, 'names'],
        ['domains', 1, 'attributes[0].id'],
      ],
    )
  }
  assert.deepEqual(await versions(), before)
})

test('the way back leads to the version before, and forth again', async () => {
  const phones = await category('MLA1443')
  const first = (await bring(smallCatalog(' uno'))).body.version
  const second = (await bring(smallCatalog(' dos'))).body.version
  assert.deepEqual([second - first, (await versions()).before], [1, first])
  assert.equal(await category('MLA1411'), 'Electrónica dos')
  const back = await activate(first)
  assert.deepEqual(back.body, { in_force: first, before: second })
  assert.equal(await category('MLA1411'), 'Electrónica uno')
  await activate((await versions()).before)
  assert.equal(await category('MLA1411'), 'Electrónica dos')
  assert.deepEqual((await activate(0)).body, { in_force: 0, before: second })
  assert.equal(await category('MLA1443'), phones)
  assert.deepEqual((await activate(0)).body, { in_force: 0, before: second })
})

test('a version that there is not is not found, one that is none is named', async () => {
  assert.equal((await activate(9_999)).status, 404)
  for (const wrong of ['-1', '1.5', 'x', '99999999999']) {
    const { status, body } = await activate(wrong)
    assert.equal(status, 400)
    assert.match(body.message, /^version: expected/)
  }
  const read = (query: string) => app.client.operator('GET', `/operator/catalog/export${query}`)
  assert.equal((await read('?file=domains&version=9999')).status, 404)
  assert.match((await read('?file=numbers')).body.message, /^file: expected one of categories/)
})

contract(
  ['2.13', 'catalog'],
  'the number of a key is for ever, also when the category was gone for a while',
  async () => {
    const idOf = async (name: string) => {
      const { body } = await app.client.get('/sites/MLA/categories')
      return body.find((candidate: { name: string }) => candidate.name === name)?.id
    }
    await bring(smallCatalog())
    const id = await idOf('Libros')
    const without = smallCatalog()
    without.categories.pop()
    await bring(without)
    assert.equal(await category(id), 404)
    const conflicting = smallCatalog()
    conflicting.categories[3] = {
      ...conflicting.categories[3],
      key: 'thief',
      number: Number(id.slice(3)),
    }
    const { body } = await bring(conflicting)
    assert.match(body.message, /line 4, number: .* is that of "own-books"/)
    const before = await bring(smallCatalog(' vuelve'))
    assert.equal(before.body.numbers_given, 0)
    assert.equal(await idOf('Libros vuelve'), id)
  },
)

contract(
  ['2.13', 'catalog'],
  'listings of a category that is gone stay, and are counted before it goes',
  async () => {
    const countLeft = async (query: string) =>
      (await bring(smallCatalog(' quedan'), query)).body.listings_in_removed_categories
    const others = await countLeft('?dry_run=true')
    await list('MLA7001', 'MLA1443')
    await list('MLA7002', 'MLA1443')
    await list('MLA7003', 'MLA1411')
    assert.equal(await countLeft('?dry_run=true'), others + 2)
    assert.equal(await countLeft(''), others + 2)
    assert.equal(await category('MLA1443'), 404)
    const { body } = await app.client.get('/items/MLA7001')
    assert.equal(body.category_id, 'MLA1443')
    const el = await app.client.get('/categories/MLA1411')
    assert.equal(el.body.total_items_in_this_category, 1)
    await activate(0)
    const back = await app.client.get('/categories/MLA1443')
    assert.equal(back.body.total_items_in_this_category, 2)
  },
)

test('two imports at the same time come one after the other, the second compared with the first', async () => {
  const marks = [' a', ' b', ' c', ' d']
  const answers = await Promise.all(marks.map((mark) => bring(smallCatalog(mark))))
  const versions = answers.map(({ body }) => [body.version, body.against]).sort(([a], [b]) => a - b)
  const first = versions[0]?.[0]
  assert.deepEqual(versions, [
    [first, 0],
    [first + 1, first],
    [first + 2, first + 1],
    [first + 3, first + 2],
  ])
  const last = answers.findIndex(({ body }) => body.version === first + 3)
  assert.equal(await category('MLA1411'), `Electrónica${marks[last]}`)
})

test('what is no form of these files is refused in words', async () => {
  const send = async (form: Buffer) => {
    const { request, answer } = startCatalogUpload(app.address)
    request.end(form)
    const { status, body } = await answer
    return [status, body.message]
  }
  const whole = catalogForm(smallCatalog())
  assert.deepEqual(await send(multipartForm({ field: 'values', filename: 'a', content: '{}' })), [
    400,
    'body: expected a form with the files categories, attributes, domains, not one that is called "values"',
  ])
  assert.match(String(await send(whole.subarray(0, 500))), /^400,body: expected a whole form/)
  assert.match(
    String(await send(multipartForm())),
    /^400,categories, file: expected a file of this name/,
  )
  const twice = multipartForm(
    ...['categories', 'categories'].map((field) => ({ field, filename: 'a', content: '' })),
  )
  assert.match(String(await send(twice)), /categories, file: expected one such file, not several/)
  const long = multipartForm({
    field: 'categories',
    filename: 'a',
    content: Buffer.alloc(101 * 2 ** 20, 'x'),
  })
  assert.match(String(await send(long)), /^413,categories: expected at most 104857600 bytes in all/)
  const asJson = await app.client.operator('POST', '/operator/catalog/import', {})
  assert.equal(asJson.status, 400)
  const options = { method: 'POST', path: '/operator/catalog/import', headers: {} }
  const { request, answer } = openRequest(app.address, options)
  request.end()
  assert.equal((await answer).status, 401)
})
