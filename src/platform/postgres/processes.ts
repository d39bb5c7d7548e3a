import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

export interface RunningProcess {
  readonly pid: number
  /** program and arguments with one space between; empty for a zombie and for the kernel's own */
  readonly command: string
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** What `ps` answers; Linux images often lack it, but there /proc answers instead. */
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

/** Whether a signal could reach it, which is also true of a zombie and of a stranger's process. */
export function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Tells two processes apart that had the same pid one after the other; undefined when there is no
 * such process. On Linux the boot and the start time in ticks: pids repeat from one run of a
 * container to the next, these do not. A zombie counts as gone: in a container whose first process
 * reaps nobody it stays for good.
 */
export function processMark(pid: number): string | undefined {
  if (!answersSignals(pid)) return undefined
  if (process.platform === 'win32') return 'running'
  const stat = readText(`/proc/${pid}/stat`)
  if (stat !== undefined) {
    // The name stands in brackets and may hold spaces and brackets itself: read from the last one.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state, startTicks] = [fields[0], fields[22 - 3]]
    if (state === 'Z' || state === 'X') return undefined
    return `${readText('/proc/sys/kernel/random/boot_id')?.trim()} ${startTicks}`
  }
  // A Linux that hides other people's processes: it is there, and nobody can say since when.
  if (process.platform === 'linux') return 'hidden'
  const [state, ...started] = ps('-o', 'stat=', '-o', 'lstart=', '-p', String(pid))
    .trim()
    .split(/\s+/)
  return !state || state.startsWith('Z') ? undefined : started.join(' ')
}

/** Every process whose command line this account may see; none on Windows. */
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

/** Sends a signal, and does not mind when the process has ended meanwhile. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Asks again every few milliseconds until the answer is yes; says whether it came in time. */
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
