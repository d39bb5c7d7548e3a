import type { ReceivedRequest } from './callbacks.ts'
import { type DeliveryJobs, jobResource } from './jobs.ts'
import type { ProducerResult } from './producer.ts'

/** From the commit of each change to the arrival of the first attempt at telling it, in milliseconds;
 * of those applications only that `counts` says. Nothing that was committed may be missing. */
export function changeLagsOf(
  jobs: DeliveryJobs,
  { committed }: ProducerResult,
  receivedRequests: readonly ReceivedRequest[],
  counts: (application: number) => boolean = () => true,
): number[] {
  const firstAt = new Map<string, number>()
  for (const { resource, at } of receivedRequests) {
    if (!firstAt.has(resource)) firstAt.set(resource, at)
  }
  return committed
    .filter(([n]) => counts(n % jobs.urls.length))
    .map(([n, at]) => {
      const arrived = firstAt.get(jobResource(jobs, n))
      if (arrived === undefined) throw new Error(`${jobResource(jobs, n)} never came`)
      // The answer to the commit may reach its process after the attempt reached the receiver.
      return Math.max(0, arrived - at)
    })
}
