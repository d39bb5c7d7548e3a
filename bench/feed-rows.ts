import { dayMs } from '../src/kernel/clock.ts'
import type { CopyValue } from '../src/platform/database/copy.ts'
import type { Database } from '../src/platform/database/database.ts'

/** A feed that has been filled at a steady rate for thirty days. */
export interface BenchFeed {
  entries: number
  applicationId: number
  userId: number
  end: Date
}

const days = 30
const rareEvery = 1_000
const daysAtOnce = 2

const startOf = ({ end }: BenchFeed) => end.getTime() - days * dayMs
const momentOf = (feed: BenchFeed, seq: number) =>
  new Date(startOf(feed) + Math.floor((seq / feed.entries) * days * dayMs))

/** A moment of each day that it touches, the first one first. */
export function feedDays(feed: BenchFeed): Date[] {
  const first = Math.floor(startOf(feed) / dayMs)
  const last = Math.floor(feed.end.getTime() / dayMs)
  return Array.from({ length: last - first + 1 }, (_, n) => new Date((first + n) * dayMs))
}

/** Copies all of it straight into the parts of its days. */
export async function copyFeed(db: Database, feed: BenchFeed): Promise<void> {
  const queue = feedDays(feed)
  const copier = async () => {
    for (let day = queue.shift(); day; day = queue.shift()) await copyDay(db, feed, day)
  }
  await Promise.all(Array.from({ length: daysAtOnce }, copier))
  const { applicationId, entries, end } = feed
  await db.bulk(async (tx) => {
    await tx.copy({ table: 'unaccepted', columns: pendingRetriesColumns }, lostRows(feed))
    const columns = ['application_id', 'last_seq', 'last_at', 'cursor_seq', 'cursor_at']
    const row = [applicationId, entries, end, entries, end, 0, end]
    await tx.copy({ table: 'lanes', columns: [...columns, 'fence', 'rests_until'] }, [row])
  })
}

async function copyDay(db: Database, feed: BenchFeed, day: Date): Promise<void> {
  const suffix = day.toISOString().slice(0, 10).replaceAll('-', '')
  const seqs = () => seqsOf(feed, day)
  await db.bulk(async (tx) => {
    const into = { table: `notifications_${suffix}`, columns: notificationColumns }
    await tx.copy(
      into,
      mapped(seqs(), (seq) => notificationRow(feed, seq)),
    )
    const attempts = { table: `attempts_${suffix}`, columns: attemptColumns }
    await tx.copy(
      attempts,
      mapped(seqs(), (seq) => attemptRow(feed, seq)),
    )
  })
}

/** Those that were filed on that day. */
function* seqsOf(feed: BenchFeed, day: Date): Generator<number> {
  const perMs = feed.entries / (days * dayMs)
  const from = Math.max(1, Math.floor((day.getTime() - startOf(feed)) * perMs) - 1)
  for (let seq = from; seq <= feed.entries; seq++) {
    const at = momentOf(feed, seq).getTime()
    if (at >= day.getTime() + dayMs) return
    if (at >= day.getTime()) yield seq
  }
}

function* mapped<T>(values: Iterable<number>, row: (value: number) => T): Generator<T> {
  for (const value of values) yield row(value)
}

const isLost = (seq: number) => seq % rareEvery === 0
const idOf = (seq: number) => seq.toString(16).padStart(24, '0')
const resourceOf = (seq: number) => `/orders/${2_000_000_000 + seq}`

const notificationColumns = [
  'application_id',
  'seq',
  'fanned_at',
  'id',
  'user_id',
  'topic',
  'resource',
  'received',
]

function notificationRow(feed: BenchFeed, seq: number): CopyValue[] {
  const at = momentOf(feed, seq)
  const { applicationId, userId } = feed
  return [applicationId, seq, at, idOf(seq), userId, 'orders_v2', resourceOf(seq), at]
}

const attemptColumns = [
  'application_id',
  'seq',
  'attempt',
  'sent',
  'outcome',
  'url',
  'request_headers',
  'request_body',
  'req_time_ms',
  'http_code',
  'response_headers',
  'response_body',
]

const answerHeaders =
  '{"content-type":"text/plain","content-length":"2","date":"Sat, 21 Nov 2026 12:00:00 GMT","connection":"keep-alive"}'

function attemptRow(feed: BenchFeed, seq: number): CopyValue[] {
  const { applicationId, userId } = feed
  const sent = momentOf(feed, seq)
  const time = sent.toISOString()
  const body = `{"_id":"${idOf(seq)}","resource":"${resourceOf(seq)}","user_id":${userId},"topic":"orders_v2","application_id":${applicationId},"attempts":1,"sent":"${time}","received":"${time}"}`
  const headers = `{"accept":"application/json","content-type":"application/json","content-length":"${body.length}","webhook-id":"${idOf(seq)}","webhook-timestamp":"${Math.floor(sent.getTime() / 1000)}","webhook-signature":"v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=","x-feria-sequence":"${seq}"}`
  return [
    applicationId,
    seq,
    1,
    sent,
    isLost(seq) ? 'not_200' : 'accepted',
    'https://integrator.example/callback',
    headers,
    body,
    12,
    isLost(seq) ? 500 : 200,
    answerHeaders,
    'ok',
  ]
}

const pendingRetriesColumns = [
  'application_id',
  'seq',
  'id',
  'user_id',
  'topic',
  'resource',
  'received',
  'attempts',
  'due',
]

function* lostRows(feed: BenchFeed): Generator<CopyValue[]> {
  const { applicationId, userId, entries } = feed
  for (let seq = rareEvery; seq <= entries; seq += rareEvery) {
    const at = momentOf(feed, seq)
    yield [applicationId, seq, idOf(seq), userId, 'orders_v2', resourceOf(seq), at, 5, null]
  }
}
