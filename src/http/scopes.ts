/** The scopes of access tokens. Each operation requires one of them (`Route.scope`). */
export const tokenScopes = ['read', 'write'] as const
export type TokenScope = (typeof tokenScopes)[number]

/** Scopes that a user may grant but no operation requires. `offline_access` allows refresh tokens. */
export const grantScopes = ['offline_access'] as const

/** All scopes that an application may request. */
export const clientScopes = [...grantScopes, ...tokenScopes] as const
export type ClientScope = (typeof clientScopes)[number]

export function isTokenScope(scope: string): scope is TokenScope {
  return (tokenScopes as readonly string[]).includes(scope)
}
