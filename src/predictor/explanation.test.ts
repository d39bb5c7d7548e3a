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
    ['helader', 'heladeras'],
    ['gaf', 'gafa'],
    ['frost', 'frost'],
  ]),
}
const names: PredictionExplanation['names'] = [
  { text: 'Heladeras con freezer', kind: 'name', words: ['helader', 'freezer'], score: 4 },
  { text: 'heladera', kind: 'alias', words: ['helader'], score: 3 },
  { text: 'iman de heladera', kind: 'alias', words: ['helader'], score: 1 },
]
const words: PredictionExplanation['words'] = [
  { text: 'frost', share: 0.2, listings: 2 },
  { text: 'helader gaf', share: 0.914, listings: 12.3 },
  { text: '^helader', share: 0.5, listings: 1 },
  { text: 'gaf', share: 0.1, listings: 40 },
]

const cases: [what: string, explanation: Partial<PredictionExplanation>, reasons: string[]][] = [
  ['a category without a score', {}, []],
  [
    'names alone: the two best, with the words of the title',
    { nameScore: 5, names },
    [
      '100 % of the score: “heladeras” and “freezer” are in the name “Heladeras con freezer”.',
      '“heladeras” is in the alias “heladera”.',
    ],
  ],
  [
    'listings first when they decide, those with the highest share before others',
    { nameScore: 1, modelScore: 3, names: names.slice(1, 2), words },
    [
      '75 % of the score: 91 % of the listings with “heladeras gafa” are here (12 listings).',
      '50 % of the listings with “heladeras” as the first word are here (one listing).',
      '20 % of the listings with “frost” are here (2 listings).',
      '25 % of the score: “heladeras” is in the alias “heladera”.',
    ],
  ],
  [
    'siblings, and no part that decides nothing',
    { nameScore: 0.01, modelScore: 0, siblingScore: 0.99, names, words },
    ['99 % of the score: Categories with the same parent have listings with these words.'],
  ],
]
for (const [what, explanation, reasons] of cases) {
  test(`what decided is told in sentences: ${what}`, () => {
    assert.deepEqual(reasonsOf({ ...nothing, ...explanation }), reasons)
  })
}
