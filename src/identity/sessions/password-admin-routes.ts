import { Type } from 'typebox'
import { noContent, type Route, route } from '../../http/route.ts'
import { allSites } from '../../http/site-rule.ts'
import { Failure } from '../../kernel/failure.ts'
import { pathId } from '../../kernel/ids.ts'
import { IdText, OrNull, StrictObject } from '../../kernel/schema.ts'
import { consoleApplicationId } from '../applications/console.ts'
import { refuseErasedUsers } from '../erase.ts'
import { hashPassword } from '../passwords/password.ts'
import { deletePassword, findLoginConflict, hasPassword, savePassword } from '../passwords/store.ts'
import { deleteAuthorization, findUser } from '../store.ts'
import { publishRevocation } from '../tokens.ts'
import { deleteDevicesOf, deleteSessionsOf } from './store.ts'

/** The upper limit keeps the cost of hashing bounded. */
const Password = Type.String({ minLength: 8, maxLength: 200 })

const putPassword = route({
  method: 'PUT',
  url: '/operator/users/:id/password',
  scope: 'operator',
  permission: 'users:credentials',
  sites: allSites,
  audits: 'user',
  tag: 'Operator: users and applications',
  summary: 'Set or remove the password of a user',
  description:
    'Sets the password with which the user signs in. `null` removes it, and the user can no longer sign in. Ends all sessions of the user, including the console’s. Tokens of other applications stay valid. Fails with `id_taken` if another user signs in under the same nickname or e-mail address. An unknown id answers 404 `not_found`, an erased user 409 `user_erased`.',
  refuses: {
    not_found: 'User not found: 468424240',
    user_erased: '468424240',
    id_taken:
      'Another user signs in under the same nickname or e-mail address. Give this user a different one.',
  },
  params: Type.Object({ id: IdText }),
  body: StrictObject({ password: OrNull(Password) }),
  answers: { 204: Type.Null() },
  async handle({ audit, db, now, random, passwordCost }, { params, body }) {
    const userId = pathId('id', params.id)
    if (!(await findUser(db, userId))) throw new Failure('not_found', `User not found: ${userId}`)
    await refuseErasedUsers(db, [userId])
    if (body.password !== null && (await findLoginConflict(db, userId)) !== undefined) {
      throw new Failure(
        'id_taken',
        'Another user signs in under the same nickname or e-mail address. Give this user a different one.',
      )
    }
    const hash =
      body.password === null
        ? undefined
        : await hashPassword({ random, passwordCost }, body.password)
    await db.transaction(async (tx) => {
      const before = { has_password: await hasPassword(tx, userId) }
      audit.change({ before, after: { has_password: hash !== undefined } })
      if (hash === undefined) deletePassword(tx, userId)
      else await savePassword(tx, { userId, hash, now: now() })
      deleteSessionsOf(tx, userId)
      deleteDevicesOf(tx, userId)
      // The console counts as a session of the user, not as an application.
      publishRevocation(tx, userId)
      await deleteAuthorization(tx, {
        userId,
        applicationId: consoleApplicationId,
        revokedBy: 'operator',
        now: now(),
      })
    })
    return noContent()
  },
})

export const passwordAdminRoutes: Route[] = [putPassword]
