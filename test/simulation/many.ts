import { once } from 'node:events'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { guarantees } from './guarantees.ts'
import { simulateSchedule } from './simulate.ts'

/**
 * Runs the schedules of so many seeds in a thread of its own and returns what they broke, each with the command
 * that repeats it. A test runner follows every promise of its own thread, which takes twice as long.
 */
export async function simulateMany(range: { from: number; count: number }): Promise<string[]> {
  const worker = new Worker(new URL(import.meta.url), { workerData: range })
  const [broken] = await once(worker, 'message')
  await worker.terminate()
  return broken
}

async function runSchedules({ from, count }: { from: number; count: number }): Promise<string[]> {
  const broken: string[] = []
  for (let seed = from; seed < from + count; seed++) {
    for (const { guarantee, what } of (await simulateSchedule(seed)).breaches) {
      broken.push(`npm run simulate -- --seed ${seed}: ${guarantees[guarantee]}: ${what}`)
    }
  }
  return broken
}

if (!isMainThread) parentPort?.postMessage(await runSchedules(workerData))
