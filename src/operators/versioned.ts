import type { VersionedThing } from '../http/versions.ts'
import { pathId } from '../kernel/ids.ts'
import { findTokenDisabledAt, lockOperatorAccess } from './store.ts'
import { findAccount } from './store-accounts.ts'
import { findKey, type OperatorKey } from './store-keys.ts'
import { findRole, type StoredRole } from './store-roles.ts'

/** Every change of accounts, keys and roles takes one lock (`lockOperatorAccess`). */

export const versionedAccount: VersionedThing = {
  async lock(tx, { params: { id } }, { random }) {
    await lockOperatorAccess(tx, random.hex(8))
    return findAccount(tx, pathId('id', String(id)))
  },
}

export const versionedKey: VersionedThing = {
  async lock(tx, { params: { id } }, { random }) {
    await lockOperatorAccess(tx, random.hex(8))
    const key = await findKey(tx, pathId('id', String(id)))
    return key && stateOfKey(key)
  },
}

export const versionedRole: VersionedThing = {
  async lock(tx, { params: { name } }, { random }) {
    await lockOperatorAccess(tx, random.hex(8))
    const role = await findRole(tx, String(name))
    return role && stateOfRole(role)
  },
}

/** Returns what operators change of a role. */
export function stateOfRole({
  name,
  description,
  permissions,
}: Readonly<Pick<StoredRole, 'name' | 'description'>> & {
  permissions: readonly string[]
}): object {
  return { name, description, permissions }
}

export const versionedToken: VersionedThing = {
  async lock(tx, _, { random }) {
    await lockOperatorAccess(tx, random.hex(8))
    return stateOfToken(await findTokenDisabledAt(tx))
  },
}

/** Returns the state of the operator's token. */
export function stateOfToken(disabledAt: Date | null): object {
  return { disabledAt }
}

/** Returns what operators change of a key, without its last use. */
export function stateOfKey({ lastUsedAt: _, ...state }: OperatorKey): object {
  return state
}
