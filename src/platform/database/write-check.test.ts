import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { pollUntil } from '../../../test/harness/wait.ts'
import { type Probe, WriteCheck } from './write-check.ts'

function errorOf(code: string): Error {
  return Object.assign(new pg.DatabaseError('refused', 7, 'error'), { code })
}

/** A check whose probes end as `fails` says, and what they were asked. */
function checked(fails: () => Error | undefined) {
  const probes: Parameters<Probe>[0][] = []
  const check = new WriteCheck(async (how) => {
    probes.push(how)
    const error = fails()
    if (error) throw error
  })
  return { check, probes }
}

test('as long as no write was refused, the question needs no room in the database', async () => {
  const { check, probes } = checked(() => undefined)
  for (const code of ['23505', '40001', '57014', '08006']) check.recordError(errorOf(code))
  check.recordError(new Error('something else'))
  assert.equal(check.isInDoubt, false)
  assert.equal(await check.currentError(), undefined)
  assert.deepEqual(probes, [{ addsToFiles: false }])
})

for (const code of ['25006', '53100', '58030']) {
  test(`a write that was refused (${code}) is in doubt until one that needs room succeeds`, async () => {
    let refuses = true
    const { check, probes } = checked(() => (refuses ? errorOf(code) : undefined))
    check.recordError(errorOf(code))
    assert.ok(check.isInDoubt)
    assert.ok(await check.currentError())
    refuses = false
    await pollUntil('writes are taken', async () => (await check.currentError()) === undefined)
    assert.equal(check.isInDoubt, false)
    assert.ok(probes.every(({ addsToFiles }) => addsToFiles))
  })
}

test('many who ask at once, and soon after a refusal, share one answer', async () => {
  const { check, probes } = checked(() => errorOf('53100'))
  const answers = await Promise.all(Array.from({ length: 50 }, () => check.currentError()))
  answers.push(await check.currentError())
  assert.equal(probes.length, 1)
  for (const answer of answers) assert.equal(answer, answers[0])
})

test('a database that is out of reach is answered, and leaves nothing in doubt', async () => {
  let refusal: Error | undefined = errorOf('57P03')
  const { check } = checked(() => refusal)
  assert.equal(await check.currentError(), refusal)
  refusal = undefined
  assert.equal(check.isInDoubt, false)
  assert.equal(await check.currentError(), undefined)
})
