import type pg from 'pg'
import type { Sql } from './sql.ts'

/** Sends a statement and returns its rows. Rejects with the error of PostgreSQL or of the connection. */
export async function sendStatement<Row>(client: pg.ClientBase, statement: Sql): Promise<Row[]> {
  const { rows } = await client.query(statement as pg.QueryConfig)
  return rows
}
