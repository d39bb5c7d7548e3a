import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Database } from '../src/platform/database/database.ts'
import { type Program, startProgram } from './harness/program.ts'
import {
  openSystemServer,
  runPostgres,
  skipWithoutSystemPostgres,
} from './harness/system-postgres.ts'
import { Traffic } from './harness/upgrade-traffic.ts'
import { pollUntil } from './harness/wait.ts'
import { assertCountsMatchRecount } from './old-data/plain-counts.ts'

/**
 * A database that the build before filled goes on under this one, while that build still serves. The build before is
 * the last commit of the branch `main` that is not this one, or the commit that `UPGRADE_FROM` names.
 */

const checkout = fileURLToPath(new URL('..', import.meta.url))
/** Dumps are kept, by commit: the build before does not change. */
const dumps = join(checkout, 'node_modules', '.cache', 'feria-test', 'previous')
const folder = mkdtempSync(join(tmpdir(), 'feria-previous-'))
const programs = new Set<Program>()
after(async () => {
  for (const program of programs) await program.kill()
  rmSync(folder, { recursive: true, force: true })
})

function git(...args: string[]): string | undefined {
  const { status, stdout } = spawnSync('git', ['-C', checkout, ...args], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

function previousCommit(): string | undefined {
  const named = process.env['UPGRADE_FROM']
  if (named) return git('rev-parse', '--verify', `${named}^{commit}`)
  const base = git('merge-base', 'main', 'HEAD') ?? git('merge-base', 'origin/main', 'HEAD')
  const isOnMain = base === undefined || base === git('rev-parse', 'HEAD')
  return isOnMain ? git('rev-parse', '--verify', 'HEAD^') : base
}

const commit = previousCommit()
const skip = commit
  ? skipWithoutSystemPostgres
  : 'there is no git history with a build before this one'

/** Unpacks the build before, with the packages of this one. */
function unpack(): string {
  const root = join(folder, 'build')
  mkdirSync(root)
  const archive = spawnSync('git', ['-C', checkout, 'archive', `${commit}`], {
    maxBuffer: 1024 ** 3,
  })
  assert.equal(archive.status, 0, archive.stderr.toString())
  const unpacked = spawnSync('tar', ['-x', '-C', root], { input: archive.stdout })
  assert.equal(unpacked.status, 0, unpacked.stderr.toString())
  symlinkSync(join(checkout, 'node_modules'), join(root, 'node_modules'))
  return join(root, 'src', 'cli', 'main.ts')
}

async function start(url: string, main?: string): Promise<Program> {
  const program = await startProgram({
    ...(main ? { main } : {}),
    env: {
      DATABASE_URL: url,
      FERIA_MODE: 'sandbox',
      FERIA_LOG_LEVEL: 'warn',
      FERIA_DATA: join(folder, 'data'),
    },
  })
  programs.add(program)
  return program
}

/** Lets the traffic go on until so many more requests were answered, and fails if one was not as it should be. */
async function serve(traffic: Traffic, count: number): Promise<void> {
  const running = traffic.run()
  const enough = traffic.answeredCount + count
  try {
    await pollUntil('traffic', () => traffic.answeredCount > enough, 120_000)
  } finally {
    assert.deepEqual(await traffic.end(running), [])
  }
}

test('a database of the build before goes on under this one while that build still serves', {
  skip,
}, async () => {
  const server = await openSystemServer(folder)
  const openDatabase = () =>
    new Database({ url: server.url('restored'), poolSize: 1, statementTimeoutMs: 15_000 })
  try {
    const main = unpack()
    const dump = join(dumps, `${commit}.dump`)
    if (!existsSync(dump)) {
      // The demo data, and what traffic makes.
      await runPostgres('createdb', [...server.connectionOptions, 'made'])
      const maker = await start(server.url('made'), main)
      const traffic = new Traffic([maker], null)
      await traffic.open()
      await serve(traffic, 300)
      assert.equal(await maker.stop(), 0)
      mkdirSync(dumps, { recursive: true })
      const part = `${dump}.${process.pid}`
      await runPostgres('pg_dump', [...server.connectionOptions, '-Fc', '-f', part, 'made'])
      renameSync(part, dump)
    }
    await runPostgres('createdb', [...server.connectionOptions, 'restored'])
    await runPostgres('pg_restore', [
      ...server.connectionOptions,
      '--exit-on-error',
      '-d',
      'restored',
      dump,
    ])
    const db = openDatabase()
    try {
      const old = await start(server.url('restored'), main)
      const traffic = new Traffic([old], null)
      await traffic.open()
      await traffic.assertApiMatchesDatabase(db)
      const running = traffic.run()
      const next = await start(server.url('restored')).finally(() => traffic.end(running))
      traffic.programs = [old, next]
      await serve(traffic, 400)
      await traffic.assertApiMatchesDatabase(db)
      traffic.programs = [next]
      assert.equal(await old.stop(), 0)
      await serve(traffic, 100)
      await traffic.assertApiMatchesDatabase(db)
      await assertCountsMatchRecount(db, 'after the upgrade')
      assert.equal(await next.stop(), 0)
    } finally {
      await db.close()
    }
  } finally {
    for (const program of programs) await program.kill()
    await server.stop()
  }
})
