import { sql } from '../../src/platform/database/sql.ts'
import type { TestApp } from './app.ts'

/** What was recorded since the last time, as `topic resource users`, sorted; takes it away. */
export async function recorded({ ctx }: Pick<TestApp, 'ctx'>): Promise<string[]> {
  const rows = await ctx.db.rows<{ told: string }>(sql`
    delete from changes
    returning topic || ' ' || resource || ' ' || array_to_string(user_ids, ',') as told`)
  return rows.map(({ told }) => told).sort()
}
