import type { IncomingHttpHeaders } from 'node:http'
import { dayMs, secondMs } from '../../kernel/clock.ts'
import type { Context } from '../../platform/context.ts'
import { digestOf } from '../token.ts'
import { readCookie, writeCookie } from './cookie.ts'
import { type Device, insertDevice, isDevice, keepDevice } from './store.ts'

/** How long a browser stays trusted after the last sign-in of its user. */
const deviceMs = 180 * dayMs

/** A device, with the secret of its cookie. */
export interface TrustedDevice extends Device {
  secret: string
}

/** Returns the device of this browser, if its user signed in there within 180 days. A new password of the user
 * deletes it. */
export async function findDevice(
  { db, config, now }: Pick<Context, 'db' | 'config' | 'now'>,
  headers: IncomingHttpHeaders,
): Promise<TrustedDevice | undefined> {
  const cookie = readCookie('device', headers, config)
  if (cookie?.userId === undefined) return undefined
  const { secret, userId } = cookie
  const device = { secret, userId, digest: digestOf(secret) }
  return (await isDevice(db, { ...device, now: now() })) ? device : undefined
}

/** Stores or renews this browser as a device of the user who signed in. It replaces a device of another user. Returns
 * its `Set-Cookie`. */
export async function rememberDevice(
  { db, config, now, random }: Pick<Context, 'db' | 'config' | 'now' | 'random'>,
  { device, userId }: { device: TrustedDevice | undefined; userId: number },
): Promise<string> {
  const expiresAt = new Date(now().getTime() + deviceMs)
  const isSame = device?.userId === userId
  const secret = isSame ? device.secret : random.hex(32)
  const row = { userId, digest: digestOf(secret), expiresAt }
  if (isSame) await keepDevice(db, row)
  else await insertDevice(db, { ...row, now: now() })
  return writeCookie('device', { secret, userId }, { config, lifeSeconds: deviceMs / secondMs })
}
