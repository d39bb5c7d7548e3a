import { PgBoss } from 'pg-boss'
import type { DeliveryJobs } from '../deliver/jobs.ts'
import {
  type ChangeEvent,
  changeEventOf,
  type OutboundDelivery,
  SenderStore,
  sendSigned,
} from '../deliver/sides/sender.ts'
import { type SideSetting, serveSide } from '../deliver/sides/serve.ts'

/**
 * A sender on pg-boss, in the same PostgreSQL: what happened is a job, which becomes a job for each
 * application that is told; deliveries are fetched in batches, posted at once, kept in one statement
 * and completed together. The next batch follows without a pause while batches are full.
 */
const insertedAtOnce = 1_000

const store = new SenderStore()
let boss: PgBoss
let changeEventQueue: string
let deliveryQueue: string
let setting: SideSetting

serveSide({
  async prepare(jobs: DeliveryJobs, sideSetting: SideSetting) {
    setting = sideSetting
    changeEventQueue = `happenings-${jobs.first}`
    deliveryQueue = `deliveries-${jobs.first}`
    await store.open(jobs)
    boss = new PgBoss({ connectionString: process.env['DATABASE_URL'] as string })
    boss.on('error', (error) => process.stderr.write(`pg-boss: ${error}\n`))
    await boss.start()
    // Tables of their own, as is advised for large queues.
    await boss.createQueue(changeEventQueue, { partition: true })
    await boss.createQueue(deliveryQueue, { partition: true })
    for (let n = 0; n < jobs.count; n += insertedAtOnce) {
      const length = Math.min(insertedAtOnce, jobs.count - n)
      const rows = Array.from({ length }, (_, index) => ({ data: changeEventOf(jobs, n + index) }))
      await boss.insert(changeEventQueue, rows)
    }
  },
  async begin() {
    const often = { pollingIntervalSeconds: 0.5, burstWhenBatchFull: true }
    await boss.work<ChangeEvent>(
      changeEventQueue,
      { ...often, batchSize: 1_000 },
      async (batch) => {
        const deliveries = await store.deliveriesOf(batch.map(({ data }) => data))
        await boss.insert(
          deliveryQueue,
          deliveries.map((data) => ({ data })),
        )
      },
    )
    const options = {
      ...often,
      batchSize: setting['batch'] ?? 1,
      localConcurrency: setting['workers'] ?? 1,
    }
    await boss.work<OutboundDelivery>(deliveryQueue, options, async (batch) => {
      await store.saveDeliveries(await Promise.all(batch.map(({ data }) => sendSigned(data))))
    })
  },
})
