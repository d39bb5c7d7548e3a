import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  attributeValueHash,
  lowestTier,
  tokens,
  tokensOf,
  tsqueryOf,
  tsvectorOf,
  wordsOfTokens,
} from './tokens.ts'

test('a listing stands in the tokens of its tier and of all below it', () => {
  assert.deepEqual(tokensOf('MLA', 2, ['mesa']), ['2LAmesa', '3LAmesa'])
  assert.equal(tokensOf('MLA', 0, ['mesa', tokens.any]).length, 8)
})

test('the words among its tokens are told from the rest, of whatever tier it is', () => {
  const parts = [
    tokens.any,
    'mesa',
    '128gb',
    tokens.category(7),
    tokens.trait('free'),
    tokens.band(3),
    tokens.seller(1),
    tokens.value('9'),
  ]
  assert.deepEqual(wordsOfTokens('MLA', tokensOf('MLA', 0, parts)), ['mesa', '128gb'])
})

const sought = { groups: [['a'], ['b', 'c']], must: [], not: [] }

test('a query is of one site and tier: of each group one, or of one set of groups', () => {
  const cases: [more: object, query: string][] = [
    [{}, `('1LAa')&('1LAb'|'1LAc')`],
    [{ subsets: [[0], [1]] }, `(('1LAa')|('1LAb'|'1LAc'))`],
    [{ groups: [['a', ['b', 'c']]] }, `('1LAa'|('1LAb'&'1LAc'))`],
    [{ must: [['d']] }, `('1LAa')&('1LAb'|'1LAc')&('1LAd')`],
    [{ not: ['e'] }, `('1LAa')&('1LAb'|'1LAc')&!'1LAe'`],
    [{ groups: [] }, `('1LA*')`],
    [{ groups: [], must: [['d', 'e']] }, `('1LAd'|'1LAe')`],
  ]
  for (const [more, query] of cases) {
    assert.equal(tsqueryOf('MLA', 1, { ...sought, ...more }), query)
  }
})

test('signs of the query language stand for themselves', () => {
  assert.equal(tsvectorOf(["a'b", 'c\\d']), `'a\\'b' 'c\\\\d'`)
  const hostile = { ...sought, groups: [["a'b\\"]] }
  assert.equal(tsqueryOf('MLA', lowestTier, hostile), `('3LAa\\'b\\\\')`)
})

test('values of attributes have numbers of 60 bits that differ with both', () => {
  const numbers = new Set([
    attributeValueHash('BRAND', 'A'),
    attributeValueHash('BRAND', 'B'),
    attributeValueHash('MODEL', 'A'),
    attributeValueHash('BRANDA', ''),
  ])
  assert.equal(numbers.size, 4)
  for (const number of numbers) assert.ok(BigInt(number) < 2n ** 60n)
})
