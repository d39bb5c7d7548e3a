import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { findRunningServer } from '../src/platform/postgres/embedded.ts'
import { listProcesses } from '../src/platform/postgres/processes.ts'
import { randomOf } from '../src/sandbox/demo/random.ts'
import { startFeria } from './harness/command.ts'
import { startProgram, until } from './harness/program.ts'

/** A first start that is killed on the way, and the next one on the same data folder. */

/** A data folder that is gone after the test, together with everything that runs in it. */
function dataFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'feria-first-start-'))
  t.after(() => {
    for (const { pid, command } of listProcesses()) {
      if (pid !== process.pid && command.includes(folder)) process.kill(pid, 'SIGKILL')
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 50 })
  })
  return folder
}

const envOf = (folder: string) => ({ FERIA_DATA: folder, FERIA_LOG_LEVEL: 'warn', PORT: '0' })

/** Ends a start with SIGKILL; with `database`, also the PostgreSQL that it has started by then. */
async function kill(
  { child, ended }: ReturnType<typeof startFeria>,
  { folder, database }: { folder: string; database: boolean },
): Promise<void> {
  const postmaster = database ? postmasterOf(folder) : undefined
  child.kill('SIGKILL')
  if (postmaster) process.kill(postmaster, 'SIGKILL')
  await ended
}

function postmasterOf(folder: string): number | undefined {
  try {
    const text = readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8')
    return Number(text.split('\n')[0]) || undefined
  } catch {
    return undefined
  }
}

/** The next start comes up with the whole demo world, and nothing of the broken ones is left. */
async function assertCompletes(folder: string): Promise<void> {
  const program = await startProgram({ env: envOf(folder) })
  try {
    assert.match(program.output(), /demo seller/)
    const client = new pg.Client({ connectionString: findRunningServer(folder) })
    await client.connect()
    const { rows } = await client.query(`select
      (select count(*)::int from orders) as orders, (select count(*)::int from listings) as listings,
      (select count(*)::int from passwords) as passwords`)
    await client.end()
    assert.equal(rows[0].orders, 500)
    assert.ok(rows[0].listings > 0)
    assert.equal(rows[0].passwords, 2)
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith('postgres.new-')),
      [],
    )
  } finally {
    assert.equal(await program.stop(), 0)
  }
}

const points = [
  /preparing the embedded database/,
  /creating the database/,
  /migrating the schema: 0001/,
  /migrating the schema: 0012/,
  /making the demo world/,
]
for (const database of [false, true]) {
  const what = database ? 'the program and its database are' : 'the program is'
  test(`a first start completes after ${what} killed at each of its steps`, async (t) => {
    const folder = dataFolder(t)
    for (const point of points) {
      const running = startFeria(envOf(folder), ['start'])
      await until(`${point}`, () => point.test(running.soFar()), 60_000)
      await kill(running, { folder, database })
      assert.doesNotMatch(running.soFar(), /Feria is ready/, `killed too late for ${point}`)
    }
    await assertCompletes(folder)
  })
}

const seed = Number(process.env['TEST_SEED'] ?? Date.now() % 1_000_000)

test(`a first start completes after it is killed at random moments (TEST_SEED=${seed})`, async (t) => {
  const random = randomOf(seed)
  for (let world = 0; world < 2; world++) {
    const folder = dataFolder(t)
    for (let kills = 0; kills < 3; kills++) {
      const running = startFeria(envOf(folder), ['start'])
      await until('its first word', () => running.soFar() !== '', 60_000)
      // A first start takes about so long from its first word.
      await wait(random.between(0, 3_000))
      await kill(running, { folder, database: random.chance(0.5) })
    }
    await assertCompletes(folder)
  }
})

for (const point of [/migrating the schema: 0001/, /making the demo world/]) {
  test(`a first start that Ctrl-C ends at "${point.source}" ends in one line, and the next one completes`, async (t) => {
    const folder = dataFolder(t)
    const running = startFeria(envOf(folder), ['start'])
    await until(`${point}`, () => point.test(running.soFar()), 60_000)
    running.child.kill('SIGINT')
    const { code, stderr } = await running.ended
    assert.equal(code, 0)
    assert.match(stderr, /^Stopped before it was ready\. The next start completes .*\n$/)
    await assertCompletes(folder)
  })
}

test('a migration that Ctrl-C ends is told in one line, and the next one does the rest', async (t) => {
  const folder = dataFolder(t)
  const running = startFeria(envOf(folder), ['migrate'])
  await until('a step', () => /migrating the schema: 0002/.test(running.soFar()), 60_000)
  running.child.kill('SIGINT')
  const { code, stderr } = await running.ended
  assert.equal(code, 130)
  assert.match(stderr, /^Interrupted\. Steps that were done stay.*\n$/)
  const next = await startFeria(envOf(folder), ['migrate']).ended
  assert.equal(next.code, 0, next.output)
})

test('of two first starts on one data folder one comes up, and the other one says in a line who has it', async (t) => {
  const folder = dataFolder(t)
  const running = startFeria(envOf(folder), ['start'])
  await until('the preparation', () => /preparing/.test(running.soFar()), 60_000)
  const { code, stderr } = await startFeria(envOf(folder), ['start']).ended
  assert.equal(code, 1)
  assert.match(
    stderr,
    RegExp(`^Another Feria \\(process ${running.child.pid}\\) already uses .*\\n$`),
  )
  await until('the first one to be ready', () => /Feria is ready/.test(running.soFar()), 60_000)
  running.child.kill('SIGTERM')
  await running.ended
  await assertCompletes(folder)
})
