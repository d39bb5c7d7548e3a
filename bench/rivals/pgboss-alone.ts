import { PgBoss } from 'pg-boss'
import { type DeliveryJobs, jobNotificationBody, jobUrl } from '../deliver/jobs.ts'
import { postBody, type SideSetting, serveSide } from '../deliver/sides/serve.ts'

/**
 * pg-boss on the same PostgreSQL: jobs fetched in batches, a batch posted at once and then completed
 * together, the next one fetched without a pause while batches are full. Completed jobs are kept (its
 * usual seven days).
 */
const insertedAtOnce = 1_000

let boss: PgBoss
let queue: string
let setting: SideSetting

serveSide({
  async prepare(jobs: DeliveryJobs, sideSetting: SideSetting) {
    setting = sideSetting
    queue = `deliver-${jobs.first}`
    boss = new PgBoss({ connectionString: process.env['DATABASE_URL'] as string })
    boss.on('error', (error) => process.stderr.write(`pg-boss: ${error}\n`))
    await boss.start()
    // A table of its own, as is advised for large queues.
    await boss.createQueue(queue, { partition: true })
    for (let n = 0; n < jobs.count; n += insertedAtOnce) {
      const length = Math.min(insertedAtOnce, jobs.count - n)
      const rows = Array.from({ length }, (_, index) => ({
        data: {
          url: jobUrl(jobs, n + index),
          body: jobNotificationBody(jobs, n + index, new Date()),
        },
      }))
      await boss.insert(queue, rows)
    }
  },
  async begin() {
    const options = {
      batchSize: setting['batch'] ?? 1,
      localConcurrency: setting['workers'] ?? 1,
      pollingIntervalSeconds: 0.5,
      burstWhenBatchFull: true,
    }
    await boss.work<{ url: string; body: string }>(queue, options, async (batch) => {
      await Promise.all(batch.map(({ data }) => postBody(data.url, data.body)))
    })
  },
})
