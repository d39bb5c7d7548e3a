import type { Db, Tx } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'

/** The channel that announces changes of accounts, roles, keys, sessions and the operator's token. */
export const operatorsChanged = 'operators'

/** Clears the cached credentials of every process. Call it in the transaction that changes them. */
export function publishOperatorsChanged(tx: Tx): void {
  tx.publish(operatorsChanged, '')
}

/** Makes changes of accounts, roles and the operator's token wait for each other until the transaction ends. */
export async function lockOperatorAccess(tx: Tx, version: string): Promise<void> {
  await tx.rows(sql`
    insert into operator_access (id, version) values ('operator', ${version})
    on conflict (id) do update set version = excluded.version returning id`)
}

/** Returns since when the operator's token is switched off, or null. */
export async function findTokenDisabledAt(db: Db): Promise<Date | null> {
  const row = await db.row<{ disabledAt: Date | null }>(sql`
    select token_disabled_at as "disabledAt" from operator_access where id = 'operator'`)
  return row?.disabledAt ?? null
}

/** Stores since when the operator's token is switched off. Take the lock first: it makes the row. */
export function saveTokenDisabledAt(tx: Tx, disabledAt: Date | null): void {
  tx.write(sql`
    update operator_access set token_disabled_at = ${disabledAt}::timestamptz
    where id = 'operator'`)
}
