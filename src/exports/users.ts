import { userView } from '../identity/view.ts'
import { parseId } from '../kernel/ids.ts'
import { type ExportKind, nextKey } from './kind.ts'
import {
  countUsers,
  type ExportedUserRow,
  findUserWindowEnd,
  readExportedUsers,
  type UserExportFilter,
  type UserKey,
} from './users-read-model.ts'

/** Users as the operator reads them. */
export const userExport: ExportKind<UserExportFilter, UserKey> = {
  name: 'users',
  columns: {
    id: 'id',
    site_id: 'site_id',
    nickname: 'nickname',
    status: 'status',
    email: 'email',
    first_name: 'first_name',
    last_name: 'last_name',
    phone_area_code: 'phone.area_code',
    phone_number: 'phone.number',
    phone_extension: 'phone.extension',
    doc_type: 'billing_info.doc_type',
    doc_number: 'billing_info.doc_number',
  },
  firstKey: [0],
  // Ids of users are keys themselves, so that an export also goes on after a user who was deleted.
  async findKey(_db, text) {
    const id = parseId(text)
    return id === undefined ? undefined : [id]
  },
  findWindowEnd: findUserWindowEnd,
  countRows: countUsers,
  async readPage({ db }, filter, range) {
    const rows = await readExportedUsers(db, filter, range)
    return { entries: rows.map(viewOf), next: nextKey(rows, range, ({ id }) => [id]) }
  },
}

function viewOf({ profile, ...columns }: ExportedUserRow): object {
  return userView({ ...columns, ...JSON.parse(profile) })
}
