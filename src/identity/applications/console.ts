import { clientScopes } from '../../http/scopes.ts'

/** Below the first number that applications are given, as the demo application's is. */
export const consoleApplicationId = 3_000_000_000_000_001
export const consoleName = 'Feria console'
/** Where the console takes its codes, behind the address of the service. */
export const consoleCallbackPath = '/console/callback'

/**
 * The console as an application. It is built in and no row: nobody registers, owns or changes it, it has
 * no secret, and it leads back to this very service, wherever that was reached.
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
  // The digest of no text that anybody knows.
  secretHash: '0'.repeat(64),
  previousSecretHash: null,
  previousSecretUntil: null,
}

/** Where answers of the authorisation page may go. `issuer` is under which address this service answers. */
export function redirectsOf(
  { id, redirectUris }: { id: number; redirectUris: readonly string[] },
  issuer: string,
): readonly string[] {
  return id === consoleApplicationId ? [`${issuer}${consoleCallbackPath}`] : redirectUris
}
