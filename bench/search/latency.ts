import { setTimeout as wait } from 'node:timers/promises'
import { Agent } from 'undici'

/** One connection each: how long a request takes, and not how long it waits for another. */
export interface LatencyClient {
  get(path: string, token: string): Promise<{ text: string; ms: number }>
  close(): Promise<void>
}

export function openLatencyClient(address: string): LatencyClient {
  const agent = new Agent({ connections: 1, pipelining: 1 })
  return {
    async get(path, token) {
      const began = performance.now()
      const { statusCode, body } = await agent.request({
        origin: address,
        method: 'GET',
        path,
        headers: { authorization: `Bearer ${token}` },
      })
      const text = await body.text()
      const ms = performance.now() - began
      if (statusCode !== 200) throw new Error(`GET ${path}: ${statusCode} ${text}`)
      return { text, ms }
    },
    close: () => agent.close(),
  }
}

/** Runs every job once, in the order given, with so many at a time. */
export async function runJobs<T>(
  jobs: readonly T[],
  {
    callers,
    run,
  }: { callers: readonly LatencyClient[]; run: (job: T, caller: LatencyClient) => Promise<void> },
): Promise<void> {
  let next = 0
  const work = async (caller: LatencyClient) => {
    for (let job = jobs[next++]; job !== undefined; job = jobs[next++]) await run(job, caller)
  }
  await Promise.all(callers.map(work))
}

/** Sends jobs in an open loop: at a steady rate, whether or not those before were answered. Returns how many milliseconds
 * each took from the moment when it was due. */
export async function runOpenLoop<T>(
  jobs: readonly T[],
  { perSecond, run }: { perSecond: number; run: (job: T) => Promise<void> },
): Promise<number[]> {
  const began = performance.now()
  return Promise.all(
    jobs.map(async (job, index) => {
      const due = began + (index * 1_000) / perSecond
      await wait(Math.max(0, due - performance.now()))
      await run(job)
      return performance.now() - due
    }),
  )
}

export function formatTable(rows: readonly (readonly (string | number)[])[]): string {
  const texts = rows.map((row) =>
    row.map((cell) => (typeof cell === 'number' ? cell.toFixed(cell < 10 ? 2 : 1) : cell)),
  )
  const widths = (texts[0] ?? []).map((_, column) =>
    Math.max(...texts.map((row) => row[column]?.length ?? 0)),
  )
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
  return `${texts.map(line).join('\n')}\n`
}
