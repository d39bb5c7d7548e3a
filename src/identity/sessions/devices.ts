import type { IncomingHttpHeaders } from 'node:http'
import { dayMs, secondMs } from '../../kernel/clock.ts'
import type { Context } from '../../platform/context.ts'
import { digestOf } from '../token.ts'
import { readCookie, writeCookie } from './cookie.ts'
import { type Device, insertDevice, isDevice, keepDevice } from './store.ts'

/** How long a browser stays known after its user last signed in there. */
const deviceMs = 180 * dayMs

/** A device whose cookie this browser holds. */
export interface TrustedDevice extends Device {
  secret: string
}

/** Returns the device of this browser: its user has signed in there, and has had no new password since. */
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

/** Makes this browser a device of the user who has signed in, in place of whoever was there before. Returns
 * the `Set-Cookie` of it. */
export async function rememberDevice(
  { db, config, now, random }: Pick<Context, 'db' | 'config' | 'now' | 'random'>,
  { device, userId }: { device: TrustedDevice | undefined; userId: number },
): Promise<string> {
  const expiresAt = new Date(now().getTime() + deviceMs)
  const isSame = device?.userId === userId
  const secret = isSame ? device.secret : random.hex(32)
  const one = { userId, digest: digestOf(secret), expiresAt }
  if (isSame) await keepDevice(db, one)
  else await insertDevice(db, { ...one, now: now() })
  return writeCookie('device', { secret, userId }, { config, lifeSeconds: deviceMs / secondMs })
}
