import type { ReceivedRequest } from './callbacks.ts'
import { type Jobs, resourceOf, urlOf } from './jobs.ts'

export interface Checked {
  received: number
  /** Never came. */
  lost: number
  /** Came again. */
  duplicates: number
}

/** Holds what came against what was to come: every one, each to its own application. */
export function check(jobs: Jobs, told: readonly ReceivedRequest[]): Checked {
  const seen = new Map<string, number>()
  for (const { path, resource } of told) {
    const key = `${path} ${resource}`
    seen.set(key, (seen.get(key) ?? 0) + 1)
  }
  let lost = 0
  let duplicates = 0
  for (let n = 0; n < jobs.count; n++) {
    const key = `${new URL(urlOf(jobs, n)).pathname} ${resourceOf(jobs, n)}`
    const times = seen.get(key) ?? 0
    seen.delete(key)
    if (times === 0) lost++
    else duplicates += times - 1
  }
  if (seen.size > 0) throw new Error(`nobody recorded ${seen.size} of these: ${[...seen][0]}`)
  return { received: told.length, lost, duplicates }
}
