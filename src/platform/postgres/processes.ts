import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

export interface RunningProcess {
  readonly pid: number
  /** Program and arguments, separated by spaces. Empty for zombies and kernel threads. */
  readonly command: string
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** Returns the output of `ps`, or an empty text. Linux images often lack it; there /proc is used instead. */
function ps(...options: string[]): string {
  try {
    return execFileSync('ps', options, {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch {
    return ''
  }
}

/** Returns whether a process with this id exists. It may be a zombie or belong to another account. */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Returns a mark that distinguishes processes with the same id. Undefined if the process does not exist. On Linux it is
 * the boot id and the start time in ticks, because ids repeat when a container restarts. A zombie counts as gone: a
 * container whose first process reaps nothing keeps it forever.
 */
export function processMark(pid: number): string | undefined {
  if (!processExists(pid)) return undefined
  if (process.platform === 'win32') return 'running'
  const stat = readText(`/proc/${pid}/stat`)
  if (stat !== undefined) {
    // The name is in brackets and may contain spaces and brackets, so parse after the last bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state, startTicks] = [fields[0], fields[22 - 3]]
    if (state === 'Z' || state === 'X') return undefined
    return `${readText('/proc/sys/kernel/random/boot_id')?.trim()} ${startTicks}`
  }
  // This Linux hides processes of other accounts: the process exists, but its start time is unknown.
  if (process.platform === 'linux') return 'hidden'
  const [state, ...started] = ps('-o', 'stat=', '-o', 'lstart=', '-p', String(pid))
    .trim()
    .split(/\s+/)
  return !state || state.startsWith('Z') ? undefined : started.join(' ')
}

/** Returns the processes whose command lines this account may read. Empty on Windows. */
export function listProcesses(): RunningProcess[] {
  if (process.platform === 'win32') return []
  if (process.platform === 'linux') {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => ({
        pid: Number(name),
        command: (readText(`/proc/${name}/cmdline`) ?? '').replaceAll('\0', ' '),
      }))
  }
  return ps('-axww', '-o', 'pid=', '-o', 'command=')
    .split('\n')
    .flatMap((line) => {
      const [, pid, command] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? []
      return pid && command ? [{ pid: Number(pid), command }] : []
    })
}

/** Sends a signal. A process that has ended is no error. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Polls every 10 ms until `done` returns true. Returns false when the time limit is over. */
export async function waitUntil(
  done: () => boolean | Promise<boolean>,
  boundMilliseconds: number,
): Promise<boolean> {
  const end = performance.now() + boundMilliseconds
  while (!(await done())) {
    if (performance.now() > end) return false
    await sleep(10)
  }
  return true
}
