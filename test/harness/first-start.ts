import assert from 'node:assert/strict'
import { readdirSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findRunningServer } from '../../src/platform/postgres/embedded.ts'
import { listProcesses, signalProcess } from '../../src/platform/postgres/processes.ts'
import { demoSellerId } from '../../src/sandbox/demo/ids.ts'
import { demoListings } from '../../src/sandbox/demo/listings.ts'
import type { SeededRandom } from '../../src/sandbox/random.ts'
import { startWithNpm } from './command.ts'
import { pollUntil } from './wait.ts'

/** A first start that is killed on its way, and what the next one must have completed. */

/** What a first start prints as it reaches each of its steps, in their order. */
export const firstStartSteps = {
  initialization: /preparing the embedded database/,
  creation: /creating the database/,
  firstMigration: /migrating the schema: 0001/,
  laterMigration: /migrating the schema: 0012/,
  demoData: /making the demo data/,
}

/** A first start takes about so long from its first output. */
const firstStartMs = 3_000

/** The part of a started program that says how far it has come. */
type StartProgress = Pick<ReturnType<typeof startWithNpm>, 'soFar'>

/**
 * Runs `npm start` on a data folder and kills its process group once `moment` resolves. With `database`, kills
 * initdb or the embedded server as well, which have process groups of their own.
 */
export async function interruptStart(
  folder: string,
  { moment, database }: { moment: (progress: StartProgress) => Promise<void>; database: boolean },
): Promise<void> {
  const running = startWithNpm({ FERIA_DATA: folder, FERIA_LOG_LEVEL: 'warn', PORT: '0' })
  try {
    await moment(running)
  } finally {
    signalProcess(-(running.child.pid as number), 'SIGKILL')
    if (database) killProcessesOn(folder)
  }
  await running.ended
}

/** Resolves as soon as a start reaches this step; throws when it is ready by then. */
export const atStep = (step: RegExp) => async (progress: StartProgress) => {
  await pollUntil(`${step}`, () => step.test(progress.soFar()), 60_000)
  assert.doesNotMatch(progress.soFar(), /Feria is ready/, `too late for ${step}`)
}

/** Resolves at a random moment of a first start. */
export const atRandomMoment = (random: SeededRandom) => async (progress: StartProgress) => {
  const delayMs = random.between(0, firstStartMs)
  await pollUntil('its first output', () => progress.soFar() !== '', 60_000)
  await sleep(delayMs)
}

/** Asserts that the server on this data folder has the whole demo data, and that no half-made folder is left. */
export async function assertDemoDataComplete(folder: string): Promise<void> {
  const client = new pg.Client({ connectionString: findRunningServer(folder) })
  await client.connect()
  const { rows } = await client.query(
    `select
      (select count(*)::int from orders where seller_id >= $1) as orders,
      (select count(*)::int from listings where seller_id >= $1) as listings,
      (select count(*)::int from passwords) as passwords`,
    [demoSellerId],
  )
  await client.end()
  const [{ listings, ...counts }] = rows
  assert.deepEqual(counts, { orders: 500, passwords: 2 })
  assert.ok(listings >= demoListings().length, `${listings} listings`)
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('postgres.new-')),
    [],
  )
}

/** Removes a data folder and kills everything that runs on it. */
export function removeDataFolder(folder: string): void {
  killProcessesOn(folder)
  // Backends outlive a killed server for a moment, and still write.
  rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 50 })
}

/** Kills what has this data folder in its command line. */
function killProcessesOn(folder: string): void {
  for (const { pid, command } of listProcesses()) {
    if (pid !== process.pid && command.includes(folder)) signalProcess(pid, 'SIGKILL')
  }
}
