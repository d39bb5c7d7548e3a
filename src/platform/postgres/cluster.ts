import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  lchownSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProgramRunner, SystemAccount } from './account.ts'
import type { Binaries } from './binaries.ts'
import { EmbeddedFailure, shellWord, startFailure } from './failure.ts'
import { listProcesses, signalProcess } from './processes.ts'

/** The name of both the superuser and the database. */
export const databaseName = 'feria'

const halfDonePrefix = 'postgres.new-'
const initialiseMilliseconds = 120_000

/** The file of the password. It lies in the cluster, so that it is moved, copied and deleted with it. */
const passwordFile = 'feria.password'

/** Returns whether a cluster exists. Throws `EmbeddedFailure` if the folder has other content. */
export function clusterExists(cluster: string): boolean {
  if (existsSync(join(cluster, 'PG_VERSION'))) return true
  if (!existsSync(cluster)) return false
  if (readdirSync(cluster).length > 0) {
    throw new EmbeddedFailure(
      `${cluster} holds something that is not a database. Put it temporary: mv ${shellWord(cluster)} ${shellWord(`${cluster}.old`)}`,
    )
  }
  rmdirSync(cluster)
  return false
}

/** Returns the password of a cluster. Throws `EmbeddedFailure` if it cannot be read. */
export function readPassword(cluster: string): string {
  const path = join(cluster, passwordFile)
  let password = ''
  let reason = `${path} is empty`
  try {
    password = readFileSync(path, 'utf8').trim()
  } catch (error) {
    reason = (error as Error).message
  }
  if (password !== '') return password
  throw new EmbeddedFailure(
    `The password of the embedded database cannot be read (${reason}). ` +
      `Put the file back from a copy, or begin anew: mv ${shellWord(cluster)} ${shellWord(`${cluster}.old`)}`,
  )
}

/** Removes the remains of an interrupted first start, and ends its initdb if that still runs. */
export async function removeHalfDone(dataDirectory: string): Promise<void> {
  for (const name of readdirSync(dataDirectory)) {
    if (!name.startsWith(halfDonePrefix)) continue
    const path = join(dataDirectory, name)
    for (const { pid, command } of listProcesses()) {
      const isInitdb = command.includes(`initdb -D ${join(path, 'cluster')} `)
      if (isInitdb) signalProcess(pid, 'SIGKILL')
    }
    // Children of initdb may still write for a moment, so the removal is retried.
    await rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
}

/**
 * Creates a cluster in a temporary folder and renames it when it is complete. An interrupted creation leaves nothing
 * that looks like a database.
 */
export async function createCluster(options: {
  dataDirectory: string
  cluster: string
  binaries: Binaries
  runner: ProgramRunner
  durable: boolean
}): Promise<void> {
  const { account } = options.runner
  const temporary = mkdtempSync(join(options.dataDirectory, halfDonePrefix))
  const unfinished = join(temporary, 'cluster')
  const password = join(temporary, passwordFile)
  try {
    writeFileSync(password, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true })
    giveTo(account, password)
    giveTo(account, temporary)
    await runInitdb(options, { unfinished, password })
    renameSync(password, join(unfinished, passwordFile))
    if (options.durable) flushDirectory(unfinished)
    renameSync(unfinished, options.cluster)
    if (options.durable) flushDirectory(options.dataDirectory)
  } finally {
    await rm(temporary, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
}

/** Creates the files of a database cluster in the folder `unfinished`. `password` is the path of a file with the
 * password. */
async function runInitdb(
  options: { binaries: Binaries; runner: ProgramRunner; cluster: string; durable: boolean },
  { unfinished, password }: { unfinished: string; password: string },
): Promise<void> {
  const child = options.runner.start(options.binaries.initdb, [
    '-D',
    unfinished,
    '--username',
    databaseName,
    '--pwfile',
    password,
    '--auth',
    'scram-sha-256',
    '--encoding',
    'UTF8',
    // The built-in locale gives the same order and case rules on every machine.
    '--locale',
    'C',
    '--locale-provider',
    'builtin',
    '--builtin-locale',
    'C.UTF-8',
    '--no-instructions',
    ...(options.durable ? [] : ['--no-sync']),
  ])
  let log = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    log += chunk.toString('utf8')
  })
  const bound = setTimeout(() => child.kill('SIGKILL'), initialiseMilliseconds)
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      log += error.message
      resolve(null)
    })
    child.once('close', resolve)
  })
  clearTimeout(bound)
  if (code !== 0) {
    throw startFailure({ what: 'Preparing the embedded database', cluster: options.cluster, log })
  }
}

function giveTo(account: SystemAccount | undefined, path: string): void {
  if (account) chownSync(path, account.uid, account.gid)
}

function flushDirectory(path: string): void {
  // Windows cannot open directories, and NTFS journals names itself.
  if (process.platform === 'win32') return
  const directory = openSync(path, 'r')
  fsyncSync(directory)
  closeSync(directory)
}

/**
 * Corrects owner and permissions of a cluster, because PostgreSQL refuses one that was copied back as root. The folder
 * itself comes last, so that an interrupted correction is repeated.
 */
export function mendOwnership(cluster: string, account: SystemAccount | undefined): void {
  if (process.platform === 'win32') return
  const { uid, mode } = statSync(cluster)
  if (account && uid !== account.uid) {
    const inside = readdirSync(cluster, { recursive: true, encoding: 'utf8' })
    for (const name of inside) lchownSync(join(cluster, name), account.uid, account.gid)
    chownSync(cluster, account.uid, account.gid)
  }
  if ((mode & 0o027) !== 0) chmodSync(cluster, 0o700)
}
