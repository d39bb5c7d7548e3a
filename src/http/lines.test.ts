import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Type } from 'typebox'
import { type BareServer, openBareServer } from '../../test/harness/server.ts'
import { pollUntil } from '../../test/harness/wait.ts'
import { makeLog } from '../platform/log.ts'
import { ok, route } from './route.ts'

const getOrder = route({
  method: 'GET',
  url: '/orders/:order_id',
  scope: 'read',
  tag: 'test',
  summary: 'Answers whoever has a token',
  params: Type.Object({ order_id: Type.String() }),
  answers: { 200: Type.Object({}) },
  handle: async () => ok({}),
})

const getStock = route({
  method: 'GET',
  url: '/stock',
  scope: 'public',
  tag: 'test',
  summary: 'Fails as it does without a database',
  answers: { 200: Type.Object({}) },
  handle: async () => {
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  },
})

const getPrice = route({
  method: 'GET',
  url: '/price',
  scope: 'public',
  tag: 'test',
  summary: 'Fails as nobody expects',
  answers: { 200: Type.Object({}) },
  handle: async () => {
    throw new TypeError('a defect')
  },
})

const lines: string[] = []
let bare: BareServer
before(async () => {
  const log = makeLog('info', { write: (line) => void lines.push(line) })
  const authenticate = async () => ({ userId: 7, applicationId: 9, scopes: ['read'] as const })
  bare = await openBareServer([getOrder, getStock, getPrice], { log, authenticate })
})
after(() => bare.server.close())

/** What the log tells of one request, but when it was and how long it took. */
async function logFieldsOf(path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(bare.address + path, { headers })
  await answer.text()
  await pollUntil('a log line', () => lines.length > 0)
  const [line = ''] = lines.splice(0)
  const { time, ms, ...fields } = JSON.parse(line)
  assert.ok(Date.parse(time) > 0 && ms > 0, line)
  assert.equal(fields.request, answer.headers.get('x-request-id'))
  delete fields.request
  return fields
}

const answeredFields = { level: 30, msg: 'answered', method: 'GET' }

test('the log tells of a request who made it and how it was answered, and no token of it', async () => {
  const secret = 'APP_USR-9-112233-abcdef-7'
  const logFields = [
    await logFieldsOf(`/orders/5?access_token=${secret}`),
    await logFieldsOf('/orders/5', { authorization: `Bearer ${secret}` }),
  ]
  const path = '/orders/5'
  for (const one of logFields) {
    assert.deepEqual(one, { ...answeredFields, path, status: 200, user: 7, application: 9 })
  }
})

test('the log tells of requests that were refused too', async () => {
  assert.deepEqual(await logFieldsOf('/orders/5'), {
    ...answeredFields,
    path: '/orders/5',
    status: 401,
  })
  const path = '/nothing/%22here'
  assert.deepEqual(await logFieldsOf(`${path}?q=1`), { ...answeredFields, path, status: 404 })
})

test('the log tells in one line, without a stack, why nothing could be answered; the answer does not', async () => {
  const answer = await fetch(`${bare.address}/stock`)
  assert.equal(answer.status, 503)
  assert.doesNotMatch(await answer.text(), /ECONNREFUSED/)
  await pollUntil('two log lines', () => lines.length === 2)
  const [why = '', answeredLine = ''] = lines.splice(0)
  const { time, since, request, ...fields } = JSON.parse(why)
  assert.ok(Date.parse(since) <= Date.parse(time), why)
  assert.deepEqual(fields, {
    level: 40,
    msg: 'the database cannot be reached',
    cause: 'connect ECONNREFUSED',
    code: 'ECONNREFUSED',
    refused: 1,
  })
  assert.equal(JSON.parse(answeredLine).request, request)
})

test('an error that nobody expects is logged with its stack, each time', async () => {
  for (let time = 0; time < 2; time++) {
    assert.equal((await fetch(`${bare.address}/price`)).status, 500)
    await pollUntil('two log lines', () => lines.length === 2)
    const { level, msg, err } = JSON.parse(lines.splice(0)[0] ?? '')
    assert.deepEqual([level, msg], [50, 'a defect'])
    assert.match(err.stack, /TypeError: a defect\n +at .*lines\.test\.ts/)
  }
})
