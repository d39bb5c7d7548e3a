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
  told: readonly ReceivedRequest[],
): DeliveryCheck {
  const seen = new Map<string, number>()
  for (const { path, resource } of told) {
    const key = `${path} ${resource}`
    seen.set(key, (seen.get(key) ?? 0) + 1)
  }
  let lost = 0
  let duplicates = 0
  for (let n = 0; n < jobs.count; n++) {
    const key = `${new URL(jobUrl(jobs, n)).pathname} ${jobResource(jobs, n)}`
    const times = seen.get(key) ?? 0
    seen.delete(key)
    if (times === 0) lost++
    else duplicates += times - 1
  }
  if (seen.size > 0) throw new Error(`nobody recorded ${seen.size} of these: ${[...seen][0]}`)
  return { received: told.length, lost, duplicates }
}
