import { useApiQuery } from './queries.ts'
import { useSession } from './session.ts'
import type { OperatorPermission, ResponseBody } from './types.ts'

export type OwnAccount = ResponseBody<'/operator/accounts/me', 'get'>

export const ownAccountPath = '/operator/accounts/me'

/** Returns whether a token is that of a session of an operator account. The operator token and API keys have none. */
export const isAccountToken = (token: string | null) => token?.startsWith('feria_session_') ?? false

/** Reads the account that the operator signed in with. Without one, nothing is requested. */
export function useOwnAccount() {
  const { operatorToken } = useSession()
  const options = { enabled: isAccountToken(operatorToken) }
  return useApiQuery<OwnAccount>(ownAccountPath, { authScheme: 'operator' }, options)
}

/**
 * Returns the function that tells whether the operator has a permission. The operator token has all; the permissions of
 * an API key are unknown, so it may try everything.
 */
export function usePermissions(): (permission: OperatorPermission) => boolean {
  const { operatorToken } = useSession()
  const { data } = useOwnAccount()
  if (!isAccountToken(operatorToken)) return () => true
  return (permission) => data?.permissions.includes(permission) ?? false
}
