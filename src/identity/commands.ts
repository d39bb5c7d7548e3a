import type { Context } from '../platform/context.ts'
import { deleteAuthorization, type Revoker } from './store.ts'
import { publishRevocation } from './tokens.ts'

/** Deletes an authorization. Every process refuses its tokens and codes at once. Returns false if there was none. */
export async function endAuthorization(
  { db, now }: Pick<Context, 'db' | 'now'>,
  authorization: { userId: number; applicationId: number; revokedBy: Revoker },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    publishRevocation(tx, authorization.userId)
    return deleteAuthorization(tx, { ...authorization, now: now() })
  })
}
