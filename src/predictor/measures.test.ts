import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../../test/harness/contract.ts'
import { AttributeUnits, assignMeasures } from './measures.ts'
import { foldText } from './title/tokenize.ts'

/** One that matters as much as the others. */
type Measurable = Parameters<AttributeUnits['add']>[1]
const measured = (id: string, ...units: string[]): Measurable => ({
  id,
  name: id,
  valueType: 'number_unit',
  units,
})
const counted = (id: string, name: string): Measurable => ({
  id,
  name,
  valueType: 'number',
  units: [],
})

/** What a title says of the attributes of a domain, by their ids. */
function toldOf(
  title: string,
  { attributes, isSaid }: { attributes: readonly Measurable[]; isSaid: (at: number) => boolean },
): Record<string, string> {
  const scales = new AttributeUnits()
  for (const [index, attribute] of attributes.entries()) scales.add(index, attribute)
  const attributeOf = (at: number) => ({ at, relevance: 1 })
  const values = assignMeasures(scales.measuresIn(foldText(title)), { attributeOf, isSaid })
  return Object.fromEntries(values.map(({ id, value }) => [id, value]))
}

const memories = [
  measured('RAM', 'GB', 'MB'),
  measured('STORAGE', 'GB', 'TB'),
  measured('VIDEO', 'GB'),
]
const chain = [measured('LENGTH', 'cm', 'mm', 'm'), measured('THICKNESS', 'mm')]
const cases: [
  what: string,
  title: string,
  attributes: readonly Measurable[],
  expected: Record<string, string>,
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
  [
    'a word between two measures of a unit says it of neither, but with another between them',
    '60cm alto 3 vueltas alto 80cm',
    [measured('ALTO', 'cm'), measured('LENGTH', 'cm')],
    { ALTO: '60 cm', LENGTH: '80 cm' },
  ],
  [
    'of three memories none is the smaller, whatever they are measured in',
    '8gb 256gb 1tb',
    [measured('RAM', 'GB'), measured('STORAGE', 'GB')],
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
for (const [what, title, attributes, expected] of cases) {
  contract('2.15', `${what}: “${title}”`, () => {
    assert.deepEqual(toldOf(title, { attributes, isSaid: () => false }), expected)
  })
}

test('sides of an area are no lengths, whatever sign their unit has', () => {
  for (const title of ['lona 10"x20"', "lona 10''x20''", 'lona 10x20 cm']) {
    const attributes = [measured('WIDTH', '"'), measured('LENGTH', 'cm')]
    assert.deepEqual(toldOf(title, { attributes, isSaid: () => false }), {}, title)
  }
})

test('a title of nothing but memories has a limited number of measures', () => {
  const scales = new AttributeUnits()
  for (const [index, attribute] of memories.entries()) scales.add(index, attribute)
  assert.ok(scales.measuresIn('8gb '.repeat(29) + '4/64gb '.repeat(20)).length <= 31)
})

test('an attribute of which something is said already has no measure', () => {
  assert.deepEqual(toldOf('60cm', { attributes: chain, isSaid: (at) => at === 0 }), {})
})

test('what is counted by a word gives way to what is measured in it, where a domain asks for both', () => {
  const scales = new AttributeUnits()
  scales.add(0, counted('PIECES', 'Piezas'))
  scales.add(1, measured('PACKED', 'piezas'))
  const measures = scales.measuresIn('juego 6 piezas')
  const valuesOf = (...here: number[]) =>
    assignMeasures(measures, {
      attributeOf: (attribute) =>
        here.includes(attribute) ? { at: here.indexOf(attribute), relevance: 1 } : undefined,
      isSaid: () => false,
    }).map(({ id, value }) => `${id} ${value}`)
  assert.deepEqual(valuesOf(0, 1), ['PACKED 6 piezas'])
  assert.deepEqual(valuesOf(0), ['PIECES 6'])
  assert.deepEqual(valuesOf(), [])
})
