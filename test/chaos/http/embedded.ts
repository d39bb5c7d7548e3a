import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '../../../src/sandbox/random.ts'
import {
  assertDemoDataComplete,
  atRandomMoment,
  atStep,
  firstStartSteps,
  interruptStart,
  removeDataFolder,
} from '../../harness/first-start.ts'
import { startProgram } from '../../harness/program.ts'
import { pollUntil } from '../../harness/wait.ts'
import { type EmbeddedServerProcess, killBackend } from './database.ts'
import type { InjectedFault } from './run-cell.ts'

const seed = Number(process.env['TEST_SEED'] ?? Date.now() % 1_000_000)
const { initialization, laterMigration, demoData } = firstStartSteps
const fixedSteps = [initialization, laterMigration, demoData]
const killsPerFolder = 2

/** What goes wrong where one process runs the embedded server, as `npm start` does. */
export const embeddedFaults: Record<string, InjectedFault<EmbeddedServerProcess>> = {
  'first-start': {
    name: `the first start is killed at fixed steps and at random (TEST_SEED=${seed})`,
    processes: 1,
    async injectAtFirstStart({ folder }, { randomFirstStarts }) {
      const random = seededRandom(seed)
      for (let n = 0; n < randomFirstStarts; n++) {
        const other = `${folder}-${n}`
        for (let kill = 0; kill < killsPerFolder; kill++) {
          const database = random.chance(0.5)
          await interruptStart(other, { moment: atRandomMoment(random), database })
        }
        await assertCompletes(other)
        removeDataFolder(other)
      }
      for (const step of fixedSteps) {
        const database = random.chance(0.5)
        await interruptStart(folder, { moment: atStep(step), database })
      }
    },
    injectFault: ({ server }) => assertDemoDataComplete(server.folder),
  },
  'embedded-kill': {
    name: 'the embedded server is killed, then a backend, then the server again',
    processes: 1,
    async injectFault({ server, scale }) {
      const killed = server.pid
      process.kill(killed, 'SIGKILL')
      await pollUntil('the embedded server to be started again', async () => {
        const [answer] = await server.ask('select 1').catch(() => [])
        return answer && server.pid !== killed
      })
      await sleep(scale.faultMs)
      await killBackend(server)
      await sleep(scale.faultMs)
      process.kill(server.pid, 'SIGKILL')
    },
  },
}

/** Asserts that the next start on a data folder comes up with the whole demo data. */
async function assertCompletes(folder: string): Promise<void> {
  const program = await startProgram({ env: { FERIA_DATA: folder, FERIA_LOG_LEVEL: 'warn' } })
  try {
    await assertDemoDataComplete(folder)
  } finally {
    assert.equal(await program.stop(), 0)
  }
}
