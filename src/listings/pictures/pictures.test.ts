import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { takeChangeLines } from '../../../test/harness/changes.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  anaId,
  carlaId,
  createTestMarket,
  type MarketTokens,
  putItem,
} from '../../../test/harness/market.ts'

let app: TestApp
let market: MarketTokens
before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
  const pictures = [{ id: listed, url: 'https://pictures.example.com/1.jpg' }]
  const { client } = app
  await putItem(client, 'MLA7001', { pictures })
  await putItem(client, 'MLA7002', { seller_id: carlaId })
})
beforeEach(() => takeChangeLines(app))
after(() => app.close())

const listed = '970736-MLA7001_092026'
const message = '{error_code=response_code, meta={responseCode=403}}'
const source = 'https://elsewhere.example.com/a.jpg'
const put = (id: string, body: object) =>
  app.client.operator('PUT', `/operator/pictures/${id}/errors`, body)
const read = (id: string, token: string) => app.client.get(`/pictures/${id}/errors`, token)
const expectedChanges = (id: string, user = anaId) => [`pictures /pictures/${id}/errors ${user}`]

contract(
  ['4.6', '6.2', 'catalog'],
  'a picture that can not be shown is told to its seller, who reads why',
  async () => {
    const created = await put(listed, { item_id: 'MLA7001', message })
    assert.equal(created.status, 201, created.text)
    const error = { message, items: 'MLA7001' }
    const expected = { id: listed, source: 'https://pictures.example.com/1.jpg', error }
    assert.deepEqual(created.body, expected)
    assert.deepEqual((await read(listed, market.anaToken)).body, expected)
    assert.deepEqual(await takeChangeLines(app), expectedChanges(listed))
  },
)

contract('6.3', 'the same report again tells nothing, another one does', async () => {
  const report = { item_id: 'MLA7001', message, source }
  assert.equal((await put('p2', report)).status, 201)
  assert.deepEqual(await takeChangeLines(app), expectedChanges('p2'))
  assert.equal((await put('p2', report)).status, 200)
  assert.deepEqual(await takeChangeLines(app), [])
  assert.equal((await put('p2', { ...report, message: 'gone' })).status, 200)
  assert.deepEqual(await takeChangeLines(app), expectedChanges('p2'))
  assert.equal((await read('p2', market.anaToken)).body.error.message, 'gone')
})

contract(['6.2', '6.3'], 'two reports of one picture at a time are told once', async () => {
  const report = { item_id: 'MLA7001', message, source }
  const answers = await Promise.all([1, 2, 3, 4].map(() => put('p3', report)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 201])
  assert.deepEqual(await takeChangeLines(app), expectedChanges('p3'))
})

contract(
  ['6.2', 'catalog'],
  'a stranger cannot tell a faulty picture of others from a sound one',
  async () => {
    await put('p4', { item_id: 'MLA7001', message, source })
    const others = await read('p4', market.carlaToken)
    const none = await read('p5', market.carlaToken)
    assert.deepEqual([others.status, none.status], [404, 404])
    assert.deepEqual(others.body.message.replace('p4', 'p5'), none.body.message)
    assert.equal((await app.client.get('/pictures/p4/errors')).status, 401)
  },
)

contract(
  ['6.2', 'catalog'],
  'a picture that can be shown again has no errors, and nobody is told',
  async () => {
    await put('p6', { item_id: 'MLA7001', message, source })
    await takeChangeLines(app)
    const path = '/operator/pictures/p6/errors'
    assert.equal((await app.client.operator('DELETE', path)).status, 204)
    assert.equal((await app.client.operator('DELETE', path)).status, 404)
    assert.equal((await read('p6', market.anaToken)).status, 404)
    assert.deepEqual(await takeChangeLines(app), [])
    assert.equal((await put('p6', { item_id: 'MLA7001', message, source })).status, 201)
    assert.deepEqual(await takeChangeLines(app), expectedChanges('p6'))
  },
)

contract('6.2', 'a refused report names its field and tells nothing', async () => {
  await put('p7', { item_id: 'MLA7001', message, source })
  await takeChangeLines(app)
  const cases: [id: string, body: object, status: number, field: string][] = [
    ['p8', { message, source }, 400, 'item_id'],
    ['p8', { item_id: 'MLA9', message, source }, 400, 'item_id'],
    ['p8', { item_id: 'MLA7001', message }, 400, 'source'],
    ['p8', { item_id: 'MLA7001', message, source: 'x' }, 400, 'source'],
    ['p8', { item_id: 'MLA7001', source }, 400, 'message'],
    ['p8', { item_id: 'MLA7001', message: '', source }, 400, 'message'],
    ['p.8', { item_id: 'MLA7001', message, source }, 400, 'picture_id'],
    ['p7', { item_id: 'MLA7002', message, source }, 409, 'picture_id'],
  ]
  for (const [id, body, status, field] of cases) {
    const refused = await put(id, body)
    assert.equal(refused.status, status, refused.text)
    assert.ok(refused.body.message.startsWith(`${field}: `), refused.body.message)
  }
  assert.deepEqual(await takeChangeLines(app), [])
})
