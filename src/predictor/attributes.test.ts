import assert from 'node:assert/strict'

import { contract } from '../../test/harness/contract.ts'
import { defaultCatalog } from '../../test/harness/default-catalog.ts'
import type { SiteId } from '../kernel/sites.ts'
import { runWithoutPauses } from '../kernel/slices.ts'
import { AttributeFinder, type OfferedAttribute } from './attributes.ts'
import { NameMap, NameTrie } from './title/name-trie.ts'
import { readTitle } from './title/words.ts'
import { AttributeValueIndex } from './values.ts'

const catalog = defaultCatalog()

/** What a title says of the attributes of a domain. */
function toldOf(title: string, domainId: string): Record<string, string> {
  const site = domainId.slice(0, 3) as SiteId
  const category = [...catalog.tree(site).byId.values()].find(
    (candidate) => candidate.domainId === domainId,
  )
  assert.ok(category, domainId)
  const [proposal = ''] = catalog.renderPredictions(title, {
    siteId: site,
    categories: [category.source],
  })
  const { attributes } = JSON.parse(proposal) as {
    attributes: { id: string; value_name: string }[]
  }
  const order = catalog.attributes(category).map(({ id }) => id)
  const ids = attributes.map(({ id }) => id)
  assert.deepEqual(
    ids,
    order.filter((id) => ids.includes(id)),
    'in the order of the domain',
  )
  return Object.fromEntries(attributes.map(({ id, value_name }) => [id, value_name]))
}

const phones = 'MLA-MOBILE_SMART_PHONES'
const kitchen = 'MLA-KITCHEN_APPLIANCES'
const cooling = 'MLB-CLIMATE_CONTROL'
const cases: [what: string, title: string, domain: string, expected: Record<string, string>][] = [
  [
    'a measure is told of one attribute, of which a word beside it says',
    'celu 256gb 8gb ram',
    phones,
    { INTERNAL_MEMORY: '256 GB', RAM: '8 GB' },
  ],
  ['with that word before it', 'ram 8gb 256gb', phones, { INTERNAL_MEMORY: '256 GB', RAM: '8 GB' }],
  ['with a small word between', '8 gb de ram', phones, { RAM: '8 GB' }],
  [
    'where no word says, it is that of the attribute that tells products apart',
    '128 gb',
    phones,
    { INTERNAL_MEMORY: '128 GB' },
  ],
  ['what might be of several says nothing', 'notebook 16gb', 'MLA-NOTEBOOKS', {}],
  [
    'unless one of them is told otherwise',
    'ram 8gb ssd 512gb',
    'MLA-NOTEBOOKS',
    {
      RAM: '8 GB',
      STORAGE_CAPACITY: '512 GB',
      STORAGE_TYPE: 'SSD',
    },
  ],
  [
    'inches are written in many ways',
    'tele 50 pulgadas',
    'MLA-TELEVISIONS',
    { SCREEN_SIZE: '50 in' },
  ],
  ['as a sign', 'tele 50"', 'MLA-TELEVISIONS', { SCREEN_SIZE: '50 in' }],
  ['shortened', 'tv 43 pol', 'MLB-TELEVISIONS', { SCREEN_SIZE: '43 in' }],
  [
    'three digits behind a point are thousands',
    '12.000 btus',
    cooling,
    { CAPACITY_BTU: '12000 BTU' },
  ],
  ['behind a comma too', '12,000 BTU', cooling, { CAPACITY_BTU: '12000 BTU' }],
  ['but fewer are decimals', 'termo 1,5 lts', kitchen, { CAPACITY: '1.5 L' }],
  ['and so are they behind nothing', '0.750 l', kitchen, { CAPACITY: '0.750 L' }],
  [
    'an area is no length',
    'casa 120 m2 cubiertos',
    'MLA-HOUSES_FOR_SALE',
    { PROPERTY_TYPE: 'Casa', COVERED_AREA: '120 m²' },
  ],
  [
    'what is counted is its own unit',
    'casa 3 dormitorios 2 baños',
    'MLA-HOUSES_FOR_SALE',
    {
      BEDROOMS: '3',
      BATHROOMS: '2',
      PROPERTY_TYPE: 'Casa',
    },
  ],
  ['a value has other words', 'heladera', kitchen, { APPLIANCE_TYPE: 'Refrigerador' }],
  [
    'of her and of several too',
    'zapatillas negras',
    'MLA-SNEAKERS',
    {
      COLOR: 'Negro',
    },
  ],
  [
    'the words of a brand say nothing else',
    'royal canin azul',
    'MLA-DOG_SUPPLIES',
    {
      BRAND: 'Royal Canin',
      COLOR: 'Azul',
    },
  ],
  ['a size is told by its word', 'zapatillas talle 42', 'MLA-SNEAKERS', { SHOE_SIZE: '42' }],
  [
    'or a letter behind it',
    'blusinha branca tam. M',
    'MLB-TOPS_AND_SHIRTS',
    { COLOR: 'Branco', SIZE: 'M' },
  ],
  ['and by its sign', 'tênis Nº 38', 'MLB-SNEAKERS', { FOOTWEAR_TYPE: 'Tênis', SHOE_SIZE: '38' }],
  ['but not by a number alone', 'zapatillas 42', 'MLA-SNEAKERS', {}],
  ['a word between two measures says it of neither', '60cm alto 40cm', kitchen, {}],
  [
    'of two memories the smaller is what it works with',
    '128gb ram 4gb',
    phones,
    { INTERNAL_MEMORY: '128 GB', RAM: '4 GB' },
  ],
  [
    'and the other what it keeps',
    'notebook 16gb 1tb',
    'MLA-NOTEBOOKS',
    { RAM: '16 GB', STORAGE_CAPACITY: '1 TB' },
  ],
  [
    'nor of two units of one',
    'rolo fio 2,5mm 100m azul',
    'MLB-ELECTRICAL_WIRES',
    { COLOR: 'Azul' },
  ],
  [
    'a thread is no linen',
    'camiseta linha azul',
    'MLB-TOPS_AND_SHIRTS',
    { COLOR: 'Azul', GARMENT_TYPE: 'Camiseta' },
  ],
  ['however each of them is written', 'termo 1 l vaso 2 lts', kitchen, {}],
  [
    'a sign may have a word behind it',
    'tele 50"led',
    'MLA-TELEVISIONS',
    { SCREEN_SIZE: '50 in', DISPLAY_TECHNOLOGY: 'LED' },
  ],
  ['years are not counted', '12 años', 'MLA-ALCOHOLIC_BEVERAGES', {}],
  ['what is counted may be of something', '2 vagas', 'MLB-HOUSES_FOR_SALE', { PARKING_LOTS: '2' }],
  ['a number that is part of a model is none', 'g54 5g', phones, {}],
]

for (const [what, title, domain, expected] of cases) {
  contract('2.15', `${what}: “${title}”`, () => assert.deepEqual(toldOf(title, domain), expected))
}

const offered = (
  id: string,
  values: readonly string[],
  valueType: OfferedAttribute['valueType'] = 'list',
): OfferedAttribute => ({
  id,
  valueType,
  relevance: 1,
  values: values.map((name) => ({ id: name, name })),
})
const colour = {
  id: 'COLOR',
  names: { es: 'Color', pt: 'Cor', en: 'Colour' },
  valueType: 'list' as const,
  units: [],
  values: ['Rojo', 'Azul'].map((name) => ({
    id: name,
    names: { es: name, pt: name },
    aliases: [],
  })),
}
const named: [what: string, title: string, attributes: OfferedAttribute[], told: string[]][] = [
  [
    'the words of a model say nothing else',
    'rojo fuego azul',
    [offered('MODEL', ['Rojo Fuego']), offered('COLOR', ['Rojo', 'Azul'])],
    ['MODEL Rojo Fuego', 'COLOR Azul'],
  ],
  [
    'but a model within a brand is told',
    'acme rojo',
    [offered('BRAND', ['Acme Rojo']), offered('MODEL', ['Rojo']), offered('COLOR', ['Rojo'])],
    ['BRAND Acme Rojo', 'MODEL Rojo'],
  ],
  [
    'the longest brand is the one',
    'rojo fuego',
    [offered('COLOR', ['Azul']), offered('BRAND', ['Rojo', 'Rojo Fuego'])],
    ['BRAND Rojo Fuego'],
  ],
  [
    'yes and no are no models',
    'no es azul',
    [offered('MODEL', ['Sí', 'No'], 'boolean'), offered('COLOR', ['Azul'])],
    ['COLOR Azul'],
  ],
]
for (const [what, title, attributes, expected] of named) {
  contract('2.15', `${what}: “${title}”`, () => {
    const calls = new NameTrie()
    const values = runWithoutPauses(AttributeValueIndex.build([colour], { language: 'es', calls }))
    const finder = new AttributeFinder(attributes, { values, calls })
    const attributeValues = JSON.parse(
      `[${finder.valuesIn(values.findParts(readTitle(title)), new NameMap(calls))}]`,
    )
    assert.deepEqual(
      attributeValues.map(
        ({ id, value_name }: { id: string; value_name: string }) => `${id} ${value_name}`,
      ),
      expected,
    )
  })
}
