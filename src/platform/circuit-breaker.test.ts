import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import pg from 'pg'
import { Outages, ResourceUnavailable } from './circuit-breaker.ts'

let nowMs: number
let outages: Outages
let tries: number
beforeEach(() => {
  nowMs = 0
  tries = 0
  outages = new Outages(() => new Date(nowMs))
})

const connectionError = () => Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
const fails = async () => {
  tries++
  throw connectionError()
}
const works = async () => ++tries

test('what could not be had is not tried again for a second, and then by one', async () => {
  await assert.rejects(outages.run('a', fails), /connect/)
  await assert.rejects(outages.run('a', works), ResourceUnavailable)
  nowMs = 999
  await assert.rejects(outages.run('a', works), ResourceUnavailable)
  assert.equal(tries, 1)
  assert.equal(await outages.run('b', works), 2, 'another is not concerned')
  nowMs = 1_000
  const many = await Promise.all(Array.from({ length: 5 }, () => outages.run('a', works)))
  assert.deepEqual(many.sort(), [3, 4, 5, 6, 7])
})

test('while nothing is known, one tries and the others wait for how that ends', async () => {
  const ended = Promise.withResolvers<void>()
  const slow = async () => {
    tries++
    await ended.promise
    throw connectionError()
  }
  const runs = Array.from({ length: 5 }, () => outages.run('a', slow))
  const settled = Promise.allSettled(runs)
  await new Promise(setImmediate)
  assert.equal(tries, 1)
  ended.resolve()
  const reasons = (await settled).map((outcome) => outcome.status === 'rejected' && outcome.reason)
  assert.equal(tries, 1)
  assert.equal(reasons.filter((reason) => reason instanceof ResourceUnavailable).length, 4)
})

test('a node of a cluster that is down is no outage of what lies on others', async () => {
  const message = 'connection to the remote node postgres@10.0.0.7:5432 failed'
  const nodeIsDown = async () => {
    tries++
    throw Object.assign(new pg.DatabaseError(message, 0, 'error'), { code: '08006' })
  }
  await assert.rejects(outages.run('a', nodeIsDown), /remote node/)
  assert.equal(await outages.run('a', works), 2)
  const ended = Promise.withResolvers<void>()
  const slow = outages.run('a', async () => ended.promise)
  await outages.run('a', works)
  assert.equal(tries, 3, 'nobody waits for another')
  ended.resolve()
  await slow
})

test('a defect is nobody else’s outage', async () => {
  const broken = async () => {
    tries++
    throw new TypeError('a defect')
  }
  const settled = await Promise.allSettled([1, 2, 3].map(() => outages.run('a', broken)))
  for (const outcome of settled) {
    assert.ok(outcome.status === 'rejected' && outcome.reason instanceof TypeError)
  }
  assert.equal(tries, 3)
  assert.equal(await outages.run('a', works), 4)
})

test('who asks whether it is out is told so for a second; then one is told no, and tries', () => {
  assert.equal(outages.isOut('a'), false)
  outages.recordFailure('a')
  assert.equal(outages.isOut('a'), true)
  nowMs = 1_000
  assert.equal(outages.isOut('a'), false)
  assert.equal(outages.isOut('a'), true, 'the others wait for how that goes')
  outages.recordSuccess('a')
  assert.equal(outages.isOut('a'), false)
})
