import type { Context } from '../../platform/context.ts'
import { storageKeyOf } from './attachment.ts'
import { deleteRemoved } from './store.ts'
import { markUploadsRemoving } from './store-erasure.ts'

/** Files that one batch removes. */
const batchSize = 50

/**
 * Removes a batch of the files that a user uploaded, attached ones included. Rows are marked first, so that the sweep
 * removes what an interrupted batch leaves. Returns the number of removed files; fewer than `batchSize` are the last.
 */
export async function eraseAttachments(
  { db, files, now }: Pick<Context, 'db' | 'files' | 'now'>,
  userId: number,
): Promise<{ removed: number; hasMore: boolean }> {
  const ids = await markUploadsRemoving(db, { userId, limit: batchSize, now: now() })
  for (const id of ids) {
    await files.remove(storageKeyOf(id))
    await deleteRemoved(db, { userId, id })
  }
  return { removed: ids.length, hasMore: ids.length === batchSize }
}
