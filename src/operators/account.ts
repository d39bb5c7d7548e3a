import { Failure } from '../kernel/failure.ts'
import { ownerRole } from './role.ts'

/** `invited` accounts have no way to sign in yet, `disabled` ones cannot sign in. */
export const accountStatuses = ['invited', 'active', 'disabled'] as const
export type AccountStatus = (typeof accountStatuses)[number]

/** Returns the form by which e-mail addresses are compared. */
export function foldEmail(email: string): string {
  return email.normalize('NFKC').toLowerCase()
}

interface AccountAccess {
  role: string
  /** Null: all. */
  sites: readonly string[] | null
  status: AccountStatus
}

const isActiveOwner = ({ role, sites, status }: AccountAccess) =>
  role === ownerRole && sites === null && status === 'active'

/** Throws `last_owner` if the change leaves no active owner of all sites. `after` is undefined for an account that is deleted. */
export function requireOwnerAfter(
  before: AccountAccess,
  after: AccountAccess | undefined,
  otherOwners: number,
): void {
  const losesOwner = isActiveOwner(before) && !(after && isActiveOwner(after))
  if (losesOwner && otherOwners === 0) throw new Failure('last_owner')
}
