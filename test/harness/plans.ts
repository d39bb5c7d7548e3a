import type { Database, Db } from '../../src/platform/database/database.ts'
import { type Sql, sql } from '../../src/platform/database/sql.ts'

/** Returns how PostgreSQL runs the first statement that `read` sends if it reads no table whole: tables of tests are
 * small, where it would. */
export async function explainedPlan(
  db: Database,
  read: (db: Db) => Promise<unknown>,
): Promise<string> {
  let sent: Sql | undefined
  const record = async (statement: Sql) => {
    sent ??= statement
    return []
  }
  await read({ rows: record, row: async () => undefined } as Db)
  if (!sent) throw new Error('no statement was sent')
  const explain = { text: `explain ${sent.text}`, name: undefined, values: sent.values }
  return db.transaction(async (tx) => {
    await tx.rows(sql`set local enable_seqscan = off`)
    const rows = await tx.rows<{ 'QUERY PLAN': string }>(explain)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
}
