import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import pg from 'pg'
import { startEmbedded } from '../src/platform/postgres/embedded.ts'
import { mainFile } from './harness/program.ts'

/** The commands as a person types them, on one data directory. */
let dataDirectory: string

before(() => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'feria-cli-'))
})
after(() => rmSync(dataDirectory, { recursive: true, force: true }))

async function feria(...args: string[]) {
  return feriaWith({}, ...args)
}

async function feriaWith(
  more: Record<string, string>,
  ...args: string[]
): Promise<{ code: number; output: string }> {
  const env = {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    FERIA_DATA: dataDirectory,
    FERIA_LOG_LEVEL: 'warn',
    ...more,
  }
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [mainFile, ...args], {
      env,
    })
    return { code: 0, output: stdout + stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, output: stdout + stderr }
  }
}

test('the plan says what would run, and runs nothing', async () => {
  for (let times = 0; times < 2; times++) {
    const { code, output } = await feria('migrate', '--plan')
    assert.equal(code, 0, output)
    assert.match(output, /would run 0001_house/)
  }
})

test('migrating twice runs each step once', async () => {
  assert.match((await feria('migrate')).output, /ran 11 step/)
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
    [['seed'], /Run: feria seed --orders N/],
    [['seed', '--orders', 'many'], /--orders: expected a whole number/],
    [['start', '--workers', '0'], /--workers: expected a whole number/],
    [['start', '--wrong'], /Unknown option '--wrong'/],
  ]
  for (const [args, says] of cases) {
    const { code, output } = await feria(...args)
    assert.equal(code, 1, args.join(' '))
    assert.match(output, says)
    assert.doesNotMatch(output, /\n\s+at /, 'no stack trace')
  }
})

test('what keeps it from starting is said in a sentence, with what to do', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const cases: [env: Record<string, string>, says: RegExp][] = [
    [{ PORT: String(port), FERIA_DEMO: 'off' }, /EADDRINUSE.*\nSet PORT/],
    [{ DATABASE_URL: `postgres://u:p@127.0.0.1:1/x`, FERIA_MODE: 'sandbox' }, /can not be reached/],
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
    taken.close()
  }
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
