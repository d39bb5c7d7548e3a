import { minuteMs } from '../kernel/clock.ts'
import { Failure } from '../kernel/failure.ts'
import type { OperatorActor } from '../kernel/operator-actor.ts'
import type { OperatorPermission } from './permissions.ts'
import { allSites, type SiteLimit, type SiteRule } from './site-rule.ts'

/** The bearer of an operator's credential, and what the bearer may do. */
export interface Operator {
  readonly actor: OperatorActor
  readonly permissions: ReadonlySet<OperatorPermission>
  readonly sites: SiteLimit
  /** When the person behind an account last entered a password or a code. Undefined for other actors. */
  readonly verifiedAt?: Date
}

/**
 * Returns the operator of a request by its `Authorization` header. `address` is that of the client. Undefined for an
 * unknown, expired or revoked credential. Throws `operator_only` for one that is not valid at this address.
 */
export type AuthenticateOperator = (request: {
  authorization: string | undefined
  address: string
}) => Promise<Operator | undefined>

/** What an operation requires of an operator (`Route`). */
export interface OperatorRequirements {
  /** `own-account` is any account, and neither a key nor the operator's token. */
  permission?: OperatorPermission | 'own-account' | undefined
  /** How it keeps operators within their sites. Without a rule it concerns all sites. */
  sites?: SiteRule | undefined
  /** Accounts must have entered their password or a code within the last ten minutes, and keys are refused. */
  isSensitive?: true | undefined
}

/** The permission of each operation, by its name in the audit log. Operations of earlier releases may be missing. */
export type OperationPermissions = ReadonlyMap<string, OperatorRequirements['permission']>

/** How long a verified account may call sensitive operations. */
const verificationMs = 10 * minuteMs

/** Throws `permission_denied`, `site_denied`, `account_required` or `verification_required` unless the operator may
 * call. The input of a limited operator is checked later (`SiteRule.check`). */
export function checkOperator(
  { actor, permissions, sites, verifiedAt }: Operator,
  { permission, sites: rule = allSites, isSensitive }: OperatorRequirements,
  now: Date,
): void {
  if (permission === 'own-account') {
    if (actor.kind !== 'account') throw new Failure('account_required')
  } else if (permission === undefined || !permissions.has(permission)) {
    throw new Failure('permission_denied', permission)
  }
  if (sites && rule === allSites) throw new Failure('site_denied', allSites.denial)
  if (!isSensitive || actor.kind === 'token') return
  if (verifiedAt === undefined) throw new Failure('account_required')
  if (now.getTime() - verifiedAt.getTime() > verificationMs) {
    throw new Failure('verification_required')
  }
}
