import { sql } from '../../src/platform/database/sql.ts'
import type { TestApp } from './app.ts'

interface RecordedChange {
  topic: string
  resource: string
  users: string
}

/** Deletes the changes that were recorded since the last call and returns them, `users` separated by commas. */
export async function takeRecordedChanges({
  ctx,
}: Pick<TestApp, 'ctx'>): Promise<RecordedChange[]> {
  // The list of users is joined here: a cluster lets a deletion return plain columns only.
  const rows = await ctx.db.rows<Omit<RecordedChange, 'users'> & { userIds: string[] }>(sql`
    delete from changes returning topic, resource, user_ids as "userIds"`)
  return rows.map(({ topic, resource, userIds }) => ({ topic, resource, users: userIds.join() }))
}

/** Returns what was recorded since the last time, as `topic resource users`, sorted; takes it away. */
export async function takeChangeLines(app: Pick<TestApp, 'ctx'>): Promise<string[]> {
  const changes = await takeRecordedChanges(app)
  return changes.map(({ topic, resource, users }) => `${topic} ${resource} ${users}`).sort()
}
