import type { Db, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { AnswerFault } from './fault.ts'

/** A fault, with how many requests fitted it and how many of them it met. */
export interface CountedFault extends AnswerFault {
  seen: number
  met: number
}

type Row = { fault: string; seen: number; met: number }

const faultOf = ({ fault, seen, met }: Row): CountedFault => ({ ...JSON.parse(fault), seen, met })

/** By their names. */
export async function listAnswerFaults(db: Db): Promise<CountedFault[]> {
  const rows = await db.rows<Row>(sql`
    select fault, seen, met from sandbox_answer_faults order by name`)
  return rows.map(faultOf)
}

/** Keeps everybody else from setting faults until the transaction ends. */
export async function lockAnswerFaults(tx: Tx): Promise<void> {
  await tx.rows(sql`lock table sandbox_answer_faults in share row exclusive mode`)
}

/** Sets one in the place of that of the same name; its counts begin anew. */
export function saveAnswerFault(tx: Tx, fault: AnswerFault): void {
  tx.write(sql`
    insert into sandbox_answer_faults (name, fault) values (${fault.name}, ${JSON.stringify(fault)})
    on conflict (name) do update set fault = excluded.fault, seen = 0, met = 0`)
}

/** Ends the one of this name, or all for null; returns how many there were. */
export async function deleteAnswerFaults(tx: Tx, name: string | null): Promise<number> {
  const gone = await tx.rows(sql`
    delete from sandbox_answer_faults where ${name}::text is null or name = ${name}
    returning name`)
  return gone.length
}

/** Counts a request that fits; its number, or undefined where the fault has ended. */
export async function countSeen(db: Db, name: string): Promise<number | undefined> {
  const row = await db.row<{ seen: number }>(sql`
    update sandbox_answer_faults set seen = seen + 1 where name = ${name} returning seen`)
  return row?.seen
}

/** Counts a request that is met, unless that was so often enough. */
export async function countMet(
  db: Db,
  { name, times }: { name: string; times: number | null },
): Promise<boolean> {
  const row = await db.row(sql`
    update sandbox_answer_faults set met = met + 1
    where name = ${name} and (${times}::bigint is null or met < ${times}) returning met`)
  return row !== undefined
}
