import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { foldText, splitWords, type WordSpan, WordSpanMap, wordSpansIn } from './tokenize.ts'

test('words are what is made of letters and digits, whatever stands between, with the plus at their end', () => {
  const letters = fc.constantFrom(...'abyz0189++-. ñéA\u0300\u{1f600}/:@`{'.split(''))
  fc.assert(
    fc.property(fc.array(letters), (all) => {
      const text = all.join('')
      assert.deepEqual(splitWords(text), text.match(/[a-z0-9]+(?:\++(?![a-z0-9+]))?/g) ?? [])
    }),
  )
})

const written: [text: string, words: string[]][] = [
  ['Samsung Galaxy S23+ 256gb', ['samsung', 'galaxy', 's23+', '256gb']],
  ['Black+Decker', ['black', 'decker']],
  ['8GB+256GB', ['8gb', '256gb']],
  ['Curso C++', ['curso', 'c++']],
  ['C++11, a++b', ['c', '11', 'a', 'b']],
  ['Microondas + grill, +regalo', ['microondas', 'grill', 'regalo']],
]
for (const [text, words] of written) {
  test(`“${text}” is cut into ${words.join(', ')}`, () =>
    assert.deepEqual(splitWords(foldText(text)), words))
}

const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789')

test('a word is known wherever it stands, and no other one for it', () => {
  const word = fc.string({ unit: letter, minLength: 1 })
  fc.assert(
    fc.property(fc.uniqueArray(word, { minLength: 1, maxLength: 200 }), word, (words, other) => {
      const map = new WordSpanMap<{ written: string }>()
      for (const written of words) map.set(wordSpansIn(written)[0] as WordSpan, { written })
      const text = `x ${[other, ...words].join(', ')}`
      const spans = wordSpansIn(text).slice(1)
      assert.deepEqual(
        spans.map((part) => map.get(part, text)?.written),
        [words.includes(other) ? other : undefined, ...words],
      )
    }),
  )
})

/** Words of one hash. */
const alike = (count: number) =>
  Array.from({ length: count }, (_, n) => {
    const written = String.fromCharCode(97 + (n % 26)).repeat(1 + Math.floor(n / 26))
    return { written, part: { hash: 0x7fffffff, from: 0, to: written.length } }
  })

test('words that share a hash are told apart', () => {
  const map = new WordSpanMap<{ written: string }>()
  const words = alike(8)
  for (const [n, { written, part }] of words.entries()) {
    assert.equal(map.get(part, written), undefined)
    map.set(part, { written })
    for (const word of words.slice(0, n + 1)) {
      assert.equal(map.get(word.part, word.written)?.written, word.written)
    }
  }
})

test('however many words share a hash, the last of them is known', () => {
  const map = new WordSpanMap<{ written: string }>()
  for (const { written, part } of alike(1000)) {
    map.set(part, { written })
    assert.equal(map.get(part, written)?.written, written)
  }
  assert.equal(map.size, 8)
})
