import { hourMs } from '../kernel/clock.ts'

/** A session ends this long after its last use. */
const idleMs = 2 * hourMs
/** A session ends this long after its sign-in, however it is used. */
export const longestSessionMs = 12 * hourMs

/** Returns when a session ends that is not used again. */
export function sessionEnd({ lastUsedAt, expiresAt }: { lastUsedAt: Date; expiresAt: Date }): Date {
  return new Date(Math.min(lastUsedAt.getTime() + idleMs, expiresAt.getTime()))
}
