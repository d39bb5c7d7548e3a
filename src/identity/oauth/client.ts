import { timingSafeEqual } from 'node:crypto'
import { badField, Failure } from '../../kernel/failure.ts'
import { parseId } from '../../kernel/ids.ts'
import type { Context } from '../../platform/context.ts'
import { type Client, findClient } from '../applications/store.ts'
import { digestOf } from '../token.ts'

/** An application that said who it is; whether it proved it too, which a public one cannot. */
export interface RegisteredClient extends Client {
  isProven: boolean
}

/** Returns whether an application has authenticated itself. A public one has not, whatever it sent: its
 * secret is no secret (RFC 6749, 2.1). */
export function isAuthenticated({ isProven, isPublic }: RegisteredClient): boolean {
  return isProven && !isPublic
}

/** Which application a request says it comes from, and how it proves that. */
export interface ClientCredentials {
  /** Undefined where what was sent is no id at all. */
  id: number | undefined
  secret: string | undefined
  inHeader: boolean
}

/**
 * The application that asks. An unknown one, a wrong secret and none where one is needed are refused
 * alike. Throws `invalid_client`.
 */
export async function knowClient(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { id, secret, inHeader }: ClientCredentials,
): Promise<RegisteredClient> {
  const client = id === undefined ? undefined : await findClient(db, id)
  const isProven = client !== undefined && isSecretOf(client, secret, now())
  const isAllowed = secret === undefined ? client?.isPublic : isProven
  if (!client || !isAllowed)
    throw new Failure(inHeader ? 'invalid_client_header' : 'invalid_client')
  return { ...client, isProven }
}

function isSecretOf(client: Client, secret: string | undefined, now: Date): boolean {
  if (secret === undefined) return false
  const given = Buffer.from(digestOf(secret))
  const { previousSecretHash, previousSecretUntil } = client
  const isStillTaken = previousSecretUntil !== null && previousSecretUntil > now
  return [client.secretHash, ...(isStillTaken && previousSecretHash ? [previousSecretHash] : [])]
    .map((kept) => timingSafeEqual(given, Buffer.from(kept)))
    .includes(true)
}

/** Reads `client_id` and `client_secret`, or HTTP Basic (RFC 6749, 2.3.1). Throws `bad_request`. */
export function readCredentials(asked: {
  authorization: string | undefined
  client_id: string | undefined
  client_secret: string | undefined
}): ClientCredentials {
  const basic = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(asked.authorization ?? '')?.[1]
  const { client_id: id, client_secret: secret } = asked
  if (basic === undefined) {
    if (id === undefined) throw badField('client_id', 'an application’s id')
    return { id: parseId(id), secret, inHeader: false }
  }
  if (secret !== undefined) {
    throw badField('client_secret', 'in the body or in the Authorization header, not in both')
  }
  const [, user, password] = /^([^:]*):(.*)$/s.exec(Buffer.from(basic, 'base64').toString()) ?? []
  const named = decode(user)
  if (id !== undefined && id !== named) {
    throw badField('client_id', 'the same as in the Authorization header')
  }
  return { id: parseId(named ?? ''), secret: decode(password) ?? '', inHeader: true }
}

/** As forms write it (RFC 6749, 2.3.1). */
function decode(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
