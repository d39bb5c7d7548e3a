import { erasedText } from '../kernel/erased-text.ts'
import { Failure } from '../kernel/failure.ts'
import { fold } from '../kernel/text.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { deleteAuthorization, findUser } from './store.ts'
import {
  deleteAccess,
  deleteSignInAttempts,
  findErasedUserIds,
  findOwnedApplicationId,
  listAuthorizingUsers,
  lockUser,
  saveErasedApplication,
  saveErasedUser,
} from './store-erasure.ts'
import { digestOf } from './token.ts'
import { publishRevocation } from './tokens.ts'
import { noPhone, type User } from './user.ts'
import { partyTexts, partyTextVersion } from './view.ts'

/** Throws `user_erased` if one of these users was erased. */
export async function refuseErasedUsers(db: Db, ids: readonly number[]): Promise<void> {
  const [id] = await findErasedUserIds(db, ids)
  if (id !== undefined) throw new Failure('user_erased', String(id))
}

const erasedNickname = (id: number) => `ERASED_${id}`

/** Returns the digits of a nickname that only an erased user has, or undefined. Nobody may pass for an erased user. */
export function idInErasedNickname(nickname: string): string | undefined {
  return /^erased_(\d+)$/.exec(fold(nickname))?.[1]
}

/** Returns the user that stands in the place of an erased one. */
function erasedUserOf({ id, siteId }: Pick<User, 'id' | 'siteId'>): User {
  return {
    id,
    siteId,
    nickname: erasedNickname(id),
    status: 'deactivated',
    email: null,
    firstName: null,
    lastName: null,
    phone: noPhone,
    alternativePhone: noPhone,
    billingInfo: { doc_type: null, doc_number: null },
  }
}

/**
 * Removes the person from an account and ends every way in: every process refuses the user's tokens at once. Returns
 * the number of erased rows, or undefined for an unknown user.
 */
export async function eraseAccount(
  tx: Tx,
  { userId, now }: { userId: number; now: Date },
): Promise<number | undefined> {
  const locked = await lockUser(tx, userId)
  const before = locked && (await findUser(tx, userId))
  if (!before) return undefined
  publishRevocation(tx, userId)
  const logins = [before.nickname, before.email ?? before.nickname].map((login) =>
    digestOf(fold(login)),
  )
  const attempts = await deleteSignInAttempts(tx, { userId, logins })
  const access = await deleteAccess(tx, userId)
  const { id, siteId, nickname, status: _, ...profile } = erasedUserOf(before)
  const row = {
    id,
    nickname,
    nicknameFolded: fold(nickname),
    profile: JSON.stringify(profile),
    ...partyTexts({ id, siteId, nickname, ...profile }),
    textVersion: partyTextVersion,
  }
  const isChanged = await saveErasedUser(tx, row, now)
  return attempts + access + (isChanged ? 1 : 0)
}

/** Grants that one transaction ends. */
const grantsAtOnce = 100

/**
 * Ends the next application of an erased owner after an id, a batch of its grants at a time. Returns its id, how much
 * was erased, and whether it has no more grants; undefined when there is no such application.
 */
export async function eraseOwnedApplication(
  tx: Tx,
  { userId, after, now }: { userId: number; after: number; now: Date },
): Promise<{ id: number; erased: number; isDone: boolean } | undefined> {
  const id = await findOwnedApplicationId(tx, { ownerId: userId, after })
  if (id === undefined) return undefined
  const users = await listAuthorizingUsers(tx, { applicationId: id, limit: grantsAtOnce })
  for (const user of users) {
    publishRevocation(tx, user)
    await deleteAuthorization(tx, { userId: user, applicationId: id, revokedBy: 'operator', now })
  }
  const isDone = users.length < grantsAtOnce
  if (isDone) saveErasedApplication(tx, { id, name: erasedText, now })
  return { id, erased: users.length + (isDone ? 1 : 0), isDone }
}
