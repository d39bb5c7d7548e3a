import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillPlaceholders } from '../../console/src/i18n/placeholders.ts'

const apples = '{count, plural, one {one apple} other {{n} apples}} in {place}'

for (const [language, text, values, filled] of [
  ['en', apples, { count: 1, n: '1', place: 'x' }, 'one apple in x'],
  ['en', apples, { count: 0, n: '0', place: 'x' }, '0 apples in x'],
  ['en', apples, { count: 1_000, n: '1,000', place: 'x' }, '1,000 apples in x'],
  // Portuguese counts zero as one, Spanish does not.
  ['pt', apples, { count: 0, n: '0', place: 'x' }, 'one apple in x'],
  ['es', apples, { count: 0, n: '0', place: 'x' }, '0 apples in x'],
  ['es', apples, { count: 1_000_000, n: '1', place: 'x' }, '1 apples in x'],
  ['en', '{known} and {unknown}', { known: 2 }, '2 and {unknown}'],
] as const) {
  test(`a text is filled in: ${language}, ${JSON.stringify(values)}`, () => {
    assert.equal(fillPlaceholders(language, text, values), filled)
  })
}
