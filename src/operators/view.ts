import { Type } from 'typebox'
import { bearerTokenOf } from '../http/caller.ts'
import { operatorPermissions } from '../http/permissions.ts'
import { digestOf } from '../identity/token.ts'
import { timestamp } from '../kernel/clock.ts'
import { Failure } from '../kernel/failure.ts'
import type { OperatorActor } from '../kernel/operator-actor.ts'
import { DistinctListOf, Id, OrNull, Timestamp } from '../kernel/schema.ts'
import { siteIds } from '../kernel/sites.ts'
import { accountStatuses } from './account.ts'
import { permissionsOfRole } from './role.ts'
import type { OperatorAccount } from './store-accounts.ts'

/** The group of these operations in the reference. */
export const tag = 'Operator: accounts'

export const Role = Type.String({
  minLength: 2,
  maxLength: 40,
  pattern: '^[a-z][a-z0-9-]*$',
  description: 'Name of a role (`GET /operator/roles`)',
  examples: ['support'],
})
export const Name = Type.String({
  minLength: 1,
  maxLength: 120,
  format: 'one-line',
  description: 'Name, by which people recognize it in lists and logs',
  examples: ['Night shift'],
})
export const Email = Type.String({
  maxLength: 254,
  pattern: '^[^\\s@]+@[^\\s@]+$',
  description: 'E-mail address. Capitals make no difference',
  examples: ['operator@example.com'],
})
export const Permissions = DistinctListOf(operatorPermissions, {
  description: 'What the role may do',
})
export const Sites = OrNull(
  DistinctListOf(siteIds, {
    minItems: 1,
    description: 'The sites that the role is limited to. Null: all sites',
  }),
)
/** The upper limit keeps the cost of hashing bounded. */
export const NewPassword = Type.String({
  minLength: 12,
  maxLength: 200,
  description: 'The password, at least 12 characters',
  examples: ['correct horse battery staple'],
})
export const Password = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The password of the account',
  examples: ['correct horse battery staple'],
})
export const Code = Type.String({
  minLength: 6,
  maxLength: 40,
  description: 'A code of the authenticator app, or a recovery code. Each is used once',
  examples: ['492039'],
})

export const AccountAnswer = Type.Object({
  id: Id,
  email: Email,
  name: Name,
  role: Role,
  permissions: Permissions,
  sites: Sites,
  status: Type.Enum([...accountStatuses], {
    description:
      '`invited`: has no way to sign in until an invitation is accepted. `active`: can sign in. `disabled`: cannot sign in',
  }),
  has_two_factor: Type.Boolean({
    description: 'Whether signing in takes a code of an authenticator app',
  }),
  identity: OrNull(
    Type.Object(
      {
        issuer: Type.String({
          description: 'The provider, by its issuer',
          examples: ['https://login.example.com'],
        }),
        subject: Type.String({
          description: 'Id of the person at the provider',
          examples: ['248289761001'],
        }),
        date_linked: Timestamp,
      },
      {
        description:
          'The identity at an OpenID Connect provider by which the account signs in. Null if there is none',
      },
    ),
  ),
  invitation_expires_at: OrNull({
    ...Timestamp,
    description: 'Until when an invitation can be accepted. Null if there is none',
  }),
  date_created: Timestamp,
  last_updated: Timestamp,
})

/** A new session, with the token that is shown once. */
export const SessionTokenAnswer = Type.Object({
  token: Type.String({
    description: 'Token of the session, shown only in this answer',
    examples: [`feria_session_${'0'.repeat(64)}`],
  }),
  expires_at: { ...Timestamp, description: 'When the session ends at the latest' },
  account: AccountAnswer,
})

export function accountView(account: OperatorAccount) {
  return {
    id: account.id,
    email: account.email,
    name: account.name,
    role: account.role,
    permissions: [...permissionsOfRole(account.role, account.permissions)],
    sites: account.sites,
    status: account.status,
    has_two_factor: account.hasTotp,
    identity:
      account.identitySubject === null
        ? null
        : {
            issuer: account.identityIssuer,
            subject: account.identitySubject,
            date_linked: timestamp(account.identityLinkedAt),
          },
    invitation_expires_at: timestamp(account.invitationExpiresAt),
    date_created: timestamp(account.dateCreated),
    last_updated: timestamp(account.lastUpdated),
  }
}

/** Returns the account of an operation of the own account, and the digest that finds its session. */
export function ownSession(
  actor: OperatorActor,
  { authorization }: { authorization?: string | undefined },
): { accountId: number; sessionDigest: string } {
  const token = bearerTokenOf(authorization)
  if (actor.kind !== 'account' || token === undefined) throw new Failure('account_required')
  return { accountId: actor.id, sessionDigest: digestOf(token) }
}
