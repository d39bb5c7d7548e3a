import { systemTimers, type Timers } from '../timers.ts'

/** Pauses between the reads. A commit takes a few milliseconds from the first shard to the last. */
const pausesMs = [1, 2, 5, 10, 20, 50, 100, 200, 400]

/**
 * Reads a row that must exist because its key, owner or mapping was found. On a cluster, a transaction becomes visible
 * shard by shard, so the key may be seen before the row. Repeats the read for at most 0.8 s and returns undefined if
 * the row is still missing. On a single server the first read finds it.
 *
 * Do not use it for a row that may be missing while its owner exists, such as the description of an item.
 */
export async function untilVisible<Row>(
  read: () => Promise<Row | undefined>,
  timers: Pick<Timers, 'rest'> = systemTimers,
): Promise<Row | undefined> {
  for (const pauseMs of pausesMs) {
    const row = await read()
    if (row !== undefined) return row
    await timers.rest(pauseMs)
  }
  return read()
}
