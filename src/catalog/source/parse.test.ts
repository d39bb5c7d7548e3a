import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../../../test/harness/contract.ts'
import { siteIds, sites } from '../../kernel/sites.ts'
import {
  CatalogFileError,
  parseAliases,
  parseAttributes,
  parseBranches,
  parseDomains,
  parseNames,
  parseNumbers,
} from './parse.ts'

const file = (...lines: string[]) => ({ name: 'a.txt', text: lines.join('\n') })
const speaking = (language: string) => siteIds.filter((id) => sites[id].language === language)

test('a word is said where its label says: a language, some countries, everywhere', () => {
  const aliases = parseAliases(
    file(
      '# a remark',
      '',
      'a-1 | es: pava, hervidor | AR UY: pava electrica | pt: chaleira | brands: x',
    ),
    (key) => key === 'a-1',
  )
  assert.deepEqual(aliases.get('a-1'), [
    { text: 'pava', sites: speaking('es') },
    { text: 'hervidor', sites: speaking('es') },
    { text: 'pava electrica', sites: ['MLA', 'MLU'] },
    { text: 'chaleira', sites: speaking('pt') },
    { text: 'x', sites: siteIds },
  ])
})

test('branches hang where they are indented', () => {
  const branches = parseBranches(
    file(
      'x | Land | Tierra | Terra | real_estate | es: campo; pt: sitio',
      '  x-a | Lots | Lotes | Lotes | real_estate |',
      '    x-a-b | Sale | Venta | Venda | real_estate',
      '  x-c | Farms | Fincas | Fazendas | real_estate |',
    ),
  )
  assert.deepEqual(
    branches.map(({ key, parent }) => [key, parent]),
    [
      ['x', null],
      ['x-a', 'x'],
      ['x-a-b', 'x-a'],
      ['x-c', 'x'],
    ],
  )
  assert.deepEqual(branches[0]?.names, { en: 'Land', es: 'Tierra', pt: 'Terra' })
  assert.deepEqual(
    branches[0]?.aliases.map(({ text }) => text),
    ['campo', 'sitio'],
  )
})

test('a category gets the names that read better, in one language or both', () => {
  const isKnown = (key: string) => key.startsWith('a-')
  const names = parseNames(
    file('a-1 | Ollas | Panelas', 'a-2 | | Fogões', 'a-3 | Hornos |'),
    isKnown,
  )
  assert.deepEqual(Object.fromEntries(names), {
    'a-1': { es: 'Ollas', pt: 'Panelas' },
    'a-2': { pt: 'Fogões' },
    'a-3': { es: 'Hornos' },
  })
  const refused: [line: string, why: RegExp][] = [
    ['b-1 | Ollas | Panelas', /line 2: there is no category b-1/],
    ['a-1 | |', /line 2: expected key/],
    ['a-1 | Ollas | Panelas | Pots', /line 2: expected key/],
    ['a-0 | Ollas | Panelas', /line 2: a-0 has a name already/],
  ]
  for (const [line, why] of refused) {
    assert.throws(() => parseNames(file('a-0 | Hornos | Fornos', line), isKnown), why)
  }
})

test('an attribute has its kind, its units, and values under the names of both languages', () => {
  const [color, size] = parseAttributes(
    file(
      'COLOR | Color | Color | Cor | string | MAIN | BLACK: Negro (negra, black) / Preto (preta); TAN: Beige',
      'WIDTH | Width | Ancho | Largura | number_unit cm m | DIMENSIONS |',
    ),
  )
  assert.deepEqual(color?.values, [
    { id: 'BLACK', names: { es: 'Negro', pt: 'Preto' }, aliases: ['negra', 'black', 'preta'] },
    { id: 'TAN', names: { es: 'Beige', pt: 'Beige' }, aliases: [] },
  ])
  assert.deepEqual([size?.valueType, size?.units], ['number_unit', ['cm', 'm']])
})

contract('2.14', 'a domain lists its attributes once, and what each of them is to it', () => {
  const knownIds = { isCategory: (key: string) => key === 'a-1', isAttribute: () => true }
  const [domain] = parseDomains(
    file(
      'a-1 PHONES | Celulares | Celulares',
      '  required: BRAND',
      '  catalog_required: BRAND, MODEL',
      '  parent_pk: BRAND, MODEL',
      '  child_pk: COLOR',
      '  others: RAM',
      '  brands: Uno, Dos',
      '  models: Uno: U1, U2; Dos: D1',
    ),
    knownIds,
  )
  assert.deepEqual(
    domain?.attributes.map(({ id, isRequired, isCatalogRequired, hierarchy }) => [
      id,
      isRequired,
      isCatalogRequired,
      hierarchy,
    ]),
    [
      ['BRAND', true, true, 'PARENT_PK'],
      ['MODEL', false, true, 'PARENT_PK'],
      ['COLOR', false, false, 'CHILD_PK'],
      ['RAM', false, false, 'ITEM'],
    ],
  )
  assert.deepEqual(domain?.models, [
    { brand: 'Uno', model: 'U1' },
    { brand: 'Uno', model: 'U2' },
    { brand: 'Dos', model: 'D1' },
  ])
})

const nothing = { isCategory: () => false, isAttribute: () => false }
const all = { isCategory: () => true, isAttribute: () => false }

const faults: [what: string, read: () => unknown, line: number, why: RegExp][] = [
  [
    'a word for no category',
    () => parseAliases(file('', 'b | es: x'), () => false),
    2,
    /no category b/,
  ],
  [
    'words without a label',
    () => parseAliases(file('a | pava'), () => true),
    1,
    /expected a label/,
  ],
  [
    'a country that has no site',
    () => parseAliases(file('a | PR: x'), () => true),
    1,
    /expected es, pt/,
  ],
  [
    'a branch too far in',
    () => parseBranches(file('a | A | B | C | core', '    b | A | B | C | core')),
    2,
    /two spaces/,
  ],
  ['a branch without a name', () => parseBranches(file('a | A | B')), 1, /expected key/],
  [
    'a vertical that is none',
    () => parseBranches(file('a | A | B | C | cars')),
    1,
    /cars: expected one of/,
  ],
  [
    'a kind of attribute that is none',
    () => parseAttributes(file('A | A | A | A | text | MAIN')),
    1,
    /text: expected one of/,
  ],
  [
    'an attribute without a group',
    () => parseAttributes(file('A | A | A | A | string')),
    1,
    /expected a group/,
  ],
  [
    'a value without an id',
    () => parseAttributes(file('A | A | A | A | list | MAIN | Rojo')),
    1,
    /expected ID/,
  ],
  ['a domain of no category', () => parseDomains(file('a X | B | C'), nothing), 1, /no category a/],
  ['a domain without an id', () => parseDomains(file('a | B | C'), all), 1, /expected key ID/],
  [
    'an attribute that is nowhere',
    () => parseDomains(file('a X | B | C', '  others: Y'), all),
    2,
    /no attribute Y/,
  ],
  ['a field of no domain', () => parseDomains(file('  others: Y'), all), 1, /expected a field/],
  ['a number that is none', () => parseNumbers(file('a\tb')), 1, /expected a number/],
  ['a second number', () => parseNumbers(file('a\t1', 'a\t2')), 2, /has a number already/],
  ['a number for two', () => parseNumbers(file('a\t1', 'b\t1')), 2, /another category's/],
]

for (const [what, read, line, why] of faults) {
  test(`${what} is refused with its file and line`, () => {
    assert.throws(read, (error) => {
      assert.ok(error instanceof CatalogFileError)
      assert.deepEqual([error.file, error.line], ['a.txt', line])
      assert.match(error.message, why)
      return true
    })
  })
}
