import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedFailure, shellWord } from './failure.ts'
import { processMark } from './processes.ts'

export interface DirectoryLock {
  /** an earlier owner ended without releasing it, so it may have left a database running */
  readonly tookOver: boolean
  release(): void
}

interface Owner {
  readonly pid: number
  readonly mark: string
  readonly token: string
}

function readOwner(path: string): Owner | 'nobody' | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    const { pid, mark, token } = JSON.parse(text) as Partial<Owner>
    const isOwner = typeof pid === 'number' && pid > 0 && mark && token
    return isOwner ? { pid, mark, token } : 'nobody'
  } catch {
    // A lock appears with its text in it; only a machine that lost power leaves one without.
    return 'nobody'
  }
}

function lives(owner: Owner | 'nobody'): owner is Owner {
  if (owner === 'nobody') return false
  const mark = processMark(owner.pid)
  return mark !== undefined && (mark === owner.mark || mark === 'hidden')
}

/** Writes the lock aside and links it to its name: it appears at once, whole, and for one only. */
function tryLink(path: string, owner: Owner): boolean {
  const aside = `${path}.${owner.token}`
  writeFileSync(aside, JSON.stringify(owner), { flag: 'wx', mode: 0o644 })
  try {
    linkSync(aside, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(aside, { force: true })
  }
}

/**
 * Puts our lock where a dead owner's lies. Two that find the same dead owner must not both win, and
 * looking and replacing are two steps: so they are done under a lock of their own, which everybody
 * who replaces takes first (a dead owner of that one is replaced in the same way).
 */
async function replaceDead(path: string, owner: Owner): Promise<boolean> {
  const turn = await tryLock(`${path}.turn`, { ...owner, token: randomUUID() })
  if (!turn) return false
  try {
    const found = readOwner(path)
    if (found === undefined || lives(found)) return false
    const aside = `${path}.${owner.token}`
    writeFileSync(aside, JSON.stringify(owner), { mode: 0o644 })
    renameSync(aside, path)
    return true
  } finally {
    turn.release()
  }
}

async function tryLock(path: string, owner: Owner): Promise<DirectoryLock | undefined> {
  const lockWith = (tookOver: boolean): DirectoryLock => ({
    tookOver,
    release() {
      const found = readOwner(path)
      if (found !== 'nobody' && found?.token === owner.token) rmSync(path, { force: true })
    },
  })
  if (tryLink(path, owner)) return lockWith(false)
  const found = readOwner(path)
  if (found === undefined || lives(found)) return undefined
  return (await replaceDead(path, owner)) ? lockWith(true) : undefined
}

/**
 * Takes the lock of a data directory for this process, also from an owner that is dead.
 * Throws EmbeddedFailure when another Feria holds it.
 */
export async function lockDirectory(path: string): Promise<DirectoryLock> {
  const mark = processMark(process.pid) ?? 'unknown'
  const owner = { pid: process.pid, mark, token: randomUUID() }
  // Not had, and nobody alive holds it: somebody released it just now or is just replacing it.
  for (let turn = 0; turn < 200; turn += 1) {
    const lock = await tryLock(path, owner)
    if (lock) return lock
    const found = readOwner(path)
    if (found !== undefined && lives(found)) throw heldBy(found.pid, path)
    await sleep(10)
  }
  throw new EmbeddedFailure(`Nobody gets the lock ${path}. Remove it: rm ${shellWord(path)}*`)
}

function heldBy(pid: number, path: string): EmbeddedFailure {
  return new EmbeddedFailure(
    `Another Feria (process ${pid}) already uses the data directory ${dirname(path)}. ` +
      `Stop it (kill ${pid}), or give this one a directory of its own: FERIA_DATA=./data-2 npm start`,
  )
}
