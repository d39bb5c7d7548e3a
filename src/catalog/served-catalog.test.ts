import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../../test/harness/contract.ts'
import { defaultCatalog } from '../../test/harness/default-catalog.ts'
import { pollUntil } from '../../test/harness/wait.ts'
import { ServedCatalog } from './served-catalog.ts'

const catalog = defaultCatalog()
const [top] = catalog.tree('MLA').top
const leaf = [...catalog.tree('MLA').byId.values()].find(({ path }) => path[0] === top)

function servedCatalogThat(count: () => Promise<ReadonlyMap<string, number>>): ServedCatalog {
  const now = () => new Date('2026-03-10T15:00:00.000Z')
  return new ServedCatalog({ open: () => catalog, count, now, pictureBaseUrl: 'http://pictures' })
}
const totalOf = (servedCatalog: ServedCatalog) =>
  JSON.parse(servedCatalog.categoryJson(top as NonNullable<typeof top>))
    .total_items_in_this_category

contract(
  '2.13',
  'while nobody can count, categories are told with the counts of before',
  async () => {
    let fails = false
    let failed = 0
    const servedCatalog = servedCatalogThat(async () => {
      if (fails) failed++
      if (fails) throw new Error('the database is away')
      return new Map([[leaf?.id ?? '', 3]])
    })
    await servedCatalog.refreshCounts()
    assert.equal(totalOf(servedCatalog), 3)
    fails = true
    servedCatalog.markCountsOutdated()
    await pollUntil('the next counting', async () => {
      await servedCatalog.refreshCounts()
      return failed > 0
    })
    assert.equal(totalOf(servedCatalog), 3)
  },
)

contract('2.13', 'where nothing has ever been counted, no count is made up', async () => {
  const servedCatalog = servedCatalogThat(() => Promise.reject(new Error('the database is away')))
  await assert.rejects(servedCatalog.refreshCounts(), /the database is away/)
})

test('many who ask at once are counted for once', async () => {
  let counts = 0
  const servedCatalog = servedCatalogThat(async () => {
    counts++
    return new Map()
  })
  await Promise.all(Array.from({ length: 20 }, () => servedCatalog.refreshCounts()))
  assert.equal(counts, 1)
})
