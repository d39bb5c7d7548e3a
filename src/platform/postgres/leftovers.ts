import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { EmbeddedFailure, steps } from './failure.ts'
import { listProcesses, processExists, signalProcess, waitUntil } from './processes.ts'

/**
 * Returns the cluster name. PostgreSQL shows it in the command line of every process, so all processes of this folder
 * can be found, even children without a postmaster. (In a container, root may not read their working directory.) The
 * name comes from the identity of the folder: it survives a move, and a copy has another one.
 */
export function clusterName(cluster: string): string {
  const { dev, ino } = statSync(cluster, { bigint: true })
  return `feria-${dev.toString(16)}-${ino.toString(16)}`
}

interface Leftover {
  readonly pid: number
  readonly isPostmaster: boolean
}

/** Returns the running processes of PostgreSQL with this cluster name. */
function findLeftovers(name: string): Leftover[] {
  const leftovers: Leftover[] = []
  for (const { pid, command } of listProcesses()) {
    const isPostmaster =
      command.includes('/postgres -D ') && command.includes(`cluster_name=${name} `)
    const isChild = command.startsWith(`postgres: ${name}: `)
    if (isPostmaster || isChild) leftovers.push({ pid, isPostmaster })
  }
  return leftovers
}

/** Returns the lines of `postmaster.pid`: the first is the process id, the second the data directory. Undefined if the
 * file is missing. */
export function readPostmasterFile(cluster: string): string[] | undefined {
  try {
    return readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return undefined
  }
}

const orphanBounds = [
  { signal: 'SIGINT', milliseconds: 10_000 },
  { signal: 'SIGQUIT', milliseconds: 6_000 },
  { signal: 'SIGKILL', milliseconds: 5_000 },
] as const

/**
 * Ends the processes that an earlier Feria left running on this cluster: a server, or children of a killed one. Such
 * children still hold its shared memory. Only the owner of the lock may call it. PostgreSQL can then start and recovers
 * by itself.
 */
export async function clearLeftovers(
  cluster: string,
  options: { pgControl: string; suspected: boolean; say: (step: string) => void },
): Promise<void> {
  const stalePid = Number(readPostmasterFile(cluster)?.[0])
  // A clean end leaves neither this file nor a lock. Then a start need not search the processes.
  if (!options.suspected && !existsSync(join(cluster, 'postmaster.pid'))) return
  if (process.platform === 'win32') {
    // Command lines cannot be searched. `pg_ctl` talks only to PostgreSQL, whatever process has the id now.
    if (!(stalePid > 0)) return removeStaleFile(cluster, stalePid)
    if (processExists(stalePid)) spawnSync(options.pgControl, ['stop', '-D', cluster, '-m', 'fast'])
    return
  }
  const name = clusterName(cluster)
  const areGone = () => findLeftovers(name).length === 0

  if (findLeftovers(name).some((leftover) => leftover.isPostmaster)) options.say(steps.replacing)
  // Children without a postmaster end by themselves, except during a long query.
  else if (await waitUntil(areGone, 500)) return removeStaleFile(cluster, stalePid)

  for (const { signal, milliseconds } of orphanBounds) {
    const leftovers = findLeftovers(name)
    const postmasters = leftovers.filter((leftover) => leftover.isPostmaster)
    // A postmaster ends its children. Children without one are signaled directly.
    for (const { pid } of postmasters.length > 0 && signal !== 'SIGKILL'
      ? postmasters
      : leftovers) {
      signalProcess(pid, signal)
    }
    if (await waitUntil(areGone, milliseconds)) return removeStaleFile(cluster, stalePid)
  }
  const pids = findLeftovers(name).map(({ pid }) => pid)
  throw new EmbeddedFailure(
    `A database that an earlier Feria left running in ${cluster} does not end. End it: kill -9 ${pids.join(' ')}`,
  )
}

/**
 * Removes a stale `postmaster.pid`. PostgreSQL takes any process with that id for a postmaster, even a zombie, or a
 * foreign process after the restart of a container. It refuses to start beside a file without an id, which a server
 * leaves that was killed between creating and writing it. Unclear cases are left to PostgreSQL, which also checks the
 * shared memory.
 */
function removeStaleFile(cluster: string, pid: number): void {
  if (!Number.isInteger(pid) || pid <= 0) {
    rmSync(join(cluster, 'postmaster.pid'), { force: true })
    return
  }
  if (!processExists(pid)) return
  const owner = listProcesses().find((process) => process.pid === pid)
  if (!owner) return
  // A server of this cluster that Feria did not start: somebody has started it by hand.
  if (/^\S*(postgres|postmaster) /.test(owner.command) && owner.command.includes(cluster)) {
    throw new EmbeddedFailure(
      `A PostgreSQL that Feria did not start (process ${pid}) uses ${cluster}. Stop it: kill -INT ${pid}`,
    )
  }
  rmSync(join(cluster, 'postmaster.pid'), { force: true })
}
