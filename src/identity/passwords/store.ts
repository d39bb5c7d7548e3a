import { fold } from '../../kernel/text.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/** A user with a password. */
export interface UserWithPassword {
  userId: number
  isActive: boolean
  hash: string
}

/** Returns the user who signs in under this nickname or e-mail address. Undefined if there is none or more than one. */
export async function findUserByLogin(
  db: Db,
  login: string,
): Promise<UserWithPassword | undefined> {
  const members = await db.rows<UserWithPassword>(sql`
    select u.id as "userId", u.status = 'active' as "isActive", p.hash
    from users u join passwords p on p.user_id = u.id
    where u.nickname_folded = ${fold(login)} or lower(u.profile ->> 'email') = ${login.toLowerCase()}
    limit 2`)
  return members.length === 1 ? members[0] : undefined
}

/** Returns the id of another user who signs in under the same nickname or e-mail address. */
export async function findLoginConflict(db: Db, userId: number): Promise<number | undefined> {
  const row = await db.row<{ id: number }>(sql`
    select u.id from users me
    join users u on u.id <> me.id and (u.nickname_folded = me.nickname_folded
      or lower(u.profile ->> 'email') = lower(me.profile ->> 'email'))
    join passwords p on p.user_id = u.id
    where me.id = ${userId} limit 1`)
  return row?.id
}

export async function hasPassword(db: Db, userId: number): Promise<boolean> {
  return (await db.row(sql`select 1 from passwords where user_id = ${userId}`)) !== undefined
}

export async function savePassword(
  db: Db,
  { userId, hash, now }: { userId: number; hash: string; now: Date },
): Promise<void> {
  await db.rows(sql`
    insert into passwords (user_id, hash, changed_at) values (${userId}, ${hash}, ${now})
    on conflict (user_id) do update set hash = excluded.hash, changed_at = excluded.changed_at`)
}

/** Replaces the hash of the same password by one of the configured cost, unless the password has changed. */
export async function renewHash(
  db: Db,
  { userId, before, hash }: { userId: number; before: string; hash: string },
): Promise<void> {
  await db.rows(sql`
    update passwords set hash = ${hash} where user_id = ${userId} and hash = ${before}`)
}

export function deletePassword(tx: Tx, userId: number): void {
  tx.write(sql`delete from passwords where user_id = ${userId}`)
}
