import { dirname, join } from 'node:path'

/**
 * The embedded database cannot run. The message is for the person who started Feria: the problem, and the command that
 * solves it.
 */
export class EmbeddedFailure extends Error {
  override readonly name = 'EmbeddedFailure'
}

/** The alternative that always works. */
export const ownDatabase =
  'Or use your own PostgreSQL: DATABASE_URL=postgres://user:password@host:5432/name npm start'

/** The progress lines of a start. */
export const steps = {
  preparing: 'preparing the embedded database (only once, a few seconds) …',
  creating: 'creating the database …',
  replacing: 'stopping a database that an earlier Feria left running …',
  recovering: 'the database was not closed properly and is recovering, please wait …',
  ready: 'the embedded database is ready',
} as const

/** Returns the failure of a write to the data directory, with the step that helps. `path` must exist. */
export function writeFailure(path: string, error: NodeJS.ErrnoException): EmbeddedFailure {
  const { code = '', message } = error
  const elsewhere = 'FERIA_DATA=./data-2 npm start'
  const step = {
    ENOSPC: `The disk is full. Make room on it: df -h ${shellWord(path)}`,
    EDQUOT: `The quota of this account is used up. Make room: df -h ${shellWord(path)}`,
    EROFS: `The file system is read-only. Mount it for writing, or choose another data directory: ${elsewhere}`,
    EACCES: `Make it yours: sudo chown -R "$(id -un)" ${shellWord(path)}`,
    EPERM: `Make it yours: sudo chown -R "$(id -un)" ${shellWord(path)}`,
  }[code]
  return new EmbeddedFailure(
    `Nothing can be written into ${path} (${code || message}). ${step ?? `Choose another data directory: ${elsewhere}`}`,
  )
}

type KnownFailure = {
  log: RegExp
  says: (of: { cluster: string; reason: string }) => string
}

/** Known reasons why PostgreSQL does not start, by patterns of its log. */
const knownFailures: readonly KnownFailure[] = [
  {
    log: /incompatible with server|not compatible with this version/,
    says: ({ cluster }) =>
      `The database in ${cluster} was made by another version of PostgreSQL. Start the Feria that made it and copy the data out (pg_dump), or begin anew beside it: mv ${shellWord(cluster)} ${shellWord(`${cluster}.old`)}`,
  },
  {
    log: /no space left on device/i,
    says: ({ cluster }) =>
      `The disk of the embedded database is full. Make room on it: df -h ${shellWord(dirname(cluster))}`,
  },
  {
    log: /read-only file system/i,
    says: ({ cluster }) =>
      `${dirname(cluster)} is on a read-only file system. Mount it for writing, or choose another data directory: FERIA_DATA=./data-2 npm start`,
  },
  {
    log: /password authentication failed for user "feria"/,
    says: ({ cluster }) =>
      `The password in ${join(cluster, 'feria.password')} is not that of the database. Put the file back from a copy, or begin anew beside it: mv ${shellWord(cluster)} ${shellWord(`${cluster}.old`)}`,
  },
  {
    log: /global\/pg_control"|control file|valid checkpoint record|required WAL directory|could not access status of transaction|invalid page in block|is not a valid data directory/,
    says: ({ cluster, reason }) =>
      `The database in ${cluster} is damaged (${reason}). Put a backup in its place, or begin anew beside it: mv ${shellWord(cluster)} ${shellWord(`${cluster}.old`)}`,
  },
  {
    log: /could not (?:resize|create|map) .*shared memory|semaphores/,
    says: () =>
      'PostgreSQL gets too little shared memory. In a container, give it more: docker run --shm-size=256m …',
  },
  {
    log: /spawn .+ ENOENT|setpriv: failed to execute/,
    says: () =>
      `This system cannot run the embedded PostgreSQL, which is built for the GNU C library (Alpine has another one). In a container, take an image with Debian: node:24-slim. ${ownDatabase}`,
  },
  {
    log: /spawn .+ EPERM/,
    says: () =>
      'PostgreSQL refuses to run as root, and root may not start it as somebody else here. Run Feria as an ordinary user (in a container: docker run --user node …).',
  },
  {
    log: /could not look up effective user ID/,
    says: () =>
      'PostgreSQL only runs as an account that has a name, and this one has none in /etc/passwd. In a container, run as a named one: docker run --user node …',
  },
]

/** Returns the failure of a PostgreSQL that did not start: one line for a known reason, otherwise with the end of its
 * log. */
export function startFailure(start: {
  what: string
  cluster: string
  log: string
}): EmbeddedFailure {
  const log = start.log.trim()
  const output = `${start.what}\n${log}`
  const knownFailure = knownFailures.find((failure) => failure.log.test(output))
  if (knownFailure)
    return new EmbeddedFailure(knownFailure.says({ ...start, reason: reasonIn(log) }))
  const says = `${start.what} failed. ${ownDatabase}`
  return new EmbeddedFailure(log ? `${says}\nThe end of its log:\n${log}` : says)
}

/** Returns the reason in a log, without time and process. */
function reasonIn(log: string): string {
  const fatal = /(?:PANIC|FATAL): +(.+)/.exec(log)?.[1]
  return fatal ?? log.split('\n').at(-1)?.replace(/^but /, '') ?? ''
}

/** Quotes an argument of a command for a shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
