import type { Timers } from '../../platform/timers.ts'
import type { TakeTurn } from './admission.ts'

/** A batch is begun by so many that each does this many of it, and by twice as many whenever this time has
 * passed: longer than an answer takes to be noticed in a process that is busy. */
const roundsAtFirst = 16
const moreAfterMs = 250

const ignore = () => {}

/**
 * Does all of these in their order, up to `most` at a time, but few at first where they are no more. A
 * receiver that answers at once is told over two connections then, where each of sixteen would have to be
 * opened; one that takes long has all of them within a second. Each waits for its turn, and no more of them
 * come while one does. Begins nothing more once `isOver`; resolves with what was done, in the order in which it was.
 */
export async function runConcurrently<Each, Done>(
  all: readonly Each[],
  {
    most,
    isOver,
    takeTurn,
    timers,
    work,
  }: {
    most: number
    isOver: () => boolean
    takeTurn: TakeTurn
    timers: Timers
    work: (each: Each) => Promise<Done>
  },
): Promise<Done[]> {
  const done: Done[] = []
  let next = 0
  const one = async () => {
    // It may have been done, or be over, by the time that it is our turn.
    const each = isOver() ? undefined : all[next++]
    if (each === undefined) return false
    done.push(await work(each))
    return true
  }
  /** Those whose turn is to come: while there are any, more of them would be of no use. */
  let coming = 0
  const worker = async () => {
    while (next < all.length && !isOver()) {
      let isComing = true
      coming++
      await takeTurn(() => {
        if (isComing) coming--
        isComing = false
        return one()
      })
    }
  }
  const workers: Promise<void>[] = []
  const begin = (count: number) => {
    while (workers.length < Math.min(count, most) && next < all.length && !isOver()) {
      const each = worker()
      // Whoever waits below learns it; until then it may be one that nobody waits for yet.
      each.catch(ignore)
      workers.push(each)
    }
  }
  begin(Math.max(2, Math.ceil(all.length / roundsAtFirst)))
  const more = timers.every(moreAfterMs, () => {
    if (coming === 0) begin(2 * workers.length)
  })
  try {
    for (let known = 0; known < workers.length; ) {
      const under = workers.slice(known)
      await Promise.all(under)
      known += under.length
    }
  } finally {
    more.cancel()
  }
  return done
}
