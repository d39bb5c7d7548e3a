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
  if (/^(SchemaTooNew|DistributionRefused)$/.test(error.name)) return error.message
  const code = 'code' in error ? String(error.code) : ''
  if (/^(EACCES|ENOENT|EISDIR|ENOTDIR|EEXIST|ENOSPC|EROFS)$/.test(code)) return error.message
  return databaseSentence(code, error.message)
}

/** What to do about an error of the connection to PostgreSQL, by its code. */
const databaseSteps: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Is PostgreSQL running at its host and port?',
  ECONNRESET: 'Is it PostgreSQL that listens at its host and port?',
  ETIMEDOUT: 'Are its host and port right, and does a firewall let you through?',
  EHOSTUNREACH: 'Is its host right, and does a firewall let you through?',
  ENETUNREACH: 'Is its host right, and does a firewall let you through?',
  ENOTFOUND: 'There is no such host: correct it.',
  EAI_AGAIN: 'The name of its host cannot be resolved: correct it, or try again.',
  '28P01': 'Correct its user and password.',
  '28000': 'Correct its user, or let PostgreSQL accept this host in pg_hba.conf.',
  '3D000': 'Create the database (createdb NAME), or correct its name.',
  '53300': 'Raise max_connections of PostgreSQL, or lower DATABASE_POOL.',
  '57P01': 'PostgreSQL is stopping: try again in a moment.',
  '57P02': 'PostgreSQL is recovering from a crash: try again in a moment.',
  '57P03': 'PostgreSQL is starting or stopping: try again in a moment.',
}

/** The same by the message, for errors that have no code. */
const databaseMessages: readonly [message: RegExp, step: string][] = [
  [/^SASL: .*password must be/, 'PostgreSQL asks for a password: DATABASE_URL has none.'],
  [/not queryable/, 'The connection broke: see that PostgreSQL runs there, and try again.'],
  [/does not support SSL/, 'Leave sslmode out of it, or let PostgreSQL accept TLS.'],
  [
    /^(Connection terminated|timeout expired|unexpected message|received invalid response)/,
    'Is it PostgreSQL that listens at its host and port?',
  ],
]

function databaseSentence(code: string, message: string): string | undefined {
  const step =
    (Object.hasOwn(databaseSteps, code) ? databaseSteps[code] : undefined) ??
    databaseMessages.find(([said]) => said.test(message))?.[1]
  if (step !== undefined) {
    // System errors repeat their code in the message; PostgreSQL's messages name what it refuses.
    const why = /^E[A-Z_]+$/.test(code) ? code : [code, message].filter(Boolean).join(': ')
    return `The database of DATABASE_URL cannot be reached (${why}). ${step}`
  }
  if (/^(DEPTH_ZERO_SELF|SELF_SIGNED|UNABLE_TO_|CERT_|ERR_TLS_CERT_)/.test(code)) {
    return `The certificate of the database is not trusted (${code}: ${message}). Name its authority's file: NODE_EXTRA_CA_CERTS=/path/to/authority.pem, and in DATABASE_URL a host that the certificate names.`
  }
  if (/loaded Citus library version differs/.test(message)) {
    return `Citus refuses every statement (${message}). Run \`alter extension citus update\` in this database on every node.`
  }
  if (code === '42501') {
    return `PostgreSQL refuses this to the role of DATABASE_URL (${code}: ${message}). Make the role the owner of the database: alter database NAME owner to ROLE`
  }
  return undefined
}
