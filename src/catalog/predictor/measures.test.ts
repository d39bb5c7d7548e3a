import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AttributeView } from '../tree/attributes.ts'
import { measuresIn, Scales } from './measures.ts'
import { fold } from './words.ts'

const attribute = (of: Pick<AttributeView, 'id' | 'name' | 'value_type'>): AttributeView => ({
  ...{ tags: {}, hierarchy: 'ITEM', relevance: 1, value_max_length: 255 },
  ...{ attribute_group_id: 'MAIN', attribute_group_name: 'Principal' },
  ...of,
})
const measured = (id: string, unit: string, ...others: string[]): AttributeView => ({
  ...attribute({ id, name: id, value_type: 'number_unit' }),
  allowed_units: [unit, ...others].map((each) => ({ id: each, name: each })),
  default_unit: unit,
})
const counted = (id: string, name: string) => attribute({ id, name, value_type: 'number' })

const memories = [
  measured('RAM', 'GB', 'MB'),
  measured('STORAGE', 'GB', 'TB'),
  measured('VIDEO', 'GB'),
]
const chain = [measured('LENGTH', 'cm', 'mm', 'm'), measured('THICKNESS', 'mm')]
const said: [
  what: string,
  title: string,
  attributes: readonly AttributeView[],
  told: Record<string, string>,
][] = [
  [
    'the unit that is named is told',
    'motor 100 hp',
    [measured('POWER', 'cv', 'hp')],
    { POWER: '100 hp' },
  ],
  [
    'whatever stands first',
    'frasco 500 ml',
    [measured('VOLUME', 'cc', 'ml')],
    { VOLUME: '500 ml' },
  ],
  [
    'another way to write it is the first',
    '5 lts',
    [measured('VOLUME', 'L', 'ml')],
    { VOLUME: '5 L' },
  ],
  [
    'a unit may be what is counted',
    'termo 3 litros',
    [counted('LITRES', 'Litros')],
    { LITRES: '3' },
  ],
  ['by its sign too', '55 pulgadas', [counted('INCHES', 'Cantidad de pulgadas')], { INCHES: '55' }],
  ['and so may a thing', '2 quartos', [counted('ROOMS', 'Quartos')], { ROOMS: '2' }],
  [
    'of two each is what is told in its unit',
    'cadena 60cm 5mm',
    chain,
    { LENGTH: '60 cm', THICKNESS: '5 mm' },
  ],
  [
    'of one that both would be neither is',
    'fio 2,5mm 100m',
    [measured('LENGTH', 'cm', 'mm', 'm')],
    {},
  ],
  ['a memory is told once', 'notebook 16gb 1tb', memories, { RAM: '16 GB', STORAGE: '1 TB' }],
  [
    'whatever else a title says',
    '16gb 1tb 1 constructor',
    memories,
    { RAM: '16 GB', STORAGE: '1 TB' },
  ],
]
for (const [what, title, attributes, told] of said) {
  test(`${what}: “${title}” (2.15)`, () => {
    const scales = new Scales()
    for (const [at, attribute] of attributes.entries()) scales.add(at, attribute)
    const found = scales.told(measuresIn(fold(title)), () => true)
    assert.deepEqual(Object.fromEntries(found.map(({ id, value }) => [id, value])), told)
  })
}

test('an attribute of which something is said already has no measure', () => {
  const scales = new Scales()
  for (const [at, attribute] of chain.entries()) scales.add(at, attribute)
  assert.deepEqual(
    scales.told(measuresIn('60cm'), (at) => at !== 0),
    [],
  )
})
