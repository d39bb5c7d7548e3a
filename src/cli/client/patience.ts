import { setTimeout as sleep } from 'node:timers/promises'
import type { Output } from '../frame/output.ts'
import { type ApiClient, ServerUnavailable } from './client.ts'

/** Pause between two looks at work that a command follows. */
export const pollMs = 500
const longestPauseMs = 10_000

/** Reads something, and again after a growing pause while the server cannot be reached. */
export async function readPatiently<T>(
  client: ApiClient,
  out: Output,
  read: () => Promise<T>,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof ServerUnavailable)) throw error
      if (tries === 0) out.printNote(`waiting for ${client.address}`)
      await sleep(Math.min(longestPauseMs, pollMs * 2 ** Math.min(tries, 5)))
    }
  }
}
