import { Queue, Worker } from 'bullmq'
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
 * A sender on BullMQ, on a Redis of its own: what happened is a job, which becomes a job for each
 * application that is told. What was sent and answered is kept as the delivery's result.
 */
const insertedAtOnce = 1_000
const connection = { host: '127.0.0.1', port: Number(process.env['REDIS_PORT']) }
const retention = { removeOnComplete: false, removeOnFail: false }

const store = new SenderStore()
let changeEventQueue: Queue<ChangeEvent>
let deliveryQueue: Queue<OutboundDelivery>
let setting: SideSetting

serveSide({
  async prepare(jobs: DeliveryJobs, sideSetting: SideSetting) {
    setting = sideSetting
    await store.open(jobs)
    changeEventQueue = new Queue(`happenings-${jobs.first}`, { connection })
    deliveryQueue = new Queue(`deliveries-${jobs.first}`, { connection })
    for (let n = 0; n < jobs.count; n += insertedAtOnce) {
      const length = Math.min(insertedAtOnce, jobs.count - n)
      const queueJobs = Array.from({ length }, (_, index) => ({
        name: 'happening',
        data: changeEventOf(jobs, n + index),
        opts: { removeOnComplete: true },
      }))
      await changeEventQueue.addBulk(queueJobs)
    }
  },
  async begin() {
    const atOnce = setting['atOnce'] ?? 1
    const fanOut = new Worker<ChangeEvent>(
      changeEventQueue.name,
      async ({ data }) => {
        const deliveries = await store.deliveriesOf([data])
        await deliveryQueue.addBulk(
          deliveries.map((each) => ({ name: 'deliver', data: each, opts: retention })),
        )
      },
      { connection, concurrency: atOnce },
    )
    const sender = new Worker<OutboundDelivery>(
      deliveryQueue.name,
      ({ data }) => sendSigned(data),
      {
        connection,
        concurrency: atOnce,
      },
    )
    for (const worker of [fanOut, sender]) {
      worker.on('error', (error) => process.stderr.write(`BullMQ: ${error}\n`))
      await worker.waitUntilReady()
    }
  },
})
