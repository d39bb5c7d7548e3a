import { Type } from 'typebox'
import { ok, type Route, route } from '../../http/route.ts'
import { minuteMs, timestamp } from '../../kernel/clock.ts'
import { Id, OrNull, Timestamp } from '../../kernel/schema.ts'
import type { Db } from '../../platform/database/database.ts'
import { queueStates } from '../queues/store.ts'
import { countOf, ends, fateOf, few, figuresOf, sampleOf, type Weighed } from './figures.ts'
import {
  findOldestWaiting,
  listDeliveries,
  listSeen,
  listSlow,
  lookInto,
  type QueueRow,
  type Span,
} from './store.ts'

const mostBuckets = 60
const mostApplications = 50
const mostSlow = 10
/** So many of a bucket are looked at more closely, of all applications together. */
const sampled = 60

const Count = Type.Integer({ minimum: 0 })
const figures = {
  notifications: Count,
  outcomes: Type.Object(
    {},
    {
      description:
        'how many by the outcome of the latest attempt, or `waiting` for the first, or `passed_over`',
    },
  ),
  lag_ms: OrNull(
    Type.Object(
      { p50: Type.Number(), p95: Type.Number(), max: Type.Number() },
      {
        description: 'from what was recorded to the first attempt',
      },
    ),
  ),
}

const getFigures = route({
  method: 'GET',
  url: '/operator/deliveries/figures',
  scope: 'operator',
  tag: 'Operator: deliveries',
  summary: 'Deliveries over time: how many, how late, what came of them, and which lanes are slow',
  description: `By the moment at which what they tell of was recorded, in at most ${mostBuckets} buckets of whole minutes; the last one is not over yet. Of the ${mostApplications} applications that were told last; \`is_complete\` says whether these are all. Up to ${few} in a bucket of one application are counted one by one, more are told by their numbers; outcomes and lag are those of a sample. \`slow_lanes\`: behind which most waits, then those that fail or stand still.`,
  query: Type.Object({
    minutes: Type.Optional(Type.Integer({ minimum: 10, maximum: 1_440 })),
  }),
  answers: {
    200: Type.Object({
      now: Timestamp,
      bucket_seconds: Type.Integer(),
      applications: Count,
      is_complete: Type.Boolean(),
      ...figures,
      buckets: Type.Array(Type.Object({ at: Timestamp, ...figures })),
      slow_lanes: Type.Array(
        Type.Object({
          application_id: Id,
          application_name: Type.String(),
          state: Type.Enum([...queueStates]),
          waiting: Count,
          waiting_since: OrNull(Timestamp),
          failures: Count,
          failing_since: OrNull(Timestamp),
          rests_until: OrNull(Timestamp),
        }),
      ),
    }),
  },
  async handle({ db, now }, { query }) {
    const at = now()
    const minutes = query.minutes ?? 60
    const bucketMs = Math.ceil(minutes / mostBuckets) * minuteMs
    const buckets = Math.ceil((minutes * minuteMs) / bucketMs)
    const until = (Math.floor(at.getTime() / bucketMs) + 1) * bucketMs
    const from = new Date(until - buckets * bucketMs)
    const [told, slow] = await Promise.all([
      listDeliveries(db, from, mostApplications + 1),
      listSlow(db, mostSlow),
    ])
    const queues = told.slice(0, mostApplications)
    const each = Math.max(4, Math.floor(sampled / Math.max(1, queues.length)))
    const [seen, slowQueues] = await Promise.all([
      Promise.all(queues.map((queue) => seenIn(db, queue, { from, buckets, bucketMs }, each))),
      Promise.all(slow.map((queue) => slowView(db, queue, at))),
    ])
    const ofBucket = Map.groupBy(seen.flat(), ({ bucket }) => bucket)
    return ok({
      now: timestamp(at),
      bucket_seconds: bucketMs / 1_000,
      applications: queues.length,
      is_complete: told.length <= mostApplications,
      ...figuresOf(seen.flat()),
      buckets: Array.from({ length: buckets }, (_, n) => ({
        at: timestamp(new Date(from.getTime() + n * bucketMs)),
        ...figuresOf(ofBucket.get(n) ?? []),
      })),
      slow_lanes: slowQueues,
    })
  },
})

/** A sample of what a lane was told, bucket by bucket. */
async function seenIn(
  db: Db,
  { applicationId, cursorSeq }: QueueRow,
  span: Omit<Span, 'applicationId'>,
  most: number,
): Promise<(Weighed & { bucket: number })[]> {
  const received = await lookInto(db, { ...span, applicationId }, { few, ends })
  const samples = received.map((each) => ({
    bucket: each.bucket,
    count: countOf(each),
    seqs: sampleOf(each, most),
  }))
  const seqs = samples.flatMap((sample) => sample.seqs)
  const seen = await listSeen(db, { applicationId, seqs, since: span.from })
  const bySeq = new Map(seen.map((each) => [each.seq, each]))
  return samples.flatMap(({ bucket, count, seqs: own }) => {
    const mine = own.flatMap((seq) => bySeq.get(seq) ?? [])
    return mine.map((each) => ({
      bucket,
      fate: fateOf(each, cursorSeq),
      lagMs: each.firstSent && Math.max(0, each.firstSent.getTime() - each.received.getTime()),
      weight: count / mine.length,
    }))
  })
}

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
