import type { VersionedThing } from '../../http/versions.ts'
import { type DeliveryQueue, lockQueue } from './store.ts'

/** What is set of a delivery queue: whether it is open, and its limits. */
export const versionedQueue: VersionedThing = {
  async lock(tx, { params: { application_id: applicationId } }, { now }) {
    return stateOfQueue(await lockQueue(tx, { applicationId: Number(applicationId), now: now() }))
  },
}

/** Returns what is set of a queue. Deliveries do not change it. An application without a queue has an open one. */
export function stateOfQueue(queue: DeliveryQueue | undefined): object {
  const { state = 'open', stateSince = null } = queue ?? {}
  const { inFlight = null, ratePerSecond = null, coalesces = null } = queue ?? {}
  return { state, stateSince, inFlight, ratePerSecond, coalesces }
}
