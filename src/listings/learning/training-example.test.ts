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
const label: LabeledTitle = { siteId: 'MLA', category: 1580, title: 'Mate' }

const listings: [
  what: string,
  listing: Parameters<typeof labeledTitleOf>[0],
  label: LabeledTitle | undefined,
][] = [
  ['is listed', listing, label],
  ['is sold out', { ...listing, subStatus: ['out_of_stock'] }, label],
  ['is over', { ...listing, subStatus: ['expired'] }, label],
  ['was removed as a mistake', { ...listing, subStatus: ['deleted'] }, undefined],
  ['was removed by moderation', { ...listing, subStatus: ['expired', 'forbidden'] }, undefined],
  ['is in a category of another site', { ...listing, categoryId: 'MLB1580' }, undefined],
  ['is in a category without a number', { ...listing, categoryId: 'MLA-MATES' }, undefined],
  [
    'is in a category of a large number',
    { ...listing, categoryId: `MLA${'9'.repeat(15)}` },
    {
      ...label,
      category: 999_999_999_999_999,
    },
  ],
]
for (const [what, listing, expected] of listings) {
  test(`a listing that ${what} says ${expected ? 'where it belongs' : 'nothing'}`, () => {
    assert.deepEqual(labeledTitleOf(listing), expected)
  })
}

const before: StoredTrainingExample = { ...label, count: 16, era: 2 }
const other: LabeledTitle = { ...label, category: 7 }
const becomes: [
  what: string,
  { label: LabeledTitle | undefined; before: StoredTrainingExample | undefined; era: number },
  trainingExamples: object[],
  stored: StoredTrainingExample | undefined,
][] = [
  [
    'a new listing is learned',
    { label, before: undefined, era: 3 },
    [{ ...label, count: 16 }],
    { ...label, count: 16, era: 3 },
  ],
  ['one with the same title and category changes nothing', { label, before, era: 5 }, [], before],
  [
    'another category removes the example of the first one',
    { label: other, before, era: 2 },
    [
      { ...label, count: -16 },
      { ...other, count: 16 },
    ],
    { ...other, count: 16, era: 2 },
  ],
  [
    'what has been halved since is taken back as far as it counts',
    { label: { ...label, title: 'Yerba' }, before, era: 4 },
    [
      { ...label, count: -4 },
      { ...label, title: 'Yerba', count: 16 },
    ],
    { ...label, title: 'Yerba', count: 16, era: 4 },
  ],
  [
    'one that is removed is taken back',
    { label: undefined, before, era: 2 },
    [{ ...label, count: -16 }],
    undefined,
  ],
  [
    'what counts nothing any more is not taken back',
    { label: undefined, before, era: 7 },
    [],
    undefined,
  ],
  [
    'one without an example removes none',
    { label: undefined, before: undefined, era: 2 },
    [],
    undefined,
  ],
]
for (const [what, input, trainingExamples, stored] of becomes) {
  test(what, () =>
    assert.deepEqual(
      replacementExamplesOf(input, () => 16),
      { trainingExamples, stored },
    ),
  )
}

test('what counts nothing is written down, so that it is never taken back', () => {
  const { trainingExamples, stored } = replacementExamplesOf(
    { label, before: undefined, era: 1 },
    () => 0,
  )
  assert.deepEqual([trainingExamples, stored], [[], { ...label, count: 0, era: 1 }])
  const again = replacementExamplesOf({ label: undefined, before: stored, era: 1 }, () => 16)
  assert.deepEqual(again, { trainingExamples: [], stored: undefined })
})

test('a count is halved with every era, for ever', () => {
  const weights = [2, 3, 6, 7, 34, 35, 100].map((era) => weightInEra(before, era))
  assert.deepEqual(weights, [16, 8, 1, 0, 0, 0, 0])
})
