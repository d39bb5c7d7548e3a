import type { DeliveryTally } from './delivery-tally.ts'
import type { ChaosContext } from './load-chaos-runner.ts'
import type { ChaosServer } from './server.ts'

/** Tables through which every notification goes, and that are written to again: where dead rows
 * would gather. History is only added to. */
const queueTables = /^(changes|taken_changes|fan_out_mark|lanes|holders|unaccepted|replays)(_\d+)?$/

const sampleCount = 10

/** Counts dead rows while something goes on; tells a line for each look. */
export function watchDeadRows({ server, scale }: ChaosContext): { stop(): Promise<string[]> } {
  const lines: string[] = []
  const began = performance.now()
  const look = async () => {
    const rows = await server.ask('select relname, n_dead_tup from pg_stat_user_tables')
    const dead = rows
      .filter(({ relname }) => queueTables.test(relname ?? ''))
      .map(({ relname, n_dead_tup }) => [relname, Number(n_dead_tup)] as const)
      .filter(([, count]) => count > 0)
      .map(([name, count]) => `${name} ${count}`)
    const seconds = Math.round((performance.now() - began) / 1_000)
    lines.push(`after ${seconds} s dead rows: ${dead.join(', ') || 'none'}`)
  }
  let last: Promise<void> = look()
  const timer = setInterval(() => {
    last = last.then(look)
  }, scale.lockHeldMs / sampleCount)
  return {
    async stop() {
      clearInterval(timer)
      await last
      await look()
      return lines
    },
  }
}

/** Where those stand that never came: for whoever looks for the reason. */
export async function describeLost(
  server: ChaosServer,
  { lostSamples }: DeliveryTally,
): Promise<string[]> {
  const resources = lostSamples.map((key) => `'${key.split(' ')[1]}'`).join(', ')
  const fanOutRows = await server.ask(`
    select n.application_id, n.seq, n.resource, u.attempts, u.due
    from notifications n left join unaccepted u using (application_id, seq)
    where n.resource in (${resources}) order by n.application_id, n.seq`)
  const queues = await server.ask('select * from lanes order by application_id')
  return [
    `lost, among others: ${lostSamples.join(', ')}`,
    ...fanOutRows.map((row) => `fanned out: ${JSON.stringify(row)}`),
    ...queues.map((row) => `lane: ${JSON.stringify(row)}`),
  ]
}
