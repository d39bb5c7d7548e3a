import { ConfigFailure } from '../../platform/config.ts'
import { EmbeddedFailure } from '../../platform/postgres/failure.ts'

/** Exit codes of commands, as docs/command-line.md lists them. */
export const exitCodes = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const

/** A command failed. The message is for the user. */
export class CommandFailure extends Error {
  override name = 'CommandFailure'
}

/** A command line is wrong. The message is for the user. */
export class UsageFailure extends Error {
  override name = 'UsageFailure'
}

/** Returns the exit code for an error. */
export function exitCodeFor(error: unknown): number {
  return error instanceof UsageFailure ? exitCodes.usage : exitCodes.failed
}

/** Compared by name: the files of these classes load much that most commands do not need. */
const userErrors =
  /^(SchemaTooNew|DistributionRefused|DemoFileError|ModerationListError|SynonymListError)$/

/** Returns the message for an error that the user can fix, or undefined for a defect, whose stack is printed. */
export function userMessageOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof ConfigFailure || error instanceof EmbeddedFailure) return error.message
  if (error instanceof UsageFailure || error instanceof CommandFailure) return error.message
  if (userErrors.test(error.name)) return error.message
  const code = 'code' in error ? String(error.code) : ''
  if (/^(EACCES|ENOENT|EISDIR|ENOTDIR|EEXIST|ENOSPC|EROFS)$/.test(code)) return error.message
  return databaseSentence(code, error.message)
}

/** The next step by the code of a connection error, from Node or PostgreSQL. */
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

/** The next step by message, for errors whose code is missing or not in the table. */
const databaseMessages: readonly [message: RegExp, step: string][] = [
  [/^SASL: .*password must be/, 'PostgreSQL asks for a password: DATABASE_URL has none.'],
  [/not queryable/, 'The connection broke: see that PostgreSQL runs there, and try again.'],
  [/does not support SSL/, 'Leave sslmode out of it, or let PostgreSQL accept TLS.'],
  [
    /^(Connection terminated|timeout expired|unexpected message|received invalid response)/,
    'Is it PostgreSQL that listens at its host and port?',
  ],
]

/** Returns the sentence with the next step for an error of the database, by its code (empty for none) and message. Returns
 * undefined for any other error. `ApiClient` throws its own connection errors as `CommandFailure`, so they never come here. */
function databaseSentence(code: string, message: string): string | undefined {
  const step =
    (Object.hasOwn(databaseSteps, code) ? databaseSteps[code] : undefined) ??
    databaseMessages.find(([pattern]) => pattern.test(message))?.[1]
  if (step !== undefined) {
    // Messages of system errors repeat the code. Those of PostgreSQL name what it refuses.
    const why = /^E[A-Z_]+$/.test(code) ? code : [code, message].filter(Boolean).join(': ')
    return `The database of DATABASE_URL cannot be reached (${why}). ${step}`
  }
  if (/^(DEPTH_ZERO_SELF|SELF_SIGNED|UNABLE_TO_|CERT_|ERR_TLS_CERT_)/.test(code)) {
    return `The certificate of the database is not trusted (${code}: ${message}). Name its authority's file: NODE_EXTRA_CA_CERTS=/path/to/authority.pem, and in DATABASE_URL a host that the certificate names.`
  }
  if (/loaded Citus library version differs/.test(message)) {
    return `Citus refuses every statement (${message}). Run \`alter extension citus update\` in this database on every node.`
  }
  if (/connection to the remote node|no active placements were found/.test(message)) {
    const reason = message.replace(/\s+/g, ' ')
    return `A node of the cluster cannot be used (${reason}). Run \`feria doctor\`: it names the node and the next step.`
  }
  if (code === '42501') {
    return `PostgreSQL refuses this to the role of DATABASE_URL (${code}: ${message}). Make the role the owner of the database: alter database NAME owner to ROLE`
  }
  return undefined
}
