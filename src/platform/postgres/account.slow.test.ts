import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { blockedPaths } from './account.ts'
import { type Binaries, findBinaries, makeReady } from './binaries.ts'
import { startEmbedded } from './embedded.ts'
import { EmbeddedFailure } from './failure.ts'
import { listProcesses } from './processes.ts'

const isRoot = process.getuid?.() === 0
const rootOnly = isRoot ? {} : { skip: 'only root runs PostgreSQL as somebody else' }
const canLend =
  isRoot &&
  spawnSync('setpriv', [
    '--reuid',
    '65534',
    '--regid',
    '65534',
    '--clear-groups',
    '--inh-caps',
    '+dac_override',
    '--ambient-caps',
    '+dac_override',
    '--securebits',
    '+no_setuid_fixup',
    '--',
    'true',
  ]).status === 0

function folder(t: TestContext, mode: number): string {
  const directory = mkdtempSync(join(tmpdir(), 'feria-account-'))
  chmodSync(directory, mode)
  t.after(() => {
    for (const { pid, command } of listProcesses()) {
      if (pid !== process.pid && command.includes(directory)) process.kill(pid, 'SIGKILL')
    }
    rmSync(directory, { recursive: true, force: true, maxRetries: 50, retryDelay: 50 })
  })
  return directory
}

/** The package as npm leaves it when it runs no install scripts, and with no bits to execute. */
function copyPackage({ packageDirectory }: Binaries, to: string): Binaries {
  cpSync(packageDirectory, to, {
    recursive: true,
    filter: (path) => !path.endsWith('.a') && !lstatSync(path).isSymbolicLink(),
  })
  const program = (name: string) => join(to, 'native', 'bin', name)
  const [postgres, initdb, pgControl] = [program('postgres'), program('initdb'), program('pg_ctl')]
  for (const path of [postgres, initdb, pgControl]) chmodSync(path, 0o644)
  return { postgres, initdb, pgControl, packageDirectory: to }
}

async function answer(url: string, query: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query({ text: query, rowMode: 'array' })
  await client.end()
  return rows[0]?.[0]
}

test(
  'as root, PostgreSQL runs as somebody else, who owns the cluster and nothing more',
  rootOnly,
  async (t) => {
    const dataDirectory = folder(t, 0o755)
    const server = await startEmbedded({ dataDirectory, durable: false })
    t.after(() => server.stop())
    assert.notEqual(statSync(`/proc/${server.pid}`).uid, 0)
    assert.equal(statSync(`/proc/${server.pid}`).uid, statSync(join(dataDirectory, 'postgres')).uid)
    assert.equal(statSync(dataDirectory).uid, 0)
    await server.stop()

    // Copied back by root, as from a backup.
    execFileSync('chown', ['-R', '0:0', join(dataDirectory, 'postgres')])
    chmodSync(join(dataDirectory, 'postgres'), 0o755)
    const again = await startEmbedded({ dataDirectory, durable: false })
    t.after(() => again.stop())
    assert.equal(await answer(again.url, 'select 1'), 1)
    await again.stop()

    // Whoever owns a cluster keeps it, also an account without a name.
    execFileSync('chown', ['-R', '54321:54321', join(dataDirectory, 'postgres')])
    const other = await startEmbedded({ dataDirectory, durable: false })
    t.after(() => other.stop())
    assert.equal(statSync(`/proc/${other.pid}`).uid, 54321)
  },
)

test(
  'as root, it also works with everything in a folder that only root may enter',
  canLend ? {} : { skip: 'needs root and setpriv' },
  async (t) => {
    const closed = folder(t, 0o700)
    const binaries = makeReady(copyPackage(await findBinaries(), join(closed, 'package')))
    const dataDirectory = join(closed, 'data')
    const server = await startEmbedded({ dataDirectory, durable: false }, { binaries })
    t.after(() => server.stop())
    assert.notEqual(statSync(`/proc/${server.pid}`).uid, 0)
    assert.equal(await answer(server.url, `select 'a' like '_'`), true)
    await server.stop()
    assert.equal(existsSync(join(dataDirectory, 'postgres', 'postmaster.pid')), false)
  },
)

test(
  'without setpriv, the message names the folder and the command that opens it',
  rootOnly,
  async (t) => {
    const closed = folder(t, 0o700)
    const start = startEmbedded(
      { dataDirectory: join(closed, 'data') },
      { setpriv: 'no-such-setpriv' },
    )
    await assert.rejects(start, (error: Error) => {
      assert.ok(error instanceof EmbeddedFailure)
      assert.ok(error.message.includes(`may not enter ${closed}.`), error.message)
      assert.ok(error.message.includes(`chmod o+x ${closed}\n`), error.message)
      return true
    })
    assert.deepEqual(readdirSync(join(closed, 'data')), [])
  },
)

test('a folder is blocked by the bits that count for the account', rootOnly, async (t) => {
  const binaries = await findBinaries()
  const account = { name: 'somebody', uid: 54321, gid: 54322 }
  const cases = [
    { mode: 0o755, uid: 0, gid: 0, blocked: false },
    { mode: 0o750, uid: 0, gid: 0, blocked: true },
    { mode: 0o750, uid: 0, gid: account.gid, blocked: false },
    { mode: 0o705, uid: 0, gid: account.gid, blocked: true },
    { mode: 0o700, uid: account.uid, gid: 0, blocked: false },
    { mode: 0o677, uid: account.uid, gid: 0, blocked: true },
  ]
  for (const { mode, uid, gid, blocked } of cases) {
    const directory = folder(t, mode)
    chownSync(directory, uid, gid)
    const inside = join(directory, 'data')
    mkdirSync(inside, { mode: 0o755 })
    const paths = blockedPaths(account, { dataDirectory: inside, binaries })
    assert.equal(paths.includes(directory), blocked, `${mode.toString(8)} ${uid}:${gid}`)
  }
})

/** Runs a start as `nobody`, in a process of its own; what it writes. */
async function startAsNobody(dataDirectory: string): Promise<string> {
  const script = `
    import { startEmbedded } from ${JSON.stringify(new URL('embedded.ts', import.meta.url))}
    try {
      const server = await startEmbedded({ dataDirectory: process.argv[1], durable: false })
      console.log('started')
      await server.stop()
      console.log('stopped')
    } catch (error) { console.log(error.name, error.message) }`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, dataDirectory], {
    uid: 65534,
    gid: 65534,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  for await (const chunk of child.stdout) text += chunk
  return text
}

const nobodyGetsHere = () =>
  spawnSync(
    process.execPath,
    ['-e', `require('node:fs').readFileSync(process.argv[1])`, basename(import.meta.filename)],
    {
      uid: 65534,
      gid: 65534,
      cwd: import.meta.dirname,
      stdio: 'ignore',
    },
  ).status === 0

test(
  'an ordinary user runs PostgreSQL as themselves, and is told when root left another owner',
  isRoot && nobodyGetsHere() ? {} : { skip: 'needs root, and a checkout that `nobody` may enter' },
  async (t) => {
    const dataDirectory = folder(t, 0o700)
    chownSync(dataDirectory, 65534, 65534)
    assert.equal(await startAsNobody(dataDirectory), 'started\nstopped\n')
    const cluster = join(dataDirectory, 'postgres')
    assert.equal(statSync(cluster).uid, 65534)

    chownSync(cluster, 54321, 54321)
    assert.match(
      await startAsNobody(dataDirectory),
      /^EmbeddedFailure .*another account.*sudo chown/,
    )
    chownSync(dataDirectory, 0, 0)
    chmodSync(dataDirectory, 0o755)
    assert.match(await startAsNobody(dataDirectory), /^EmbeddedFailure .*Nothing can be written/)
  },
)
