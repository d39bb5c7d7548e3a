import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ByPart, type Part, partsIn } from './parts.ts'

const textsOf = (text: string, beside?: string) =>
  partsIn(text, beside).map(({ from, to }) => text.slice(from, to))

test('words are what is made of letters and digits, whatever stands between', () => {
  const letters = fc.constantFrom(...'abyz0189+-. ñéA\u0300\u{1f600}/:@`{'.split(''))
  fc.assert(
    fc.property(fc.array(letters), (all) => {
      const text = all.join('')
      assert.deepEqual(
        textsOf(text),
        text.split(/[^a-z0-9]+/).filter((word) => word !== ''),
      )
      assert.deepEqual(
        textsOf(text, '+'),
        text.split(/[^a-z0-9+]+/).filter((word) => word !== ''),
      )
    }),
  )
})

test('a word is known wherever it stands, and no other one for it', () => {
  const word = fc.string({
    unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789'),
    minLength: 1,
  })
  fc.assert(
    fc.property(fc.uniqueArray(word, { minLength: 1, maxLength: 200 }), word, (words, other) => {
      const known = new ByPart<{ check: number; word: string }>()
      for (const part of partsIn(words.join(' '))) {
        known.set(part, { check: part.check, word: words.join(' ').slice(part.from, part.to) })
      }
      const found = partsIn(`x ${[other, ...words].join(', ')}`).slice(1)
      assert.deepEqual(
        found.map((part) => known.get(part)?.word),
        [words.includes(other) ? other : undefined, ...words],
      )
    }),
  )
})

test('words that share the first hash are told apart', () => {
  const words: Part[] = [7, 7, 8, 7].map((hash, check) => ({ hash, check, from: 0, to: 1 }))
  const known = new ByPart<{ check: number }>()
  for (const [n, word] of words.entries()) {
    assert.equal(known.get(word), undefined)
    known.set(word, { check: word.check })
    for (const each of words.slice(0, n + 1)) assert.equal(known.get(each)?.check, each.check)
  }
  const last = { ...(words[0] as Part), hash: 0x7fffffff }
  known.set(last, { check: 9 })
  known.set(last, { check: 10 })
  assert.equal(known.get({ ...last, check: 10 })?.check, 10)
})

test('however many words share a hash, the last of them is known', () => {
  const known = new ByPart<{ check: number }>()
  for (let check = 0; check < 1000; check++) {
    const part = { hash: 0x7fffffff, check, from: 0, to: 1 }
    known.set(part, { check })
    assert.equal(known.get(part)?.check, check)
  }
  assert.equal(known.size, 8)
})
