import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { EmbeddedFailure, steps } from './failure.ts'
import { answersSignals, listProcesses, signalProcess, waitUntil } from './processes.ts'

/**
 * The name under which a cluster runs. PostgreSQL shows it in the command line of every process, so
 * what belongs to this very directory can be found again, also children whose postmaster is gone;
 * reading their working directory instead is not allowed to root in an ordinary container. Made from
 * the identity of the folder, not its path: it survives a move, and a copy has another.
 */
export function clusterName(cluster: string): string {
  const { dev, ino } = statSync(cluster, { bigint: true })
  return `feria-${dev.toString(16)}-${ino.toString(16)}`
}

interface Leftover {
  readonly pid: number
  readonly isPostmaster: boolean
}

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

/** First line: pid; second: data directory. Undefined when there is none or it is being written. */
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
 * Ends what an earlier Feria left running on this cluster: a whole server that lost its owner, or
 * the children of one that was killed, which hold its shared memory until they notice. Only to be
 * called by the holder of the lock; afterwards PostgreSQL can start and recovers by itself.
 */
export async function clearLeftovers(
  cluster: string,
  of: { pgControl: string; suspected: boolean; say: (step: string) => void },
): Promise<void> {
  const stalePid = Number(readPostmasterFile(cluster)?.[0])
  // A clean end leaves neither this file nor a lock: the usual start looks through no processes.
  if (!of.suspected && !existsSync(join(cluster, 'postmaster.pid'))) return
  if (process.platform === 'win32') {
    // No command lines to search; but this talks to PostgreSQL only, whoever has the pid now.
    if (answersSignals(stalePid)) spawnSync(of.pgControl, ['stop', '-D', cluster, '-m', 'fast'])
    return
  }
  const name = clusterName(cluster)
  const gone = () => findLeftovers(name).length === 0

  if (findLeftovers(name).some((leftover) => leftover.isPostmaster)) of.say(steps.replacing)
  // Children without a postmaster end by themselves, unless one is deep in a long query.
  else if (await waitUntil(gone, 500)) return removeStaleFile(cluster, stalePid)

  for (const { signal, milliseconds } of orphanBounds) {
    const left = findLeftovers(name)
    const postmasters = left.filter((leftover) => leftover.isPostmaster)
    // A postmaster ends its own children; who has none is ended directly.
    for (const { pid } of postmasters.length > 0 && signal !== 'SIGKILL' ? postmasters : left) {
      signalProcess(pid, signal)
    }
    if (await waitUntil(gone, milliseconds)) return removeStaleFile(cluster, stalePid)
  }
  const pids = findLeftovers(name).map(({ pid }) => pid)
  throw new EmbeddedFailure(
    `A database that an earlier Feria left running in ${cluster} does not end. End it: kill -9 ${pids.join(' ')}`,
  )
}

/**
 * PostgreSQL takes a pid that answers for a living postmaster, be it a zombie or a stranger that got
 * the same number after a container was restarted. Whatever we know better about is cleared away;
 * everything else stays for PostgreSQL to judge, which also looks at the shared memory.
 */
function removeStaleFile(cluster: string, pid: number): void {
  if (!Number.isInteger(pid) || pid <= 0 || !answersSignals(pid)) return
  const owner = listProcesses().find((process) => process.pid === pid)
  if (!owner) return
  // Of this cluster, but none that we started (ours are gone): somebody looks at it by hand.
  if (/^\S*(postgres|postmaster) /.test(owner.command) && owner.command.includes(cluster)) {
    throw new EmbeddedFailure(
      `A PostgreSQL that Feria did not start (process ${pid}) uses ${cluster}. Stop it: kill -INT ${pid}`,
    )
  }
  rmSync(join(cluster, 'postmaster.pid'), { force: true })
}
