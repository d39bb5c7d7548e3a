import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../../../test/harness/contract.ts'
import {
  type InterpretationInput,
  looserInterpretations,
  type QueryPart,
  strictInterpretation,
} from './interpretations.ts'
import { Dictionary } from './words/dictionary.ts'
import { queryWords } from './words/words.ts'

const dictionary = new Dictionary()
dictionary.setCounts(
  Object.entries({
    samsung: 900,
    samsonite: 140,
    zapatill: 500,
    taladr: 70,
    negr: 800,
    galaxy: 400,
    shampo: 78,
    shamp: 1,
    cocacol: 20,
    coc: 30,
    quit: 10,
    gras: 40,
    bols: 60,
    s23: 12,
    celular: 700,
    '-azucar': 50,
  }).map(([word, n]) => ({ word, n })),
)

function read(text: string, more: Partial<InterpretationInput> = {}) {
  const input = {
    words: queryWords(text, 'es'),
    dictionary,
    synonyms: { alternativesAt: () => [] },
    categoriesOf: () => [],
    ...more,
  }
  const looser = looserInterpretations(input, { hasStrictResults: true })
  return [strictInterpretation(input), ...looser]
}

/** The alternatives of each part: their kind, a colon, and their words. */
const alternativesOf = (parts: readonly QueryPart[] = []) =>
  parts.map(({ alternatives }) =>
    alternatives.map(({ kind, stems, category }) => `${kind}:${category ?? stems.join('+')}`),
  )

const readings: [text: string, order: number, alternatives: string[][]][] = [
  ['samsung negro', 0, [['written:samsung'], ['written:negr']]],
  [
    'negro sams',
    1,
    [['written:negr'], ['written:sam', 'completion:samsung', 'completion:samsonite']],
  ],
  ['sams negro', 1, [['written:negr']]],
  [
    'sams. negro',
    1,
    [['written:sam', 'completion:samsung', 'completion:samsonite'], ['written:negr']],
  ],
  ['samsng negro', 1, [['written:samsng', 'correction:samsung'], ['written:negr']]],
  ['negro xqwzy', 1, [['written:negr']]],
  ['shampo', 0, [['written:shamp', 'correction:shampo']]],
  [
    'coca cola',
    0,
    [
      ['written:coc', 'compound:cocacol'],
      ['written:col', 'compound:cocacol'],
    ],
  ],
  ['quitagrasas', 1, [['written:quitagras', 'compound:quit+gras']]],
  ['bolsito negro', 1, [['written:bolsit', 'synonym:bols'], ['written:negr']]],
  ['sin azucar', 0, [['written:-azucar']]],
]
for (const [text, order, alternatives] of readings) {
  contract(['4.4', 'catalog'], `“${text}” is read as ${JSON.stringify(alternatives)}`, () => {
    assert.deepEqual(alternativesOf(read(text)[order]?.parts), alternatives)
  })
}

contract('4.4', 'all words as written come first, and nothing else where all are found', () => {
  for (const [text] of readings) {
    const [first] = read(text)
    const words = queryWords(text, 'es').map(({ stem }) => stem)
    assert.deepEqual(
      first?.parts.map(({ alternatives: [one] }) => one?.stems[0]),
      words,
    )
    assert.equal(first?.minShare, 1)
  }
})

contract(['4.4', 'catalog'], 'synonyms stand beside what was written, phrases as one part', () => {
  const synonyms: InterpretationInput['synonyms'] = {
    alternativesAt: (words, at) =>
      words[at]?.stem === 'negr'
        ? [{ length: 2, alternatives: [['oscur'], ['color', 'noch']] }]
        : [],
  }
  assert.deepEqual(alternativesOf(read('samsung negro galaxy', { synonyms })[0]?.parts), [
    ['written:samsung'],
    ['written:negr+galaxy', 'synonym:oscur', 'synonym:color+noch'],
  ])
})

contract(
  ['4.4', 'catalog'],
  'a word that names a category is found by it where nothing else is',
  () => {
    const categoriesOf = (text: string) => (text === 'celular' ? [7] : [])
    const [, second] = read('celular samsung ', { categoriesOf })
    assert.equal(second?.isByCategory, true)
    assert.deepEqual(alternativesOf(second?.parts), [
      ['written:celular', 'category:7'],
      ['written:samsung'],
    ])
  },
)

contract(['4.4', 'catalog'], 'two words that name a category together name no other', () => {
  const categoriesOf = (text: string) => ({ 'coca cola': [7], cola: [8] })[text] ?? []
  const byCategory = read('coca cola ', { categoriesOf }).find((one) => one.isByCategory)
  assert.deepEqual(
    alternativesOf(byCategory?.parts).map((kinds) => kinds.at(-1)),
    ['category:7', 'category:7'],
  )
})

contract(['4.4', 'catalog'], 'a word that names a category is no misspelling', () => {
  const [first, second] = read('shampo ', { categoriesOf: () => [7] })
  assert.deepEqual(alternativesOf(first?.parts), [['written:shamp']])
  assert.deepEqual(alternativesOf(second?.parts), [['written:shamp', 'category:7']])
})

contract(['4.4', 'catalog'], 'the words that tell least are left out first', () => {
  const loose = read('samsung s23 negro ')
    .filter(({ minShare }) => minShare < 1)
    .slice(0, 3)
  assert.ok(loose.length > 0)
  for (const { parts, subsets, minShare } of loose) {
    const total = parts.reduce((sum, { weight }) => sum + weight, 0)
    const shareOf = (subset: readonly number[]) =>
      subset.reduce((sum, index) => sum + (parts[index]?.weight ?? 0), 0) / total
    for (const subset of subsets) {
      assert.ok(shareOf(subset) >= minShare)
      assert.ok(subset.includes(0), 'the first word, which names the goods')
    }
  }
  // The model tells more than the color.
  assert.ok(loose[0]?.subsets.every((subset) => subset.includes(1)))
})

contract('4.4', 'what nothing is like is read as it was written, and no other way', () => {
  assert.equal(read('xqwzy ').length, 1)
})

contract(['4.4', 'catalog'], 'a size, or what goods are without, is never wanted alone', () => {
  for (const text of ['samsung 55 pulgadas ', 'taladro sin azucar ', 'galaxy 5 ']) {
    for (const { subsets } of read(text).filter(({ minShare }) => minShare < 1)) {
      assert.ok(
        subsets.every((subset) => subset.includes(0)),
        text,
      )
    }
  }
})

contract(
  ['4.4', 'catalog'],
  'a word that names goods is wanted before others, wherever it stands',
  () => {
    const categoriesOf = (text: string) => (text === 'zapatilla' ? [7] : [])
    const loose = read('s23 negro zapatilla ', { categoriesOf }).filter(
      ({ minShare, isByCategory }) => minShare < 1 && !isByCategory,
    )
    assert.ok(loose[0]?.subsets.every((subset) => subset.includes(2)))
  },
)

contract('4.4', 'what goods are without is never looked for as what they are', () => {
  const categoriesOf = () => [7]
  for (const { parts } of read('taladro sin galaxi', { categoriesOf })) {
    const denied = parts.find(({ words: [word] }) => word?.typed === 'galaxi')
    for (const { kind } of denied?.alternatives ?? []) assert.equal(kind, 'written')
  }
})

test('an interpretation that adds to stricter ones wants no more than they do', () => {
  const categoriesOf = (text: string) => (text === 'zapatilla' ? [7] : [])
  for (const text of ['samsng zapatilla negro ', 's23 samsung negro taladro ']) {
    const all = read(text, { categoriesOf })
    // Where there are results, the first one that wants hardly anything ends the search.
    const used = all.slice(
      0,
      all.findIndex(({ minShare }) => minShare < 0.3),
    )
    const extensions = used.filter(({ isExtension }) => isExtension)
    assert.ok(extensions.length > 2)
    for (const [index, { parts, subsets }] of extensions.slice(1).entries()) {
      const stricter = extensions[index] as (typeof extensions)[number]
      const typedOf = (subset: readonly number[], of: readonly QueryPart[]) =>
        subset.map((at) => of[at]?.words[0]?.typed ?? '')
      for (const strict of stricter.subsets) {
        const wanted = typedOf(strict, stricter.parts)
        assert.ok(
          subsets.some((subset) => typedOf(subset, parts).every((word) => wanted.includes(word))),
          text,
        )
      }
    }
  }
})

test('twelve words make no more than a few dozen combinations', () => {
  const text = Object.keys({ samsung: 1, zapatilla: 1, taladro: 1, negro: 1, galaxy: 1 }).join(' ')
  const many = `${text} s23 celular coca grasa quita bolso shampoo `
  for (const { subsets } of read(many)) assert.ok(subsets.length <= 40, String(subsets.length))
})
