import type { Context } from '../../platform/context.ts'
import { deleteAuthorization } from '../store.ts'
import { publishRevocation } from '../tokens.ts'

/** Ends what a user lets an application do: every token and code of it is refused from now on, by
 * every process. Returns whether there was such an authorisation. */
export async function endAuthorization(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { userId, applicationId }: { userId: number; applicationId: number },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    publishRevocation(tx, userId)
    return deleteAuthorization(tx, { userId, applicationId, now: now() })
  })
}
