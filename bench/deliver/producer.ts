import { setTimeout as pause } from 'node:timers/promises'
import { recordChanges } from '../../src/changes/record.ts'
import { BenchSandbox, changeOfJob } from './bench-sandbox.ts'
import { monotonicMs } from './clock.ts'
import type { DeliveryJobs } from './jobs.ts'

/**
 * Makes things happen at a steady rate, whatever becomes of them: each transaction begins when it is
 * due, not when the one before is over. Or, without a rate, as fast as they are told: no more than
 * `ahead` of them wait.
 */
export interface ProducerPlan {
  databaseUrl: string
  /** `jobs.count` of them at most. */
  jobs: DeliveryJobs
  sellerIds: readonly number[]
  perSecond: number | null
}

/** Numbers of changes with when they were committed, on `monotonicMs`; and of those of which the
 * answer to the commit was lost, so that they may have happened. */
export interface ProducerResult {
  say: 'produced'
  committed: [n: number, at: number][]
  unsure: number[]
}

export type ProducerMessage = ProducerResult | { say: 'ready' } | { say: 'began'; at: number }

/** Changes that one transaction records, as a change of an order does. */
const changesPerTransaction = 2
/** Without a rate: how many may wait to be told, and how many transactions run at a time. */
const maxUndelivered = 2_000
const transactionsAtOnce = 8
/** How late it may be before it gives up what it was to do: it shall not make up for an outage. */
const maxLatenessMs = 1_000

process.once('message', async (plan: ProducerPlan) => {
  const world = await BenchSandbox.open(plan.databaseUrl)
  const produced: ProducerResult = { say: 'produced', committed: [], unsure: [] }
  let stopped = false
  const disconnected = new Promise<void>((resolve) => process.once('disconnect', resolve))
  void disconnected.then(() => {
    stopped = true
  })
  let received = 0
  process.on('message', (word: string | { received: number }) => {
    if (word === 'stop') stopped = true
    if (typeof word === 'object') ({ received } = word)
  })
  process.send?.({ say: 'ready' } satisfies ProducerMessage)
  await new Promise<void>((resolve) => {
    process.on('message', (word: string) => word === 'go' && resolve())
  })
  const { jobs, sellerIds, perSecond } = plan
  const beganAt = monotonicMs()
  process.send?.({ say: 'began', at: beganAt } satisfies ProducerMessage)
  const under = new Set<Promise<void>>()
  const recordBatch = async (from: number) => {
    const { db, now } = world.ctx
    const numbers = Array.from({ length: changesPerTransaction }, (_, index) => from + index)
    const changes = numbers.map((n) => changeOfJob(jobs, { n, sellerIds, at: now() }))
    let hasStarted = false
    try {
      await db.transaction((tx) => {
        hasStarted = true
        recordChanges(tx, changes)
      })
      const at = monotonicMs()
      for (const n of numbers) produced.committed.push([n, at])
    } catch {
      if (hasStarted) produced.unsure.push(...numbers)
    }
  }
  for (let n = 0; n + changesPerTransaction <= jobs.count && !stopped; n += changesPerTransaction) {
    if (perSecond === null) {
      while (!stopped && (n - received > maxUndelivered || under.size >= transactionsAtOnce))
        await pause(1)
    } else {
      const wait = beganAt + (n / perSecond) * 1_000 - monotonicMs()
      if (wait > 1) await pause(wait)
      else if (-wait > maxLatenessMs || under.size > 500) continue
    }
    const one = recordBatch(n).finally(() => under.delete(one))
    under.add(one)
  }
  await Promise.all(under)
  // A process that ends takes with it what its parent has not read yet.
  if (process.connected) process.send?.(produced)
  await disconnected
  await world.close()
  process.exit(0)
})
