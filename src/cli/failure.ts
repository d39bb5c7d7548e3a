import { ConfigFailure } from '../platform/config.ts'
import { EmbeddedFailure } from '../platform/postgres/failure.ts'

/** How a command ends; docs/command-line.md tells the same. */
export const exits = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const

/** What was asked for cannot be done; the message is for the person at the keyboard. */
export class CommandFailure extends Error {
  override name = 'CommandFailure'
}

/** A command was called in a way that it does not know. */
export class UsageFailure extends Error {
  override name = 'UsageFailure'
}

/** The code that a process ends with after this error. */
export function exitFor(error: unknown): number {
  return error instanceof UsageFailure ? exits.usage : exits.failed
}

/** What to tell the person at the keyboard of an error that they can mend; undefined for a defect,
 * which is shown whole. */
export function sentenceFor(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof ConfigFailure || error instanceof EmbeddedFailure) return error.message
  if (error instanceof UsageFailure || error instanceof CommandFailure) return error.message
  // By its name: its file brings the whole database driver along, which small commands go without.
  if (error.name === 'SchemaTooNew') return error.message
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'EADDRINUSE') return `${error.message}\nSet PORT to a free one (0 takes any).`
  if (/^(EACCES|ENOENT|EISDIR|ENOTDIR|ENOSPC|EROFS)$/.test(code)) return error.message
  if (/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|28P01|28000|3D000)$/.test(code)) {
    return `The database of DATABASE_URL can not be reached (${code}). Is it running, and are its host, port, user, password and name right?`
  }
  return undefined
}
