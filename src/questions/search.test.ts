import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { contract } from '../../test/harness/contract.ts'
import {
  anaId,
  brunoId,
  carlaId,
  createTestMarket,
  type MarketTokens,
  putItem,
} from '../../test/harness/market.ts'
import { minuteMs } from '../kernel/clock.ts'
import { questionStatuses } from './question.ts'

let app: TestApp
let market: MarketTokens
/** In the order in which they were asked. */
const questionIds: number[] = []

before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
  await putItem(app.client, 'MLA3003', { seller_id: carlaId })
  // 0 and 1 by bruno and carla on one item of ana's, 2 on another; 3 by bruno on carla's.
  await ask('MLA1001', market.brunoToken)
  await ask('MLA1001', market.carlaToken)
  await ask('MLA1002', market.brunoToken)
  await ask('MLA3003', market.brunoToken)
  await ask('MLA1002', market.carlaToken)
  const body = { question_id: questionIds[1], text: 'Sí' }
  assert.equal(
    (await app.client.send('POST', '/answers', { token: market.anaToken, body })).status,
    201,
  )
  const ban = { status: 'BANNED' }
  const banned = await app.client.operator('PATCH', `/operator/questions/${questionIds[2]}`, ban)
  assert.equal(banned.status, 200)
})
after(() => app.close())

async function ask(item_id: string, token: string): Promise<void> {
  app.advance(minuteMs)
  const body = { item_id, text: '¿Hay?' }
  const {
    status,
    body: question,
    text,
  } = await app.client.send('POST', '/questions', { token, body })
  assert.equal(status, 201, text)
  questionIds.push(question.id)
}

const search = (query: string, token = market.anaToken) =>
  app.client.get(`/questions/search?${query}`, token)

/** Which of `questionIds` are found, in their order. */
async function searchIndexes(query: string, token: string): Promise<number[]> {
  const { status, body, text } = await search(query, token)
  assert.equal(status, 200, text)
  assert.equal(body.total, body.questions.length, query)
  return body.questions.map(({ id }: { id: number }) => questionIds.indexOf(id))
}

contract(
  ['6.2', '8', 'catalog'],
  'searches find what their filters say, as far as the caller sees it',
  async () => {
    const cases: [query: string, who: 'ana' | 'bruno' | 'carla', places: number[]][] = [
      ['', 'ana', [4, 2, 1, 0]],
      [`seller_id=${anaId}`, 'ana', [4, 2, 1, 0]],
      [`seller=${anaId}`, 'ana', [4, 2, 1, 0]],
      ['item=MLA1001', 'ana', [1, 0]],
      ['item_id=MLA1002', 'ana', [4, 2]],
      [`seller_id=${carlaId}&item=MLA1001`, 'ana', []],
      ['item=MLA9', 'ana', []],
      ['status=UNANSWERED', 'ana', [4, 0]],
      ['status=unanswered,BANNED', 'ana', [4, 2, 0]],
      ['status=DELETED', 'ana', []],
      [`from=${brunoId}`, 'ana', [2, 0]],
      [`from=${carlaId}&item=MLA1001&status=ANSWERED`, 'ana', [1]],
      // Who asks where: the own ones, whoever sells.
      [`from=${brunoId}`, 'bruno', [3, 2, 0]],
      [`from=${brunoId}&status=UNANSWERED`, 'bruno', [3, 0]],
      [`from=${brunoId}&item=MLA3003`, 'bruno', [3]],
      [`from=${brunoId}&seller_id=${anaId}`, 'bruno', [2, 0]],
      ['', 'bruno', []],
      // Of others: what is public, and what is the caller's own.
      [`seller_id=${anaId}`, 'bruno', [4, 2, 1, 0]],
      [`seller_id=${anaId}`, 'carla', [4, 1, 0]],
      ['item=MLA1002', 'carla', [4]],
      ['item=MLA1002&status=BANNED', 'carla', []],
      ['item=MLA1002&status=BANNED', 'bruno', [2]],
    ]
    for (const [query, who, places] of cases)
      assert.deepEqual(
        await searchIndexes(query, market[`${who}Token`]),
        places,
        `${who}: ${query}`,
      )
  },
)

contract(
  ['5', 'catalog'],
  'who asked is shown to the parties only, and not searched or sorted by others',
  async () => {
    const { body } = await search(`seller_id=${anaId}`, market.carlaToken)
    const from = body.questions.map((question: { from: object | null }) => question.from)
    assert.deepEqual(from, [{ id: carlaId }, { id: carlaId }, null])
    for (const query of [`from=${brunoId}&seller_id=${anaId}`, `from=${brunoId}&item=MLA1002`]) {
      const { status, body } = await search(query, market.carlaToken)
      assert.deepEqual([status, body.error], [403, 'caller.id.invalid'], query)
    }
    // By who asked it would be 1, 4, 0.
    const sorted = await searchIndexes(
      `seller_id=${anaId}&sort=from_id_desc,date_created`,
      market.carlaToken,
    )
    assert.deepEqual(sorted, [0, 1, 4])
  },
)

contract(
  ['6.2', '8', 'catalog'],
  'the answer says what it was narrowed by and what can be asked for',
  async () => {
    const { body } = await search('item=MLA1001&limit=1&offset=1')
    const { questions, available_filters, ...rest } = body
    assert.equal(questions.length, 1)
    assert.deepEqual(rest, {
      total: 2,
      limit: 1,
      filters: {
        limit: 1,
        offset: 1,
        api_version: '4',
        is_admin: false,
        sorts: ['date_created_desc'],
        caller: anaId,
        item: 'MLA1001',
      },
      available_sorts: ['item_id', 'from_id', 'date_created', 'seller_id'],
    })
    const statuses = available_filters.find(({ id }: { id: string }) => id === 'status')
    assert.deepEqual(statuses.values, questionStatuses)
    assert.equal((await search('')).body.limit, 50, 'the usual page')
  },
)

contract(['8', 'catalog'], 'pages follow each other, in the order asked for', async () => {
  const cases: [sort: string, places: number[]][] = [
    ['sort=date_created', [0, 1, 2, 4]],
    ['sort=date_created_desc', [4, 2, 1, 0]],
    ['sort=item_id_desc,date_created', [2, 4, 0, 1]],
    ['sort_fields=from_id,date_created&sort_types=ASC,DESC', [2, 0, 4, 1]],
    ['sort_fields=item_id', [0, 1, 2, 4]],
    ['sort_fields=item_id&sort_types=DESC', [4, 2, 1, 0]],
    ['sort=seller_id', [0, 1, 2, 4]],
  ]
  for (const [sort, places] of cases) {
    assert.deepEqual(await searchIndexes(sort, market.anaToken), places, sort)
    const pages = await Promise.all(
      places.map((_, offset) => search(`${sort}&limit=1&offset=${offset}`)),
    )
    assert.deepEqual(
      pages.map(({ body }) => questionIds.indexOf(body.questions[0].id)),
      places,
    )
  }
  assert.deepEqual(
    await searchIndexes(`from=${brunoId}&sort=seller_id,date_created`, market.brunoToken),
    [0, 2, 3],
  )
})

contract(['8', 'catalog'], 'a wrong parameter is refused by its name', async () => {
  const cases: [query: string, field: string][] = [
    ...['limit=0', 'limit=101', 'limit=x', 'limit=1.5'].map((query): [string, string] => [
      query,
      'limit',
    ]),
    ...['offset=-1', 'offset=10001', 'offset=9990&limit=50', 'offset=x'].map(
      (query): [string, string] => [query, 'offset'],
    ),
    ['status=GONE', 'status'],
    ['status=', 'status'],
    ['sort=price', 'sort'],
    ['sort_fields=price', 'sort_fields'],
    ['sort_fields=item_id&sort_types=UP', 'sort_types'],
    ['seller_id=x', 'seller_id'],
    ['from=0', 'from'],
    ['item=', 'item'],
  ]
  for (const [query, field] of cases) {
    const { status, body } = await search(query)
    assert.equal(status, 400, query)
    assert.ok(body.message.startsWith(`${field}: expected `), body.message)
  }
  assert.equal((await app.client.get('/questions/search')).status, 401)
})
