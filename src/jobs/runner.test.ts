import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { after, before, beforeEach, test } from 'node:test'
import { type JobsFixture, openJobsFixture } from '../../test/harness/jobs-fixture.ts'
import { override } from '../../test/harness/override.ts'
import { pollUntil } from '../../test/harness/wait.ts'
import { dayMs, minuteMs, secondMs } from '../kernel/clock.ts'
import { Failure } from '../kernel/failure.ts'
import type { Context } from '../platform/context.ts'
import { cancelJob, deleteExpiredJobs, retryJob } from './commands.ts'
import { maxStepAttempts } from './job.ts'
import { findResultFile, openResultFile } from './result-file.ts'
import { acquireJobLease, listDueJobs } from './store-steps.ts'

let jobs: JobsFixture
before(async () => {
  jobs = await openJobsFixture()
})
beforeEach(() => jobs.reset())
after(() => jobs.close())

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)

async function fileOf(id: string, part?: { start: number; end: number }): Promise<string> {
  const file = await findResultFile(jobs.first, { kind: jobs.counting, job: await jobs.read(id) })
  const range = part ?? { start: 0, end: file.size - 1 }
  return text(await openResultFile(jobs.first, file, range))
}

const wholeFile = (steps: number) =>
  [...upTo(steps).map((n) => `step ${n}\n`), `end after ${steps}\n`].join('')

async function assertFinished(id: string, steps: number): Promise<void> {
  const { state, done, total, result, error } = await jobs.read(id)
  assert.deepEqual(
    { state, done, total, result, error },
    { state: 'finished', done: steps, total: steps, result: { steps }, error: null },
  )
  assert.deepEqual(await jobs.notesOf(id), upTo(steps))
  assert.equal(await fileOf(id), wholeFile(steps))
}

test('a job runs to its end, with progress, figures and a file', async () => {
  const id = await jobs.start(3)
  const { state, done, total, startedAt } = await jobs.read(id)
  assert.deepEqual([state, done, total, startedAt], ['waiting', 0, 3, null])
  const progress: number[] = []
  jobs.beforeStep = async () => void progress.push((await jobs.read(id)).done)
  await jobs.run()
  assert.deepEqual(progress, [0, 1, 2])
  await assertFinished(id, 3)
  assert.equal(await fileOf(id, { start: 5, end: 12 }), '0\nstep 1')
  assert.equal(await fileOf(id, { start: 20, end: 24 }), '\nend ')
})

test('two processes share the jobs, and each step happens once', async () => {
  const ids = await Promise.all(upTo(6).map(() => jobs.start(5)))
  const runners = [jobs.runner(), jobs.runner(jobs.second)]
  for (let round = 0; round < 3; round++) await Promise.all(runners.map((each) => jobs.run(each)))
  for (const id of ids) await assertFinished(id, 5)
})

test('of two processes that want the same lease, one gets it', async () => {
  await jobs.start(1)
  const now = jobs.first.now()
  const [due] = await listDueJobs(jobs.first.db, { kinds: ['counting'], now, limit: 5 })
  assert.ok(due)
  const until = new Date(now.getTime() + minuteMs)
  const leases = await Promise.all(
    [jobs.first, jobs.second].map(({ db }) => acquireJobLease(db, { ...due, now, until })),
  )
  assert.equal(leases.filter((lease) => lease !== undefined).length, 1)
})

const dead = () => Promise.reject(new Error('the process is killed'))

/** Returns a context whose process dies at a moment of a step: nothing of it reaches the database afterwards. */
function dying(moment: 'before' | 'inside' | 'after', step: number): Context {
  let isDead = false
  const { db } = jobs.first
  const die = (n: number, ctx: Context) => {
    if (n !== step || ctx.db === db || ctx !== context) return undefined
    isDead = true
    return dead()
  }
  jobs.beforeStep = moment === 'before' ? die : () => {}
  jobs.inStep = moment === 'inside' ? die : () => {}
  let committed = 0
  const context: Context = {
    ...jobs.first,
    db: override(db, {
      rows: (statement) => (isDead ? dead() : db.rows(statement)),
      row: (statement) => (isDead ? dead() : db.row(statement)),
      async transaction(work) {
        if (isDead) return dead()
        const result = await db.transaction(work)
        if (moment === 'after' && committed++ === step) {
          isDead = true
          return dead()
        }
        return result
      },
    }),
  }
  return context
}

for (const moment of ['before', 'inside', 'after'] as const) {
  test(`a process that is killed ${moment} a step, whichever, loses and repeats nothing`, async () => {
    for (const step of upTo(4)) {
      const id = await jobs.start(4)
      await jobs.run(jobs.runner(dying(moment, step), { most: 1 }))
      const { state, done } = await jobs.read(id)
      const committed = moment === 'after' ? step + 1 : step
      const isFinished = committed === 4
      assert.deepEqual([state, done], [isFinished ? 'finished' : 'running', committed])
      jobs.beforeStep = () => {}
      jobs.inStep = () => {}
      jobs.advance(30 * secondMs)
      await jobs.run(jobs.runner(jobs.second))
      if (moment !== 'after') assert.equal((await jobs.read(id)).done, committed, 'leased still')
      jobs.advance(minuteMs)
      await jobs.run(jobs.runner(jobs.second))
      await assertFinished(id, 4)
    }
  })
}

test('a worker that was thought dead changes nothing of what another has taken over', async () => {
  const id = await jobs.start(3)
  const gate = Promise.withResolvers<void>()
  let isWaiting = false
  jobs.beforeStep = async (n, ctx) => {
    if (n !== 1 || ctx !== jobs.first) return
    isWaiting = true
    await gate.promise
  }
  const slow = jobs.runner()
  await slow.turn()
  await pollUntil('the step waits', () => isWaiting)
  jobs.advance(minuteMs)
  await jobs.run(jobs.runner(jobs.second))
  await assertFinished(id, 3)
  const before = await jobs.read(id)
  gate.resolve()
  await slow.idle()
  assert.deepEqual(await jobs.read(id), before)
  await assertFinished(id, 3)
})

test('a worker that was thought dead does not fail what another has taken over', async () => {
  const id = await jobs.start(2)
  const gate = Promise.withResolvers<void>()
  let isWaiting = false
  jobs.beforeStep = async (_, ctx) => {
    if (ctx !== jobs.first) return
    isWaiting = true
    await gate.promise
    throw new Failure('bad_request', 'too late')
  }
  const slow = jobs.runner()
  await slow.turn()
  await pollUntil('the step waits', () => isWaiting)
  jobs.advance(minuteMs)
  await jobs.run(jobs.runner(jobs.second))
  gate.resolve()
  await slow.idle()
  await assertFinished(id, 2)
})

test('after a cancellation a step that is under way writes nothing', async () => {
  const id = await jobs.start(4)
  const gate = Promise.withResolvers<void>()
  let isWaiting = false
  jobs.beforeStep = async (n) => {
    if (n !== 2) return
    isWaiting = true
    await gate.promise
  }
  const runner = jobs.runner()
  await runner.turn()
  await pollUntil('the step waits', () => isWaiting)
  assert.equal((await cancelJob(jobs.first, id))?.state, 'cancelled')
  gate.resolve()
  await runner.idle()
  await jobs.run()
  const { state, done, result } = await jobs.read(id)
  assert.deepEqual([state, done, result], ['cancelled', 2, { steps: 2 }])
  assert.deepEqual(await jobs.notesOf(id), [0, 1])
  assert.equal(await fileOf(id), wholeFile(2))
  await assert.rejects(cancelJob(jobs.first, id), { code: 'job_ended' })
  await assert.rejects(retryJob(jobs.first, id), { code: 'job_not_failed' })
})

test('a cancellation waits for a step that is being committed, and the answer counts it', async () => {
  const id = await jobs.start(4)
  const gate = Promise.withResolvers<void>()
  let isWaiting = false
  jobs.inStep = async (n) => {
    if (n !== 1) return
    isWaiting = true
    await gate.promise
  }
  const runner = jobs.runner()
  await runner.turn()
  await pollUntil('the step waits', () => isWaiting)
  const cancelled = cancelJob(jobs.second, id)
  gate.resolve()
  const answer = await cancelled
  await runner.idle()
  const { state, done } = await jobs.read(id)
  assert.equal(state, 'cancelled')
  assert.equal(answer?.done, done)
  assert.deepEqual(await jobs.notesOf(id), upTo(done))
})

test('a failing step is tried again after growing pauses, then the job has failed and can be retried', async () => {
  const id = await jobs.start(3)
  let tries = 0
  jobs.beforeStep = (n) => {
    if (n !== 1) return
    tries++
    throw new Error('a secret of the machine')
  }
  const pauses: number[] = []
  await jobs.run()
  while ((await jobs.read(id)).state === 'running') {
    const seen = tries
    for (let seconds = 1; tries === seen; seconds++) {
      jobs.advance(secondMs)
      await jobs.run()
      if (tries > seen) pauses.push(seconds)
    }
  }
  assert.equal(tries, maxStepAttempts)
  assert.deepEqual(pauses, [2, 4, 8, 16, 32, 64, 128])
  const { state, done, error, expiresAt } = await jobs.read(id)
  assert.deepEqual([state, done], ['failed', 1])
  assert.match(error ?? '', /^A step failed 8 times, with 1 of 3 done\. .* retry the job/)
  assert.ok(!error?.includes('secret'))
  assert.ok(expiresAt)
  jobs.beforeStep = () => {}
  await jobs.run()
  assert.equal((await jobs.read(id)).state, 'failed')
  const retried = await retryJob(jobs.first, id)
  assert.deepEqual([retried?.state, retried?.done, retried?.error], ['waiting', 1, null])
  await jobs.run()
  await assertFinished(id, 3)
})

test('a step that is refused ends the job at once, with the words of the refusal', async () => {
  const id = await jobs.start(3)
  jobs.inStep = (n) => {
    if (n === 1) throw new Failure('bad_request', 'category_id: expected a category of the catalog')
  }
  await jobs.run()
  const { state, error, done } = await jobs.read(id)
  assert.deepEqual(
    { state, error, done },
    { state: 'failed', error: 'category_id: expected a category of the catalog', done: 1 },
  )
  assert.deepEqual(await jobs.notesOf(id), [0], 'what the step had written is rolled back')
})

test('a step that ends its process again and again is given up', async () => {
  const id = await jobs.start(2)
  for (let attempt = 1; attempt <= maxStepAttempts; attempt++) {
    await jobs.run(jobs.runner(dying('before', 0), { most: 1 }))
    assert.equal((await jobs.read(id)).state, 'running')
    jobs.advance(minuteMs)
  }
  jobs.beforeStep = () => {}
  await jobs.run()
  const { state, error } = await jobs.read(id)
  assert.equal(state, 'failed')
  assert.match(error ?? '', /0 of 2 done/)
  await retryJob(jobs.first, id)
  await jobs.run()
  await assertFinished(id, 2)
})

test('jobs take turns, and one that hangs holds up no other', async () => {
  const [long, short] = [await jobs.start(6), await jobs.start(2)]
  await jobs.run(jobs.runner(jobs.first, { most: 1 }))
  const order = await jobs.query<{ n: number }>('select n from noted_steps', [])
  assert.deepEqual(
    order.map(({ n }) => n),
    [0, 0, 1, 1, 2, 3, 4, 5],
  )
  await assertFinished(long, 6)
  await assertFinished(short, 2)

  const gate = Promise.withResolvers<void>()
  const hanging = await jobs.start(1)
  let hasHung = false
  jobs.beforeStep = async () => {
    if (hasHung) return
    hasHung = true
    await gate.promise
  }
  const runner = jobs.runner()
  await runner.turn()
  const other = await jobs.start(3)
  await runner.turn()
  await pollUntil('the other job ends', async () => (await jobs.read(other)).state === 'finished')
  assert.equal((await jobs.read(hanging)).done, 0)
  gate.resolve()
  await runner.idle()
  await assertFinished(hanging, 1)
})

test('a process that stops ends its step, and another one goes on at once', async () => {
  const id = await jobs.start(4)
  const gate = Promise.withResolvers<void>()
  let isWaiting = false
  jobs.beforeStep = async (n) => {
    if (n !== 1) return
    isWaiting = true
    await gate.promise
  }
  const stopping = jobs.runner()
  await stopping.turn()
  await pollUntil('the step waits', () => isWaiting)
  const closed = stopping.close()
  gate.resolve()
  await closed
  assert.equal((await jobs.read(id)).done, 2)
  assert.equal(await stopping.turn(), false)
  await jobs.run(jobs.runner(jobs.second))
  await assertFinished(id, 4)
})

test('jobs of kinds that this process does not know are left to others', async () => {
  const id = await jobs.start(1)
  await jobs.query("update jobs set kind = 'of a later release'", [])
  await jobs.run()
  assert.equal((await jobs.read(id)).state, 'waiting')
})

test('an expired job goes with its file, also the part of a step that was never committed', async () => {
  const kept = await jobs.start(1)
  await jobs.query("update jobs set state = 'running', next_at = 'infinity'", [])
  const id = await jobs.start(3)
  await jobs.run(jobs.runner(dying('inside', 1), { most: 1 }))
  jobs.inStep = () => {}
  jobs.advance(minuteMs)
  await jobs.run()
  await assertFinished(id, 3)
  const files = await jobs.query<{ key: string; size: number | null }>(
    'select key, size from job_files',
    [],
  )
  assert.deepEqual(
    files.map(({ size }) => size).sort(),
    [7, 7, 7, null],
    'three parts and what the killed process had written',
  )
  jobs.advance(7 * dayMs - 1)
  assert.equal(await deleteExpiredJobs(jobs.first), false)
  await assertFinished(id, 3)
  jobs.advance(1)
  // The process dies between the rows and the files.
  const failing = override(jobs.first.files, { remove: dead })
  await assert.rejects(deleteExpiredJobs({ ...jobs.first, files: failing }))
  await assert.rejects(jobs.read(id))
  await deleteExpiredJobs(jobs.second)
  assert.deepEqual(await jobs.query('select key from job_files', []), [])
  for (const { key } of files)
    await assert.rejects(jobs.first.files.read(key, { start: 0, end: 0 }), { code: 'ENOENT' })
  assert.equal((await jobs.read(kept)).state, 'running')
})
