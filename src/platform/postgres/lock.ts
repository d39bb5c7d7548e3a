import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedFailure, shellWord } from './failure.ts'
import { processMark } from './processes.ts'

export interface DirectoryLock {
  /** Whether an earlier owner ended without releasing the lock. It may have left a database running. */
  readonly tookOver: boolean
  release(): void
}

interface LockOwner {
  readonly pid: number
  readonly mark: string
  readonly token: string
}

/** Reads the owner from a lock file: `nobody` for a file without a valid owner, undefined without a file. */
function readOwner(path: string): LockOwner | 'nobody' | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    const { pid, mark, token } = JSON.parse(text) as Partial<LockOwner>
    const isOwner = typeof pid === 'number' && pid > 0 && mark && token
    return isOwner ? { pid, mark, token } : 'nobody'
  } catch {
    // A lock file appears with its content. Only a power failure leaves an empty one.
    return 'nobody'
  }
}

function isAlive(owner: LockOwner | 'nobody'): owner is LockOwner {
  if (owner === 'nobody') return false
  const mark = processMark(owner.pid)
  return mark !== undefined && (mark === owner.mark || mark === 'hidden')
}

/** Creates the lock file with a temporary name and links it: it appears complete, and only one process succeeds. */
function tryLink(path: string, owner: LockOwner): boolean {
  const temporary = `${path}.${owner.token}`
  writeFileSync(temporary, JSON.stringify(owner), { flag: 'wx', mode: 0o644 })
  try {
    linkSync(temporary, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(temporary, { force: true })
  }
}

/**
 * Replaces the lock of a dead owner. Check and replacement are two steps, so a second lock keeps two processes from
 * both winning. A dead owner of that second lock is replaced in the same way.
 */
async function replaceDead(path: string, owner: LockOwner): Promise<boolean> {
  const turn = await tryLock(`${path}.turn`, { ...owner, token: randomUUID() })
  if (!turn) return false
  try {
    const current = readOwner(path)
    if (current === undefined || isAlive(current)) return false
    const temporary = `${path}.${owner.token}`
    writeFileSync(temporary, JSON.stringify(owner), { mode: 0o644 })
    renameSync(temporary, path)
    return true
  } finally {
    turn.release()
  }
}

/** Takes the lock, or takes it over from a dead owner. Undefined while a live owner holds it, or when another
 * process was faster. */
async function tryLock(path: string, owner: LockOwner): Promise<DirectoryLock | undefined> {
  const lockWith = (tookOver: boolean): DirectoryLock => ({
    tookOver,
    release() {
      const current = readOwner(path)
      if (current !== 'nobody' && current?.token === owner.token) rmSync(path, { force: true })
    },
  })
  if (tryLink(path, owner)) return lockWith(false)
  const current = readOwner(path)
  if (current === undefined || isAlive(current)) return undefined
  return (await replaceDead(path, owner)) ? lockWith(true) : undefined
}

/**
 * Takes the lock of a data directory for this process, even from a dead owner. Throws `EmbeddedFailure` if another
 * Feria holds it.
 */
export async function lockDirectory(path: string): Promise<DirectoryLock> {
  const mark = processMark(process.pid) ?? 'unknown'
  const owner = { pid: process.pid, mark, token: randomUUID() }
  // If the lock is free but was not acquired, another process is just releasing or replacing it.
  for (let turn = 0; turn < 200; turn += 1) {
    const lock = await tryLock(path, owner)
    if (lock) return lock
    const current = readOwner(path)
    if (current !== undefined && isAlive(current)) throw heldBy(current.pid, path)
    await sleep(10)
  }
  throw new EmbeddedFailure(`The lock ${path} cannot be taken. Remove it: rm ${shellWord(path)}*`)
}

function heldBy(pid: number, path: string): EmbeddedFailure {
  return new EmbeddedFailure(
    `Another Feria (process ${pid}) already uses the data directory ${dirname(path)}. ` +
      `Stop it (kill ${pid}), or give this one a directory of its own: FERIA_DATA=./data-2 npm start`,
  )
}
