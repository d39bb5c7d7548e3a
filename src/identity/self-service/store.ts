import type { Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { ClientSettings } from '../applications/store.ts'
import type { Application } from '../store.ts'

/** Returns how many applications a user owns. Locks the user's row, so that concurrent calls count one after another. */
export async function lockAndCountApplications(tx: Tx, ownerId: number): Promise<number> {
  await tx.rows(sql`select id from users where id = ${ownerId} for update`)
  const row = await tx.row<{ count: number }>(sql`
    select count(*) as count from applications where owner_id = ${ownerId}`)
  return row?.count ?? 0
}

/** Inserts an application. Returns false if its id is taken. */
export async function insertApplication(
  tx: Tx,
  row: Application & ClientSettings & { secretHash: string; now: Date },
): Promise<boolean> {
  const inserted = await tx.row(sql`
    insert into applications (id, name, description, secret_hash, callback_url, topics,
      redirect_uris, scopes, requires_pkce, is_public, owner_id, date_created, last_updated)
    values (${row.id}, ${row.name}, ${row.description}, ${row.secretHash}, ${row.callbackUrl},
      ${row.topics}, ${row.redirectUris}, ${row.scopes}, ${row.requiresPkce}, ${row.isPublic},
      ${row.ownerId}, ${row.now}, ${row.now})
    on conflict (id) do nothing returning id`)
  return inserted !== undefined
}
