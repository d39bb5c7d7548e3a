import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { contract } from '../../../../test/harness/contract.ts'
import { interpretations } from '../interpretations.ts'
import { Dictionary } from './dictionary.ts'
import { editDistance } from './distance.ts'
import { queryWords } from './words.ts'

function dictionaryOf(words: Record<string, number>): Dictionary {
  const dictionary = new Dictionary()
  dictionary.setCounts(Object.entries(words).map(([word, n]) => ({ word, n })))
  return dictionary
}

const sampleDictionary = dictionaryOf({
  samsung: 900,
  samsonite: 140,
  sandali: 60,
  zapatill: 500,
  camion: 30,
  s23: 12,
  s22: 50,
  motorola: 300,
  moto: 20,
  negr: 800,
  gone: 0,
  taladr: 70,
  galaxy: 400,
  cas: 90,
})

contract(['4.4', 'catalog'], 'a word that was begun goes on as most do', () => {
  assert.deepEqual(sampleDictionary.completions('sam', 5), ['samsung', 'samsonite'])
  assert.deepEqual(sampleDictionary.completions('s', 1), ['samsung'])
  assert.deepEqual(sampleDictionary.completions('gon', 5), [], 'a word of no listing is none')
  assert.deepEqual(sampleDictionary.completions('zzz', 5), [])
})

const slips: [typed: string, meant: string[]][] = [
  ['samsng', ['samsung']],
  ['smasung', ['samsung']],
  ['samsumg', ['samsung']],
  ['zpatill', ['zapatill']],
  ['zaptaill', ['zapatill']],
  ['motrolo', []],
  ['motorla', ['motorola']],
  ['talard', ['taladr']],
  ['cs', []],
  ['s24', []],
]
for (const [typed, expected] of slips) {
  contract(
    ['4.4', 'catalog'],
    `“${typed}” is taken for ${expected.join() || 'nothing else'}`,
    () => {
      assert.deepEqual(sampleDictionary.corrections(typed, 3), expected)
    },
  )
}

test('words that come later are found as those that were there first', () => {
  const words = ['beta', 'alfa', 'gama', 'alfabeto', 'zeta']
  fc.assert(
    fc.property(fc.shuffledSubarray(words, { minLength: 5 }), (order) => {
      const dictionary = new Dictionary()
      for (const [n, word] of order.entries()) dictionary.setCounts([{ word, n: 10 + n }])
      assert.deepEqual([...dictionary.completions('alf', 9)].sort(), ['alfa', 'alfabeto'])
      assert.equal(dictionary.size, 5)
      dictionary.setCounts([{ word: 'alfa', n: 0 }])
      assert.deepEqual(dictionary.completions('alf', 9), ['alfabeto'])
    }),
  )
})

/** As it is written down in books: by every letter, without an end. */
function plainDistance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length
  const ways = [
    plainDistance(a.slice(1), b) + 1,
    plainDistance(a, b.slice(1)) + 1,
    plainDistance(a.slice(1), b.slice(1)) + (a[0] === b[0] ? 0 : 1),
  ]
  if (a.length > 1 && a[0] === b[1] && a[1] === b[0]) {
    ways.push(plainDistance(a.slice(2), b.slice(2)) + 1)
  }
  return Math.min(...ways)
}

test('how far words are apart is told up to what is asked', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 5 })
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 3 }), (a, b, most) => {
      assert.equal(editDistance(a, b, most), Math.min(plainDistance(a, b), most + 1))
    }),
    { numRuns: 500 },
  )
})

const meanings: [text: string, groups: string[][], least?: number][] = [
  ['samsung negro', [['samsung'], ['negr']]],
  ['negro sams', [['negr'], ['samsung', 'samsonite']]],
  ['samsng negro', [['samsung'], ['negr']]],
  ['negro xqwzy', [['negr']]],
]
for (const [text, groups] of meanings) {
  contract(
    '4.4',
    `“${text}” is read as ${JSON.stringify(groups)} where no listing has it so`,
    () => {
      const [written, other] = [...interpretations(queryWords(text), sampleDictionary)]
      assert.equal(written?.groups.length, queryWords(text).length, 'first as it was written')
      assert.deepEqual((text.startsWith('samsung') ? written : other)?.groups, groups)
    },
  )
}

contract(['4.4', 'catalog'], 'where no listing has all words, most of them do, never half', () => {
  const all = [
    ...interpretations(queryWords('samsung galaxy negro zapatilla taladro '), sampleDictionary),
  ]
  assert.deepEqual(
    all.map(({ least }) => least),
    [5, 4, 3],
  )
  const two = [...interpretations(queryWords('samsung zapatilla '), sampleDictionary)]
  assert.deepEqual(
    two.map(({ least }) => least),
    [2],
  )
})

contract('4.4', 'what nothing is like is read as it was written, and no other way', () => {
  assert.equal([...interpretations(queryWords('xqwzy '), sampleDictionary)].length, 1)
})
