import { Agent, request } from 'undici'
import { describeFailure } from '../../failure.ts'
import { monotonicMs } from '../clock.ts'
import type { DeliveryJobs } from '../jobs.ts'

/** What the one who measures says to a side, and what it answers. */
export type SideCommand =
  | { say: 'prepare'; jobs: DeliveryJobs; setting: SideSetting }
  | { say: 'go' }
export type SideReply =
  | { say: 'prepared' }
  | { say: 'began'; at: number }
  | { say: 'failed'; why: string }

/** How many at once, in the side's own words. */
export type SideSetting = Record<string, number>

export interface SideHandler {
  /** Puts the jobs where the side keeps them; its work is not measured. */
  prepare(jobs: DeliveryJobs, setting: SideSetting): Promise<void>
  /** Begins to deliver them. */
  begin(): Promise<void>
}

/** The process of a side: prepares and begins when told, ends with a signal. */
export function serveSide(side: SideHandler): void {
  const reply = (answer: SideReply) => process.send?.(answer)
  process.on('message', async (order: SideCommand) => {
    try {
      if (order.say === 'prepare') {
        await side.prepare(order.jobs, order.setting)
        reply({ say: 'prepared' })
      } else {
        reply({ say: 'began', at: monotonicMs() })
        await side.begin()
      }
    } catch (error) {
      reply({ say: 'failed', why: describeFailure(error) })
    }
  })
  process.on('disconnect', () => process.exit(0))
}

const agent = new Agent({ keepAliveTimeout: 30_000, pipelining: 1 })

/** Posts a body and takes the whole answer; throws unless it is 200. */
export async function postBody(url: string, body: string): Promise<void> {
  const answer = await request(url, {
    method: 'POST',
    dispatcher: agent,
    headers: { 'content-type': 'application/json' },
    body,
  })
  await answer.body.dump()
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}`)
}
