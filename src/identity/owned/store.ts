import type { Db, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { ClientSettings } from '../applications/store.ts'
import type { Application } from '../store.ts'

/** Returns who owns an application, null for nobody, and whether it is public; undefined where there is none. */
export async function findOwnership(
  db: Db,
  id: number,
): Promise<{ ownerId: number | null; isPublic: boolean } | undefined> {
  return db.row(sql`
    select owner_id as "ownerId", is_public as "isPublic" from applications where id = ${id}`)
}

/** Has whoever else makes applications in this name wait until this transaction has ended. Returns how
 * many there are. */
export async function lockOwned(tx: Tx, ownerId: number): Promise<number> {
  await tx.rows(sql`select id from users where id = ${ownerId} for update`)
  const row = await tx.row<{ count: number }>(sql`
    select count(*) as count from applications where owner_id = ${ownerId}`)
  return row?.count ?? 0
}

/** Returns whether the number was free. */
export async function insertApplication(
  tx: Tx,
  made: Application & ClientSettings & { secretHash: string; now: Date },
): Promise<boolean> {
  const row = await tx.row(sql`
    insert into applications (id, name, description, secret_hash, callback_url, topics,
      redirect_uris, scopes, requires_pkce, is_public, owner_id, date_created, last_updated)
    values (${made.id}, ${made.name}, ${made.description}, ${made.secretHash}, ${made.callbackUrl},
      ${made.topics}, ${made.redirectUris}, ${made.scopes}, ${made.requiresPkce}, ${made.isPublic},
      ${made.ownerId}, ${made.now}, ${made.now})
    on conflict (id) do nothing returning id`)
  return row !== undefined
}
