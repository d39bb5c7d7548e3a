import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { seededRandom } from '../src/sandbox/random.ts'
import { startFeria } from './harness/command.ts'
import {
  assertDemoDataComplete,
  atRandomMoment,
  atStep,
  firstStartSteps,
  interruptStart,
  removeDataFolder,
} from './harness/first-start.ts'
import { startProgram } from './harness/program.ts'
import { pollUntil } from './harness/wait.ts'

/** A first start that is killed on the way, and the next one on the same data folder. */

/** A data folder that is gone after the test, together with everything that runs in it. */
function dataFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'feria-first-start-'))
  t.after(() => removeDataFolder(folder))
  return folder
}

const envOf = (folder: string) => ({ FERIA_DATA: folder, FERIA_LOG_LEVEL: 'warn', PORT: '0' })

/** The next start comes up with the whole demo data, and nothing of the broken ones is left. */
async function assertCompletes(folder: string): Promise<void> {
  const program = await startProgram({ env: envOf(folder) })
  try {
    assert.match(program.output(), /demo seller/)
    await assertDemoDataComplete(folder)
  } finally {
    assert.equal(await program.stop(), 0)
  }
}

for (const database of [false, true]) {
  const what = database ? 'npm start and its database are' : 'npm start is'
  test(`a first start completes after ${what} killed at each of its steps`, async (t) => {
    const folder = dataFolder(t)
    for (const step of Object.values(firstStartSteps)) {
      await interruptStart(folder, { moment: atStep(step), database })
    }
    await assertCompletes(folder)
  })
}

const seed = Number(process.env['TEST_SEED'] ?? Date.now() % 1_000_000)

test(`a first start completes after it is killed at random moments (TEST_SEED=${seed})`, async (t) => {
  const random = seededRandom(seed)
  for (let world = 0; world < 2; world++) {
    const folder = dataFolder(t)
    for (let kills = 0; kills < 3; kills++) {
      const database = random.chance(0.5)
      await interruptStart(folder, { moment: atRandomMoment(random), database })
    }
    await assertCompletes(folder)
  }
})

for (const point of [/migrating the schema: 0001/, /making the demo data/]) {
  test(`a first start that Ctrl-C ends at "${point.source}" ends in one line, and the next one completes`, async (t) => {
    const folder = dataFolder(t)
    const running = startFeria(envOf(folder), ['start'])
    await pollUntil(`${point}`, () => point.test(running.soFar()), 60_000)
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
  await pollUntil('a step', () => /migrating the schema: 0002/.test(running.soFar()), 60_000)
  running.child.kill('SIGINT')
  const { code, stderr } = await running.ended
  assert.equal(code, 130)
  assert.match(stderr, /^Interrupted\. Finished steps stay.*\n$/)
  const next = await startFeria(envOf(folder), ['migrate']).ended
  assert.equal(next.code, 0, next.output)
})

test('of two first starts on one data folder one comes up, and the other one says in a line who has it', async (t) => {
  const folder = dataFolder(t)
  const running = startFeria(envOf(folder), ['start'])
  await pollUntil('the preparation', () => /preparing/.test(running.soFar()), 60_000)
  const { code, stderr } = await startFeria(envOf(folder), ['start']).ended
  assert.equal(code, 1)
  assert.match(
    stderr,
    RegExp(`^Another Feria \\(process ${running.child.pid}\\) already uses .*\\n$`),
  )
  await pollUntil('the first one to be ready', () => /Feria is ready/.test(running.soFar()), 60_000)
  running.child.kill('SIGTERM')
  await running.ended
  await assertCompletes(folder)
})
