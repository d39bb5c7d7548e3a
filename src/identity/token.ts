import { hash } from 'node:crypto'

/** How long an access token lasts unless the operator says otherwise: six hours. */
export const usualLifeSeconds = 21_600

const shape = /^APP_USR-(\d{1,16})-\d{6}-[0-9a-f]{32}-([1-9]\d{0,15})$/

/** `APP_USR-<application>-<month, day, hour>-<32 hex digits>-<user>`; application 0 is none. */
export function writeToken(made: {
  userId: number
  applicationId: number | null
  secret: string
  now: Date
}): string {
  const stamp = made.now.toISOString().slice(5, 13).replace(/\D/g, '')
  return `APP_USR-${made.applicationId ?? 0}-${stamp}-${made.secret}-${made.userId}`
}

/** The user that a token says it is of, so that it can be looked up with that user's rows. What it
 * says is believed only once its digest is found there. */
export function userOfToken(token: string): number | undefined {
  const user = shape.exec(token)?.[2]
  return user === undefined ? undefined : Number(user)
}

/** What is stored of a secret of 128 random bits: it needs no slow hash, it cannot be guessed. */
export function digestOf(secret: string): string {
  return hash('sha256', secret)
}
