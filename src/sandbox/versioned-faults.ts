import type { VersionedThing } from '../http/versions.ts'
import { lockOrderFaults, readOrderFaults } from './store.ts'

/** The parts that orders lack, as one list. */
export const versionedOrderFaults: VersionedThing = {
  async lock(tx) {
    await lockOrderFaults(tx)
    return readOrderFaults(tx)
  },
}
