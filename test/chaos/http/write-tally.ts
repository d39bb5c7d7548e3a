import { setTimeout as pause } from 'node:timers/promises'
import { percentile } from '../../../bench/measure.ts'
import type { TestClient } from '../../harness/client.ts'
import type { NotificationArrivals } from './arrivals.ts'
import type { ChaosSeller } from './market.ts'
import type { TrackedWrite } from './writes.ts'

export interface WriteTally {
  acknowledged: number
  /** Acknowledged, and not what is stored. */
  lost: number
  /** Stored more often than they were sent. */
  duplicateWrites: number
  notified: number
  /** Acknowledged, and no notification came after the write was sent. */
  unnotified: number
  /** Notified more than a second after they were acknowledged. */
  late: number
  /** The same among those that were acknowledged once the fault was over and its recovery was due. */
  lateAfterwards: number
  /** Notifications of orders and questions that came again. */
  duplicates: number
  p99Ms: number
  /** From the end of the fault until a new write was acknowledged, and nothing came late any more. */
  recoveryMs: number
  /** A few of the writes that something is wrong with. */
  samples: string[]
}

const lateAfterMs = 1_000
/** After this the effects of a fault must be over, unless its cell says otherwise. */
const defaultRecoveryMs = 10_000
const maxConcurrentReads = 16

/** Compares what was acknowledged with what is stored, and with what a receiver got. */
export async function tallyWrites(
  client: TestClient,
  {
    writes,
    arrivals,
    faultEndedAt,
    recoveryBoundMs = defaultRecoveryMs,
  }: {
    writes: readonly TrackedWrite[]
    arrivals: NotificationArrivals
    faultEndedAt: number
    recoveryBoundMs?: number | undefined
  },
): Promise<WriteTally> {
  const done = writes.filter(isAcknowledged)
  const stored = await compareStored(client, writes)
  const firsts = done.map((write) => ({ write, at: firstArrivalOf(write, arrivals) }))
  const arrived = firsts.flatMap(({ write, at }) => (at === undefined ? [] : [{ write, at }]))
  const lags = arrived.map(({ write, at }) => at - write.acknowledgedAt)
  const late = arrived.filter(({ write, at }) => at - write.acknowledgedAt > lateAfterMs)
  const afterwards = late.filter(
    ({ write }) => write.acknowledgedAt > faultEndedAt + recoveryBoundMs,
  )
  const served = done.find(({ sentAt }) => sentAt > faultEndedAt)
  const unnotified = firsts.filter(({ at }) => at === undefined)
  const once = done.filter(({ kind }) => kind !== 'price')
  return {
    acknowledged: done.length,
    lost: stored.lost.length,
    duplicateWrites: stored.madeTwice,
    notified: arrived.length,
    unnotified: unnotified.length,
    late: late.length,
    lateAfterwards: afterwards.length,
    duplicates: once.reduce(
      (sum, write) => sum + Math.max(0, arrivals.timesOf(arrivalKeyOf(write)).length - 1),
      0,
    ),
    p99Ms: lags.length > 0 ? percentile(lags, 0.99) : 0,
    recoveryMs: Math.max(
      0,
      (served?.acknowledgedAt ?? 0) - faultEndedAt,
      ...late.map(({ at }) => at - faultEndedAt),
    ),
    samples: [
      ...stored.lost.slice(0, 3).map((write) => `lost: ${arrivalKeyOf(write)} ${write.marker}`),
      ...unnotified.slice(0, 3).map(({ write }) => `not notified: ${arrivalKeyOf(write)}`),
      ...afterwards.slice(0, 3).map(({ write }) => `late afterwards: ${arrivalKeyOf(write)}`),
    ],
  }
}

type AcknowledgedWrite = TrackedWrite & { acknowledgedAt: number; resource: string }

function isAcknowledged(write: TrackedWrite): write is AcknowledgedWrite {
  return write.acknowledgedAt !== undefined && write.resource !== undefined
}

const arrivalKeyOf = ({ seller, resource }: AcknowledgedWrite) =>
  `${seller.applicationId} ${resource}`

/** When it was first notified after it was sent: a price has the resource of the one before. */
function firstArrivalOf(
  write: AcknowledgedWrite,
  arrivals: NotificationArrivals,
): number | undefined {
  return arrivals.timesOf(arrivalKeyOf(write)).find((at) => at >= write.sentAt)
}

/** How many acknowledged writes have not been notified yet. */
export function countUnnotified(
  writes: readonly TrackedWrite[],
  arrivals: NotificationArrivals,
): number {
  return writes.filter((write) => isAcknowledged(write) && !firstArrivalOf(write, arrivals)).length
}

const readAgainMs = 250
const maxReads = 120

/** Reads what is stored. An answer 503 says nothing about it, so it is asked for again, for half a minute at most. */
async function readStored(client: TestClient, path: string, token: string) {
  for (let times = 1; ; times++) {
    const answer = await client.get(path, token)
    if (answer.status !== 503 || times === maxReads) return answer
    await pause(readAgainMs)
  }
}

async function compareStored(
  client: TestClient,
  writes: readonly TrackedWrite[],
): Promise<{ lost: AcknowledgedWrite[]; madeTwice: number }> {
  const done = writes.filter(isAcknowledged)
  const lost: AcknowledgedWrite[] = []
  const waiting = done.filter(({ kind }) => kind !== 'price')
  const check = async () => {
    for (let write = waiting.pop(); write; write = waiting.pop()) {
      const { status, text } = await readStored(client, write.resource, write.seller.token)
      const isThere = status === 200 && (write.kind === 'order' || text.includes(write.marker))
      if (!isThere) lost.push(write)
    }
  }
  await Promise.all(Array.from({ length: maxConcurrentReads }, check))
  let madeTwice = 0
  const bySeller = Map.groupBy(writes, ({ seller }) => seller)
  for (const [seller, sent] of bySeller) {
    madeTwice += await countExtra(client, seller, sent)
    const prices = sent.filter(({ kind }) => kind === 'price')
    const last = prices.filter(isAcknowledged).at(-1)
    const { body } = await readStored(client, `/items/${seller.itemId}`, seller.token)
    if (last && !(body.price >= Number(last.marker))) lost.push(last)
  }
  return { lost, madeTwice }
}

/** How many orders and questions of a seller are stored beyond those that were sent. */
async function countExtra(
  client: TestClient,
  { id, itemId, token }: ChaosSeller,
  sent: readonly TrackedWrite[],
): Promise<number> {
  const [orders, questions] = await Promise.all([
    readStored(client, `/orders/search?seller=${id}&limit=1`, token),
    readStored(client, `/questions/search?item=${itemId}&limit=1`, token),
  ])
  const countOf = (kind: TrackedWrite['kind']) => sent.filter((write) => write.kind === kind).length
  return (
    Math.max(0, orders.body.paging.total - countOf('order')) +
    Math.max(0, questions.body.total - countOf('question'))
  )
}
