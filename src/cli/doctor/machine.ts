import { constants, existsSync, readFileSync } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Config } from '../../platform/config.ts'
import { probePort } from '../port.ts'
import { type Check, ok, problem, warning } from './check.ts'
import { nodeProblem } from './node-version.ts'

const gib = 1024 ** 3
const packageFile = new URL('../../../package.json', import.meta.url)

/** This program, and the Node that runs it. */
export function checkProgram(nodeVersion: string): Check {
  const { version, engines } = JSON.parse(readFileSync(packageFile, 'utf8'))
  const says = `feria ${version} on Node ${nodeVersion}`
  const tooOld = nodeProblem(nodeVersion, engines.node)
  if (tooOld === undefined) return ok('program', says)
  return problem('program', tooOld, `Install Node ${engines.node.replace('>=', '')} or newer.`)
}

/** Whether there is room where the embedded database and uploaded files lie. */
export async function checkDisk(config: Config): Promise<Check> {
  const { dataDirectory } = config
  if (config.database.url && config.files.s3) return ok('disk', 'nothing is kept on this machine')
  const there = nearestFolder(dataDirectory)
  try {
    await access(there, constants.W_OK)
    const { bavail, blocks, bsize } = await statfs(there)
    return judgeDisk({ folder: dataDirectory, free: bavail * bsize, size: blocks * bsize })
  } catch (error) {
    const advice = 'Make it yours, or set FERIA_DATA to another folder.'
    return problem('disk', `${there}: ${(error as Error).message}`, advice)
  }
}

/** Bytes. */
export function judgeDisk(of: { folder: string; free: number; size: number }): Check {
  const says = `${(of.free / gib).toFixed(1)} of ${(of.size / gib).toFixed(1)} GiB free at ${of.folder}`
  const advice = 'Make room: a database that finds none stops.'
  if (of.free < gib) return problem('disk', says, advice)
  return of.free < 5 * gib ? warning('disk', says, advice) : ok('disk', says)
}

function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path))
}

/** Whether the port can be listened on. */
export async function isPortFree({ http: { host, port } }: Config): Promise<boolean> {
  return probePort({ host, port }).then(
    () => true,
    () => false,
  )
}
