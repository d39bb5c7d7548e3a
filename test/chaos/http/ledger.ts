import { setTimeout as pause } from 'node:timers/promises'
import { percentile } from '../../../bench/measure.ts'
import type { Client } from '../../harness/client.ts'
import type { Arrivals } from './arrivals.ts'
import type { Seller } from './market.ts'
import type { Write } from './writes.ts'

export interface Account {
  acknowledged: number
  /** Acknowledged, and not what is stored. */
  lost: number
  /** Stored more often than they were sent. */
  madeTwice: number
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

const lateMs = 1_000
/** After this the effects of a fault must be over, unless its cell says otherwise. */
const usualRecoveryMs = 10_000
const atOnce = 16

/** Compares what was acknowledged with what is stored, and with what a receiver got. */
export async function accountOf(
  client: Client,
  {
    writes,
    arrivals,
    faultEndedAt,
    recoveryBoundMs = usualRecoveryMs,
  }: {
    writes: readonly Write[]
    arrivals: Arrivals
    faultEndedAt: number
    recoveryBoundMs?: number | undefined
  },
): Promise<Account> {
  const done = writes.filter(isAcknowledged)
  const stored = await compareStored(client, writes)
  const firsts = done.map((write) => ({ write, at: arrivalOf(write, arrivals) }))
  const came = firsts.flatMap(({ write, at }) => (at === undefined ? [] : [{ write, at }]))
  const lags = came.map(({ write, at }) => at - write.acknowledgedAt)
  const late = came.filter(({ write, at }) => at - write.acknowledgedAt > lateMs)
  const afterwards = late.filter(
    ({ write }) => write.acknowledgedAt > faultEndedAt + recoveryBoundMs,
  )
  const served = done.find(({ sentAt }) => sentAt > faultEndedAt)
  const unnotified = firsts.filter(({ at }) => at === undefined)
  const once = done.filter(({ kind }) => kind !== 'price')
  return {
    acknowledged: done.length,
    lost: stored.lost.length,
    madeTwice: stored.madeTwice,
    notified: came.length,
    unnotified: unnotified.length,
    late: late.length,
    lateAfterwards: afterwards.length,
    duplicates: once.reduce(
      (sum, write) => sum + Math.max(0, arrivals.of(keyOf(write)).length - 1),
      0,
    ),
    p99Ms: lags.length > 0 ? percentile(lags, 0.99) : 0,
    recoveryMs: Math.max(
      0,
      (served?.acknowledgedAt ?? 0) - faultEndedAt,
      ...late.map(({ at }) => at - faultEndedAt),
    ),
    samples: [
      ...stored.lost.slice(0, 3).map((write) => `lost: ${keyOf(write)} ${write.mark}`),
      ...unnotified.slice(0, 3).map(({ write }) => `not notified: ${keyOf(write)}`),
      ...afterwards.slice(0, 3).map(({ write }) => `late afterwards: ${keyOf(write)}`),
    ],
  }
}

type Acknowledged = Write & { acknowledgedAt: number; resource: string }

function isAcknowledged(write: Write): write is Acknowledged {
  return write.acknowledgedAt !== undefined && write.resource !== undefined
}

const keyOf = ({ seller, resource }: Acknowledged) => `${seller.applicationId} ${resource}`

/** When it was first notified after it was sent: a price has the resource of the one before. */
function arrivalOf(write: Acknowledged, arrivals: Arrivals): number | undefined {
  return arrivals.of(keyOf(write)).find((at) => at >= write.sentAt)
}

/** How many acknowledged writes have not been notified yet. */
export function countUnnotified(writes: readonly Write[], arrivals: Arrivals): number {
  return writes.filter((write) => isAcknowledged(write) && !arrivalOf(write, arrivals)).length
}

const readAgainMs = 250
const mostReads = 120

/** Reads what is stored. An answer 503 says nothing about it, so it is asked for again, for half a minute at most. */
async function read(client: Client, path: string, token: string) {
  for (let times = 1; ; times++) {
    const answer = await client.get(path, token)
    if (answer.status !== 503 || times === mostReads) return answer
    await pause(readAgainMs)
  }
}

async function compareStored(
  client: Client,
  writes: readonly Write[],
): Promise<{ lost: Acknowledged[]; madeTwice: number }> {
  const done = writes.filter(isAcknowledged)
  const lost: Acknowledged[] = []
  const waiting = done.filter(({ kind }) => kind !== 'price')
  const check = async () => {
    for (let write = waiting.pop(); write; write = waiting.pop()) {
      const { status, text } = await read(client, write.resource, write.seller.token)
      const isThere = status === 200 && (write.kind === 'order' || text.includes(write.mark))
      if (!isThere) lost.push(write)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, check))
  let madeTwice = 0
  const bySeller = Map.groupBy(writes, ({ seller }) => seller)
  for (const [seller, sent] of bySeller) {
    madeTwice += await countExtra(client, seller, sent)
    const prices = sent.filter(({ kind }) => kind === 'price')
    const last = prices.filter(isAcknowledged).at(-1)
    const { body } = await read(client, `/items/${seller.itemId}`, seller.token)
    if (last && !(body.price >= Number(last.mark))) lost.push(last)
  }
  return { lost, madeTwice }
}

/** How many orders and questions of a seller are stored beyond those that were sent. */
async function countExtra(
  client: Client,
  { id, itemId, token }: Seller,
  sent: readonly Write[],
): Promise<number> {
  const [orders, questions] = await Promise.all([
    read(client, `/orders/search?seller=${id}&limit=1`, token),
    read(client, `/questions/search?item=${itemId}&limit=1`, token),
  ])
  const countOf = (kind: Write['kind']) => sent.filter((write) => write.kind === kind).length
  return (
    Math.max(0, orders.body.paging.total - countOf('order')) +
    Math.max(0, questions.body.total - countOf('question'))
  )
}
