import type { VersionedThing } from '../../http/versions.ts'
import { pathId } from '../../kernel/ids.ts'
import { lockApplication } from './store.ts'

/** The settings of an application, and its secret. */
export const versionedApplication: VersionedThing = {
  lock: (tx, { params: { id } }) => lockApplication(tx, pathId('id', String(id))),
}
