import type { Timers } from '../../platform/timers.ts'
import type { RunInSlot } from './delivery-slots.ts'

/** A batch begins with so few slots that each would run this many of its items. */
const roundsAtFirst = 16
/** The slots double after each of these times: longer than a busy process takes to notice a response. */
const growEveryMs = 250

const ignore = () => {}

/**
 * Runs `work` on all items in order, in up to `most` slots. It begins with few slots, so that a receiver that answers
 * at once needs two connections instead of sixteen. A slow receiver gets all slots within a second. No slot is added
 * while another still waits for its turn. Once `isOver`, no item is begun. Resolves with the results in the order in
 * which they finished.
 */
export async function runConcurrently<Item, Result>(
  items: readonly Item[],
  {
    most,
    isOver,
    takeTurn,
    timers,
    work,
  }: {
    most: number
    isOver: () => boolean
    takeTurn: RunInSlot
    timers: Timers
    work: (item: Item) => Promise<Result>
  },
): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const runNext = async () => {
    // Other slots may have taken the last item while this one waited for its turn.
    const item = isOver() ? undefined : items[next++]
    if (item === undefined) return false
    results.push(await work(item))
    return true
  }
  /** Slots that wait for their turn. While there are any, more slots would be of no use. */
  let waitingSlots = 0
  const runSlot = async () => {
    while (next < items.length && !isOver()) {
      let isWaiting = true
      waitingSlots++
      await takeTurn(() => {
        if (isWaiting) waitingSlots--
        isWaiting = false
        return runNext()
      })
    }
  }
  const slots: Promise<void>[] = []
  const growTo = (count: number) => {
    while (slots.length < Math.min(count, most) && next < items.length && !isOver()) {
      const slot = runSlot()
      // The loop below rethrows it, but may not be awaiting this slot yet.
      slot.catch(ignore)
      slots.push(slot)
    }
  }
  growTo(Math.max(2, Math.ceil(items.length / roundsAtFirst)))
  const growth = timers.every(growEveryMs, () => {
    if (waitingSlots === 0) growTo(2 * slots.length)
  })
  try {
    for (let finished = 0; finished < slots.length; ) {
      const running = slots.slice(finished)
      await Promise.all(running)
      finished += running.length
    }
  } finally {
    growth.cancel()
  }
  return results
}
