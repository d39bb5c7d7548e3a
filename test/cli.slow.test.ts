import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { readMigrations } from '../src/platform/database/migrate.ts'
import { findRunningServer, startEmbedded } from '../src/platform/postgres/embedded.ts'
import { parseJsonLines } from './harness/cli-fixture.ts'
import { runFeria, startFeria, startWithNpm } from './harness/command.ts'
import { removeDataFolder } from './harness/first-start.ts'
import { nextEvent, pollUntil, programBoundMs } from './harness/wait.ts'

/** The commands as a person types them, on one data directory. */
let dataDirectory: string

before(() => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'feria-cli-'))
})
after(() => rmSync(dataDirectory, { recursive: true, force: true }))

async function feria(...args: string[]) {
  return feriaWith({}, ...args)
}

const feriaWith = (more: Record<string, string>, ...args: string[]) =>
  runFeria({ FERIA_DATA: dataDirectory, FERIA_LOG_LEVEL: 'warn', ...more }, ...args)

test('the plan says what would run, and runs nothing', async () => {
  for (let times = 0; times < 2; times++) {
    const { code, output } = await feria('migrate', '--plan')
    assert.equal(code, 0, output)
    assert.match(output, /would run 0001_house/)
  }
})

test('migrating twice runs each step once', async () => {
  const steps = (await readMigrations()).length
  assert.match((await feria('migrate')).output, new RegExp(`ran ${steps} step`))
  assert.match((await feria('migrate')).output, /up to date/)
})

test('distributing without the citus extension is refused with what to do', async () => {
  const { code, output } = await feria('migrate', '--distribute')
  assert.equal(code, 1)
  assert.match(output, /create extension citus/)
})

test('seeding shows progress, and a second seeding goes on behind the first', async () => {
  for (let times = 0; times < 2; times++) {
    const { code, output } = await feria('seed', '--orders', '700')
    assert.equal(code, 0, output)
    assert.match(output, /700 of 700 orders \(100 %\)/)
  }
  const server = await startEmbedded({ dataDirectory })
  try {
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    const { rows } = await client.query('select count(*)::int as orders from orders')
    assert.equal(rows[0].orders, 1400)
    await client.end()
  } finally {
    await server.stop()
  }
})

test('a call that is not known is refused in one sentence', async () => {
  const cases: [args: string[], says: RegExp][] = [
    [['dance'], /There is no command "dance"/],
    [['seed'], /--orders is missing.*Run: feria seed --orders N/s],
    [['seed', '--orders', 'many'], /--orders: expected a whole number/],
    [['start', '--workers', '0'], /--workers: expected a whole number/],
    [['start', '--wrong'], /Unknown option "--wrong"/],
    [['start', '--wokers', '2'], /Did you mean "--workers"/],
  ]
  for (const [args, says] of cases) {
    const { code, output } = await feria(...args)
    assert.equal(code, 2, args.join(' '))
    assert.match(output, says)
    assert.doesNotMatch(output, /\n\s+at /, 'no stack trace')
  }
})

test('what keeps it from starting is said in a sentence, with what to do', async () => {
  const portHolder = createServer().listen(0, '127.0.0.1')
  await nextEvent(portHolder, 'listening')
  const { port } = portHolder.address() as AddressInfo
  const cases: [env: Record<string, string>, says: RegExp][] = [
    [{ PORT: String(port), FERIA_DEMO: 'off' }, /EADDRINUSE.*\nSet PORT/],
    [
      { DATABASE_URL: `postgres://u:p@127.0.0.1:1/x`, FERIA_MODE: 'sandbox', PORT: '0' },
      /cannot be reached/,
    ],
    [{ PORT: 'x', FERIA_MODE: 'y' }, /FERIA_MODE: expected.*\n.*PORT: expected/],
  ]
  try {
    for (const [env, says] of cases) {
      const { code, output } = await feriaWith(env, 'start')
      assert.equal(code, 1, output)
      assert.match(output, says)
      assert.doesNotMatch(output, /\n\s+at /, 'no stack trace')
    }
  } finally {
    portHolder.close()
  }
})

test('what runs on the database says the same as JSON, alone on standard output', async () => {
  const migrated = await feria('migrate', '--json')
  assert.deepEqual(parseJsonLines(migrated.stdout), [{ ran: [] }])
  assert.deepEqual(parseJsonLines((await feria('migrate', '--plan', '--json')).stdout), [
    { would_run: [], would_distribute: [], would_add_keys: [], refusal: null },
  ])
  const seeded = await feria('seed', '--orders', '100', '--seed', '3', '--json')
  const [{ orders, seed, seconds }] = parseJsonLines(seeded.stdout) as [Record<string, number>]
  assert.deepEqual([orders, seed, Number.isFinite(seconds)], [100, 3, true])
  assert.match(seeded.stderr, /100 of 100 orders \(100 %\)/)
  const started = startFeria({ FERIA_DATA: dataDirectory, FERIA_DEMO: 'off', PORT: '0' }, [
    'start',
    '--json',
  ])
  await pollUntil('it to be ready', () => started.soFar().includes('"ready":true'))
  started.child.kill('SIGTERM')
  const { code, stdout } = await started.ended
  assert.equal(code, 0)
  const greeting = parseJsonLines(stdout).find(({ ready }) => ready)
  assert.match(greeting.address, /^http:\/\/127\.0\.0\.1:\d+$/)
  assert.equal(greeting.operator_token, 'feria-sandbox-operator')
})

test('a seeding that is interrupted ends with 130, and the next one goes on behind it', async () => {
  const env = { FERIA_DATA: dataDirectory, FERIA_LOG_LEVEL: 'warn' }
  const running = startFeria(env, ['seed', '--orders', '50000'])
  await pollUntil('it to have begun', () => /\d+ of 50000 orders/.test(running.soFar()), 60_000)
  running.child.kill('SIGINT')
  const { code, output } = await running.ended
  assert.equal(code, 130, output)
  const next = await feria('seed', '--orders', '50')
  assert.equal(next.code, 0, next.output)
})

test('a schema of a later version is refused, and nothing is started on it', async () => {
  const server = await startEmbedded({ dataDirectory })
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  await client.query(
    `insert into schema_steps (version, name, distributed) values (9999, 'later', false)`,
  )
  await client.end()
  await server.stop()
  const { code, output } = await feria('start')
  assert.equal(code, 1)
  assert.match(output, /schema is at step 9999, this program knows steps up to/)
})

test('a server that npm started stops on SIGTERM to npm, and its port is free again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'feria-npm-'))
  const env = { FERIA_DATA: folder, FERIA_DEMO: 'off', FERIA_LOG_LEVEL: 'warn', PORT: '0' }
  const { child, soFar, ended } = startWithNpm(env)
  try {
    const address = await pollUntil(
      'the server to be ready',
      () => /Feria is ready at (\S+)/.exec(soFar())?.[1],
      programBoundMs,
    )
    assert.equal((await fetch(`${address}/health/live`)).status, 200)
    child.kill('SIGTERM')
    await pollUntil('the port to be free', () =>
      fetch(`${address}/health/live`).then(
        () => false,
        (error) => error.cause.code === 'ECONNREFUSED',
      ),
    )
    await ended
    await pollUntil('its database to stop', () => findRunningServer(folder) === undefined)
  } finally {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    removeDataFolder(folder)
  }
})
