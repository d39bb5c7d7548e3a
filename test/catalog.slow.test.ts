import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openTestApp, operatorToken, type TestApp } from './harness/app.ts'
import { changedCatalog, ndjsonOf, smallCatalog } from './harness/catalog-files.ts'
import { runFeria } from './harness/command.ts'

/** `feria catalog`, as an operator types it. */
let app: TestApp
let folder: string
before(async () => {
  app = await openTestApp()
  folder = mkdtempSync(join(tmpdir(), 'feria-catalog-'))
})
after(async () => {
  rmSync(folder, { recursive: true, force: true })
  await app.close()
})

const feria = (...args: string[]) =>
  runFeria({}, 'catalog', ...args, '--server', app.address, '--token', operatorToken)
const at = (name: string) => join(folder, name)

function lay(name: string, files: Record<string, readonly (Record<string, unknown> | string)[]>) {
  mkdirSync(at(name), { recursive: true })
  for (const [file, rows] of Object.entries(files)) {
    writeFileSync(join(at(name), `${file}.ndjson`), ndjsonOf(rows))
  }
  return at(name)
}

const topName = async () => (await app.client.get('/categories/MLA1411')).body.name

test('a catalogue is tried out, brought, looked at, taken back and exported', async () => {
  const usual = await topName()
  const own = lay('own', smallCatalog(' propia'))
  const dry = await feria('import', own, '--dry-run')
  assert.equal(dry.code, 0, dry.output)
  assert.match(dry.output, /4 categories: 3 added, \d+ removed, 1 renamed/)
  assert.match(dry.output, /~ 1411 {2}el {2}Electrónica propia: .+ → Electrónica propia/)
  assert.match(dry.output, /Dry run: nothing was changed\./)
  assert.equal(await topName(), usual)

  const brought = await feria('import', '--note', 'our own', own)
  assert.match(brought.output, /Catalog 1 is in force\. To go back: feria catalog rollback/)
  assert.equal(await topName(), 'Electrónica propia')
  assert.match((await feria('import', own)).output, /Nothing differs: catalog 1 stays in force/)

  assert.match((await feria('versions')).output, /\* +1 .* 4 categories +our own\n< +0 /)
  assert.equal((await feria('export', at('out'))).code, 0)
  assert.match((await feria('rollback')).output, /Catalog 0 is in force \(before it: 1\)\./)
  assert.equal(await topName(), usual)
  const same = await feria('activate', '1', '--json')
  assert.deepEqual(JSON.parse(same.output), { in_force: 1, before: 0 })

  const again = await feria('import', at('out'), '--json')
  assert.equal(JSON.parse(again.output).is_new, false)
  const lines = readFileSync(join(at('out'), 'categories.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).key),
    ['el', 'own-tv', 'own-radio', 'own-books'],
  )
})

test('what is wrong is told by file, line and field, and the command fails', async () => {
  const names = { es: 'x', pt: 'x', en: 'x' }
  const wrong = lay(
    'wrong',
    changedCatalog(({ categories, domains }) => {
      categories.push({ key: 'a', parent: 'b', names }, { key: 'b', parent: 'a', names })
      domains[1].attributes.push({ id: 'WEIGHT' })
    }),
  )
  const { code, output } = await feria('import', wrong)
  assert.equal(code, 1)
  assert.match(
    output,
    /wrong\/categories\.ndjson:5: parent: expected no circle: a below b below a\n/,
  )
  assert.match(output, /wrong\/domains\.ndjson:2: attributes\[2\]\.id: expected an attribute/)
  assert.match(output, /The catalog was refused \(2 problems\)\./)
  assert.doesNotMatch(output, /\n\s+at /, 'no stack trace')
})

test('the published files of the taxonomy are brought, with the numbers that their keys have', async () => {
  const categories = (names: string[]) => ({
    version: '2026-02',
    verticals: [
      {
        name: 'x',
        prefix: 'el',
        categories: names.map((name, index) => ({
          id: `gid://shopify/TaxonomyCategory/${index === 0 ? 'el' : `el-${index}`}`,
          name,
          level: index === 0 ? 0 : 1,
          parent_id: index === 0 ? null : 'gid://shopify/TaxonomyCategory/el',
          attributes: [{ id: 'gid://shopify/TaxonomyAttribute/1', name: 'Color', handle: 'color' }],
        })),
      },
    ],
  })
  const attributes = (color: string, black: string) => ({
    attributes: [
      {
        id: 'gid://shopify/TaxonomyAttribute/1',
        name: color,
        handle: 'color',
        extended_attributes: [],
        values: [{ id: 'gid://shopify/TaxonomyValue/1', name: black, handle: 'color__black' }],
      },
    ],
  })
  const write = (language: string, file: string, value: object) => {
    mkdirSync(join(at('taxonomy'), 'dist', language), { recursive: true })
    writeFileSync(join(at('taxonomy'), 'dist', language, file), JSON.stringify(value))
  }
  write('en', 'categories.json', categories(['Electronics', 'Arcade', 'Audio']))
  write('en', 'attributes.json', attributes('Color', 'Black'))
  write('es', 'categories.json', categories(['Electrónica nueva', 'Arcade', 'Audio y más']))
  write('es', 'attributes.json', attributes('Color', 'Negro'))
  write('pt-BR', 'taxonomy.json', {
    ...categories(['Eletrônicos', 'Fliperama']),
    ...attributes('Cor', 'Preto'),
  })
  const { code, output } = await feria('import', at('taxonomy'), '--format', 'taxonomy')
  assert.equal(code, 0, output)
  assert.match(output, /3 categories of the taxonomy, 3 levels deep/)
  assert.match(output, /English where a name is not translated: 0 in Spanish, 1 in Portuguese/)
  assert.equal(await topName(), 'Electrónica nueva')
  const { body } = await app.client.get('/categories/MLB1411')
  assert.deepEqual(
    body.children_categories.map(({ name }: { name: string }) => name),
    ['Audio', 'Fliperama'],
  )
  const [child] = body.children_categories
  const response = await app.client.get(`/categories/${child.id}/attributes`)
  assert.deepEqual(response.body[2].values, [{ id: '1', name: 'Preto' }])

  writeFileSync(
    join(at('taxonomy'), 'dist', 'es', 'categories.json'),
    'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n',
  )
  const pointer = await feria('import', at('taxonomy'), '--format', 'taxonomy')
  assert.deepEqual(pointer.code, 1)
  assert.match(pointer.output, /es\/categories\.json: is only a pointer.*git lfs pull/)
})

test('a call that is not known, a folder that is not there and a server that is away are told in a sentence', async () => {
  const cases: [code: number, args: string[], says: RegExp][] = [
    [2, [], /feria help catalog import shows more/],
    [2, ['import'], /DIR is missing.*Run: feria catalog import DIR/s],
    [
      2,
      ['toString', 'x'],
      /Run: feria catalog import\|import-aliases\|suggest-aliases\|export\|versions\|activate\|rollback/,
    ],
    [2, ['versions', 'x'], /one word too many/],
    [1, ['import', at('nowhere')], /nowhere\/categories\.ndjson: expected a file that can be read/],
    [2, ['import', at('own'), '--format', 'yaml'], /--format: expected one of feria, taxonomy/],
    [2, ['import', at('own'), '--depth', '2'], /--depth works only with --format taxonomy/],
    [2, ['versions', '--depth', '2'], /Unknown option "--depth"/],
    [2, ['export', at('out'), '--version', 'x'], /version: expected a whole number/],
    [1, ['activate', '77'], /404.*Catalog version not found: 77/],
    [
      1,
      ['import', at('nowhere'), '--format', 'taxonomy'],
      /nowhere.*expected a file that can be read/,
    ],
  ]
  for (const [expected, args, says] of cases) {
    const { code, output } = await feria(...args)
    assert.equal(code, expected, `${args}: ${output}`)
    assert.match(output, says)
    assert.doesNotMatch(output, /\n\s+at /, 'no stack trace')
  }
  const away = await runFeria(
    {},
    'catalog',
    'versions',
    '--server',
    'http://127.0.0.1:9',
    '--token',
    'x',
  )
  assert.equal(away.code, 1)
  assert.match(away.output, /There is no Feria at http:\/\/127\.0\.0\.1:9/)
})
