import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { takeChangeLines } from '../../../test/harness/changes.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  anaId,
  createTestMarket,
  type MarketTokens,
  putKettle,
} from '../../../test/harness/market.ts'
import { minuteMs } from '../../kernel/clock.ts'
import { findDescriptionBreach } from './description-rules.ts'

let app: TestApp
let market: MarketTokens
before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
})
beforeEach(() => takeChangeLines(app))
after(() => app.close())

const say = (
  method: string,
  plain_text: unknown,
  { id = 'MLA1001', token = market.anaToken } = {},
) => app.client.send(method, `/items/${id}/description`, { token, body: { plain_text } })
const expectedChanges = (id = 'MLA1001') => [`items /items/${id} ${anaId}`]

contract(
  ['6.2', '6.3', 'catalog'],
  'an item is described, read by anybody, described otherwise, and each is told',
  async () => {
    const none = await app.client.get('/items/MLA1001/description')
    assert.deepEqual([none.status, none.body.message], [404, 'Description not found: MLA1001'])
    const text = 'Pava eléctrica.\n\nCorta a 80°.'
    const first = await say('POST', text)
    const date_created = app.ctx.now().toISOString()
    assert.deepEqual(
      [first.status, first.body],
      [201, { plain_text: text, date_created, last_updated: date_created }],
    )
    assert.deepEqual(await takeChangeLines(app), expectedChanges())
    const read = async () => (await app.client.get('/items/MLA1001/description')).body
    assert.deepEqual(await read(), first.body)

    app.advance(minuteMs)
    assert.deepEqual((await say('PUT', text)).body, first.body)
    assert.deepEqual(await takeChangeLines(app), [], 'the same words are no news')
    const other = await say('PUT', 'Otra.')
    const last_updated = app.ctx.now().toISOString()
    assert.deepEqual(
      [other.status, other.body],
      [200, { plain_text: 'Otra.', date_created, last_updated }],
    )
    assert.deepEqual(await read(), other.body)
    assert.deepEqual(await takeChangeLines(app), expectedChanges())
    assert.equal(
      (await say('PUT', 'Nueva.', { id: 'MLA1002' })).status,
      200,
      'PUT may be the first',
    )
  },
)

contract(['7', 'catalog'], 'a description that is refused says why, and tells nobody', async () => {
  await putKettle(app.client, 'MLA8001', 1)
  await say('POST', 'Una.', { id: 'MLA8001' })
  await takeChangeLines(app)
  const cases: [method: string, text: unknown, message: RegExp][] = [
    ['POST', 'Dos.', /^plain_text: expected no description yet/],
    ['PUT', ' \n ', /^plain_text: expected a text that is not blank/],
    ['PUT', 'x'.repeat(50_001), /^plain_text: expected at most 50000 characters/],
    ['PUT', 5, /^plain_text: expected string/],
    ['PUT', undefined, /^plain_text: expected a value/],
  ]
  for (const [method, text, message] of cases) {
    const { status, body } = await say(method, text, { id: 'MLA8001' })
    assert.equal(status, 400)
    assert.match(body.message, message)
  }
  const stranger = await say('PUT', 'x', { token: market.carlaToken })
  assert.deepEqual([stranger.status, stranger.body.error], [403, 'not_owned_item'])
  const nowhere = await say('PUT', 'x', { id: 'MLA9' })
  assert.equal(nowhere.status, 404)
  assert.equal(
    (await app.client.get('/items/MLA9/description')).body.message,
    'Item not found: MLA9',
  )
  const close = { token: market.anaToken, body: { status: 'closed' } }
  assert.equal((await app.client.send('PUT', '/items/MLA8001', close)).status, 200)
  await takeChangeLines(app)
  assert.equal((await say('PUT', 'x', { id: 'MLA8001' })).body.error, 'item_closed')
  assert.deepEqual(await takeChangeLines(app), [])
})

contract(
  ['2.13', '8'],
  'a description is as long as the category allows, in characters that people see',
  () => {
    const options = { limits: { maxDescriptionLength: 3 }, isFirst: false, isThere: false }
    const cases: [text: string, code: string | undefined][] = [
      ['abc', undefined],
      ['🧉🧉🧉', undefined],
      ['abcd', 'item.description.max'],
      ['', 'item.description.invalid'],
    ]
    for (const [text, code] of cases)
      assert.equal(findDescriptionBreach(text, options)?.code, code, text)
  },
)

contract('catalog', 'of two first descriptions at one moment one is taken', async () => {
  await putKettle(app.client, 'MLA8002', 1)
  await takeChangeLines(app)
  const answers = await Promise.all(['Una.', 'Otra.'].map((t) => say('POST', t, { id: 'MLA8002' })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 400])
  assert.equal((await takeChangeLines(app)).length, 1)
})
