import type { ClientSettings } from '../applications/store.ts'

/** What an application asks for on the authorisation page (wire 5), as it came. */
export interface AuthorizationInput {
  response_type?: string
  client_id?: string
  redirect_uri?: string
  state?: string
  code_challenge?: string
  code_challenge_method?: string
  scope?: string
}

/** What a user is asked to grant. */
export interface Wanted {
  scopes: readonly string[]
  challenge: string | null
}

/** A refusal that the application is told of by way of the browser (RFC 6749, 4.1.2.1). */
export interface Refusal {
  error: 'invalid_request' | 'unsupported_response_type' | 'invalid_scope' | 'access_denied'
  description: string
}

/** By S256: 32 bytes, as base64url writes them. */
const challengeShape = /^[A-Za-z0-9_-]{43}$/

/** What it comes to, once the application and its address are known to be what they say. */
export function readAuthorizationInput(
  asked: AuthorizationInput,
  client: Pick<ClientSettings, 'scopes' | 'requiresPkce' | 'isPublic'>,
): Wanted | Refusal {
  if (asked.response_type !== 'code') {
    const error =
      asked.response_type === undefined ? 'invalid_request' : 'unsupported_response_type'
    return { error, description: 'response_type: expected code' }
  }
  const { code_challenge: challenge, code_challenge_method: method } = asked
  const invalid = (description: string) => ({ error: 'invalid_request', description }) as const
  if (challenge === undefined && method !== undefined) {
    return invalid('code_challenge: expected with code_challenge_method')
  }
  if (challenge === undefined && (client.requiresPkce || client.isPublic)) {
    return invalid('code_challenge: expected, this application must use PKCE')
  }
  // Without a method it would be `plain` (RFC 7636, 4.3), by which whoever sees the request has all.
  if (challenge !== undefined && method !== 'S256') {
    return invalid('code_challenge_method: expected S256')
  }
  if (challenge !== undefined && !challengeShape.test(challenge)) {
    return invalid('code_challenge: expected 43 characters of base64url')
  }
  const scopes = readScopes(asked.scope, client.scopes)
  if (!scopes) {
    return { error: 'invalid_scope', description: expectedScopes(client.scopes) }
  }
  return { scopes, challenge: challenge ?? null }
}

/** The scopes that a text asks for, each once and in one order; all that are allowed for a text that
 * names none. Undefined where it asks for more. */
export function readScopes(
  text: string | undefined,
  allowed: readonly string[],
): readonly string[] | undefined {
  const named = [...new Set((text ?? '').split(' ').filter((each) => each !== ''))].sort()
  if (named.length === 0) return [...allowed].sort()
  return named.every((each) => allowed.includes(each)) ? named : undefined
}

export const expectedScopes = (allowed: readonly string[]) => `some of ${allowed.join(' ')}`
