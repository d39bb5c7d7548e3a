import { Failure } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import { GeneratedIdTaken, withFreeIds } from '../../platform/database/ids.ts'
import type { ClientSettings } from '../applications/store.ts'
import type { Application } from '../store.ts'
import { digestOf } from '../token.ts'
import { insertApplication, lockAndCountApplications } from './store.ts'

/** Limit of applications that one user may create. */
export const mostOwned = 20

type ApplicationInput = Omit<Application, 'id'> & Omit<ClientSettings, 'ownerId'>

/** Creates an application of this user. Returns its id and its secret, of which only the digest is stored. Throws
 * `applications_exhausted`. */
export async function createApplication(
  { db, now, random, ids }: Pick<Context, 'db' | 'now' | 'random' | 'ids'>,
  { ownerId, application }: { ownerId: number; application: ApplicationInput },
): Promise<{ id: number; secret: string }> {
  const secret = random.hex(20)
  const id = await withFreeIds(
    () => ids.next('application'),
    (newId) =>
      db.transaction(async (tx) => {
        if ((await lockAndCountApplications(tx, ownerId)) >= mostOwned)
          throw new Failure('applications_exhausted')
        const row = {
          ...application,
          id: newId,
          ownerId,
          secretHash: digestOf(secret),
          now: now(),
        }
        if (!(await insertApplication(tx, row))) throw new GeneratedIdTaken()
        return newId
      }),
  )
  return { id, secret }
}
