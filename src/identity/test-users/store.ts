import type { Db, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/** Locks an account until the transaction ends, so that its test users are created one after another. */
export async function lockAccount(tx: Tx, accountId: number): Promise<void> {
  await tx.rows(sql`select id from users where id = ${accountId} for update`)
}

/** Returns how many active test users an account has. */
export async function countTestUsers(db: Db, accountId: number): Promise<number> {
  const row = await db.row<{ count: number }>(sql`
    select count(*) as count from test_users t
    join users u on u.id = t.user_id and u.status = 'active' where t.account_id = ${accountId}`)
  return row?.count ?? 0
}

export async function isTestUser(db: Db, userId: number): Promise<boolean> {
  return (await db.row(sql`select 1 from test_users where user_id = ${userId}`)) !== undefined
}

export function insertTestUser(
  tx: Tx,
  { userId, accountId, now }: { userId: number; accountId: number; now: Date },
): void {
  tx.write(sql`
    insert into test_users (user_id, account_id, date_created)
    values (${userId}, ${accountId}, ${now})`)
}
