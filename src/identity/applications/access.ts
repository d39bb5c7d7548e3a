import type { Caller } from '../../http/caller.ts'
import type { Refusals } from '../../http/route.ts'
import { Failure } from '../../kernel/failure.ts'
import { pathId } from '../../kernel/ids.ts'
import type { Db } from '../../platform/database/database.ts'
import { consoleApplicationId } from './console.ts'
import { findOwnership } from './store.ts'

/**
 * The relation of a caller to an application, and what it permits:
 *
 * | caller | settings, secrets, tokens | the application as a whole | about the token's user | feed |
 * |---|---|---|---|---|
 * | its owner in person | yes | yes | yes | all |
 * | the application itself (client credentials) | no | yes | yes | all |
 * | a user's token of it | no | no | yes | all; of a public application the user's own |
 * | anybody else | no | no | no | no |
 *
 * "As a whole" covers listeners, grants, signing secrets, replays, and the state and settings of the delivery queue.
 * A public application keeps no secret, so all of its tokens belong to its users.
 */
type ApplicationRole = 'owner' | 'application' | 'user' | 'stranger'

interface ApplicationAccess {
  caller: Caller
  applicationId: number
}

/** A request with an application in its path. The operator has no `caller` and may do everything. */
interface PathAccess {
  caller: Caller | undefined
  params: { application_id: string | number }
}

const isInPerson = ({ applicationId }: Caller) =>
  applicationId === null || applicationId === consoleApplicationId

/**
 * Returns the user of a token that names no application, or the console. Other applications do not manage what their
 * users own. Throws `in_person_only`.
 */
export function requireInPerson(caller: Caller): number {
  if (!isInPerson(caller)) throw new Failure('in_person_only')
  return caller.userId
}

/** Returns the role of a caller towards an application, as in the table of `ApplicationRole`. An unknown application gives
 * `stranger`. */
async function roleOf(
  db: Db,
  { caller, applicationId }: ApplicationAccess,
): Promise<{ role: ApplicationRole; isPublic: boolean }> {
  const isOfApplication = caller.applicationId === applicationId
  const ownership = await findOwnership(db, applicationId)
  // A stranger must not learn whether the application exists.
  if (!ownership || !(isOfApplication || isInPerson(caller))) {
    return { role: 'stranger', isPublic: false }
  }
  const { ownerId, isPublic } = ownership
  const isOwner = ownerId === caller.userId
  if (!isOfApplication) return { role: isOwner ? 'owner' : 'stranger', isPublic: false }
  const isItself = caller.isClientCredentials === true && isOwner && !isPublic
  return { role: isItself ? 'application' : 'user', isPublic }
}

/** Checks that the caller owns the application of the path. Throws `owner_only`. */
export async function permitOwner({ db }: { db: Db }, path: PathAccess): Promise<void> {
  const access = accessOf(path)
  if (access && (await roleOf(db, access)).role !== 'owner') throw new Failure('owner_only')
}

/** The sentence about tokens in the description of operations with `permitWholeApplication`. */
export const wholeApplicationTokenRule =
  'Use a token of the application itself (`grant_type=client_credentials`), or one of its owner that names no application, such as one of the console; any other gets 403 `access_denied`.'

/** The errors of operations with `permitWhole`: those of its owner and of the application, and those of the operator. */
export const wholeRefusals: Refusals = { whole_application: '' }
export const unknownApplication: Refusals = { not_found: 'Application not found: 3486171129139063' }

/** Checks that the caller may act for the application of the path as a whole. Throws `whole_application` or
 * `whole_public_application`. */
export async function permitWholeApplication({ db }: { db: Db }, path: PathAccess): Promise<void> {
  const access = accessOf(path)
  if (!access) return
  const { role, isPublic } = await roleOf(db, access)
  if (role !== 'owner' && role !== 'application') throw wholeApplicationFailure(isPublic)
}

function accessOf({ caller, params }: PathAccess): ApplicationAccess | undefined {
  const applicationId = pathId('application_id', String(params.application_id))
  return caller && { caller, applicationId }
}

const wholeApplicationFailure = (isPublic: boolean) =>
  new Failure(isPublic ? 'whole_public_application' : 'whole_application')

/** Returns true for the owner of the application, and false for the bearer of one of its tokens. Throws
 * `not_of_application` for anybody else. */
export async function isOwner(db: Db, access: ApplicationAccess): Promise<boolean> {
  return (await memberRole(db, access)).role === 'owner'
}

/** The notifications of an application that a caller may see. */
export interface NotificationAccess {
  /** The only user whose notifications are visible. Null if all are. */
  onlyUserId: number | null
  isPublic: boolean
}

/** Returns the notifications that the caller may explain and retry. Throws `not_of_application`. */
export async function notificationAccess(
  db: Db,
  access: ApplicationAccess,
): Promise<NotificationAccess> {
  const { role, isPublic } = await memberRole(db, access)
  return { onlyUserId: role === 'user' ? access.caller.userId : null, isPublic }
}

/** Returns the notifications that the caller may read in the feed. Any token of an application that is not public
 * reads all of them. Throws `not_of_application`. */
export async function feedAccess(db: Db, access: ApplicationAccess): Promise<NotificationAccess> {
  const ofUser = await notificationAccess(db, access)
  return ofUser.isPublic ? ofUser : { ...ofUser, onlyUserId: null }
}

/** Checks that the access covers notifications about this user. Throws `whole_application` or
 * `whole_public_application`. */
export function checkNotifiedUser(
  { onlyUserId, isPublic }: NotificationAccess,
  userId: number,
): void {
  if (onlyUserId !== null && onlyUserId !== userId) throw wholeApplicationFailure(isPublic)
}

async function memberRole(db: Db, access: ApplicationAccess) {
  const membership = await roleOf(db, access)
  if (membership.role === 'stranger') throw new Failure('not_of_application')
  return membership
}
