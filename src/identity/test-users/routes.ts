import { Type } from 'typebox'
import { created, type Route, route } from '../../http/route.ts'
import { Failure } from '../../kernel/failure.ts'
import { Id, Site } from '../../kernel/schema.ts'
import type { Db } from '../../platform/database/database.ts'
import { hashPassword } from '../passwords/password.ts'
import { savePassword } from '../passwords/store.ts'
import { saveUsers } from '../store.ts'
import { noPhone, type User } from '../user.ts'
import { countTestUsers, insertTestUser, isTestUser, lockAccount } from './store.ts'

const mostTestUsers = 10

const postTestUser = route({
  method: 'POST',
  url: '/users/test_user',
  scope: 'write',
  tag: 'Users and applications',
  summary: 'Create a test user',
  description:
    'Creates a user to try your integration with. The password is shown only in this answer. An account may have ten active test users (`test_users_exhausted`). Use a token of an application; in the sandbox any token works. Outside the sandbox, a token without an application answers 400 `bad_request`.',
  refuses: { application_required: '', test_users_exhausted: '' },
  body: Type.Object({ site_id: Site }),
  answers: {
    201: Type.Object({
      id: Id,
      nickname: Type.String(),
      password: Type.String(),
      email: Type.String(),
      site_status: Type.Enum(['active']),
    }),
  },
  async handle({ db, now, random, passwordCost, ids, config }, { caller, body }) {
    if (caller.applicationId === null && config.mode !== 'sandbox') {
      throw new Failure('application_required')
    }
    const accountId = caller.userId
    const checkLimit = async (db: Db) => {
      const isFull = (await countTestUsers(db, accountId)) >= mostTestUsers
      if (isFull || (await isTestUser(db, accountId))) throw new Failure('test_users_exhausted')
    }
    // Check before hashing as well: a hash costs 0.25 s of processor time.
    await checkLimit(db)
    const userId = await ids.next('user')
    const password = random.hex(8)
    const user = testUser(userId, body.site_id)
    const hash = await hashPassword({ random, passwordCost }, password)
    await db.transaction(async (tx) => {
      await lockAccount(tx, accountId)
      await checkLimit(tx)
      await saveUsers(tx, [user], now())
      await savePassword(tx, { userId, hash, now: now() })
      insertTestUser(tx, { userId, accountId, now: now() })
    })
    const { nickname, email } = user
    return created({ id: userId, nickname, password, email, site_status: 'active' })
  },
})

function testUser(id: number, siteId: User['siteId']): User {
  return {
    id,
    siteId,
    nickname: `TETE${id}`,
    email: `test_user_${id}@testuser.example`,
    firstName: 'Test',
    lastName: 'Test',
    phone: noPhone,
    alternativePhone: noPhone,
    billingInfo: { doc_type: null, doc_number: null },
  }
}

export const testUserRoutes: Route[] = [postTestUser]
