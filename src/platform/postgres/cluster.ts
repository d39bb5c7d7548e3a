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
import type { Account, Runner } from './account.ts'
import type { Binaries } from './binaries.ts'
import { EmbeddedFailure, failedStart, shellWord } from './failure.ts'
import { listProcesses, signalProcess } from './processes.ts'

/** Superuser and database; both of our own making, nothing of a person. */
export const databaseName = 'feria'

const halfDonePrefix = 'postgres.new-'
const initialiseMilliseconds = 120_000

/** The password lies inside the cluster: made, moved, copied and deleted together with it. */
const passwordFile = 'feria.password'

export function clusterExists(cluster: string): boolean {
  if (existsSync(join(cluster, 'PG_VERSION'))) return true
  if (!existsSync(cluster)) return false
  if (readdirSync(cluster).length > 0) {
    throw new EmbeddedFailure(
      `${cluster} holds something that is not a database. Put it aside: mv ${shellWord(cluster)} ${shellWord(`${cluster}.old`)}`,
    )
  }
  rmdirSync(cluster)
  return false
}

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

/** Removes what a first start left that was interrupted, and ends its initdb if it still runs. */
export async function removeHalfDone(dataDirectory: string): Promise<void> {
  for (const name of readdirSync(dataDirectory)) {
    if (!name.startsWith(halfDonePrefix)) continue
    const path = join(dataDirectory, name)
    for (const { pid, command } of listProcesses()) {
      const isInitdb = command.includes(`initdb -D ${join(path, 'cluster')} `)
      if (isInitdb) signalProcess(pid, 'SIGKILL')
    }
    // Its children still write until they notice: hence the retries.
    await rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
}

/**
 * Makes a new cluster. It grows in a folder beside and gets its name in one step when it is whole,
 * so that an end half-way leaves nothing that looks like a database.
 */
export async function createCluster(of: {
  dataDirectory: string
  cluster: string
  binaries: Binaries
  runner: Runner
  durable: boolean
}): Promise<void> {
  const { account } = of.runner
  const aside = mkdtempSync(join(of.dataDirectory, halfDonePrefix))
  const growing = join(aside, 'cluster')
  const password = join(aside, passwordFile)
  try {
    writeFileSync(password, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true })
    giveTo(account, password)
    giveTo(account, aside)
    await runInitdb(of, { growing, password })
    renameSync(password, join(growing, passwordFile))
    if (of.durable) flushDirectory(growing)
    renameSync(growing, of.cluster)
    if (of.durable) flushDirectory(of.dataDirectory)
  } finally {
    await rm(aside, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
}

async function runInitdb(
  of: { binaries: Binaries; runner: Runner; cluster: string; durable: boolean },
  { growing, password }: { growing: string; password: string },
): Promise<void> {
  const child = of.runner.start(of.binaries.initdb, [
    '-D',
    growing,
    '--username',
    databaseName,
    '--pwfile',
    password,
    '--auth',
    'scram-sha-256',
    '--encoding',
    'UTF8',
    // The same order and case rules on every machine, whatever its C library knows.
    '--locale',
    'C',
    '--locale-provider',
    'builtin',
    '--builtin-locale',
    'C.UTF-8',
    '--no-instructions',
    ...(of.durable ? [] : ['--no-sync']),
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
    throw failedStart({ what: 'Preparing the embedded database', cluster: of.cluster, log })
  }
}

function giveTo(account: Account | undefined, path: string): void {
  if (account) chownSync(path, account.uid, account.gid)
}

function flushDirectory(path: string): void {
  // Windows opens no directories; NTFS keeps its own journal of names.
  if (process.platform === 'win32') return
  const directory = openSync(path, 'r')
  fsyncSync(directory)
  closeSync(directory)
}

/**
 * A cluster that was copied back as root, or without its permission bits, is one that PostgreSQL
 * refuses. The folder itself comes last: as long as it belongs to root, the rest may as well.
 */
export function mendOwnership(cluster: string, account: Account | undefined): void {
  if (process.platform === 'win32') return
  const { uid, mode } = statSync(cluster)
  if (account && uid !== account.uid) {
    const inside = readdirSync(cluster, { recursive: true, encoding: 'utf8' })
    for (const name of inside) lchownSync(join(cluster, name), account.uid, account.gid)
    chownSync(cluster, account.uid, account.gid)
  }
  if ((mode & 0o027) !== 0) chmodSync(cluster, 0o700)
}
