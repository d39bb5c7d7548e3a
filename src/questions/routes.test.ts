import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { takeChangeLines } from '../../test/harness/changes.ts'
import { contract } from '../../test/harness/contract.ts'
import {
  anaId,
  brunoId,
  createTestMarket,
  type MarketTokens,
  putItem,
  putKettle,
} from '../../test/harness/market.ts'
import { hourMs } from '../kernel/clock.ts'
import { questionStatuses } from './question.ts'

let app: TestApp
let market: MarketTokens
before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
})
beforeEach(() => takeChangeLines(app))
after(() => app.close())

const ask = (body: unknown = {}, token: string | undefined = market.brunoToken) =>
  app.client.send('POST', '/questions', {
    ...(token ? { token } : {}),
    body: { item_id: 'MLA1001', text: '¿Sirve para mate?', ...(body as object) },
  })
const reply = (question_id: unknown, token = market.anaToken, text: unknown = 'Sí, corta a 80°.') =>
  app.client.send('POST', '/answers', { token, body: { question_id, text } })
const read = (id: number, token: string) => app.client.get(`/questions/${id}`, token)
const patch = (id: number, body: object) =>
  app.client.operator('PATCH', `/operator/questions/${id}`, body)
const expectedChanges = (id: number, user: number) => [`questions /questions/${id} ${user}`]

/** A question of bruno's that nobody was told of yet. */
async function askQuestion(): Promise<number> {
  const { status, body, text } = await ask()
  assert.equal(status, 201, text)
  await takeChangeLines(app)
  return body.id
}

contract(
  ['4.6', '6.2', 'notifications', 'catalog'],
  'a question is told to its seller, and its answer to who asked; both read it',
  async () => {
    const { status, body: question } = await ask()
    assert.equal(status, 201)
    const moment = '2026-03-10T15:00:00.000Z'
    assert.deepEqual(question, {
      id: question.id,
      item_id: 'MLA1001',
      seller_id: anaId,
      status: 'UNANSWERED',
      text: '¿Sirve para mate?',
      date_created: moment,
      last_updated: moment,
      deleted_from_listing: false,
      hold: false,
      answer: null,
      from: { id: brunoId },
    })
    assert.deepEqual(await takeChangeLines(app), expectedChanges(question.id, anaId))
    for (const token of [market.anaToken, market.brunoToken])
      assert.deepEqual((await read(question.id, token)).body, question)
    app.advance(hourMs)
    const response = await reply(question.id)
    assert.equal(response.status, 201, response.text)
    const later = app.ctx.now().toISOString()
    const answer = { text: 'Sí, corta a 80°.', status: 'ACTIVE', date_created: later }
    const whole = { ...question, status: 'ANSWERED', answer, last_updated: later }
    assert.deepEqual(response.body, whole)
    assert.deepEqual(await takeChangeLines(app), expectedChanges(question.id, brunoId))
    for (const token of [market.anaToken, market.brunoToken])
      assert.deepEqual((await read(question.id, token)).body, whole)
  },
)

contract(
  ['6.2', 'catalog'],
  'a refused question names what was wrong and tells nobody',
  async () => {
    await putKettle(app.client, 'MLA8001', 1)
    await putItem(app.client, 'MLA8001', { status: 'paused' })
    await takeChangeLines(app)
    const cases: [body: object, status: number, message: RegExp][] = [
      [{ item_id: undefined }, 400, /^item_id: expected a value/],
      [{ item_id: true }, 400, /^item_id: /],
      [{ item_id: 'MLA9' }, 404, /^Item not found: MLA9$/],
      [{ item_id: 'MLA8001' }, 400, /^item_id: expected an active item, MLA8001 is paused/],
      [{ text: undefined }, 400, /^text: expected a value/],
      [{ text: '  ' }, 400, /^text: expected a text that is not blank/],
      [{ text: 'x'.repeat(2_001) }, 400, /^text: expected at most 2000 characters/],
      [{ text: 5 }, 400, /^text: /],
    ]
    for (const [body, status, message] of cases) {
      const refused = await ask(body)
      assert.equal(refused.status, status, refused.text)
      assert.match(refused.body.message, message)
    }
    const own = await ask({}, market.anaToken)
    assert.equal(own.status, 400)
    assert.match(own.body.message, /^item_id: expected an item of another seller/)
    assert.equal((await ask({}, '')).body.error, 'not_identified_user')
    assert.deepEqual(await takeChangeLines(app), [])
  },
)

contract(
  ['6.2', 'catalog'],
  'only the seller answers, once; whoever else tries learns why not',
  async () => {
    const id = await askQuestion()
    for (const token of [market.brunoToken, market.carlaToken]) {
      const { status, body } = await reply(id, token)
      assert.deepEqual([status, body.error], [403, 'not_owned_question'])
    }
    const none = await reply(1)
    assert.deepEqual([none.status, none.body.message], [404, 'Question not found: 1'])
    for (const odd of ['x', -1, null, undefined]) assert.equal((await reply(odd)).status, 400)
    assert.match((await reply(id, market.anaToken, ' ')).body.message, /^text: /)
    assert.deepEqual(await takeChangeLines(app), [])
    assert.equal((await reply(String(id))).status, 201, 'the number may come as text')
    const again = await reply(id)
    assert.deepEqual([again.status, again.body.error], [400, 'not_unanswered_question'])
    assert.match(again.body.message, /its status is ANSWERED/)
    assert.deepEqual(await takeChangeLines(app), expectedChanges(id, brunoId))
  },
)

contract(['6.2', 'catalog'], 'of many answers at a time one wins, and one is told', async () => {
  const id = await askQuestion()
  const responses = await Promise.all(
    [1, 2, 3, 4].map((n) => reply(id, market.anaToken, `Sí ${n}`)),
  )
  const [won, ...others] = responses.sort((a, b) => a.status - b.status)
  assert.equal(won?.status, 201)
  for (const { body } of others) assert.equal(body.error, 'not_unanswered_question')
  assert.deepEqual((await read(id, market.anaToken)).body.answer, won?.body.answer)
  assert.deepEqual(await takeChangeLines(app), expectedChanges(id, brunoId))
})

contract(
  ['5', 'catalog'],
  'others see a public question without who asked; a hidden one is as if it were not there',
  async () => {
    const id = await askQuestion()
    const own = (await read(id, market.anaToken)).body
    assert.deepEqual((await read(id, market.carlaToken)).body, { ...own, from: null })
    for (const status of questionStatuses.filter((candidate) => candidate !== 'ANSWERED')) {
      assert.equal((await patch(id, { status })).status, 200, status)
      const isPublic = status === 'UNANSWERED' || status === 'CLOSED_UNANSWERED'
      const others = await read(id, market.carlaToken)
      assert.equal(others.status, isPublic ? 200 : 404, status)
      for (const token of [market.anaToken, market.brunoToken])
        assert.equal((await read(id, token)).body.status, status)
      if (isPublic) continue
      const none = await read(id + 900, market.carlaToken)
      assert.equal(others.body.message.replace(String(id), String(id + 900)), none.body.message)
      assert.equal(
        (await reply(id, market.carlaToken)).status,
        404,
        'nor can it be told by answering',
      )
    }
    assert.equal((await app.client.get(`/questions/${id}`)).status, 401)
    assert.match(
      (await app.client.get('/questions/x', market.anaToken)).body.message,
      /^question_id: /,
    )
  },
)

contract(
  ['6.3', 'catalog'],
  'what the operator decides is told to the seller, what changes nothing is not',
  async () => {
    const id = await askQuestion()
    const steps: [body: object, status: number, isTold: boolean][] = [
      [{ status: 'UNANSWERED' }, 200, false],
      [{ status: 'UNDER_REVIEW', hold: true }, 200, true],
      [{ hold: true }, 200, false],
      [{ status: 'UNANSWERED', hold: false }, 200, true],
      [{}, 200, false],
      [{ status: 'ANSWERED' }, 409, false],
      [{ status: 'GONE' }, 400, false],
      [{ text: 'x' }, 400, false],
    ]
    for (const [body, status, isTold] of steps) {
      const answer = await patch(id, body)
      assert.equal(answer.status, status, answer.text)
      assert.deepEqual(
        await takeChangeLines(app),
        isTold ? expectedChanges(id, anaId) : [],
        JSON.stringify(body),
      )
    }
    assert.equal((await patch(1, { hold: true })).status, 404)
  },
)

contract(
  ['6.2', 'catalog'],
  'a deleted question stays its parties’, and cannot be answered',
  async () => {
    const id = await askQuestion()
    const deleted = await app.client.operator('DELETE', `/operator/questions/${id}`)
    assert.deepEqual([deleted.body.status, deleted.body.deleted_from_listing], ['DELETED', true])
    assert.deepEqual(await takeChangeLines(app), expectedChanges(id, anaId))
    assert.equal((await read(id, market.brunoToken)).body.status, 'DELETED')
    assert.equal((await reply(id)).body.error, 'not_unanswered_question')
    const operator = await app.client.operator('GET', `/operator/questions/${id}`)
    assert.deepEqual(operator.body, deleted.body)
    assert.deepEqual(operator.body.from, { id: brunoId })
  },
)

contract(
  ['6.2', 'catalog'],
  'a question on an item that was closed since is not answered',
  async () => {
    await putKettle(app.client, 'MLA8002', 1)
    const { body } = await ask({ item_id: 'MLA8002' })
    await putItem(app.client, 'MLA8002', { status: 'closed' })
    const refused = await reply(body.id)
    assert.equal(refused.status, 400)
    assert.match(
      refused.body.message,
      /^question_id: expected a question on an item that is not closed/,
    )
  },
)
