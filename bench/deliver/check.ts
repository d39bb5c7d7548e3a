import type { ReceivedRequest } from './callbacks.ts'
import { type DeliveryJobs, jobResource, jobUrl } from './jobs.ts'

export interface DeliveryCheck {
  received: number
  /** Never came. */
  lost: number
  /** Came again. */
  duplicates: number
}

/** Holds what came against what was to come: every one, each to its own application. */
export function checkDeliveries(
  jobs: DeliveryJobs,
  receivedRequests: readonly ReceivedRequest[],
): DeliveryCheck {
  const counts = new Map<string, number>()
  for (const { path, resource } of receivedRequests) {
    const key = `${path} ${resource}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  let lost = 0
  let duplicates = 0
  for (let n = 0; n < jobs.count; n++) {
    const key = `${new URL(jobUrl(jobs, n)).pathname} ${jobResource(jobs, n)}`
    const times = counts.get(key) ?? 0
    counts.delete(key)
    if (times === 0) lost++
    else duplicates += times - 1
  }
  if (counts.size > 0) throw new Error(`nobody recorded ${counts.size} of these: ${[...counts][0]}`)
  return { received: receivedRequests.length, lost, duplicates }
}
