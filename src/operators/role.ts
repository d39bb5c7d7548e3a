import {
  isOperatorPermission,
  type OperatorPermission,
  operatorPermissions,
} from '../http/permissions.ts'
import { Failure } from '../kernel/failure.ts'

/** The roles that every installation has, each with its permissions. Operators add roles of their own. */
export const builtInRoles = {
  owner: operatorPermissions,
  support: [
    'orders:read',
    'orders:write',
    'claims:read',
    'claims:write',
    'messages:read',
    'messages:write',
    'questions:read',
    'moderation:read',
    'listings:read',
    'catalog:read',
    'users:read',
    'applications:read',
    'deliveries:read',
    'deliveries:write',
  ],
  moderator: [
    'orders:read',
    'messages:read',
    'messages:write',
    'questions:read',
    'questions:write',
    'moderation:read',
    'moderation:write',
    'listings:read',
    'listings:write',
    'catalog:read',
    'users:read',
  ],
  catalog: [
    'listings:read',
    'listings:write',
    'catalog:read',
    'catalog:write',
    'jobs:read',
    'jobs:write',
  ],
  finance: [
    'orders:read',
    'finance:read',
    'finance:write',
    'claims:read',
    'users:read',
    'exports:download',
    'jobs:read',
    'jobs:write',
  ],
  'read-only': operatorPermissions.filter((permission) => permission.endsWith(':read')),
} as const satisfies Record<string, readonly OperatorPermission[]>

export type BuiltInRole = keyof typeof builtInRoles

/** The role that at least one active account keeps. */
export const ownerRole: BuiltInRole = 'owner'

export const builtInRoleNames = Object.keys(builtInRoles) as BuiltInRole[]

export function isBuiltInRole(name: string): name is BuiltInRole {
  return Object.hasOwn(builtInRoles, name)
}

/** Returns the permissions of a role. `stored` are those of a role that operators created; permissions that this
 * version does not have are left out. */
export function permissionsOfRole(
  name: string,
  stored: readonly string[] | null,
): ReadonlySet<OperatorPermission> {
  if (isBuiltInRole(name)) return new Set(builtInRoles[name])
  return new Set((stored ?? []).filter(isOperatorPermission))
}

/** Throws `permission_denied` unless `own` has all these permissions. Nobody gives to others what they do not have, or
 * acts on an account that may do more. */
export function requireAll(
  own: ReadonlySet<OperatorPermission>,
  permissions: Iterable<OperatorPermission>,
): void {
  for (const permission of permissions) {
    if (!own.has(permission)) throw new Failure('permission_denied', permission)
  }
}
