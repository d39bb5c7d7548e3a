import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { smallCatalog, uploadCatalog } from '../../../test/harness/catalog-files.ts'
import {
  nextItemId,
  openTrainingFixture,
  type TrainingFixture,
  trainingItemBody,
} from '../../../test/harness/training-fixture.ts'

/** Own categories beside those of the small catalog. */
const categoryCount = 10_000
const radios = 5_000_000

let fixture: TrainingFixture
before(async () => {
  fixture = await openTrainingFixture()
  const files = smallCatalog()
  Object.assign(files.categories[2] ?? {}, { number: radios })
  Object.assign(files.domains[1] ?? {}, { brands: ['Quimbel'] })
  for (let n = 1; n <= categoryCount; n++) {
    const name = `Cosa c${n}x`
    files.categories.push({
      key: `cosa-${n}`,
      number: radios + n,
      parent: 'el',
      names: { es: name, pt: name, en: name },
      domain: 'BOOKS',
    })
  }
  const { status } = await uploadCatalog(fixture.app.address, files, '')
  assert.equal(status, 201)
  await fixture.app.ctx.catalogFollower.tryCatchUp()
  const titles: [title: string, number: number, times: number][] = [
    // A word that no name has; a word of the name; a brand; words of a pair that are common alone.
    ['Zumbéla portátil roja', radios, 8],
    ['Radio de mesa quimbel', radios, 6],
    ['Trapo gris fino', radios, 6],
    ['Trapo rojo', radios + 1, 6],
    ['Gris perla', radios + 1, 6],
    ['Fino corte', radios + 1, 6],
    ['Rarísimo', radios + 2, 2],
    ['Ambiguo', radios + 1, 5],
    ['Ambiguo', radios + 2, 5],
  ]
  for (const [title, number, times] of titles) {
    for (let n = 0; n < times; n++) {
      await fixture.putListing(nextItemId(), trainingItemBody(`${title} ${n}`, number))
    }
  }
  await fixture.trainAll()
})
after(() => fixture.close())

async function suggest(query = ''): Promise<{ titles_read: number; suggestions: Suggestion[] }> {
  const path = `/operator/catalog/alias_suggestions?site_id=MLA${query}`
  const { status, body } = await fixture.app.client.operator('GET', path)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}
interface Suggestion {
  category_id: string
  category_name: string
  alias: string
  listings: number
  share: number
}

test('words that name a category by its listings but by no name, alias or brand are suggested', async () => {
  const { titles_read, suggestions } = await suggest()
  const [row] = await fixture.queryRows(
    "select count(*)::int as n from taught_listings where site_id = 'MLA'",
  )
  assert.equal(titles_read, row?.['n'])
  const of = (number: number) =>
    suggestions
      .filter(({ category_id }) => category_id === `MLA${number}`)
      .map(({ alias, listings, share }) => [alias, listings, share])
  const own = of(radios)
  for (const word of ['zumbéla', 'portátil']) {
    assert.deepEqual(
      own.find(([alias]) => alias === word),
      [word, 8, 1],
    )
  }
  const words = own.map(([alias]) => alias)
  assert.deepEqual(
    ['radio', 'quimbel', 'zumbéla portátil', 'trapo', 'gris', 'ambiguo'].filter((word) =>
      words.includes(word),
    ),
    [],
    'names, brands, pairs of a word that suffices, and words of several categories are none',
  )
  assert.deepEqual(
    own.find(([alias]) => alias === 'trapo gris'),
    ['trapo gris', 6, 1],
  )
  assert.deepEqual(of(radios + 2), [], 'two listings are too few')
  const usefulness = suggestions.map(({ listings, share }) => listings * share)
  assert.deepEqual(
    usefulness,
    usefulness.toSorted((a, b) => b - a),
  )
})

test('the thresholds and the limit can be set', async () => {
  const few = await suggest('&min_listings=2')
  assert.ok(few.suggestions.some(({ alias }) => alias === 'rarísimo'))
  const shared = await suggest('&min_percent=50')
  assert.ok(shared.suggestions.some(({ alias }) => alias === 'ambiguo'))
  const all = await suggest()
  assert.deepEqual((await suggest('&limit=2')).suggestions, all.suggestions.slice(0, 2))
  const elsewhere = '/operator/catalog/alias_suggestions?site_id=MLB'
  assert.deepEqual((await fixture.app.client.operator('GET', elsewhere)).body, {
    titles_read: 0,
    suggestions: [],
  })
  assert.equal((await fixture.app.client.get(elsewhere)).status, 401)
})

test('suggestions on 10,000 categories cost less than half a second of the processor', async () => {
  await suggest()
  const began = process.cpuUsage()
  await suggest()
  const { user, system } = process.cpuUsage(began)
  assert.ok((user + system) / 1_000 < 500, `${(user + system) / 1_000} ms`)
})
