import type { Db, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { AnswerFault } from './fault.ts'

/** A fault with the counts of matched (`seen`) and affected (`met`) requests. */
export interface CountedFault extends AnswerFault {
  seen: number
  met: number
}

type AnswerFaultRow = { fault: string; seen: number; met: number }

const faultOf = ({ fault, seen, met }: AnswerFaultRow): CountedFault => ({
  ...JSON.parse(fault),
  seen,
  met,
})

/** Lists the faults by name. */
export async function listAnswerFaults(db: Db): Promise<CountedFault[]> {
  const rows = await db.rows<AnswerFaultRow>(sql`
    select fault, seen, met from sandbox_answer_faults order by name`)
  return rows.map(faultOf)
}

/** Blocks other changes of faults until the transaction ends. */
export async function lockAnswerFaults(tx: Tx): Promise<void> {
  await tx.rows(sql`lock table sandbox_answer_faults in share row exclusive mode`)
}

/** Saves a fault, replacing one of the same name. Its counts restart. */
export function saveAnswerFault(tx: Tx, fault: AnswerFault): void {
  tx.write(sql`
    insert into sandbox_answer_faults (name, fault) values (${fault.name}, ${JSON.stringify(fault)})
    on conflict (name) do update set fault = excluded.fault, seen = 0, met = 0`)
}

/** Deletes the fault of this name, or all for null. Returns how many were deleted. */
export async function deleteAnswerFaults(tx: Tx, name: string | null): Promise<number> {
  const deleted = await tx.rows(sql`
    delete from sandbox_answer_faults where ${name}::text is null or name = ${name}
    returning name`)
  return deleted.length
}

/** Counts a matching request. Returns its number, or undefined if the fault no longer exists. */
export async function countMatchedRequest(db: Db, name: string): Promise<number | undefined> {
  const row = await db.row<{ seen: number }>(sql`
    update sandbox_answer_faults set seen = seen + 1 where name = ${name} returning seen`)
  return row?.seen
}

/** Counts an affected request. Returns false if the fault has reached its limit. */
export async function countAffectedRequest(
  db: Db,
  { name, times }: { name: string; times: number | null },
): Promise<boolean> {
  const row = await db.row(sql`
    update sandbox_answer_faults set met = met + 1
    where name = ${name} and (${times}::bigint is null or met < ${times}) returning met`)
  return row !== undefined
}
