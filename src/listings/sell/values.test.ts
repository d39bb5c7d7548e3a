import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../../../test/harness/contract.ts'
import type { AttributeView } from '../../catalog/tree/attributes.ts'
import type { AttributeInput } from './bodies.ts'
import { isCleared, readValue } from './values.ts'

const attribute = (value_type: AttributeView['value_type'], more: Partial<AttributeView> = {}) => ({
  id: 'X',
  name: 'X',
  tags: {},
  hierarchy: 'ITEM' as const,
  relevance: 1,
  attribute_group_id: 'MAIN',
  attribute_group_name: 'Principales',
  value_type,
  value_max_length: value_type === 'number' ? 18 : 255,
  ...more,
})
const values = [
  { id: 'NEW_HOUSE', name: 'Casa nueva' },
  { id: 'FLAT', name: 'Departamento' },
]
const yesAndNo = [
  { id: 'YES', name: 'Sí' },
  { id: 'NO', name: 'No' },
]
const units = ['GB', 'TB', 'm²'].map((id) => ({ id, name: id }))
const kinds = {
  list: attribute('list', { values }),
  boolean: attribute('boolean', { values: yesAndNo }),
  string: attribute('string'),
  offered: attribute('string', { values, value_max_length: 20 }),
  number: attribute('number'),
  measure: attribute('number_unit', { allowed_units: units, default_unit: 'GB' }),
}

type ValueInput = Omit<AttributeInput, 'id'>
type Case = [kind: keyof typeof kinds, said: ValueInput, id: string | null, name: string]

contract(
  ['2.14', 'catalog'],
  'a value is read by the kind of its attribute, and written in one way',
  () => {
    const cases: Case[] = [
      ['list', { value_id: 'FLAT' }, 'FLAT', 'Departamento'],
      ['list', { value_name: 'departamento' }, 'FLAT', 'Departamento'],
      ['list', { value_name: ' CASA NUEVA ' }, 'NEW_HOUSE', 'Casa nueva'],
      ['list', { value_id: 'FLAT', value_name: 'Casa nueva' }, 'FLAT', 'Departamento'],
      ['list', { value_id: 'ELSEWHERE', value_name: 'Casa nueva' }, 'NEW_HOUSE', 'Casa nueva'],
      ['boolean', { value_id: 'NO' }, 'NO', 'No'],
      ['boolean', { value_name: 'si' }, 'YES', 'Sí'],
      ['string', { value_name: ' Propia ' }, null, 'Propia'],
      ['string', { value_id: 'OWN', value_name: 'Propia' }, null, 'Propia'],
      ['offered', { value_name: 'DEPARTAMENTO' }, 'FLAT', 'Departamento'],
      ['offered', { value_name: 'Galpón' }, null, 'Galpón'],
      ['offered', { value_id: 'FLAT' }, 'FLAT', 'Departamento'],
      ['offered', { value_name: 'x'.repeat(20) }, null, 'x'.repeat(20)],
      ['number', { value_name: '2015' }, null, '2015'],
      ['number', { value_name: '007' }, null, '7'],
      ['number', { value_name: '2,50' }, null, '2.5'],
      ['number', { value_name: '-4.5' }, null, '-4.5'],
      ['measure', { value_name: '128 GB' }, null, '128 GB'],
      ['measure', { value_name: '128gb' }, null, '128 GB'],
      ['measure', { value_name: '1,5  tb' }, null, '1.5 TB'],
      ['measure', { value_name: '75 m2' }, null, '75 m²'],
      ['measure', { value_struct: { number: 0.5, unit: 'TB' } }, null, '0.5 TB'],
    ]
    for (const [kind, input, value_id, value_name] of cases) {
      const read = readValue({ id: 'X', ...input }, kinds[kind])
      assert.deepEqual(read, { value_id, value_name }, JSON.stringify([kind, input]))
    }
  },
)

contract('2.14', 'what is no value of its kind is answered with what is one', () => {
  const cases: [kind: keyof typeof kinds, said: ValueInput, expected: RegExp][] = [
    ['list', { value_name: 'Galpón' }, /^one of Casa nueva, Departamento$/],
    ['list', { value_id: 'ELSEWHERE' }, /^one of Casa nueva, Departamento$/],
    ['boolean', { value_name: 'quizás' }, /^one of Sí, No$/],
    ['string', { value_id: 'OWN' }, /^a value, or a value_name$/],
    ['offered', { value_id: 'OWN' }, /^one of Casa nueva, Departamento, or a value_name$/],
    ['offered', { value_name: 'x'.repeat(21) }, /^at most 20 characters$/],
    ['number', { value_name: 'cuatro' }, /^a number/],
    ['number', { value_name: '4 puertas' }, /^a number/],
    ['number', { value_name: '1e3' }, /^a number/],
    ['number', { value_name: '123456789012345.6789' }, /^at most 18 characters$/],
    ['measure', { value_name: '128' }, /^a number and its unit, one of GB, TB, m², such as 4 GB$/],
    ['measure', { value_name: '128 lb' }, /^a number and its unit/],
    ['measure', { value_name: 'GB' }, /^a number and its unit/],
    ['measure', { value_struct: { number: 4, unit: 'lb' } }, /^a number and its unit/],
  ]
  for (const [kind, input, expected] of cases) {
    const read = readValue({ id: 'X', ...input }, kinds[kind])
    assert.match('expected' in read ? read.expected : 'a value', expected, JSON.stringify(input))
  }
})

test('of many values some are named, and how many more there are', () => {
  const many = Array.from({ length: 15 }, (_, n) => ({ id: `V${n}`, name: `Valor ${n}` }))
  const read = readValue({ id: 'X', value_name: '?' }, attribute('list', { values: many }))
  assert.match('expected' in read ? read.expected : '', /^one of Valor 0, .*Valor 11 and 3 more$/)
})

test('null and blank say that there is no value', () => {
  const cases: [said: ValueInput, isEmptied: boolean][] = [
    [{}, true],
    [{ value_id: null, value_name: null }, true],
    [{ value_name: '  ' }, true],
    [{ value_id: 'A', value_name: null }, false],
    [{ value_name: '0' }, false],
    [{ value_struct: { number: 0, unit: 'GB' } }, false],
  ]
  for (const [input, emptied] of cases) {
    assert.equal(isCleared({ id: 'X', ...input }), emptied, JSON.stringify(input))
  }
})
