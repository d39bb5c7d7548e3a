import { changesRecorded } from '../changes/record.ts'
import { secondMs } from '../kernel/clock.ts'
import type { Context } from '../platform/context.ts'
import { clockMoved, worldReplaced } from '../platform/database/signals.ts'
import type { Loop } from '../platform/loop.ts'
import { Dispatcher, queueReleased } from './delivery/dispatcher.ts'
import { FanOut, type Followers, notificationsReady } from './fan-out.ts'
import { UnlistedChanges } from './unlisted-changes.ts'

/** Longer than the pauses of who is told a few things a second. */
const queueLingerMs = 500
/** Longer than another process takes to hear that a lane is free. */
const queuePatienceMs = 150

/** Of work that somebody waits for: it goes on soon after an outage. */
const mostPromptRestMs = 400

/** The dispatcher of a process that runs the loops below. */
export function makeDispatcher(ctx: Context): Dispatcher {
  return new Dispatcher(ctx, { lingerMs: queueLingerMs, patienceMs: queuePatienceMs })
}

/** From a recorded change to the callbacks: fan-out and deliveries. */
export function notificationLoops(
  ctx: Context,
  { dispatcher, followers }: { dispatcher: Dispatcher; followers: Followers },
): Loop[] {
  const fanOut = new FanOut(ctx, followers)
  for (const channel of [worldReplaced, clockMoved, 'reset']) {
    ctx.signals.on(channel, () => fanOut.reset())
  }
  const unlistedChanges = new UnlistedChanges(ctx, followers)
  return [
    {
      name: 'fan-out',
      turn: () => fanOut.turn(),
      idleMs: 250,
      wakes: [changesRecorded, clockMoved],
      mostFailedRestMs: mostPromptRestMs,
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
      wakes: [notificationsReady, queueReleased, clockMoved],
      mostFailedRestMs: mostPromptRestMs,
    },
  ]
}
