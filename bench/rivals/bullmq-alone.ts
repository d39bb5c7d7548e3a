import { Queue, Worker } from 'bullmq'
import { bodyOf, type Jobs, urlOf } from '../deliver/jobs.ts'
import { post, type Setting, serveSide } from '../deliver/sides/serve.ts'

/** BullMQ on a Redis of its own; completed jobs are kept. */
const insertedAtOnce = 1_000
const connection = { host: '127.0.0.1', port: Number(process.env['REDIS_PORT']) }

let name: string
let setting: Setting

serveSide({
  async prepare(jobs: Jobs, given: Setting) {
    setting = given
    name = `deliver-${jobs.first}`
    const queue = new Queue(name, { connection })
    for (let n = 0; n < jobs.count; n += insertedAtOnce) {
      const length = Math.min(insertedAtOnce, jobs.count - n)
      const made = Array.from({ length }, (_, index) => ({
        name: 'notify',
        data: { url: urlOf(jobs, n + index), body: bodyOf(jobs, n + index, new Date()) },
        opts: { removeOnComplete: false, removeOnFail: false },
      }))
      await queue.addBulk(made)
    }
    await queue.close()
  },
  async go() {
    const worker = new Worker<{ url: string; body: string }>(
      name,
      ({ data }) => post(data.url, data.body),
      { connection, concurrency: setting['atOnce'] ?? 1 },
    )
    worker.on('error', (error) => process.stderr.write(`BullMQ: ${error}\n`))
    await worker.waitUntilReady()
  },
})
