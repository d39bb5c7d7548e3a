import type { Db, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { ClientSettings } from '../applications/store.ts'
import type { Application } from '../store.ts'

/** Who owns an application; null where nobody does, undefined where there is none. */
export async function findOwner(db: Db, id: number): Promise<number | null | undefined> {
  const row = await db.row<{ ownerId: number | null }>(sql`
    select owner_id as "ownerId" from applications where id = ${id}`)
  return row?.ownerId
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
    insert into applications (id, name, secret_hash, callback_url, topics, redirect_uris, scopes,
      requires_pkce, is_public, owner_id, date_created, last_updated)
    values (${made.id}, ${made.name}, ${made.secretHash}, ${made.callbackUrl}, ${made.topics},
      ${made.redirectUris}, ${made.scopes}, ${made.requiresPkce}, ${made.isPublic},
      ${made.ownerId}, ${made.now}, ${made.now})
    on conflict (id) do nothing returning id`)
  return row !== undefined
}
