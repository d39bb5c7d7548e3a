import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Binaries } from './binaries.ts'
import { EmbeddedFailure, ownDatabase, shellWord } from './failure.ts'

export interface Account {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

/** Starts the programs of PostgreSQL as the account that they run as. */
export interface Runner {
  /** undefined: the account of this process */
  readonly account: Account | undefined
  /** without input; what it writes is on stderr, its error output; in a process group of its own */
  start(program: string, args: readonly string[]): ChildProcess
}

/**
 * PostgreSQL refuses to run as root, so root runs it as somebody else: the owner of the cluster that
 * is there, else `postgres`, else `nobody`; initdb wants an account with a name. Everybody else runs
 * it as themselves.
 */
export function chooseRunner(of: {
  dataDirectory: string
  cluster: string
  binaries: Binaries
  setpriv: string
}): Runner {
  const owner = statSync(of.cluster, { throwIfNoEntry: false })
  if (process.geteuid?.() !== 0) {
    if (owner && process.geteuid && owner.uid !== process.geteuid()) {
      throw new EmbeddedFailure(
        `The database in ${of.cluster} belongs to another account (uid ${owner.uid}), probably because Feria once ran as root. ` +
          `Take it over: sudo chown -R "$(id -un)" ${shellWord(of.dataDirectory)}`,
      )
    }
    return { account: undefined, start: (program, args) => startProgram(program, args, {}) }
  }

  const account = accountFor(owner?.uid ? owner : undefined)
  const blocked = blockedPaths(account, of)
  if (blocked.length === 0) {
    const { uid, gid } = account
    return { account, start: (program, args) => startProgram(program, args, { uid, gid }) }
  }
  // Typical for a container: the checkout lies under /root, which only root may enter. The account
  // is lent the one capability that opens folders, and nothing else.
  const lent = [
    '--reuid',
    String(account.uid),
    '--regid',
    String(account.gid),
    '--clear-groups',
    '--inh-caps',
    '+dac_override',
    '--ambient-caps',
    '+dac_override',
    // Without it access(2), which asks as the real user, gives up the capability.
    '--securebits',
    '+no_setuid_fixup',
    '--',
  ]
  const tried = spawnSync(of.setpriv, [...lent, of.binaries.postgres, '--version'], {
    ...surroundings(),
    encoding: 'utf8',
    timeout: 10_000,
  })
  if (tried.status !== 0) throw closedTo(account, blocked, of.binaries)
  return {
    account,
    start: (program, args) => startProgram(of.setpriv, [...lent, program, ...args], {}),
  }
}

function startProgram(
  program: string,
  args: readonly string[],
  as: { uid?: number; gid?: number },
): ChildProcess {
  return spawn(program, args, {
    ...surroundings(),
    ...as,
    // Ctrl-C goes to the whole group of the terminal: Feria alone decides when PostgreSQL stops.
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

/**
 * A folder that every account may stand in, and no more of the environment than programs need:
 * PG… variables would be obeyed, and Feria's own secrets are none of PostgreSQL's business.
 */
function surroundings(): { cwd?: string; env: Record<string, string> } {
  const passed = ['PATH', 'HOME', 'TMPDIR', 'LD_LIBRARY_PATH', 'SystemRoot', 'TEMP', 'TMP']
  const env: Record<string, string> = { LC_ALL: 'C', TZ: 'UTC' }
  for (const name of passed) {
    const value = process.env[name]
    if (value !== undefined) env[name] = value
  }
  return process.platform === 'win32' ? { env } : { cwd: '/', env }
}

function accountFor(owner: { uid: number; gid: number } | undefined): Account {
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
  if (owner) {
    const named = accounts.find((account) => account.uid === owner.uid)
    return named ?? { name: `uid ${owner.uid}`, uid: owner.uid, gid: owner.gid }
  }
  for (const name of ['postgres', 'nobody']) {
    const account = accounts.find((one) => one.name === name)
    if (account) return account
  }
  throw new EmbeddedFailure(
    'PostgreSQL refuses to run as root, and this machine has neither an account `postgres` nor `nobody`. ' +
      'Run Feria as an ordinary user (in a container: docker run --user node …).',
  )
}

/** What keeps the account from the programs and from the data directory, outermost first. */
export function blockedPaths(
  account: Account,
  of: { dataDirectory: string; binaries: Binaries },
): string[] {
  const native = join(of.binaries.packageDirectory, 'native')
  const needed = [
    of.binaries.postgres,
    of.binaries.initdb,
    join(native, 'lib'),
    join(native, 'share'),
    of.dataDirectory,
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

function closedTo(account: Account, blocked: string[], binaries: Binaries): EmbeddedFailure {
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
