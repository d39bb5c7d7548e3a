import assert from 'node:assert/strict'
import { afterEach, beforeEach, mock, test } from 'node:test'
import { Overloaded } from '../../kernel/failure.ts'
import { Admission, type AdmissionLimits } from './admission.ts'

beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
afterEach(() => mock.timers.reset())

const turnsOfLoop = 5

/** What was begun of it has gone on as far as it can without a timer. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < turnsOfLoop; turn++) await new Promise(setImmediate)
}

/** Requests that are named after their callers and work until they are finished. */
class Requests {
  readonly started: string[] = []
  readonly refused: string[] = []
  readonly left = new Set<string>()
  readonly observed: string[] = []
  readonly #finish = new Map<string, () => void>()
  readonly #admission: Admission

  constructor(limits: Partial<AdmissionLimits> = {}) {
    this.#admission = new Admission(
      { atOnce: 1, mostWaiting: 10, waitMs: 1_000, ...limits },
      (outcome) => void this.observed.push(outcome),
    )
  }

  async come(...names: string[]): Promise<void> {
    for (const name of names) {
      const claimant = {
        isOperator: name.startsWith('operator'),
        key: name.slice(0, 1),
        hasLeft: () => this.left.has(name),
      }
      const work = () => {
        this.started.push(name)
        return new Promise<void>((resolve) => this.#finish.set(name, resolve))
      }
      this.#admission.run(claimant, work).catch((error: unknown) => {
        assert.ok(error instanceof Overloaded)
        this.refused.push(name)
      })
    }
    await settle()
  }

  async finish(name: string): Promise<void> {
    this.#finish.get(name)?.()
    await settle()
  }

  async finishAll(): Promise<void> {
    for (let done = 0; done < this.started.length; done++) {
      await this.finish(this.started[done] as string)
    }
  }
}

test('so many requests work at a time, and the next one begins when one has ended', async () => {
  const requests = new Requests({ atOnce: 2 })
  await requests.come('a1', 'a2', 'a3')
  assert.deepEqual(requests.started, ['a1', 'a2'])
  await requests.finish('a2')
  assert.deepEqual(requests.started, ['a1', 'a2', 'a3'])
})

test('a place is free again after work that failed', async () => {
  const admission = new Admission({ atOnce: 1, mostWaiting: 1, waitMs: 1_000 }, () => {})
  const claimant = { isOperator: false, key: 'a', hasLeft: () => false }
  const failing = admission.run(claimant, async () => {
    throw new Error('of the work')
  })
  await assert.rejects(failing, /of the work/)
  assert.equal(await admission.run(claimant, async () => 'done'), 'done')
})

test('a caller with one request waits for no more than one of each other caller', async () => {
  const requests = new Requests()
  await requests.come('a1', 'a2', 'a3', 'a4', 'b1')
  await requests.finishAll()
  assert.deepEqual(requests.started, ['a1', 'a2', 'b1', 'a3', 'a4'])
})

test("the operator's requests take every other turn", async () => {
  const requests = new Requests()
  await requests.come('x', 'a1', 'b1', 'c1', 'operator1', 'operator2')
  await requests.finishAll()
  assert.deepEqual(requests.started, ['x', 'operator1', 'a1', 'operator2', 'b1', 'c1'])
})

test('a request that has waited for its time is refused, and gets no turn any more', async () => {
  const requests = new Requests({ waitMs: 1_000 })
  await requests.come('a1', 'a2')
  mock.timers.tick(999)
  await requests.come('a3')
  mock.timers.tick(1)
  await settle()
  assert.deepEqual(requests.refused, ['a2'])
  await requests.finishAll()
  assert.deepEqual(requests.started, ['a1', 'a3'])
  assert.deepEqual(requests.observed, ['refused', 'admitted'])
})

test('when as many wait as may, the newest of the caller with the most is refused', async () => {
  const requests = new Requests({ mostWaiting: 3 })
  await requests.come('x', 'a1', 'a2', 'a3', 'a4')
  assert.deepEqual(requests.refused, ['a4'])
  await requests.come('b1')
  assert.deepEqual(requests.refused, ['a4', 'a3'])
  await requests.come('operator1')
  assert.deepEqual(requests.refused, ['a4', 'a3'])
  await requests.finishAll()
  assert.deepEqual(requests.started, ['x', 'operator1', 'a1', 'b1', 'a2'])
  // What was refused at once keeps no timer that would refuse it again.
  mock.timers.tick(10_000)
  await settle()
  assert.deepEqual(requests.refused, ['a4', 'a3'])
})

test('nothing is done for a caller who has left', async () => {
  const requests = new Requests()
  await requests.come('a1', 'b1', 'c1')
  requests.left.add('b1')
  await requests.finishAll()
  assert.deepEqual(requests.started, ['a1', 'c1'])
})
