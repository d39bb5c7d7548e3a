import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Binaries } from './binaries.ts'
import { EmbeddedFailure, ownDatabase, shellWord } from './failure.ts'

export interface SystemAccount {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

/** Starts the programs of PostgreSQL under their account. */
export interface ProgramRunner {
  /** The account of the programs. Undefined for that of this process. */
  readonly account: SystemAccount | undefined
  /** Starts a program without input, in its own process group. Its error output is on `stderr`. */
  start(program: string, args: readonly string[]): ChildProcess
}

/**
 * Chooses the account of PostgreSQL, which refuses to run as root. Root uses the owner of the existing cluster, or
 * `postgres`, or `nobody`; initdb needs an account with a name. Any other user runs it under the own account.
 */
export function chooseRunner(options: {
  dataDirectory: string
  cluster: string
  binaries: Binaries
  setpriv: string
}): ProgramRunner {
  const owner = statSync(options.cluster, { throwIfNoEntry: false })
  if (process.geteuid?.() !== 0) {
    if (owner && process.geteuid && owner.uid !== process.geteuid()) {
      throw new EmbeddedFailure(
        `The database in ${options.cluster} belongs to another account (uid ${owner.uid}), probably because Feria once ran as root. ` +
          `Take it over: sudo chown -R "$(id -un)" ${shellWord(options.dataDirectory)}`,
      )
    }
    return { account: undefined, start: (program, args) => startProgram(program, args, {}) }
  }

  const account = accountFor(owner?.uid ? owner : undefined)
  const blocked = blockedPaths(account, options)
  if (blocked.length === 0) {
    const { uid, gid } = account
    return { account, start: (program, args) => startProgram(program, args, { uid, gid }) }
  }
  // In a container, the checkout often lies under /root, which only root may enter. The account then gets the single
  // capability that opens folders.
  const privileges = [
    '--reuid',
    String(account.uid),
    '--regid',
    String(account.gid),
    '--clear-groups',
    '--inh-caps',
    '+dac_override',
    '--ambient-caps',
    '+dac_override',
    // Without it, access(2) drops the capability, because it checks as the real user.
    '--securebits',
    '+no_setuid_fixup',
    '--',
  ]
  const attempt = spawnSync(
    options.setpriv,
    [...privileges, options.binaries.postgres, '--version'],
    {
      ...programEnvironment(),
      encoding: 'utf8',
      timeout: 10_000,
    },
  )
  if (attempt.status !== 0) throw closedTo(account, blocked, options.binaries)
  return {
    account,
    start: (program, args) => startProgram(options.setpriv, [...privileges, program, ...args], {}),
  }
}

function startProgram(
  program: string,
  args: readonly string[],
  as: { uid?: number; gid?: number },
): ChildProcess {
  return spawn(program, args, {
    ...programEnvironment(),
    ...as,
    // Ctrl-C reaches the whole process group of the terminal, but only Feria may stop PostgreSQL.
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

/**
 * Returns a working directory that every account may enter, and a minimal environment: PostgreSQL would obey `PG…`
 * variables, and it must not see Feria's secrets.
 */
function programEnvironment(): { cwd?: string; env: Record<string, string> } {
  const names = ['PATH', 'HOME', 'TMPDIR', 'LD_LIBRARY_PATH', 'SystemRoot', 'TEMP', 'TMP']
  const env: Record<string, string> = { LC_ALL: 'C', TZ: 'UTC' }
  for (const name of names) {
    const value = process.env[name]
    if (value !== undefined) env[name] = value
  }
  return process.platform === 'win32' ? { env } : { cwd: '/', env }
}

/** Returns the account that runs PostgreSQL when Feria runs as root: the owner of the data, else `postgres` or
 * `nobody`. Throws `EmbeddedFailure` if the machine has none of them. */
function accountFor(owner: { uid: number; gid: number } | undefined): SystemAccount {
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
  if (owner) {
    const account = accounts.find(({ uid }) => uid === owner.uid)
    return account ?? { name: `uid ${owner.uid}`, uid: owner.uid, gid: owner.gid }
  }
  for (const name of ['postgres', 'nobody']) {
    const account = accounts.find((candidate) => candidate.name === name)
    if (account) return account
  }
  throw new EmbeddedFailure(
    'PostgreSQL refuses to run as root, and this machine has neither an account `postgres` nor `nobody`. ' +
      'Run Feria as an ordinary user (in a container: docker run --user node …).',
  )
}

/** Returns the folders that keep an account from the programs and the data directory, the outermost first. */
export function blockedPaths(
  account: SystemAccount,
  options: { dataDirectory: string; binaries: Binaries },
): string[] {
  const native = join(options.binaries.packageDirectory, 'native')
  const needed = [
    options.binaries.postgres,
    options.binaries.initdb,
    join(native, 'lib'),
    join(native, 'share'),
    options.dataDirectory,
  ]
  const paths = new Set(needed.map((path) => realpathSync(path)).flatMap(withAncestors))
  return [...paths].filter((path) => {
    const { uid, gid, mode } = statSync(path)
    const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0
    return ((mode >> shift) & 1) === 0
  })
}

function withAncestors(path: string): string[] {
  const above = dirname(path)
  return above === path ? [path] : [...withAncestors(above), path]
}

/** Returns the failure for folders that the account may not enter, with the command that opens them. */
function closedTo(account: SystemAccount, blocked: string[], binaries: Binaries): EmbeddedFailure {
  const inPackage = (path: string) => path.startsWith(join(binaries.packageDirectory, 'native'))
  const folders = blocked.filter((path) => !inPackage(path)).map(shellWord)
  const opening = [
    ...(folders.length > 0 ? [`chmod o+x ${folders.join(' ')}`] : []),
    ...(blocked.some(inPackage) ? [`chmod -R o+rX ${shellWord(binaries.packageDirectory)}`] : []),
  ].join(' && ')
  return new EmbeddedFailure(
    `PostgreSQL refuses to run as root, and the account \`${account.name}\`, as which root runs it, may not enter ${blocked.join(', ')}. ` +
      `Let it pass: ${opening}\nOr run Feria as an ordinary user. ${ownDatabase}`,
  )
}
