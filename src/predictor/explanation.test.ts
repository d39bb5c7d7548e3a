import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PredictionExplanation, reasonsOf } from './explanation.ts'

const nothing: PredictionExplanation = {
  nameScore: 0,
  modelScore: 0,
  siblingScore: 0,
  names: [],
  words: [],
  written: new Map([
    ['helader', 'Heladeras'],
    ['gaf', 'Gafa'],
    ['frost', 'frost'],
  ]),
  corrected: new Set(),
}
const names: PredictionExplanation['names'] = [
  { text: 'Heladeras con freezer', kind: 'name', words: ['helader', 'freezer'], score: 4 },
  { text: 'heladera', kind: 'alias', words: ['helader'], score: 3 },
  { text: 'iman de heladera', kind: 'alias', words: ['helader'], score: 1 },
]
const words: PredictionExplanation['words'] = [
  { text: 'frost', share: 0.2, listings: 2, total: 9.6 },
  { text: 'helader gaf', share: 0.614, listings: 12.3, total: 13 },
  { text: '^helader', share: 0.5, listings: 1, total: 1 },
  { text: 'gaf', share: 0.1, listings: 40, total: 400 },
  { text: '^gaf', share: 0.7, listings: 40, total: 400 },
]

const cases: [what: string, explanation: Partial<PredictionExplanation>, reasons: string[]][] = [
  ['a category without a score', {}, []],
  [
    'names alone: the two best, with the words of the title',
    { nameScore: 5, names },
    [
      'The name “Heladeras con freezer” has “Heladeras” and “freezer”.',
      'The alias “heladera” has “Heladeras”.',
    ],
  ],
  [
    'a word that no name has as it is written',
    { nameScore: 5, names: names.slice(1, 2), corrected: new Set(['helader']) },
    ['The alias “heladera” has “Heladeras” (taken for a misspelling).'],
  ],
  [
    'listings first when they decide, without the first word twice',
    { nameScore: 1, modelScore: 3, names: names.slice(1, 2), words },
    [
      'The score is 75 % from listings and 25 % from names.',
      '12 of 13 listings with “Heladeras Gafa” are in this category.',
      'The only listing with “Heladeras” is in this category.',
      '2 of 10 listings with “frost” are in this category.',
      'The alias “heladera” has “Heladeras”.',
    ],
  ],
  [
    'siblings, and no part that decides nothing',
    { nameScore: 0.01, modelScore: 0, siblingScore: 0.99, names, words },
    ['Categories with the same parent have listings with words of the title.'],
  ],
]
for (const [what, explanation, reasons] of cases) {
  test(`what decided is told in sentences: ${what}`, () => {
    assert.deepEqual(reasonsOf({ ...nothing, ...explanation }), reasons)
  })
}
