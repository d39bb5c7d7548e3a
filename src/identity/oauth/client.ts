import { timingSafeEqual } from 'node:crypto'
import { badField, Failure } from '../../kernel/failure.ts'
import { parseId } from '../../kernel/ids.ts'
import type { Context } from '../../platform/context.ts'
import { findClient, type OAuthClient } from '../applications/store.ts'
import { digestOf } from '../token.ts'

/** The client of a token request. */
export interface IdentifiedClient extends OAuthClient {
  /** Whether the request carried a valid secret. A public client needs none. */
  hasValidSecret: boolean
}

/** Returns whether a client has authenticated. A public client never counts as such: its secret is not confidential
 * (RFC 6749, 2.1). */
export function isAuthenticated({ hasValidSecret, isPublic }: IdentifiedClient): boolean {
  return hasValidSecret && !isPublic
}

/** The client id and secret of a request, not yet checked. */
export interface ClientCredentials {
  /** Undefined if the sent text is not an id. */
  id: number | undefined
  secret: string | undefined
  inHeader: boolean
}

/**
 * Returns the client of these credentials. Throws `invalid_client` for an unknown client, a wrong secret and a
 * missing one alike, so that ids cannot be probed.
 */
export async function identifyClient(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { id, secret, inHeader }: ClientCredentials,
): Promise<IdentifiedClient> {
  const client = id === undefined ? undefined : await findClient(db, id)
  const isProven = client !== undefined && isSecretOf(client, secret, now())
  const isAllowed = secret === undefined ? client?.isPublic : isProven
  if (!client || !isAllowed)
    throw new Failure(inHeader ? 'invalid_client_header' : 'invalid_client')
  return { ...client, hasValidSecret: isProven }
}

function isSecretOf(client: OAuthClient, secret: string | undefined, now: Date): boolean {
  if (secret === undefined) return false
  const digest = Buffer.from(digestOf(secret))
  const { previousSecretHash, previousSecretUntil } = client
  const isOverlap = previousSecretUntil !== null && previousSecretUntil > now
  return (
    [client.secretHash, ...(isOverlap && previousSecretHash ? [previousSecretHash] : [])]
      // The application of an erased owner has none.
      .filter((storedDigest) => storedDigest !== '')
      .map((storedDigest) => timingSafeEqual(digest, Buffer.from(storedDigest)))
      .includes(true)
  )
}

/** Reads `client_id` and `client_secret`, or HTTP Basic (RFC 6749, 2.3.1). Throws `bad_request`. */
export function readCredentials(input: {
  authorization: string | undefined
  client_id: string | undefined
  client_secret: string | undefined
}): ClientCredentials {
  const basic = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(input.authorization ?? '')?.[1]
  const { client_id: id, client_secret: secret } = input
  if (basic === undefined) {
    if (id === undefined) throw badField('client_id', 'an application’s id')
    return { id: parseId(id), secret, inHeader: false }
  }
  if (secret !== undefined) {
    throw badField('client_secret', 'in the body or in the Authorization header, not in both')
  }
  const [, user, password] = /^([^:]*):(.*)$/s.exec(Buffer.from(basic, 'base64').toString()) ?? []
  const userName = decode(user)
  if (id !== undefined && id !== userName) {
    throw badField('client_id', 'the same as in the Authorization header')
  }
  return { id: parseId(userName ?? ''), secret: decode(password) ?? '', inHeader: true }
}

/** Decodes a form-encoded part of HTTP Basic (RFC 6749, 2.3.1). Malformed text stays as it is. */
function decode(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
