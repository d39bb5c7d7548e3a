import type { ClientSettings } from '../applications/store.ts'

/** The query of the authorization page, not yet checked. */
export interface AuthorizationInput {
  response_type?: string
  client_id?: string
  redirect_uri?: string
  state?: string
  code_challenge?: string
  code_challenge_method?: string
  scope?: string
}

/** The scopes and the PKCE challenge that a user is asked to grant. */
export interface RequestedGrant {
  scopes: readonly string[]
  challenge: string | null
}

/** A refusal that is sent to the application by a redirect of the browser (RFC 6749, 4.1.2.1). */
export interface AuthorizationRefusal {
  error: 'invalid_request' | 'unsupported_response_type' | 'invalid_scope' | 'access_denied'
  description: string
}

/** An S256 challenge: 32 bytes in base64url. */
const challengeShape = /^[A-Za-z0-9_-]{43}$/

/** Checks the query against the client's settings. Call it only after the client and its redirect address are verified. */
export function readAuthorizationInput(
  input: AuthorizationInput,
  client: Pick<ClientSettings, 'scopes' | 'requiresPkce' | 'isPublic'>,
): RequestedGrant | AuthorizationRefusal {
  if (input.response_type !== 'code') {
    const error =
      input.response_type === undefined ? 'invalid_request' : 'unsupported_response_type'
    return { error, description: 'response_type: expected code' }
  }
  const { code_challenge: challenge, code_challenge_method: method } = input
  const invalid = (description: string) => ({ error: 'invalid_request', description }) as const
  if (challenge === undefined && method !== undefined) {
    return invalid('code_challenge: expected with code_challenge_method')
  }
  if (challenge === undefined && (client.requiresPkce || client.isPublic)) {
    return invalid('code_challenge: expected, this application must use PKCE')
  }
  // A missing method means `plain` (RFC 7636, 4.3), which protects nothing from someone who sees the request.
  if (challenge !== undefined && method !== 'S256') {
    return invalid('code_challenge_method: expected S256')
  }
  if (challenge !== undefined && !challengeShape.test(challenge)) {
    return invalid('code_challenge: expected 43 characters of base64url')
  }
  const scopes = readScopes(input.scope, client.scopes)
  if (!scopes) {
    return { error: 'invalid_scope', description: expectedScopes(client.scopes) }
  }
  return { scopes, challenge: challenge ?? null }
}

/** Returns the requested scopes, sorted and without duplicates. No text means all allowed scopes. Undefined if a scope
 * is not allowed. */
export function readScopes(
  text: string | undefined,
  allowed: readonly string[],
): readonly string[] | undefined {
  const scopes = [...new Set((text ?? '').split(' ').filter((scope) => scope !== ''))].sort()
  if (scopes.length === 0) return [...allowed].sort()
  return scopes.every((scope) => allowed.includes(scope)) ? scopes : undefined
}

export const expectedScopes = (allowed: readonly string[]) => `some of ${allowed.join(' ')}`
