import { systemTimers, type Timers } from '../timers.ts'

/** Pauses between the reads, in ms: a commit takes a few milliseconds from the first shard to the last. */
const pausesMs = [1, 2, 5, 10, 20, 50, 100, 200, 400]

/**
 * Reads a row whose key, owner or mapping was found already, so that it was written by the same transaction or
 * before. On a cluster a transaction over several shards becomes visible one shard after the other: the key may be
 * seen before the row. Reads again until the row is there, for 0.8 s at most; undefined when it is still missing. On
 * one server the first read finds it.
 *
 * Not for a row that may be missing while its owner is there, such as the description of an item.
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
