import { Queue, Worker } from 'bullmq'
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
 * A sender on BullMQ, on a Redis of its own: what happened is a job, which becomes a job for each
 * application that is told. What was sent and answered is kept as the delivery's result.
 */
const insertedAtOnce = 1_000
const connection = { host: '127.0.0.1', port: Number(process.env['REDIS_PORT']) }
const kept = { removeOnComplete: false, removeOnFail: false }

const book = new Book()
let happenings: Queue<Happening>
let deliveries: Queue<Delivery>
let setting: Setting

serveSide({
  async prepare(jobs: Jobs, given: Setting) {
    setting = given
    await book.open(jobs)
    happenings = new Queue(`happenings-${jobs.first}`, { connection })
    deliveries = new Queue(`deliveries-${jobs.first}`, { connection })
    for (let n = 0; n < jobs.count; n += insertedAtOnce) {
      const length = Math.min(insertedAtOnce, jobs.count - n)
      const made = Array.from({ length }, (_, index) => ({
        name: 'happening',
        data: happeningOf(jobs, n + index),
        opts: { removeOnComplete: true },
      }))
      await happenings.addBulk(made)
    }
  },
  async go() {
    const atOnce = setting['atOnce'] ?? 1
    const fanOut = new Worker<Happening>(
      happenings.name,
      async ({ data }) => {
        const made = await book.deliveriesOf([data])
        await deliveries.addBulk(made.map((each) => ({ name: 'deliver', data: each, opts: kept })))
      },
      { connection, concurrency: atOnce },
    )
    const sender = new Worker<Delivery>(deliveries.name, ({ data }) => deliver(data), {
      connection,
      concurrency: atOnce,
    })
    for (const worker of [fanOut, sender]) {
      worker.on('error', (error) => process.stderr.write(`BullMQ: ${error}\n`))
      await worker.waitUntilReady()
    }
  },
})
