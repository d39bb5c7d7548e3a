import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { contract } from '../../../test/harness/contract.ts'
import { siteIds } from '../../kernel/sites.ts'
import { treeOf } from '../tree/tree.ts'
import { readDefaultSource } from './default.ts'

const folder = fileURLToPath(new URL('../../../catalog', import.meta.url))
const source = readDefaultSource(folder)
const byKey = new Map(source.categories.map((category) => [category.key, category]))

contract(
  '2.13',
  'the numbers of categories are for ever: what was given once is never changed',
  () => {
    const lines = readFileSync(`${folder}/numbers.tsv`, 'utf8').split('\n')
    const permanentLines = lines
      .filter((line) => line !== '' && !line.startsWith('#'))
      .slice(0, 2035)
    const hash = createHash('sha256').update(permanentLines.join('\n')).digest('hex')
    assert.equal(hash, '9164bc4772689b2bd9c507b4af7c77f62861f2a61aa416f9643c628272c28758')
  },
)

test('every category hangs below one that is there, and below itself never', () => {
  for (const category of source.categories) {
    const visited = new Set<string>()
    for (let at = category.key; at; at = byKey.get(at)?.parent ?? '') {
      assert.ok(byKey.has(at), `${category.key} hangs below ${at}`)
      assert.ok(!visited.has(at), `${category.key} hangs below itself`)
      visited.add(at)
    }
  }
})

test('every category is named in both languages, and no two under one parent alike', () => {
  for (const language of ['es', 'pt'] as const) {
    const named = new Map<string, string>()
    for (const { key, parent, names } of source.categories) {
      assert.notEqual(names[language].trim(), '', key)
      const name = `${parent} ${names[language].toLowerCase()}`
      assert.equal(named.get(name), undefined, `${key} and ${named.get(name)} are both ${name}`)
      named.set(name, key)
    }
  }
})

contract('2.13', 'what is sold, rented out, driven and done has branches of its own', () => {
  const verticals = source.categories.filter(({ parent }) => parent === null)
  const of = (vertical: string) =>
    verticals.filter((category) => category.vertical === vertical).length
  assert.deepEqual([of('real_estate'), of('motors'), of('services')], [1, 1, 1])
  assert.ok(of('core') > 20)
})

contract('2.13', 'whatever nothing hangs below has a domain, and no two the same', () => {
  const parents = new Set(source.categories.map(({ parent }) => parent))
  const leaves = source.categories.filter(({ key }) => !parents.has(key))
  for (const { key, domain } of leaves) assert.match(domain ?? '', /^[A-Z0-9_]+$/, key)
  assert.equal(new Set(leaves.map(({ domain }) => domain)).size, leaves.length)
  assert.equal(source.domains.length, leaves.length)
})

contract(
  '2.14',
  'two hundred domains and more are described by hand, each with attributes that exist',
  () => {
    const attributeIds = new Set(source.attributes.map(({ id }) => id))
    const described = source.domains.filter(({ brands }) => brands.length > 0)
    assert.ok(described.length >= 200, `${described.length}`)
    for (const { id, attributes } of source.domains) {
      assert.ok(attributes.length > 1, id)
      for (const attribute of attributes)
        assert.ok(attributeIds.has(attribute.id), `${id} ${attribute.id}`)
    }
  },
)

test('other words for categories number thousands, with those of single countries among them', () => {
  const aliases = source.categories.flatMap(({ aliases }) => aliases)
  assert.ok(aliases.length >= 3_000, `${aliases.length}`)
  const ofOne = aliases.filter(({ sites }) => sites.length < 5)
  assert.ok(ofOne.length >= 500, `${ofOne.length}`)
})

test('what backpacks are called leads to those that are not for school, not to both', () => {
  const aliasesOf = (key: string) =>
    source.categories.find((category) => category.key === key)?.aliases.map(({ text }) => text) ??
    []
  assert.deepEqual(aliasesOf('lb-1'), [])
  assert.ok(aliasesOf('lb-1-rest').includes('mochila'))
  assert.ok(aliasesOf('x-re-apartments').includes('depto'), 'where there is no rest they stay')
})

contract('2.13', 'every site has the same tree with ids of its own', () => {
  for (const siteId of siteIds) {
    const { byId, top } = treeOf(siteId, source)
    assert.equal(byId.size, source.categories.length)
    for (const { id, path } of byId.values()) {
      assert.match(id, new RegExp(`^${siteId}[0-9]+$`))
      assert.ok(top.includes(path[0] as (typeof top)[number]))
      assert.equal(path.at(-1)?.id, id)
    }
  }
})
