import { clientScopes } from '../../http/scopes.ts'

/** The id of the console. It lies below the first generated id (`firstId.application`), as the demo application's does. */
export const consoleApplicationId = 3_000_000_000_000_001
export const consoleName = 'Feria console'
/** The path of the console's redirect address. */
export const consoleCallbackPath = '/console/callback'

/**
 * The console as an OAuth client. It is built in and has no row, owner or secret. Its redirect address is on this
 * service, under the name by which the browser reached it.
 */
export const consoleClient = {
  id: consoleApplicationId,
  name: consoleName,
  description: null,
  redirectUris: [],
  scopes: clientScopes,
  requiresPkce: true,
  isPublic: true,
  ownerId: null,
  // No known text has this digest, so no secret matches.
  secretHash: '0'.repeat(64),
  previousSecretHash: null,
  previousSecretUntil: null,
}

/** Returns the redirect addresses that a client may use. `issuer` is the base address of this service. */
export function redirectsOf(
  { id, redirectUris }: { id: number; redirectUris: readonly string[] },
  issuer: string,
): readonly string[] {
  return id === consoleApplicationId ? [`${issuer}${consoleCallbackPath}`] : redirectUris
}
