import type { Caller } from '../../http/caller.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Db } from '../../platform/database/database.ts'
import { consoleApplicationId } from '../applications/console.ts'
import { findOwner } from './store.ts'

/**
 * The user of the token, in person: by a token that names no application, or by one of the console. What a
 * user lets another application do is not to manage what the user owns. Throws `access_denied`.
 */
export function inPerson({ userId, applicationId }: Caller): number {
  if (applicationId === null || applicationId === consoleApplicationId) return userId
  throw new Failure('access_denied')
}

interface Managed {
  caller: Caller
  applicationId: number
}

/** Refuses whoever does not own the application; of one of others nobody learns even whether it exists.
 * Throws `access_denied`. */
export async function checkOwner(db: Db, { caller, applicationId }: Managed): Promise<void> {
  const userId = inPerson(caller)
  if ((await findOwner(db, applicationId)) !== userId) throw new Failure('access_denied')
}

/** The same for what an application may do with a token of its own as well. */
export async function checkOwnOrOwner(db: Db, managed: Managed): Promise<void> {
  if (managed.caller.applicationId !== managed.applicationId) await checkOwner(db, managed)
}
