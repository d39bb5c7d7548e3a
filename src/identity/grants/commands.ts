import type { Context } from '../../platform/context.ts'
import { deleteAuthorization, type Revoker } from '../store.ts'
import { publishRevocation } from '../tokens.ts'

/** Ends what a user lets an application do: every token and code of it is refused from now on, by
 * every process. Returns whether there was such an authorisation. */
export async function endAuthorization(
  { db, now }: Pick<Context, 'db' | 'now'>,
  ended: { userId: number; applicationId: number; revokedBy: Revoker },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    publishRevocation(tx, ended.userId)
    return deleteAuthorization(tx, { ...ended, now: now() })
  })
}
