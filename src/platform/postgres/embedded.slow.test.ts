import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import pg from 'pg'
import { nextEvent } from '../../../test/harness/wait.ts'
import { type EmbeddedServer, type RestartInfo, startEmbedded } from './embedded.ts'
import { EmbeddedFailure, steps } from './failure.ts'
import { listProcesses, processExists, processMark, waitUntil } from './processes.ts'

/** A database in which nothing is, made once: a copy is quicker than a first start. */
let prepared = ''
before(async () => {
  prepared = mkdtempSync(join(tmpdir(), 'feria-embedded-'))
  const server = await startEmbedded({ dataDirectory: prepared, durable: false })
  await server.stop()
})
after(() => rmSync(prepared, { recursive: true, force: true }))

/** A data directory that is gone after the test, together with everything that runs in it. */
function dataDirectory(t: TestContext, { isPrepared = false } = {}): string {
  const directory = mkdtempSync(join(tmpdir(), 'feria-embedded-'))
  // The account that root lends to PostgreSQL must get in; what else happens has its own test.
  chmodSync(directory, 0o755)
  t.after(() => {
    for (const { pid, command } of listProcesses()) {
      if (pid !== process.pid && command.includes(directory)) process.kill(pid, 'SIGKILL')
    }
    rmSync(directory, { recursive: true, force: true, maxRetries: 50, retryDelay: 50 })
  })
  const cluster = join(directory, 'postgres')
  if (isPrepared) cpSync(join(prepared, 'postgres'), cluster, { recursive: true })
  return directory
}

async function start(t: TestContext, directory: string, say?: (step: string) => void) {
  const server = await startEmbedded({
    dataDirectory: directory,
    durable: false,
    ...(say ? { say } : {}),
  })
  t.after(() => server.stop())
  return server
}

async function query(server: { url: string }, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: server.url })
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query({ text, rowMode: 'array' })
  await client.end()
  return rows.flat()
}

/** Another Feria: a process of its own that starts the database and then stays, or ends. */
function startOwner(
  t: TestContext,
  directory: string,
  { stays = true, durable = false } = {},
): ChildProcess {
  const script = `
    import { startEmbedded } from ${JSON.stringify(new URL('embedded.ts', import.meta.url))}
    const options = { dataDirectory: process.argv[1], durable: ${durable} }
    const { pid, url } = await startEmbedded(options)
    console.log(JSON.stringify({ pid, url }))
    ${stays ? 'setInterval(() => {}, 1000)' : ''}`
  const owner = spawn(process.execPath, ['--input-type=module', '-e', script, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => owner.kill('SIGKILL'))
  return owner
}

async function readServer(owner: ChildProcess): Promise<{ pid: number; url: string }> {
  for await (const line of owner.stdout ?? []) return JSON.parse(String(line))
  throw new Error('the owner ended before it had started the database')
}

async function killed(owner: ChildProcess): Promise<void> {
  const ended = nextEvent(owner, 'exit')
  owner.kill('SIGKILL')
  await ended
}

const isGone = (pid: number) => waitUntil(() => processMark(pid) === undefined, 5_000)

test('a first start prepares, a later one is quick and quiet and finds what was stored', async (t) => {
  const directory = dataDirectory(t)
  const first: string[] = []
  const server = await start(t, directory, (step) => first.push(step))
  assert.deepEqual(first, [steps.preparing, steps.creating, steps.ready])
  assert.match(server.url, /^postgres:\/\/feria:[\w-]{32}@127\.0\.0\.1:\d+\/feria$/)
  await query(server, `create table kept as select 'ñandú' as word`)
  await server.stop()
  assert.deepEqual(await server.ended, { expected: true })
  assert.equal(processExists(server.pid), false)

  const later: string[] = []
  const again = await start(t, directory, (step) => later.push(step))
  assert.deepEqual(later, [])
  assert.deepEqual(await query(again, 'select word from kept'), ['ñandú'])
  assert.match(readFileSync(join(directory, 'postgres.log'), 'utf8'), /ready to accept/)
  const statement = `select current_setting(name) from unnest(array['timezone', 'jit', 'server_encoding',
    'unix_socket_directories', 'listen_addresses', 'password_encryption']) as name`
  const settings = await query(again, statement)
  assert.deepEqual(settings, ['UTC', 'off', 'UTF8', '', '127.0.0.1', 'scram-sha-256'])
  const locale = `select datlocprovider::text, datlocale from pg_database where datname = 'feria'`
  assert.deepEqual(await query(again, locale), ['b', 'C.UTF-8'])
})

test('what is stored is flushed to disk unless a test asks otherwise', async (t) => {
  const directory = dataDirectory(t, { isPrepared: true })
  const server = await startEmbedded({ dataDirectory: directory })
  t.after(() => server.stop())
  const statement = `select current_setting(name) from unnest(array['fsync', 'synchronous_commit',
    'full_page_writes', 'data_checksums']) as name`
  assert.deepEqual(await query(server, statement), ['on', 'on', 'on', 'on'])
  const wrongPassword = server.url.replace(/feria:[^@]+/, 'feria:guess')
  await assert.rejects(query({ url: wrongPassword }, 'select 1'), /password authentication failed/)
})

test('a second start on a data directory is refused and told who has it', async (t) => {
  const directory = dataDirectory(t, { isPrepared: true })
  const server = await start(t, directory)
  await assert.rejects(start(t, directory), (error: Error) => {
    assert.ok(error instanceof EmbeddedFailure)
    assert.ok(error.message.includes(`process ${process.pid}`), error.message)
    assert.ok(error.message.includes(directory), error.message)
    return true
  })
  assert.deepEqual(await query(server, 'select 1'), [1])
})

test('a server that lost its owner is replaced, and its committed rows are there', async (t) => {
  const directory = dataDirectory(t, { isPrepared: true })
  const owner = startOwner(t, directory)
  const orphan = await readServer(owner)
  await query(orphan, 'create table kept as select 7 as number')
  await killed(owner)
  assert.ok(processExists(orphan.pid))

  const messages: string[] = []
  const server = await start(t, directory, (step) => messages.push(step))
  assert.deepEqual(messages, [steps.replacing])
  assert.ok(await isGone(orphan.pid))
  assert.deepEqual(await query(server, 'select number from kept'), [7])
})

test('the server does not keep its owner from ending', async (t) => {
  const directory = dataDirectory(t, { isPrepared: true })
  const owner = startOwner(t, directory, { stays: false })
  const ended = nextEvent(owner, 'exit')
  const orphan = await readServer(owner)
  assert.deepEqual(await ended, [0, null])
  await start(t, directory)
  assert.ok(await isGone(orphan.pid))
})

test('after everything was killed, also what goes on computing is ended and the rows are there', async (t) => {
  const directory = dataDirectory(t, { isPrepared: true })
  const owner = startOwner(t, directory, { durable: true })
  const { pid, url } = await readServer(owner)
  await query({ url }, 'create table kept as select 7 as number')
  // Computes without ever waiting, so it does not notice that its postmaster is gone.
  const busy = query({ url }, 'do $$ begin loop null; end loop; end $$').catch(() => {})
  const backends = `select pid from pg_stat_activity where query like 'do %'`
  await waitUntil(async () => (await query({ url }, backends)).length === 1, 5_000)
  const [backend] = await query({ url }, backends)
  await killed(owner)
  process.kill(pid, 'SIGKILL')
  assert.ok(await isGone(pid))
  assert.ok(processExists(Number(backend)))

  const server = await start(t, directory)
  assert.ok(await isGone(Number(backend)))
  assert.deepEqual(await query(server, 'select number from kept'), [7])
  await busy
})

test('a first start that was killed leaves nothing that hinders the next one', async (t) => {
  const directory = dataDirectory(t)
  const halfDone = () => readdirSync(directory).filter((name) => name.startsWith('postgres.new-'))
  const owner = startOwner(t, directory)
  await waitUntil(
    () => halfDone().some((name) => existsSync(join(directory, name, 'cluster'))),
    5_000,
  )
  await killed(owner)
  assert.equal(halfDone().length, 1)
  assert.equal(existsSync(join(directory, 'postgres')), false)

  const server = await start(t, directory)
  assert.deepEqual(halfDone(), [])
  assert.deepEqual(await query(server, 'select 1'), [1])
})

test('a lock and a pid file whose pids belong to strangers by now do not count', async (t) => {
  const directory = dataDirectory(t, { isPrepared: true })
  await (await start(t, directory)).stop()
  const stranger = spawn('sleep', ['60'])
  t.after(() => stranger.kill())
  const lock = { pid: stranger.pid, mark: 'an earlier boot 1', token: 'x' }
  writeFileSync(join(directory, 'feria.lock'), JSON.stringify(lock))
  const pidFile = [
    stranger.pid,
    join(directory, 'postgres'),
    1,
    5432,
    '',
    '127.0.0.1',
    '1 1',
    'ready',
  ]
  writeFileSync(join(directory, 'postgres', 'postmaster.pid'), pidFile.join('\n'))

  assert.deepEqual(await query(await start(t, directory), 'select 1'), [1])
  assert.equal(stranger.exitCode, null)
})

for (const content of ['', '\n', 'bogus']) {
  test(`a start completes beside a pid file with ${JSON.stringify(content)}, which a kill between its creation and its content leaves`, async (t) => {
    const directory = dataDirectory(t, { isPrepared: true })
    writeFileSync(join(directory, 'postgres', 'postmaster.pid'), content)
    assert.deepEqual(await query(await start(t, directory), 'select 1'), [1])
  })
}

test('an end that nobody asked for is told, and the next start recovers', async (t) => {
  const directory = dataDirectory(t, { isPrepared: true })
  const server: EmbeddedServer = await start(t, directory)
  process.kill(server.pid, 'SIGKILL')
  assert.deepEqual(await server.ended, { expected: false })
  await server.stop()
  assert.deepEqual(await query(await start(t, directory), 'select 1'), [1])
})

test('a server that is killed is started again on the same address, and its last lines are told', async (t) => {
  const directory = dataDirectory(t, { isPrepared: true })
  const restarts: RestartInfo[] = []
  const server = await startEmbedded(
    { dataDirectory: directory, onRestart: (restart) => restarts.push(restart) },
    { restartPausesMs: [0, 0] },
  )
  t.after(() => server.stop())
  await query(server, 'create table kept as select 7 as number')
  const { pid, url } = server
  process.kill(pid, 'SIGKILL')
  assert.ok(await waitUntil(() => server.pid !== pid, 20_000))
  assert.equal(server.url, url)
  assert.deepEqual(await query(server, 'select number from kept'), [7])
  assert.equal(restarts.length, 1)
  assert.match(restarts[0]?.lastLines.join('\n') ?? '', /ready to accept connections/)
  await server.stop()
  assert.deepEqual(await server.ended, { expected: true })
  assert.equal(existsSync(join(directory, 'feria.lock')), false)
})

test('a server that ends again and again is given up after growing pauses, and its lock is given back', async (t) => {
  const directory = dataDirectory(t, { isPrepared: true })
  const pausesMs: number[] = []
  const server = await startEmbedded(
    { dataDirectory: directory, onRestart: ({ pauseMs }) => pausesMs.push(pauseMs) },
    { restartPausesMs: [0, 1, 2] },
  )
  // Nothing starts on it any more.
  writeFileSync(join(directory, 'postgres', 'PG_VERSION'), '17\n')
  process.kill(server.pid, 'SIGKILL')
  assert.deepEqual(await server.ended, { expected: false })
  assert.deepEqual(pausesMs, [0, 1, 2])
  assert.equal(existsSync(join(directory, 'feria.lock')), false)
})

test('a stop during the pause before a restart is not held up by it', async (t) => {
  const directory = dataDirectory(t, { isPrepared: true })
  const paused = Promise.withResolvers<void>()
  const server = await startEmbedded(
    { dataDirectory: directory, onRestart: () => paused.resolve() },
    { restartPausesMs: [3_600_000] },
  )
  process.kill(server.pid, 'SIGKILL')
  await paused.promise
  await server.stop()
  assert.deepEqual(await server.ended, { expected: true })
})

test('a start that fails says why, leaves nothing running and gives the lock back', async (t) => {
  const directory = dataDirectory(t, { isPrepared: true })
  await (await start(t, directory)).stop()
  writeFileSync(join(directory, 'postgres', 'PG_VERSION'), '17\n')
  const failure = { name: 'EmbeddedFailure', message: /^[^\n]+another version[^\n]+mv [^\n]+$/ }
  await assert.rejects(start(t, directory), failure)
  const running = listProcesses().filter(({ command }) => command.includes(directory))
  assert.deepEqual(running, [])
  assert.equal(existsSync(join(directory, 'feria.lock')), false)
})

const damages: Record<string, { of: (cluster: string) => void; says: RegExp }> = {
  'a control file that was cut off': {
    of: (cluster) => truncateSync(join(cluster, 'global', 'pg_control'), 10),
    says: /is damaged \(could not read file "global\/pg_control"/,
  },
  'no control file': {
    of: (cluster) => rmSync(join(cluster, 'global', 'pg_control')),
    says: /is damaged \(could not open file/,
  },
  'no WAL': {
    of: (cluster) => {
      const wal = join(cluster, 'pg_wal')
      const segments = readdirSync(wal).filter((name) => /^[0-9A-F]{24}$/.test(name))
      for (const name of segments) rmSync(join(wal, name))
    },
    says: /is damaged \(could not locate a valid checkpoint record/,
  },
  'an empty password file': {
    of: (cluster) => writeFileSync(join(cluster, 'feria.password'), ''),
    says: /feria\.password is empty/,
  },
  'the password of another database': {
    of: (cluster) => writeFileSync(join(cluster, 'feria.password'), 'other'),
    says: /feria\.password is not that of the database/,
  },
}
for (const [what, { of: damage, says }] of Object.entries(damages)) {
  test(`a data folder with ${what} is told in one line with what to do, and nothing is left running`, async (t) => {
    const directory = dataDirectory(t, { isPrepared: true })
    damage(join(directory, 'postgres'))
    await assert.rejects(start(t, directory), (error: Error) => {
      assert.equal(error.name, 'EmbeddedFailure')
      assert.match(error.message, says)
      assert.match(error.message, /^[^\n]+mv [^\n]+$/, 'one line with the next step')
      return true
    })
    const running = listProcesses().filter(({ command }) => command.includes(directory))
    assert.deepEqual(running, [])
  })
}

test('a folder that holds something else is left alone', async (t) => {
  const directory = dataDirectory(t)
  mkdirSync(join(directory, 'postgres'))
  writeFileSync(join(directory, 'postgres', 'notes.txt'), 'mine')
  await assert.rejects(start(t, directory), /not a database[\s\S]+mv /)
  assert.equal(readFileSync(join(directory, 'postgres', 'notes.txt'), 'utf8'), 'mine')
})
