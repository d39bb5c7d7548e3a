import { isUserInSchema } from '../identity/store-erasure.ts'
import type { Context } from '../platform/context.ts'
import { removeSnapshot } from '../sandbox/snapshots/commands.ts'
import { listSnapshots } from '../sandbox/snapshots/store.ts'
import { isErasedInSchema } from './store.ts'

/** Deletes the snapshots of a sandbox that hold a user whose erasure is not finished in them. Returns their number. */
export async function removeSnapshotsWithUser(ctx: Context, userId: number): Promise<number> {
  let removed = 0
  for (const { name, place: schema } of await listSnapshots(ctx.db)) {
    if (!(await isUserInSchema(ctx.db, { schema, userId }))) continue
    if (await isErasedInSchema(ctx.db, { schema, userId })) continue
    await removeSnapshot(ctx, name)
    removed++
  }
  return removed
}
