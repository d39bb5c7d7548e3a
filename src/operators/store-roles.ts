import type { Db, Tx } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'

/** A role that operators created. */
export interface StoredRole {
  name: string
  description: string | null
  permissions: string[]
}

export async function listRoles(db: Db): Promise<StoredRole[]> {
  return db.rows(sql`select name, description, permissions from operator_roles order by name`)
}

export async function findRole(db: Db, name: string): Promise<StoredRole | undefined> {
  return db.row(sql`
    select name, description, permissions from operator_roles where name = ${name}`)
}

export function saveRole(
  tx: Tx,
  { name, description, permissions, now }: StoredRole & { now: Date },
): void {
  tx.write(sql`
    insert into operator_roles (name, description, permissions, date_created, last_updated)
    values (${name}, ${description}, ${permissions}, ${now}, ${now})
    on conflict (name) do update set description = excluded.description,
      permissions = excluded.permissions, last_updated = excluded.last_updated`)
}

export function deleteRole(tx: Tx, name: string): void {
  tx.write(sql`delete from operator_roles where name = ${name}`)
}

/** Returns whether an account, or a key that is not revoked, has the role. */
export async function isRoleUsed(db: Db, name: string): Promise<boolean> {
  const row = await db.row(sql`
    select 1 as n from operator_accounts where role = ${name}
    union all select 1 from operator_keys where role = ${name} and revoked_at is null
    limit 1`)
  return row !== undefined
}
