import type { Caller } from '../../http/caller.ts'
import { Failure } from '../../kernel/failure.ts'
import { pathId } from '../../kernel/ids.ts'
import type { Db } from '../../platform/database/database.ts'
import { consoleApplicationId } from '../applications/console.ts'
import { findOwnership } from './store.ts'

/**
 * Who may do what with an application:
 *
 * | caller | settings, secrets, tokens | the application as a whole | about the token's user | feed |
 * |---|---|---|---|---|
 * | its owner in person | yes | yes | yes | all |
 * | the application itself (client credentials) | no | yes | yes | all |
 * | a user's token of it | no | no | yes | all; of a public application the user's own |
 * | anybody else | no | no | no | no |
 *
 * "As a whole" are listeners, grants, signing secrets, replays, and the state and settings of the delivery queue.
 * A public application keeps no secret: its tokens lie with its users, and none of them is its own.
 */
type Role = 'owner' | 'application' | 'user' | 'stranger'

interface Access {
  caller: Caller
  applicationId: number
}

/** What a request says of an application in its path; the operator is no caller and may do everything. */
interface PathAccess {
  caller: Caller | undefined
  params: { application_id: string | number }
}

const isInPerson = ({ applicationId }: Caller) =>
  applicationId === null || applicationId === consoleApplicationId

/**
 * Returns the user of a token that names no application, or the console. What a user lets another application
 * do is not to manage what the user owns. Throws `in_person_only`.
 */
export function inPerson(caller: Caller): number {
  if (!isInPerson(caller)) throw new Failure('in_person_only')
  return caller.userId
}

async function roleOf(
  db: Db,
  { caller, applicationId }: Access,
): Promise<{ role: Role; isPublic: boolean }> {
  const isOfApplication = caller.applicationId === applicationId
  const ownership = await findOwnership(db, applicationId)
  // A stranger does not learn whether there is such an application.
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

/** What the reference says of operations with `permitWhole`. */
export const takesWhole =
  'Takes a token of the application itself (`grant_type=client_credentials`), or one of its owner that names no application.'

/** Checks that the caller may act for the application of the path as a whole. Throws `whole_application` or
 * `whole_public_application`. */
export async function permitWhole({ db }: { db: Db }, path: PathAccess): Promise<void> {
  const access = accessOf(path)
  if (!access) return
  const { role, isPublic } = await roleOf(db, access)
  if (role !== 'owner' && role !== 'application') throw wholeOnly(isPublic)
}

function accessOf({ caller, params }: PathAccess): Access | undefined {
  const applicationId = pathId('application_id', String(params.application_id))
  return caller && { caller, applicationId }
}

const wholeOnly = (isPublic: boolean) =>
  new Failure(isPublic ? 'whole_public_application' : 'whole_application')

/** Returns whether the caller owns the application, rather than having a token of it. Throws
 * `not_of_application`. */
export async function isOwner(db: Db, access: Access): Promise<boolean> {
  return (await memberRole(db, access)).role === 'owner'
}

/** Which notifications of an application a caller may ask about. */
export interface NotificationAccess {
  /** Null for those about everybody. */
  onlyUserId: number | null
  isPublic: boolean
}

/** Returns what the caller may have explained and retried. Throws `not_of_application`. */
export async function notificationAccess(db: Db, access: Access): Promise<NotificationAccess> {
  const { role, isPublic } = await memberRole(db, access)
  return { onlyUserId: role === 'user' ? access.caller.userId : null, isPublic }
}

/** Returns the same of a feed, which any token of an application that keeps a secret reads whole. */
export async function feedAccess(db: Db, access: Access): Promise<NotificationAccess> {
  const ofUser = await notificationAccess(db, access)
  return ofUser.isPublic ? ofUser : { ...ofUser, onlyUserId: null }
}

/** Checks that notifications about this user are among them. Throws `whole_application` or
 * `whole_public_application`. */
export function checkNotifiedUser(
  { onlyUserId, isPublic }: NotificationAccess,
  userId: number,
): void {
  if (onlyUserId !== null && onlyUserId !== userId) throw wholeOnly(isPublic)
}

async function memberRole(db: Db, access: Access) {
  const membership = await roleOf(db, access)
  if (membership.role === 'stranger') throw new Failure('not_of_application')
  return membership
}
