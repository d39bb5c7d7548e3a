import { changesRecorded } from '../../changes/record.ts'
import { secondMs } from '../../kernel/clock.ts'
import type { Context } from '../../platform/context.ts'
import { clockMovedChannel, databaseReplacedChannel } from '../../platform/database/signals.ts'
import type { Loop } from '../../platform/loop.ts'
import { FanOut, type FollowUps, notificationsReady } from '../fan-out.ts'
import { UnlistedChanges } from '../unlisted-changes.ts'
import { Dispatcher, queueReleased } from './dispatcher.ts'

/** Keep an idle queue this long: a subscriber that gets a few notifications per second is not leased again for each. */
const queueLingerMs = 500
/** Longer than the signal of a released queue takes to reach another process. */
const queuePatienceMs = 150

/** Longest pause after a failed turn: receivers wait for these loops, so they resume soon after an outage. */
const maxFailedRestMs = 400

/** Makes the dispatcher of a process that runs the loops below. */
export function makeDispatcher(ctx: Context): Dispatcher {
  return new Dispatcher(ctx, { lingerMs: queueLingerMs, patienceMs: queuePatienceMs })
}

/** Returns the loops that lead from a recorded change to its deliveries. */
export function notificationLoops(
  ctx: Context,
  { dispatcher, followers }: { dispatcher: Dispatcher; followers: FollowUps },
): Loop[] {
  const fanOut = new FanOut(ctx, followers)
  for (const channel of [databaseReplacedChannel, clockMovedChannel, 'reset']) {
    ctx.signals.on(channel, () => fanOut.reset())
  }
  const unlistedChanges = new UnlistedChanges(ctx, followers)
  return [
    {
      name: 'fan-out',
      turn: () => fanOut.turn(),
      idleMs: 250,
      wakes: [changesRecorded, clockMovedChannel],
      mostFailedRestMs: maxFailedRestMs,
    },
    {
      name: 'unlisted-changes',
      turn: () => unlistedChanges.turn(),
      idleMs: secondMs,
      wakes: [],
    },
    {
      name: 'deliver',
      turn: () => dispatcher.turn(),
      idleMs: 250,
      wakes: [notificationsReady, queueReleased, clockMovedChannel],
      mostFailedRestMs: maxFailedRestMs,
    },
  ]
}
