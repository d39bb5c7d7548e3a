import { catalogReplaced } from '../catalog/versions/follow.ts'
import { freeFeedback } from '../feedback/commands.ts'
import { forgetKeys } from '../http/store-idempotency.ts'
import { endGraces } from '../identity/oauth/commands.ts'
import { forgetGrants } from '../identity/oauth/store.ts'
import { forgetSessions } from '../identity/sessions/store.ts'
import { forgetTokens } from '../identity/store.ts'
import { dayMs, hourMs, minuteMs, secondMs } from '../kernel/clock.ts'
import { Learner } from '../listings/learning/learner.ts'
import { forgetDays } from '../listings/learning/store.ts'
import { walkListings } from '../listings/search/index/walk.ts'
import { foldWords } from '../listings/search/words/fold.ts'
import { listingsChanged } from '../listings/store.ts'
import { sweepAttachments } from '../messages/attachments/commands.ts'
import { forgetPrints } from '../messages/moderation/copies/copies.ts'
import { markReceiversNotified } from '../messages/send/notified.ts'
import type { Dispatcher } from '../notifications/delivery/dispatcher.ts'
import { forgetChanges } from '../notifications/fan-out.ts'
import { dropOldHistory } from '../notifications/history.ts'
import { forgetListeners } from '../notifications/listen/commands.ts'
import { makeDispatcher, notificationLoops } from '../notifications/loops.ts'
import { replaysReady } from '../notifications/replay/commands.ts'
import { Replayer } from '../notifications/replay/replayer.ts'
import { forgetReplays } from '../notifications/replay/store.ts'
import { PastRefunds } from '../orders/commands/past-refunds.ts'
import { foldCounts } from '../orders/search/counts/fold.ts'
import { OrderFiling } from '../orders/search/filing/refile.ts'
import { lostOrders } from '../orders/search/filing/store-lost.ts'
import type { Context } from '../platform/context.ts'
import { clockMoved } from '../platform/database/signals.ts'
import type { Lifecycle } from '../platform/lifecycle.ts'
import { type Loop, startLoop } from '../platform/loop.ts'
import { walkRows } from '../platform/walks/row-walk.ts'
import { simulationsChanged } from '../sandbox/simulation/commands.ts'
import { simulateOnce } from '../sandbox/simulation/turn.ts'
import { derivedRows, measureOutdated } from './derivations.ts'

/** The follow-up work of modules after the subscribers of a change were notified. */
export const afterTelling = { messages: markReceiversNotified }

/** Starts the background loops of every module. */
export function startLoops(ctx: Context, lifecycle: Lifecycle): void {
  const dispatcher = makeDispatcher(ctx)
  lifecycle.add('deliveries', () => dispatcher.close())
  const replayer = new Replayer(ctx)
  lifecycle.add('replays', () => replayer.close())
  for (const loop of loopsOf(ctx, { dispatcher, replayer })) {
    const running = startLoop(loop, ctx)
    lifecycle.add(`loop ${loop.name}`, () => running.stop())
  }
}

type Senders = { dispatcher: Dispatcher; replayer: Replayer }

/** Returns all background loops of a process that works, each with its pause and the signals that wake it. */
function loopsOf(ctx: Context, { dispatcher, replayer }: Senders): Loop[] {
  const learner = new Learner(ctx)
  const orderFiling = new OrderFiling(ctx)
  const pastRefunds = new PastRefunds(ctx)
  return [
    ...notificationLoops(ctx, { dispatcher, followers: afterTelling }),
    { name: 'counts', turn: () => foldCounts(ctx), idleMs: secondMs, wakes: [] },
    { name: 'order-filing', turn: () => orderFiling.turn(), idleMs: minuteMs, wakes: [] },
    ...[...derivedRows, lostOrders].map((rows) => ({
      name: rows.name.replace(' ', '-'),
      turn: () => walkRows(ctx, rows),
      idleMs: minuteMs,
      wakes: [clockMoved],
    })),
    { name: 'outdated', turn: () => measureOutdated(ctx), idleMs: minuteMs, wakes: [] },
    { name: 'words', turn: () => foldWords(ctx), idleMs: secondMs, wakes: [] },
    {
      name: 'listings',
      turn: () => walkListings(ctx),
      idleMs: 10 * secondMs,
      wakes: [catalogReplaced],
    },
    {
      name: 'learn',
      turn: () => learner.turn(),
      idleMs: secondMs,
      wakes: [listingsChanged, clockMoved],
    },
    {
      name: 'replay',
      turn: () => replayer.turn(),
      idleMs: 250,
      wakes: [replaysReady, clockMoved],
    },
    {
      name: 'past-refunds',
      turn: () => pastRefunds.turn(),
      idleMs: 10 * secondMs,
      wakes: [],
    },
    { name: 'feedback', turn: () => freeFeedback(ctx), idleMs: minuteMs, wakes: [clockMoved] },
    {
      name: 'attachments',
      turn: () => sweepAttachments(ctx),
      idleMs: 10 * minuteMs,
      wakes: [clockMoved],
    },
    { name: 'copies', turn: () => forgetPrints(ctx), idleMs: minuteMs, wakes: [clockMoved] },
    {
      name: 'refresh-grace',
      turn: () => endGraces(ctx),
      idleMs: minuteMs,
      wakes: [clockMoved],
    },
    {
      name: 'history',
      async turn() {
        const before = new Date(ctx.now().getTime() - ctx.config.historyDays * dayMs)
        await forgetKeys(ctx.db, before)
        await forgetTokens(ctx.db, before)
        await forgetDays(ctx.db, before)
        await forgetGrants(ctx.db, before)
        await forgetSessions(ctx.db, before)
        await forgetChanges(ctx)
        await forgetReplays(ctx.db, before)
        await forgetListeners(ctx, before)
        return dropOldHistory(ctx)
      },
      idleMs: hourMs,
      wakes: [clockMoved],
    },
    ...(ctx.config.mode === 'sandbox' ? sandboxLoops(ctx) : []),
  ]
}

function sandboxLoops(ctx: Context): Loop[] {
  return [
    {
      name: 'simulation',
      turn: () => simulateOnce(ctx),
      idleMs: 250,
      wakes: [simulationsChanged, clockMoved],
    },
  ]
}
