import { PgBoss } from 'pg-boss'
import type { Jobs } from '../deliver/jobs.ts'
import {
  Book,
  type Delivery,
  deliver,
  type Happening,
  happeningOf,
} from '../deliver/sides/sender.ts'
import { type Setting, serveSide } from '../deliver/sides/serve.ts'

/**
 * A sender on pg-boss, in the same PostgreSQL: what happened is a job, which becomes a job for each
 * application that is told; deliveries are fetched in batches, posted at once, kept in one statement
 * and completed together. The next batch follows without a pause while batches are full.
 */
const insertedAtOnce = 1_000

const book = new Book()
let boss: PgBoss
let happenings: string
let deliveries: string
let setting: Setting

serveSide({
  async prepare(jobs: Jobs, given: Setting) {
    setting = given
    happenings = `happenings-${jobs.first}`
    deliveries = `deliveries-${jobs.first}`
    await book.open(jobs)
    boss = new PgBoss({ connectionString: process.env['DATABASE_URL'] as string })
    boss.on('error', (error) => process.stderr.write(`pg-boss: ${error}\n`))
    await boss.start()
    // Tables of their own, as is advised for large queues.
    await boss.createQueue(happenings, { partition: true })
    await boss.createQueue(deliveries, { partition: true })
    for (let n = 0; n < jobs.count; n += insertedAtOnce) {
      const length = Math.min(insertedAtOnce, jobs.count - n)
      const rows = Array.from({ length }, (_, index) => ({ data: happeningOf(jobs, n + index) }))
      await boss.insert(happenings, rows)
    }
  },
  async go() {
    const often = { pollingIntervalSeconds: 0.5, burstWhenBatchFull: true }
    await boss.work<Happening>(happenings, { ...often, batchSize: 1_000 }, async (batch) => {
      const made = await book.deliveriesOf(batch.map(({ data }) => data))
      await boss.insert(
        deliveries,
        made.map((data) => ({ data })),
      )
    })
    const options = {
      ...often,
      batchSize: setting['batch'] ?? 1,
      localConcurrency: setting['workers'] ?? 1,
    }
    await boss.work<Delivery>(deliveries, options, async (batch) => {
      await book.keep(await Promise.all(batch.map(({ data }) => deliver(data))))
    })
  },
})
