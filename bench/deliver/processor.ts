import { readdirSync, readFileSync } from 'node:fs'

const ticksPerSecond = 100

/** Processor time, in seconds, of a process and its children that still run. Linux only: elsewhere
 * not a number. */
export function processorSeconds(pid: number): number {
  try {
    const family = [pid, ...childrenOf(pid)]
    return family.reduce((sum, each) => sum + ticksOf(each), 0) / ticksPerSecond
  } catch {
    return Number.NaN
  }
}

/** The fields of its line behind the name, which may hold anything. */
function statOf(pid: number): string[] {
  const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return line.slice(line.lastIndexOf(')') + 2).split(' ')
}

function ticksOf(pid: number): number {
  try {
    const fields = statOf(pid)
    return Number(fields[11]) + Number(fields[12])
  } catch {
    return 0
  }
}

function childrenOf(pid: number): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return all.map(Number).filter((each) => {
    try {
      return Number(statOf(each)[1]) === pid
    } catch {
      return false
    }
  })
}
