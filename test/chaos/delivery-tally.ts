import type { ReceivedRequest } from '../../bench/deliver/callbacks.ts'
import { type DeliveryJobs, jobResource } from '../../bench/deliver/jobs.ts'
import type { ProducerResult } from '../../bench/deliver/producer.ts'
import { percentile } from '../../bench/measure.ts'

/** What must have come to whom in the end, and what came. */
export interface DeliveryLedger {
  jobs: DeliveryJobs
  produced: ProducerResult
  receivedRequests: readonly ReceivedRequest[]
  /** What was parked before, and must have come as well. */
  parked: DeliveryJobs | undefined
}

export interface DeliveryTally {
  sent: number
  received: number
  /** Committed, but never accepted by the one it was for. */
  lost: number
  /** Some of those: application and resource. */
  lostSamples: string[]
  /** Accepted again. */
  duplicates: number
}

export function tallyDeliveries({
  jobs,
  produced,
  receivedRequests,
  parked,
}: DeliveryLedger): DeliveryTally {
  const accepted = new Map<string, number>()
  for (const { path, resource, status } of receivedRequests) {
    if (status !== 200) continue
    const key = `${path} ${resource}`
    accepted.set(key, (accepted.get(key) ?? 0) + 1)
  }
  const account: DeliveryTally = { sent: 0, received: 0, lost: 0, lostSamples: [], duplicates: 0 }
  const keyOf = (of: DeliveryJobs, n: number) => `/${n % of.urls.length} ${jobResource(of, n)}`
  const take = (of: DeliveryJobs, n: number, certain: boolean) => {
    const times = accepted.get(keyOf(of, n)) ?? 0
    accepted.delete(keyOf(of, n))
    if (times > 0) account.received++
    if (certain || times > 0) account.sent++
    if (certain && times === 0) account.lost++
    if (certain && times === 0 && account.lostSamples.length < 5)
      account.lostSamples.push(keyOf(of, n))
    account.duplicates += Math.max(0, times - 1)
  }
  for (const [n] of produced.committed) take(jobs, n, true)
  for (const n of produced.unsure) take(jobs, n, false)
  for (let n = 0; n < (parked?.count ?? 0); n++) take(parked as DeliveryJobs, n, true)
  // What a cell before has had may come once more; what nobody recorded may not.
  const first = parked?.first ?? jobs.first
  const strange = [...accepted.keys()].filter((key) => Number(key.split('/').at(-1)) >= first)
  if (strange.length > 0) throw new Error(`nobody recorded ${strange.length} such as ${strange[0]}`)
  return account
}

export interface TimeWindow {
  from: number
  to: number
}

/** What was first accepted within a window, a second, and how soon: of what happened in it. */
export function deliveryPace(
  { jobs, produced, receivedRequests }: DeliveryLedger,
  { from, to }: TimeWindow,
): { perSecond: number; p99: number } {
  const firstAt = new Map<string, number>()
  for (const { resource, at, status } of receivedRequests) {
    if (status === 200 && !firstAt.has(resource)) firstAt.set(resource, at)
  }
  const isWithin = (at: number) => at >= from && at < to
  const lags: number[] = []
  let arrived = 0
  for (const [n, at] of produced.committed) {
    const first = firstAt.get(jobResource(jobs, n))
    if (first === undefined) continue
    if (isWithin(first)) arrived++
    if (isWithin(at)) lags.push(first - at)
  }
  return { perSecond: (arrived / (to - from)) * 1_000, p99: percentile(lags, 0.99) }
}
