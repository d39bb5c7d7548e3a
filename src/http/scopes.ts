/** What an access token lets its bearer do: one of these per operation (`Route.scope`). */
export const tokenScopes = ['read', 'write'] as const
export type TokenScope = (typeof tokenScopes)[number]

/** What a user may grant beside that, which no operation asks for: `offline_access` lets tokens be renewed. */
export const grantScopes = ['offline_access'] as const

/** What an application may ask a user for. */
export const clientScopes = [...grantScopes, ...tokenScopes] as const
export type ClientScope = (typeof clientScopes)[number]

export function isTokenScope(scope: string): scope is TokenScope {
  return (tokenScopes as readonly string[]).includes(scope)
}
