import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type LabeledTitle,
  labeledTitleOf,
  replacementExamplesOf,
  type StoredTrainingExample,
  weightInEra,
} from './training-example.ts'

const listing = { siteId: 'MLA', categoryId: 'MLA1580', title: 'Mate' } as const
const said: LabeledTitle = { siteId: 'MLA', category: 1580, title: 'Mate' }

const sayings: [
  what: string,
  listing: Parameters<typeof labeledTitleOf>[0],
  said: LabeledTitle | undefined,
][] = [
  ['is listed', listing, said],
  ['is sold out', { ...listing, subStatus: ['out_of_stock'] }, said],
  ['is over', { ...listing, subStatus: ['expired'] }, said],
  ['was removed as a mistake', { ...listing, subStatus: ['deleted'] }, undefined],
  ['was removed by moderation', { ...listing, subStatus: ['expired', 'forbidden'] }, undefined],
  ['is in a category of another site', { ...listing, categoryId: 'MLB1580' }, undefined],
  ['is in a category without a number', { ...listing, categoryId: 'MLA-MATES' }, undefined],
  [
    'is in a category of a large number',
    { ...listing, categoryId: `MLA${'9'.repeat(15)}` },
    {
      ...said,
      category: 999_999_999_999_999,
    },
  ],
]
for (const [what, listing, expected] of sayings) {
  test(`a listing that ${what} says ${expected ? 'where it belongs' : 'nothing'}`, () => {
    assert.deepEqual(labeledTitleOf(listing), expected)
  })
}

const before: StoredTrainingExample = { ...said, count: 16, era: 2 }
const other: LabeledTitle = { ...said, category: 7 }
const becomes: [
  what: string,
  { said: LabeledTitle | undefined; before: StoredTrainingExample | undefined; era: number },
  trainingExamples: object[],
  taught: StoredTrainingExample | undefined,
][] = [
  [
    'a new listing is learned',
    { said, before: undefined, era: 3 },
    [{ ...said, count: 16 }],
    { ...said, count: 16, era: 3 },
  ],
  ['one that says what it taught teaches nothing', { said, before, era: 5 }, [], before],
  [
    'another category takes back what the first one was taught',
    { said: other, before, era: 2 },
    [
      { ...said, count: -16 },
      { ...other, count: 16 },
    ],
    { ...other, count: 16, era: 2 },
  ],
  [
    'what has been halved since is taken back as far as it counts',
    { said: { ...said, title: 'Yerba' }, before, era: 4 },
    [
      { ...said, count: -4 },
      { ...said, title: 'Yerba', count: 16 },
    ],
    { ...said, title: 'Yerba', count: 16, era: 4 },
  ],
  [
    'one that is removed is taken back',
    { said: undefined, before, era: 2 },
    [{ ...said, count: -16 }],
    undefined,
  ],
  [
    'what counts nothing any more is not taken back',
    { said: undefined, before, era: 7 },
    [],
    undefined,
  ],
  [
    'one that never taught is not taken back',
    { said: undefined, before: undefined, era: 2 },
    [],
    undefined,
  ],
]
for (const [what, given, trainingExamples, taught] of becomes) {
  test(what, () =>
    assert.deepEqual(
      replacementExamplesOf(given, () => 16),
      { trainingExamples, taught },
    ),
  )
}

test('what counts nothing is written down, so that it is never taken back', () => {
  const { trainingExamples, taught } = replacementExamplesOf(
    { said, before: undefined, era: 1 },
    () => 0,
  )
  assert.deepEqual([trainingExamples, taught], [[], { ...said, count: 0, era: 1 }])
  const again = replacementExamplesOf({ said: undefined, before: taught, era: 1 }, () => 16)
  assert.deepEqual(again, { trainingExamples: [], taught: undefined })
})

test('a count is halved with every era, for ever', () => {
  const left = [2, 3, 6, 7, 34, 35, 100].map((era) => weightInEra(before, era))
  assert.deepEqual(left, [16, 8, 1, 0, 0, 0, 0])
})
