import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { contract } from '../../../../test/harness/contract.ts'
import { Dictionary } from './dictionary.ts'
import { editDistance } from './distance.ts'

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
  ['motrolo', ['motorola']],
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

test('a word is rarer the fewer listings have it, and rarest if none has', () => {
  const rarities = ['samsung', 'motorola', 's23', 'xqwzy'].map((word) =>
    sampleDictionary.rarityOf(word),
  )
  assert.deepEqual(
    rarities,
    rarities.toSorted((a, b) => a - b),
  )
})

test('the neighbors of a word are one edit away, and none of them is itself or denied', () => {
  const dictionary = dictionaryOf({ sal: 9, salt: 5, '-sal': 7, salsa: 3 })
  assert.deepEqual(dictionary.neighbors('sal', 5), ['salt'])
  assert.deepEqual(dictionary.neighbors('-sall', 5), ['-sal'])
})
