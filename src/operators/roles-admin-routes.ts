import { Type } from 'typebox'
import { operatorPermissions, permissionDescriptions } from '../http/permissions.ts'
import { created, noContent, ok, type Route, route } from '../http/route.ts'
import { allSites } from '../http/site-rule.ts'
import { etagOf, withEtagField } from '../http/versions.ts'
import { OrNull, StrictObject } from '../kernel/schema.ts'
import { removeRole, writeRole } from './commands.ts'
import { builtInRoleNames, builtInRoles } from './role.ts'
import { listRoles, type StoredRole } from './store-roles.ts'
import { stateOfRole, versionedRole } from './versioned.ts'
import { Permissions, Role, tag } from './view.ts'

const common = { scope: 'operator', permission: 'accounts:manage', sites: allSites, tag } as const
const params = Type.Object({ name: Role })
const Description = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'What the role is for',
  examples: ['Answers claims at night'],
})
const RoleAnswer = Type.Object({
  name: Role,
  description: OrNull(Description),
  permissions: Permissions,
  is_built_in: Type.Boolean({ description: 'Whether every installation has it, unchangeably' }),
})

const getRoles = route({
  ...common,
  method: 'GET',
  url: '/operator/roles',
  summary: 'List roles',
  description:
    'Returns the built-in roles and those that you created, with their permissions, and what each permission allows.',
  answers: {
    200: Type.Object({
      roles: Type.Array(withEtagField(RoleAnswer)),
      permissions: Type.Array(
        Type.Object({
          id: Type.Enum(operatorPermissions),
          description: Type.String({ examples: ['Read orders and shipments'] }),
        }),
        { description: 'All permissions that a role can have' },
      ),
    }),
  },
  async handle({ db, now }) {
    const builtIn = builtInRoleNames.map((name) => ({
      name,
      description: null,
      permissions: builtInRoles[name],
      is_built_in: true,
    }))
    const permissions = operatorPermissions.map((id) => ({
      id,
      description: permissionDescriptions[id],
    }))
    const roles = [...builtIn, ...(await listRoles(db)).map(roleView)]
    const entries = roles.map((role) => ({ ...role, etag: etagOf(stateOfRole(role), now()) }))
    return ok({ roles: entries, permissions })
  },
})

const putRole = route({
  ...common,
  isSensitive: true,
  method: 'PUT',
  url: '/operator/roles/:name',
  audits: 'operator_role',
  versioned: versionedRole,
  summary: 'Create or replace a role',
  description:
    'Creates a role (201) or replaces its permissions (200), which applies to all accounts and keys with the role at once. More permissions end the pending invitations of its accounts: renew them. You need every permission that the role has, before and after, else you get 403 `permission_denied`. The name of a built-in role answers 400 `bad_request`.',
  refuses: { bad_request: 'name: expected another name: this role is built in' },
  params,
  body: StrictObject({
    description: Type.Optional(OrNull(Description)),
    permissions: Permissions,
  }),
  answers: { 200: RoleAnswer, 201: RoleAnswer },
  async handle(ctx, { params: { name }, body, operator }) {
    const { description = null, permissions } = body
    const role = { name, description, permissions }
    const { isNew } = await writeRole(ctx, { ...role, actor: operator })
    return { ...(isNew ? created : ok)(roleView(role)), state: stateOfRole(role) }
  },
})

const deleteRole = route({
  ...common,
  isSensitive: true,
  method: 'DELETE',
  url: '/operator/roles/:name',
  audits: 'operator_role',
  versioned: versionedRole,
  summary: 'Delete a role',
  description:
    'Deletes a role that no account and no key has; otherwise you get 409 `role_in_use`. You need every permission that it has, else you get 403 `permission_denied`. An unknown role answers 404 `not_found`, a built-in one 400 `bad_request`.',
  refuses: {
    role_in_use: 'night-shift',
    not_found: 'Role not found: night-shift',
    bad_request: 'name: expected another name: this role is built in',
  },
  params,
  answers: { 204: Type.Null() },
  async handle(ctx, { params: { name }, operator }) {
    await removeRole(ctx, { name, actor: operator })
    return noContent()
  },
})

const roleView = (role: StoredRole) => ({ ...role, is_built_in: false })

/** The operations that manage roles of operators. */
export const rolesAdminRoutes: Route[] = [getRoles, putRole, deleteRole]
