import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fold, limitCombiningMarks } from './text.ts'

test('a letter keeps up to 30 marks, and the text around it', () => {
  const [acute, pile] = ['e\u0301', '\u0315\u0300']
  for (const text of ['', 'año', `caf${acute}`, acute.repeat(100), `e${pile.repeat(15)}x`]) {
    assert.equal(limitCombiningMarks(text), text)
  }
  assert.equal(limitCombiningMarks(`a${pile.repeat(100)}b`), `a${pile.repeat(15)}b`)
})

test('folding leaves letters alone, whatever is piled on them', () => {
  assert.equal(fold(`CAF\u00c9 ${'\u0315\u0300'.repeat(50_000)}x`), 'cafe x')
})
