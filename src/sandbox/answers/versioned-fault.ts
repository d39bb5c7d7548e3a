import type { VersionedThing } from '../../http/versions.ts'
import { type CountedFault, listAnswerFaults, lockAnswerFaults } from './store.ts'

export const versionedAnswerFault: VersionedThing = {
  async lock(tx, { params: { name } }) {
    await lockAnswerFaults(tx)
    const fault = (await listAnswerFaults(tx)).find((stored) => stored.name === name)
    return fault && stateOfFault(fault)
  },
}

/** Returns a fault without its counts, which requests change. */
export function stateOfFault({ seen: _, met: __, ...state }: CountedFault): object {
  return state
}
