import { constants, existsSync, readFileSync } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Config } from '../../platform/config.ts'
import { nodeProblem } from '../node-version.ts'
import { probePort } from '../running/port.ts'
import { type CheckResult, okResult, problem, warning } from './check.ts'

const gib = 1024 ** 3
const packageFile = new URL('../../../package.json', import.meta.url)

/** Checks the version of Node against package.json. */
export function checkProgram(nodeVersion: string): CheckResult {
  const { version, engines } = JSON.parse(readFileSync(packageFile, 'utf8'))
  const says = `feria ${version} on Node ${nodeVersion}`
  const tooOld = nodeProblem(nodeVersion, engines.node)
  if (tooOld === undefined) return okResult('program', says)
  return problem('program', tooOld, `Install Node ${engines.node.replace('>=', '')} or newer.`)
}

/** Checks the free space for the embedded database and uploaded files. */
export async function checkDisk(config: Config): Promise<CheckResult> {
  const { dataDirectory } = config
  if (config.database.url && config.files.s3)
    return okResult('disk', 'no data is kept on this machine')
  const folder = nearestFolder(dataDirectory)
  try {
    await access(folder, constants.W_OK)
    const { bavail, blocks, bsize } = await statfs(folder)
    return judgeDisk({ folder: dataDirectory, free: bavail * bsize, size: blocks * bsize })
  } catch (error) {
    const advice = 'Make it writable for this user, or set FERIA_DATA to another folder.'
    return problem('disk', `${folder}: ${(error as Error).message}`, advice)
  }
}

/** Judges the free space of a disk. Sizes in bytes. */
export function judgeDisk(disk: { folder: string; free: number; size: number }): CheckResult {
  const says = `${(disk.free / gib).toFixed(1)} of ${(disk.size / gib).toFixed(1)} GiB free at ${disk.folder}`
  const advice = 'Free some space: without it, the database stops.'
  if (disk.free < gib) return problem('disk', says, advice)
  return disk.free < 5 * gib ? warning('disk', says, advice) : okResult('disk', says)
}

function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path))
}

/** Returns whether a server can listen on the host and port of the settings. It listens for a moment to find out,
 * except on port 0, which is always free. A busy port, a missing permission and a foreign host all give false. */
export async function isPortFree({ http: { host, port } }: Config): Promise<boolean> {
  return probePort({ host, port }).then(
    () => true,
    () => false,
  )
}
