import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import { brunoId, type ItemFields } from '../../../test/harness/market.ts'
import { override } from '../../../test/harness/override.ts'
import {
  applyTrainingLog,
  nextItemId,
  openTrainingFixture,
  type TrainingFixture,
  trainingItemBody,
} from '../../../test/harness/training-fixture.ts'
import { drain } from '../../../test/harness/wait.ts'
import { dayMs } from '../../kernel/clock.ts'
import { listingOf } from '../commands/admin-routes.ts'
import { addListings, commitListing } from '../commands/commands.ts'
import { Learner } from './learner.ts'

let school: TrainingFixture
let app: TestApp
let other: TestApp
before(async () => {
  school = await openTrainingFixture()
  ;({ app, secondApp: other } = school)
})
after(() => school.close())

const put = (id: string, body: ItemFields) => school.putListing(id, body)
const learn = (teaching?: TestApp) => school.trainAll(teaching)
const wordWeights: TrainingFixture['wordWeights'] = (word, where) => school.wordWeights(word, where)
const ask: TrainingFixture['queryRows'] = (text, values) => school.queryRows(text, values)

contract(
  ['4.4', 'catalog'],
  'a listing teaches, another category or title takes that back, and so does its removal',
  async () => {
    const id = nextItemId()
    const steps: [body: ItemFields, quokka: object, wombat: object][] = [
      [trainingItemBody('Quokka', 11), { 11: 1 }, {}],
      [{ ...trainingItemBody('Quokka', 11), price: 12 }, { 11: 1 }, {}],
      [trainingItemBody('Quokka', 12), { 12: 1 }, {}],
      [trainingItemBody('Wombat', 12), {}, { 12: 1 }],
      [{ ...trainingItemBody('Wombat', 12), status: 'paused' }, {}, { 12: 1 }],
      [
        { ...trainingItemBody('Wombat', 12), status: 'closed', sub_status: ['expired'] },
        {},
        { 12: 1 },
      ],
      [{ ...trainingItemBody('Wombat', 12), status: 'closed', sub_status: ['forbidden'] }, {}, {}],
      [trainingItemBody('Wombat', 12), {}, { 12: 1 }],
      [{ ...trainingItemBody('Wombat', 12), status: 'closed', sub_status: ['deleted'] }, {}, {}],
    ]
    for (const [body, quokka, wombat] of steps) {
      await put(id, body)
      await learn()
      assert.deepEqual(
        [wordWeights('quokka'), wordWeights('wombat')],
        [quokka, wombat],
        JSON.stringify(body),
      )
    }
    const shown = await app.client.get(`/items/${id}`)
    assert.deepEqual(shown.body.sub_status, ['deleted'])
  },
)

test('what changes a listing but not what it says is not noted', async () => {
  const id = nextItemId()
  await put(id, trainingItemBody('Marsupial', 11))
  await learn()
  const [before] = await ask('select position from lesson_head')
  await put(id, { ...trainingItemBody('Marsupial', 11), price: 99 })
  await put(id, { ...trainingItemBody('Marsupial', 11), price: 99, status: 'paused' })
  assert.deepEqual(await ask('select 1 from lesson_notes'), [])
  await learn()
  assert.deepEqual((await ask('select position from lesson_head'))[0], before)
})

test('a listing that is not committed teaches nothing', async () => {
  await assert.rejects(
    app.ctx.db.transaction(async (tx) => {
      const listing = listingOf(nextItemId(), trainingItemBody('Numbat', 11))
      await commitListing(tx, {
        listing,
        at: app.ctx.now(),
        catalog: app.ctx.catalog.served.catalog,
        factors: app.ctx.config.search.factors,
      })
      throw new Error('undone')
    }),
    /undone/,
  )
  await learn()
  assert.deepEqual(wordWeights('numbat'), {})
})

contract(
  ['2.15', '4.4'],
  'what sellers list is proposed for such titles, in every process',
  async () => {
    const [phones] = (await discover(app, 'celular samsung')) as [{ category_id: string }]
    const number = Number(phones.category_id.slice(3))
    for (const process of [app, other]) assert.deepEqual(await discover(process, 'quoll'), [])
    for (let n = 0; n < 3; n++) await put(nextItemId(), trainingItemBody(`Quoll ${n}`, number))
    await learn()
    for (const process of [app, other]) {
      const [first] = (await discover(process, 'quoll')) as [{ category_id: string }]
      assert.equal(first.category_id, phones.category_id)
    }
    const elsewhere = await app.client.get('/sites/MLB/domain_discovery/search?q=quoll')
    assert.deepEqual(elsewhere.body, [], 'what one site has learned is not another’s')
  },
)
async function discover(of: TestApp, q: string): Promise<unknown> {
  const query = new URLSearchParams({ q })
  return (await of.client.get(`/sites/MLA/domain_discovery/search?${query}`)).body
}

test('a seller who takes what is proposed first counts a quarter; who differs, and the operator, whole', async () => {
  const [phones] = (await discover(app, 'celular liberado samsung galaxy')) as [
    { category_id: string },
  ]
  const number = Number(phones.category_id.slice(3))
  const phone = {
    category_id: phones.category_id,
    price: 250_000,
    currency_id: 'ARS',
    available_quantity: 5,
    condition: 'new',
    buying_mode: 'buy_it_now',
    listing_type_id: 'gold_pro',
    attributes: [
      { id: 'BRAND', value_name: 'Samsung' },
      { id: 'MODEL', value_name: 'Galaxy A15' },
    ],
    pictures: [{ source: 'https://example.com/a15.jpg' }],
  }
  const token = school.market.anaToken
  const sell = (method: string, path: string, body: object) =>
    app.client.send(method, path, { token, body })
  const listed = await sell('POST', '/items', {
    ...phone,
    title: 'Celular liberado Samsung Galaxy potoroo',
  })
  assert.equal(listed.status, 201, listed.text)
  assert.equal((await sell('POST', '/items', { ...phone, title: 'Quagga' })).status, 201)
  await put(nextItemId(), trainingItemBody('Celular liberado Samsung Galaxy pademelon', number))
  await learn()
  assert.deepEqual(wordWeights('potoroo'), { [number]: 0.25 })
  assert.deepEqual(wordWeights('quagga'), { [number]: 1 }, 'nothing was proposed for it')
  assert.deepEqual(wordWeights('pademelon'), { [number]: 1 })
  const path = `/items/${listed.body.id}`
  assert.equal(
    (await sell('PUT', path, { title: 'Celular liberado Samsung Galaxy bettong' })).status,
    200,
  )
  await learn()
  assert.deepEqual([wordWeights('potoroo'), wordWeights('bettong')], [{}, { [number]: 0.25 }])
})

test('one seller teaches so many titles a day for a category, and no more by changing them', async () => {
  const ids = Array.from({ length: 25 }, nextItemId)
  for (const id of ids) await put(id, trainingItemBody('Dugong', 50))
  await put(nextItemId(), { ...trainingItemBody('Dugong', 50), seller_id: brunoId })
  await put(nextItemId(), trainingItemBody('Dugong', 51))
  await learn()
  assert.deepEqual(wordWeights('dugong'), { 50: 21, 51: 1 })
  for (const id of ids) await put(id, trainingItemBody('Manatee', 50))
  await learn()
  assert.deepEqual([wordWeights('dugong'), wordWeights('manatee')], [{ 50: 1, 51: 1 }, {}])
  app.advance(dayMs)
  for (const id of ids) await put(id, trainingItemBody('Narwhal', 50))
  await learn()
  assert.deepEqual(wordWeights('narwhal'), { 50: 20 })
})

test('many listings at once teach, each once', async () => {
  const listings = Array.from({ length: 15 }, () =>
    listingOf(nextItemId(), trainingItemBody('Axolotl', 60)),
  )
  const { catalog } = app.ctx.catalog.served
  await app.ctx.db.bulk((tx) =>
    addListings(tx, listings, {
      at: app.ctx.now(),
      catalog,
      factors: app.ctx.config.search.factors,
    }),
  )
  await learn()
  assert.deepEqual(wordWeights('axolotl'), { 60: 15 })
  school.assertSameModel()
})

contract(
  'catalog',
  'two that teach at once, while listings change, teach each change once, and all agree',
  async () => {
    const ids = Array.from({ length: 12 }, nextItemId)
    for (let round = 0; round < 6; round++) {
      app.advance(dayMs)
      await Promise.all([
        ...ids.map((id, n) =>
          put(id, trainingItemBody(`Gecko${(round + n) % 3}`, 70 + ((round + n) % 2))),
        ),
        ...[app, other, app, other].map((testApp) => school.learnerOf(testApp).turn()),
      ])
    }
    await Promise.all([learn(app), learn(other)])
    await learn()
    const last = ids.map((_, n) => [`gecko${(5 + n) % 3}`, 70 + ((5 + n) % 2)] as const)
    for (const word of ['gecko0', 'gecko1', 'gecko2']) {
      const expected: Record<number, number> = {}
      for (const [lastWord, category] of last) {
        if (lastWord === word) expected[category] = (expected[category] ?? 0) + 1
      }
      assert.deepEqual(wordWeights(word), expected)
    }
    school.assertSameModel()
  },
)

test('the log has no gap, and its positions are in the order in which all learn', async () => {
  const rows = await ask('select position from lessons order by position')
  const positions = rows.map(({ position }) => Number(position))
  assert.ok(positions.length > 10)
  assert.deepEqual(
    positions,
    positions.map((_, n) => (positions[0] as number) + n),
  )
})

test('who is killed between two beats has taught all of a batch or nothing of it', async () => {
  const id = nextItemId()
  await put(id, trainingItemBody('Caiman', 80))
  const { db } = other.ctx
  const dying = new Learner({
    ...other.ctx,
    db: override(db, {
      // Everything was written, and then the process is gone before the commit.
      transaction: (work) =>
        db.transaction(async (tx) => {
          await work(tx)
          throw new Error('killed')
        }),
    }),
  })
  await applyTrainingLog(other)
  await assert.rejects(async () => {
    await drain(() => dying.turn())
  }, /killed/)
  await applyTrainingLog(app)
  assert.deepEqual(wordWeights('caiman'), {})
  await learn()
  assert.deepEqual(wordWeights('caiman'), { 80: 1 })
  school.assertSameModel()
})

test('after so many days all that was learned counts half, and is taken back as far as it counts', async () => {
  const [one, two] = [nextItemId(), nextItemId()]
  await put(one, trainingItemBody('Tapir', 90))
  await put(two, trainingItemBody('Tapir', 90))
  await learn()
  assert.deepEqual(wordWeights('tapir'), { 90: 2 })
  app.advance(91 * dayMs)
  await learn()
  assert.deepEqual(wordWeights('tapir'), { 90: 1 })
  await put(one, { ...trainingItemBody('Tapir', 90), sub_status: ['deleted'] })
  await learn()
  assert.deepEqual(wordWeights('tapir'), { 90: 0.5 })
  await put(nextItemId(), trainingItemBody('Tapir', 90))
  await learn()
  assert.deepEqual(wordWeights('tapir'), { 90: 1.5 })
  school.assertSameModel()
})
