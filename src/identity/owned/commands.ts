import { Failure } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import { OwnIdTaken, untilFree } from '../../platform/database/ids.ts'
import type { ClientSettings } from '../applications/store.ts'
import type { Application } from '../store.ts'
import { digestOf } from '../token.ts'
import { insertApplication, lockOwned } from './store.ts'

/** Applications that one user may own by making them. */
export const mostOwned = 20

type Wanted = Omit<Application, 'id'> & Omit<ClientSettings, 'ownerId'>

/** Makes an application of this user's. The secret is known here and never again. Throws
 * `applications_exhausted`. */
export async function makeApplication(
  { db, now, random, ids }: Pick<Context, 'db' | 'now' | 'random' | 'ids'>,
  { ownerId, wanted }: { ownerId: number; wanted: Wanted },
): Promise<{ id: number; secret: string }> {
  const secret = random.hex(20)
  const id = await untilFree(
    () => ids.next('application'),
    (drawn) =>
      db.transaction(async (tx) => {
        if ((await lockOwned(tx, ownerId)) >= mostOwned) throw new Failure('applications_exhausted')
        const made = { ...wanted, id: drawn, ownerId, secretHash: digestOf(secret), now: now() }
        if (!(await insertApplication(tx, made))) throw new OwnIdTaken()
        return drawn
      }),
  )
  return { id, secret }
}
