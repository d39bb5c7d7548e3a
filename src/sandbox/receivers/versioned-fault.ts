import type { VersionedThing } from '../../http/versions.ts'
import type { ReceiverFault } from './fault.ts'
import { listReceiverFaults, lockReceiverFaults } from './store.ts'

/** The fields of a body that name a fault. */
interface FaultKey {
  application_id?: number | null
  topic?: string | null
  kind: string
}

export const versionedReceiverFault: VersionedThing = {
  async lock(tx, { body }) {
    const { application_id: applicationId = null, topic = null, kind } = body as FaultKey
    await lockReceiverFaults(tx)
    return (await listReceiverFaults(tx)).find((fault: ReceiverFault) => {
      return fault.applicationId === applicationId && fault.topic === topic && fault.kind === kind
    })
  },
}
