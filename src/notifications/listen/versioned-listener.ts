import type { VersionedThing } from '../../http/versions.ts'
import { pathId } from '../../kernel/ids.ts'
import { type Listener, lockListener } from './store.ts'

export const versionedListener: VersionedThing = {
  async lock(tx, { params: { application_id: applicationId, name } }) {
    const listener = await lockListener(tx, {
      applicationId: pathId('application_id', String(applicationId)),
      name: String(name),
    })
    return listener && stateOfListener(listener)
  },
}

/** Returns a listener without its last use. */
export function stateOfListener({ lastSeen: _, ...state }: Listener): object {
  return state
}
