import { Queue, Worker } from 'bullmq'
import { type DeliveryJobs, jobNotificationBody, jobUrl } from '../deliver/jobs.ts'
import { postBody, type SideSetting, serveSide } from '../deliver/sides/serve.ts'

/** BullMQ on a Redis of its own; completed jobs are kept. */
const insertedAtOnce = 1_000
const connection = { host: '127.0.0.1', port: Number(process.env['REDIS_PORT']) }

let name: string
let setting: SideSetting

serveSide({
  async prepare(jobs: DeliveryJobs, sideSetting: SideSetting) {
    setting = sideSetting
    name = `deliver-${jobs.first}`
    const queue = new Queue(name, { connection })
    for (let n = 0; n < jobs.count; n += insertedAtOnce) {
      const length = Math.min(insertedAtOnce, jobs.count - n)
      const queueJobs = Array.from({ length }, (_, index) => ({
        name: 'notify',
        data: {
          url: jobUrl(jobs, n + index),
          body: jobNotificationBody(jobs, n + index, new Date()),
        },
        opts: { removeOnComplete: false, removeOnFail: false },
      }))
      await queue.addBulk(queueJobs)
    }
    await queue.close()
  },
  async begin() {
    const worker = new Worker<{ url: string; body: string }>(
      name,
      ({ data }) => postBody(data.url, data.body),
      { connection, concurrency: setting['atOnce'] ?? 1 },
    )
    worker.on('error', (error) => process.stderr.write(`BullMQ: ${error}\n`))
    await worker.waitUntilReady()
  },
})
