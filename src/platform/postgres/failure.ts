/**
 * Why the embedded database does not run, in words for the person who started Feria: what is wrong,
 * and the one command that helps.
 */
export class EmbeddedFailure extends Error {
  override readonly name = 'EmbeddedFailure'
}

/** The way out that always exists. */
export const ownDatabase =
  'A PostgreSQL of your own serves as well: DATABASE_URL=postgres://user:password@host:5432/name npm start'

/** What a start tells, step by step; together, so that they are short and sound alike. */
export const steps = {
  preparing: 'preparing the embedded database (only once, a few seconds) …',
  creating: 'creating the database …',
  replacing: 'stopping a database that an earlier Feria left running …',
  recovering: 'the database was not closed properly and is recovering, please wait …',
  ready: 'the embedded database is ready',
} as const

/** Known ends of a PostgreSQL that would not start, by what its log says. */
const knownEnds: readonly { log: RegExp; says: (where: { cluster: string }) => string }[] = [
  {
    log: /incompatible with server|not compatible with this version/,
    says: ({ cluster }) =>
      `The database in ${cluster} was made by another version of PostgreSQL. Start the Feria that made it and copy the data out (pg_dump), or begin anew beside it: mv ${shellWord(cluster)} ${shellWord(`${cluster}.old`)}`,
  },
  {
    log: /No space left on device/,
    says: ({ cluster }) => `The disk is full. See what is left: df -h ${shellWord(cluster)}`,
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

/** The failure of a PostgreSQL that ended instead of starting, with the end of its log. */
export function failedStart(of: { what: string; cluster: string; log: string }): EmbeddedFailure {
  const known = knownEnds.find((end) => end.log.test(of.log))
  const says = known?.says(of) ?? `${of.what} failed. ${ownDatabase}`
  const log = of.log.trim()
  return new EmbeddedFailure(log ? `${says}\nIts last words:\n${log}` : says)
}

/** One argument of a command that a person can paste into a shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
