import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../../test/harness/contract.ts'
import { runWithoutPauses } from '../kernel/slices.ts'
import type { PredictorAttribute } from './source.ts'
import { NameTrie } from './title/name-trie.ts'
import { readTitle } from './title/words.ts'
import { AttributeValueIndex } from './values.ts'

const attribute = (
  id: string,
  name: string,
  values: readonly string[],
  more: Partial<PredictorAttribute> = {},
): PredictorAttribute => ({
  id,
  names: { es: name, pt: name, en: name },
  valueType: 'list',
  units: [],
  values: values.map((text) => {
    const [value = '', ...aliases] = text.split(', ')
    return { id: value.toUpperCase(), names: { es: value, pt: `${value} pt` }, aliases }
  }),
  ...more,
})

const attributes = [
  attribute('COLOR', 'Color', ['Negro, azabache', 'Rojo', 'Azul', 'Azul Marino, azabache']),
  attribute('FABRIC_MATERIAL', 'Material', ['Lino']),
  attribute('SIZE', 'Talle', ['M', '42']),
  attribute('RATED', 'Apto', ['Mayores'], { valueType: 'boolean' }),
  attribute('BRAND', 'Marca', ['Negra']),
  attribute('INK', 'Tinta', ['Negro', 'Azabache', 'Rojos']),
]
const calls = new NameTrie()
const [spanish, portuguese] = (['es', 'pt'] as const).map((language) =>
  runWithoutPauses(AttributeValueIndex.build(attributes, { language, calls })),
)

/** The attributes and values that a title of one word or two calls, whatever is listed. */
function called(title: string, values = spanish): string[] {
  const matches = (values?.findParts(readTitle(title)).nameMatches ?? []).flatMap(
    (call) => call.values,
  )
  return matches.map(({ attribute, text }) => {
    const { id, value_id } = JSON.parse(text)
    assert.equal(values?.attributeIndexOf(id), attribute)
    return `${id} ${value_id}`
  })
}

const cases: [what: string, title: string, called: string[]][] = [
  ['its name, of each attribute that has one so', 'negro', ['COLOR NEGRO', 'INK NEGRO']],
  ['what else people say', 'azabache', ['COLOR NEGRO', 'INK AZABACHE']],
  ['the form that follows the thing', 'Negras', ['COLOR NEGRO', 'INK NEGRO']],
  ['a name before any form', 'rojos', ['COLOR ROJO', 'INK ROJOS']],
  ['what a thing is made of is no such form', 'lina', []],
  ['a letter or number says nothing alone', 'M 42', []],
  ['but behind what it is of', 'tam M', ['SIZE M']],
  ['whatever that is called', 'nro 42', ['SIZE 42']],
  ['by all of its words and not by some', 'azul marino', ['COLOR AZUL MARINO']],
  ['yes and no have no names', 'mayores', []],
]
for (const [what, title, expected] of cases) {
  contract('2.15', `a value is called ${what}: “${title}”`, () =>
    assert.deepEqual(called(title), expected),
  )
}

test('brands and models are those of each domain', () => {
  assert.deepEqual(called('negra'), ['COLOR NEGRO', 'INK NEGRO'])
})

test('each language has its own names', () => {
  assert.deepEqual(called('negro pt', portuguese), ['COLOR NEGRO', 'INK NEGRO'])
  assert.deepEqual(called('negro', portuguese), [])
})
