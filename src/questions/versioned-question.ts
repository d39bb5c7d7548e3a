import type { VersionedThing } from '../http/versions.ts'
import { pathId } from '../kernel/ids.ts'
import { lockOrFail } from './commands.ts'

export const versionedQuestion: VersionedThing = {
  lock: (tx, { params: { question_id: id } }) => lockOrFail(tx, pathId('question_id', String(id))),
}
