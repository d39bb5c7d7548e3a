import { hash } from 'node:crypto'

/** Default lifetime of an access token: six hours. */
export const defaultTokenLifeSeconds = 21_600

const shape = /^APP_USR-(\d{1,16})-\d{6}-[0-9a-f]{32}-([1-9]\d{0,15})$/

/** Formats an access token: `APP_USR-<application>-<MMDDHH>-<32 hex digits>-<user>`. Application 0 means none. */
export function formatToken(token: {
  userId: number
  applicationId: number | null
  secret: string
  now: Date
}): string {
  const stamp = token.now.toISOString().slice(5, 13).replace(/\D/g, '')
  return `APP_USR-${token.applicationId ?? 0}-${stamp}-${token.secret}-${token.userId}`
}

/** Returns the user id written in a token, which names the shard of its row. It proves nothing until the digest
 * is found in that row. */
export function userOfToken(token: string): number | undefined {
  const user = shape.exec(token)?.[2]
  return user === undefined ? undefined : Number(user)
}

/** Returns the stored form of a secret (SHA-256). Generated secrets have at least 96 random bits, so a slow hash adds
 * nothing. */
export function digestOf(secret: string): string {
  return hash('sha256', secret)
}
