import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type CatalogRows,
  catalogDraftOf,
  changedCatalog,
  smallCatalog,
} from '../../../test/harness/catalog-files.ts'
import { contract } from '../../../test/harness/contract.ts'
import { siteIds, sites } from '../../kernel/sites.ts'
import { settingsOf } from '../tree/settings.ts'
import type { CategoryNumber } from './numbers.ts'
import { formatProblem, Problems } from './problems.ts'
import { SettingsRow } from './settings.ts'

const now = new Date('2026-03-10T15:00:00.000Z')
const long = new Date('2025-01-01T00:00:00.000Z')
const recordedNumbers: CategoryNumber[] = [
  { key: 'el', number: 1411, dateCreated: long },
  { key: 'gone', number: 7, dateCreated: long },
  { key: 'late', number: 1_000_004, dateCreated: long },
]

function soundOf(files: Partial<CatalogRows>) {
  const finished = catalogDraftOf(files).build(recordedNumbers, now)
  if (finished instanceof Problems) throw new Error(finished.all.map(formatProblem).join('\n'))
  return finished
}

contract(
  ['2.13', 'catalog'],
  'a number stays with its key, and new keys get the next free ones above a million',
  () => {
    const { source, newNumbers } = soundOf(
      changedCatalog(({ categories }) => {
        categories[2].number = 1_000_009
      }),
    )
    const numbers = Object.fromEntries(source.categories.map(({ key, number }) => [key, number]))
    assert.deepEqual(numbers, {
      el: 1411,
      'own-tv': 1_000_010,
      'own-radio': 1_000_009,
      'own-books': 1_000_011,
    })
    assert.deepEqual(newNumbers.map(({ key }) => key).sort(), ['own-books', 'own-radio', 'own-tv'])
    const again = soundOf(smallCatalog())
    assert.equal(again.source.categories[1]?.number, 1_000_005)
  },
)

contract('2.13', 'a category is as old as its key, or as it says itself', () => {
  const date_created = '2024-05-06T07:08:09.000Z'
  const { source } = soundOf(
    changedCatalog(({ categories }) => {
      categories[1].date_created = date_created
    }),
  )
  const dates = source.categories.map(({ dateCreated }) => dateCreated?.toISOString())
  assert.deepEqual(dates, [long.toISOString(), date_created, now.toISOString(), now.toISOString()])
})

contract(
  '2.13',
  'every setting of the contract can be said, and whatever is usual may be said too',
  () => {
    for (const siteId of siteIds) {
      for (const vertical of ['core', 'real_estate', 'motors', 'services'] as const) {
        const described = { vertical, siteId, isParent: false, domainId: 'X', overrides: {} }
        const settings = settingsOf(described)
        assert.deepEqual(Object.keys(settings).sort(), Object.keys(SettingsRow.properties).sort())
        const files = changedCatalog(({ categories }) => {
          categories[3].settings = settings
        })
        assert.deepEqual(soundOf(files).source.categories[3]?.settings, settings)
      }
    }
  },
)

test('words are said on the sites that are named, by language or one by one, or on all', () => {
  const { source } = soundOf(
    changedCatalog(({ categories }) => {
      categories[3].aliases = [
        { text: 'a' },
        { text: 'b', sites: ['pt'] },
        { text: 'c', sites: ['MLA', 'pt'] },
      ]
    }),
  )
  const portuguese = siteIds.filter((id) => sites[id].language === 'pt')
  assert.deepEqual(
    source.categories[3]?.aliases.map(({ sites }) => sites),
    [siteIds, portuguese, ['MLA', ...portuguese]],
  )
})
