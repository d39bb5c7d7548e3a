import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { smallCatalog, uploadCatalog } from '../../../test/harness/catalog-files.ts'
import { contract } from '../../../test/harness/contract.ts'
import { openTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { createTestMarket, putItem } from '../../../test/harness/market.ts'
import { tier } from '../../../test/harness/tier.ts'
import { pollUntil } from '../../../test/harness/wait.ts'

const swapCount = tier === 'fast' ? 4 : 12

/** Two processes that share a database. */
let database: TestDatabase
let apps: TestApp[]
let [alpha, beta]: number[] = []
before(async () => {
  database = await openTestDatabase()
  const open = () => openTestApp({ databaseUrl: database.url })
  apps = [await open(), await open()]
  await createTestMarket(first().client, null)
  ;[alpha, beta] = await bringTwo()
})
after(async () => {
  for (const app of apps) await app.close()
  await database.drop()
})

const first = () => apps[0] as TestApp
const activate = (version = 0) =>
  first().client.operator('POST', `/operator/catalog/versions/${version}/activate`)
const nameOn = async (app: TestApp) => (await app.client.get('/categories/MLA1411')).body.name

/** Two catalogues that say in every name which one they are. In the second one, radios hang elsewhere, and
 * with them the listing that there is. */
async function bringTwo(): Promise<number[]> {
  const beta = smallCatalog('β')
  Object.assign(beta.categories[2] ?? {}, { parent: 'own-books' })
  Object.assign(beta.categories[3] ?? {}, { domain: null })
  const versions: number[] = []
  for (const files of [smallCatalog('α'), beta]) {
    const { status, body } = await uploadCatalog(first().address, files)
    assert.equal(status, 201)
    versions.push(body.version)
  }
  return versions
}

async function listRadio(): Promise<void> {
  const { body } = await first().client.get('/categories/MLA1411')
  const radio = body.children_categories.find(({ name }: { name: string }) => /^Radios/.test(name))
  await putItem(first().client, 'MLA8001', { title: 'x', category_id: radio.id, price: 1 })
}

/** Which catalogue an answer is of: of one alone, in all that it says. */
function markOf(text: string, path: string): string {
  const marks = [...new Set(text.match(/[αβ]/g))]
  assert.equal(marks.length, 1, `${path} mixes catalogues: ${text.slice(0, 500)}`)
  return marks[0] as string
}

contract(
  ['2.13', '4.4', 'catalog'],
  'while catalogues are swapped every request is answered, of one of them alone',
  async () => {
    await activate(alpha)
    await listRadio()
    for (const { client } of apps) {
      await pollUntil('the listing is counted', async () => {
        const { body } = await client.get('/categories/MLA1411')
        return /α$/.test(body.name) && body.total_items_in_this_category === 1
      })
    }
    const books = await first().client.get('/sites/MLA/categories')
    const id = books.body.find(({ name }: { name: string }) => /^Libros/.test(name)).id
    const paths = [
      '/categories/MLA1411',
      `/categories/${id}`,
      `/categories/${id}/attributes`,
      '/sites/MLB',
      '/sites/MLA/categories/all',
      '/sites/MLA/categories/all?withAttributes=true',
      '/sites/MLA/domain_discovery/search?q=radios%20televisores',
    ]
    let isOver = false
    const answerCounts = new Map<string, number>()
    const ask = async ({ address }: TestApp, path: string) => {
      while (!isOver) {
        const answer = await fetch(address + path)
        const text = await answer.text()
        assert.equal(answer.status, 200, `${path}: ${text}`)
        // An empty category of the second one has no attributes, and says nothing.
        if (path.endsWith('/attributes') && text === '[]') continue
        const mark = markOf(text, path)
        answerCounts.set(`${path} ${mark}`, (answerCounts.get(`${path} ${mark}`) ?? 0) + 1)
        if (path !== '/categories/MLA1411') continue
        const { total_items_in_this_category: total } = JSON.parse(text)
        assert.equal(total, mark === 'α' ? 1 : 0, `counts of ${mark}`)
      }
    }
    const asking = apps.flatMap((app) => paths.map((path) => ask(app, path)))
    const swapping = async () => {
      for (let swaps = 0; swaps < swapCount; swaps++) {
        const [version, mark] = swaps % 2 === 0 ? ([beta, 'β'] as const) : ([alpha, 'α'] as const)
        assert.equal((await activate(version)).status, 200)
        for (const app of apps) {
          await pollUntil(
            `${mark} on all`,
            async () => (await nameOn(app)) === `Electrónica${mark}`,
          )
        }
      }
    }
    try {
      await Promise.race([swapping(), ...asking])
    } finally {
      isOver = true
    }
    await Promise.all(asking)
    for (const path of paths) {
      for (const mark of path.endsWith('/attributes') ? ['α'] : ['α', 'β']) {
        assert.ok(
          (answerCounts.get(`${path} ${mark}`) ?? 0) > 0,
          `${path} was never seen of ${mark}`,
        )
      }
    }
  },
)

contract('catalog', 'a process that starts serves what is in force', async () => {
  await activate(alpha)
  const late = await openTestApp({ databaseUrl: database.url })
  try {
    assert.equal(await nameOn(late), 'Electrónicaα')
  } finally {
    await late.close()
  }
})

test('a process that could not hear of a swap serves it once it can again', async () => {
  await activate(beta)
  const [, second] = apps as [TestApp, TestApp]
  await pollUntil('β on both', async () => (await nameOn(second)) === 'Electrónicaβ')
  await second.ctx.signals.close()
  await activate(alpha)
  assert.equal(await nameOn(second), 'Electrónicaβ')
  second.ctx.signals.deliver('reset')
  await pollUntil('α on both', async () => (await nameOn(second)) === 'Electrónicaα')
})
