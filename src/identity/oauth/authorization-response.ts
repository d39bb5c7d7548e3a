import type { AuthorizationRefusal } from './authorization-input.ts'

/** Returns the redirect address with the answer in its query. `iss` names this service, so that a client of several
 * services cannot mistake one's answer for another's (RFC 9207). */
export function authorizationResponseUri(
  redirectUri: string,
  answer: { state: string | undefined; issuer: string } & ({ code: string } | AuthorizationRefusal),
): string {
  const parameters = new URLSearchParams(
    'code' in answer
      ? { code: answer.code }
      : { error: answer.error, error_description: answer.description },
  )
  if (answer.state !== undefined) parameters.set('state', answer.state)
  parameters.set('iss', answer.issuer)
  // Append to the text instead of rebuilding the URL: the registered address stays unchanged.
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${parameters}`
}
