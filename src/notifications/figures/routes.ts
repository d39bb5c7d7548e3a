import { Type } from 'typebox'
import { ok, type Route, route } from '../../http/route.ts'
import { allSites } from '../../http/site-rule.ts'
import { minuteMs, timestamp } from '../../kernel/clock.ts'
import { Id, MapOf, OrNull, Timestamp } from '../../kernel/schema.ts'
import type { Db } from '../../platform/database/database.ts'
import { queueStates } from '../queues/store.ts'
import {
  deliveryMetricsOf,
  deliveryStateOf,
  edgeSampleSize,
  estimateCount,
  exactCountLimit,
  sampleSeqs,
  type WeightedSample,
} from './figures.ts'
import {
  type BucketSpan,
  findOldestWaiting,
  listNotifiedQueues,
  listSampledNotifications,
  listSlowQueues,
  type QueueRow,
  readBucketEdges,
} from './read-model.ts'

/** Limits of an answer: buckets, the applications covered, and slow queues. */
const maxBuckets = 60
const maxApplications = 50
const maxSlowQueues = 10
/** Sampled notifications per bucket, of all applications together. */
const samplesPerBucket = 60

const Count = Type.Integer({ minimum: 0 })
const figures = {
  notifications: Count,
  outcomes: MapOf(Count, {
    examples: [{ accepted: 180, not_200: 2 }],
    description:
      'Number of notifications by the outcome of the latest attempt. `waiting`: before the first attempt. `passed_over`: skipped, because a newer one of the same resource was sent or deliveries were resumed without it',
  }),
  lag_ms: OrNull(
    Type.Object(
      { p50: Type.Number(), p95: Type.Number(), max: Type.Number() },
      {
        description: 'milliseconds from the recorded change to the first attempt',
      },
    ),
  ),
}

const getFigures = route({
  method: 'GET',
  url: '/operator/deliveries/figures',
  scope: 'operator',
  permission: 'deliveries:read',
  sites: allSites,
  tag: 'Operator: deliveries',
  summary: 'Get delivery metrics over time',
  description: `Returns how many notifications were delivered, how late and with what outcome, for the last \`minutes\` (60 by default). Notifications fall into at most ${maxBuckets} buckets of whole minutes by the time of their change; the last bucket is still open. It covers the ${maxApplications} applications that were notified last; \`is_complete\` says whether these are all. Per bucket and application, fewer than ${exactCountLimit} notifications are counted exactly and more are estimated from sequence numbers; outcomes and lag come from a sample. \`slow_queues\` lists the delivery queues with the longest backlog, then those that fail or are stopped.`,
  query: Type.Object({
    minutes: Type.Optional(
      Type.Integer({
        minimum: 10,
        maximum: 1_440,
        description: 'Length of the time span up to now. Default: 60',
      }),
    ),
  }),
  answers: {
    200: Type.Object({
      now: Timestamp,
      bucket_seconds: Type.Integer({ description: 'Length of a bucket' }),
      applications: { ...Count, description: 'Number of applications that are covered' },
      is_complete: Type.Boolean({ description: 'Whether these are all that were notified' }),
      ...figures,
      buckets: Type.Array(Type.Object({ at: Timestamp, ...figures })),
      slow_queues: Type.Array(
        Type.Object({
          application_id: Id,
          application_name: Type.String(),
          state: Type.Enum([...queueStates]),
          waiting: { ...Count, description: 'Notifications before their first attempt' },
          waiting_since: OrNull({
            ...Timestamp,
            description: 'When the oldest of them was recorded. Null if none waits',
          }),
          failures: { ...Count, description: 'Failed attempts in a row' },
          failing_since: OrNull({
            ...Timestamp,
            description: 'Since when every attempt fails. Null if the latest was accepted',
          }),
          rests_until: OrNull({
            ...Timestamp,
            description: 'After failures: until when nothing is sent. Null if it does not rest',
          }),
        }),
      ),
    }),
  },
  async handle({ db, now }, { query }) {
    const at = now()
    const minutes = query.minutes ?? 60
    const bucketMs = Math.ceil(minutes / maxBuckets) * minuteMs
    const buckets = Math.ceil((minutes * minuteMs) / bucketMs)
    const until = (Math.floor(at.getTime() / bucketMs) + 1) * bucketMs
    const from = new Date(until - buckets * bucketMs)
    const [notified, slow] = await Promise.all([
      listNotifiedQueues(db, from, maxApplications + 1),
      listSlowQueues(db, maxSlowQueues),
    ])
    const queues = notified.slice(0, maxApplications)
    const sampleSize = Math.max(4, Math.floor(samplesPerBucket / Math.max(1, queues.length)))
    const span = { from, buckets, bucketMs }
    const [samples, slowQueues] = await Promise.all([
      Promise.all(queues.map((queue) => sampleQueue(db, queue, span, sampleSize))),
      Promise.all(slow.map((queue) => slowView(db, queue, at))),
    ])
    const sample = samples.flat()
    const byBucket = Map.groupBy(sample, ({ bucket }) => bucket)
    return ok({
      now: timestamp(at),
      bucket_seconds: bucketMs / 1_000,
      applications: queues.length,
      is_complete: notified.length <= maxApplications,
      ...deliveryMetricsOf(sample),
      buckets: Array.from({ length: buckets }, (_, n) => ({
        at: timestamp(new Date(from.getTime() + n * bucketMs)),
        ...deliveryMetricsOf(byBucket.get(n) ?? []),
      })),
      slow_queues: slowQueues,
      // Its former name.
      slow_lanes: slowQueues,
    })
  },
})

/** Returns a weighted sample of a queue's notifications in every bucket, at most `sampleSize` in each. */
async function sampleQueue(
  db: Db,
  { applicationId, cursorSeq }: QueueRow,
  span: Omit<BucketSpan, 'applicationId'>,
  sampleSize: number,
): Promise<(WeightedSample & { bucket: number })[]> {
  const buckets = await readBucketEdges(
    db,
    { ...span, applicationId },
    { few: exactCountLimit, ends: edgeSampleSize },
  )
  const samples = buckets.map((received) => ({
    bucket: received.bucket,
    count: estimateCount(received),
    seqs: sampleSeqs(received, sampleSize),
  }))
  const allSeqs = samples.flatMap(({ seqs }) => seqs)
  const notifications = await listSampledNotifications(db, {
    applicationId,
    seqs: allSeqs,
    since: span.from,
  })
  const bySeq = new Map(notifications.map((notification) => [notification.seq, notification]))
  return samples.flatMap(({ bucket, count, seqs }) => {
    const sample = seqs.flatMap((seq) => bySeq.get(seq) ?? [])
    return sample.map(({ seq, outcome, received, firstSent }) => ({
      bucket,
      fate: deliveryStateOf({ seq, outcome }, cursorSeq),
      lagMs: firstSent && Math.max(0, firstSent.getTime() - received.getTime()),
      weight: count / sample.length,
    }))
  })
}

/** Renders a slow delivery queue. `waiting_since` is when its oldest waiting notification was received. */
async function slowView(db: Db, queue: QueueRow, now: Date): Promise<object> {
  const { applicationId, name, state, failures, failingSince, restsUntil } = queue
  const waiting = queue.lastSeq - queue.cursorSeq
  const since = waiting > 0 ? await findOldestWaiting(db, queue) : undefined
  return {
    application_id: applicationId,
    application_name: name,
    state,
    waiting,
    waiting_since: timestamp(since ?? null),
    failures,
    failing_since: timestamp(failingSince),
    rests_until: failures > 0 && restsUntil > now ? timestamp(restsUntil) : null,
  }
}

export const deliveryFiguresAdminRoutes: Route[] = [getFigures]
