import type { ListOperatorChanges, OperatorChange } from '../http/versions.ts'
import { listEntries, newestOf } from './store.ts'
import { type AuditEntryAnswer, renderEntries } from './view.ts'

const mostChanges = 20

/** Lists entries of the audit log for an operator who may not read the log: of personal values only the names are
 * shown. */
export const listOperatorChanges: ListOperatorChanges = async ({ db }, { targets, since }) => {
  const page = { limit: mostChanges }
  const lists = await Promise.all(
    targets.map(({ withRelated = false, ...target }) =>
      listEntries(db, { target, from: since, withoutRelated: !withRelated }, page),
    ),
  )
  const entries = newestOf(lists, page)
  return (await renderEntries(db, entries)).map(changeView)
}

function changeView({
  personal,
  related: _,
  result: __,
  ...entry
}: AuditEntryAnswer): OperatorChange {
  return {
    ...entry,
    personal: personal.map(({ user_id, before, after }) => ({
      user_id,
      fields: Object.keys({ ...before, ...after }),
    })),
  }
}
