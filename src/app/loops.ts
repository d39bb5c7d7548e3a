import { dropOldEntries } from '../audit/store.ts'
import { trainingExamplesWritten } from '../catalog/learning/training-examples.ts'
import { catalogReplaced } from '../catalog/versions/follow.ts'
import { publishOverdueFeedback } from '../feedback/commands.ts'
import { deleteIdempotencyKeys } from '../http/store-idempotency.ts'
import { deleteExpiredSuccessors } from '../identity/oauth/commands.ts'
import { forgetGrants } from '../identity/oauth/store.ts'
import { forgetSessions } from '../identity/sessions/store.ts'
import { forgetTokens } from '../identity/store.ts'
import { deleteExpiredJobs, jobsReady } from '../jobs/commands.ts'
import { JobRunner } from '../jobs/runner.ts'
import { dayMs, hourMs, minuteMs, secondMs } from '../kernel/clock.ts'
import { Learner } from '../listings/learning/learner.ts'
import { deleteDailyCounts } from '../listings/learning/store.ts'
import { reindexListings } from '../listings/search/index/reindex.ts'
import { aggregateWordCounts } from '../listings/search/words/word-counts.ts'
import { listingsChanged } from '../listings/store.ts'
import { sweepAttachments } from '../messages/attachments/commands.ts'
import { deleteOldFingerprints } from '../messages/moderation/copies/copies.ts'
import { markReceiversNotified } from '../messages/send/mark-notified.ts'
import type { Dispatcher } from '../notifications/delivery/dispatcher.ts'
import { makeDispatcher, notificationLoops } from '../notifications/delivery/loops.ts'
import { deleteOldChanges, dropOldHistory } from '../notifications/history.ts'
import { deleteUnusedListeners } from '../notifications/listen/commands.ts'
import { replaysReady } from '../notifications/replay/commands.ts'
import { Replayer } from '../notifications/replay/replayer.ts'
import { deleteOldReplays } from '../notifications/replay/store.ts'
import { deleteExpiredFlows } from '../operators/openid/store.ts'
import { forgetOperatorSessions } from '../operators/store-sessions.ts'
import { RefundedSaleCanceller } from '../orders/commands/past-refunds.ts'
import { applyCountChanges } from '../orders/search/counts/apply-changes.ts'
import { OrderReindexer } from '../orders/search/filing/reindexer.ts'
import { lostOrders } from '../orders/search/filing/store-lost.ts'
import { eraseNextBatches, erasuresStarted } from '../personal-data/commands.ts'
import { jobKinds } from '../personal-data/job-kinds.ts'
import type { Context } from '../platform/context.ts'
import { clockMovedChannel } from '../platform/database/signals.ts'
import type { Lifecycle } from '../platform/lifecycle.ts'
import { type Loop, startLoop } from '../platform/loop.ts'
import { walkRows } from '../platform/walks/row-walk.ts'
import { simulationsChanged } from '../sandbox/simulation/commands.ts'
import { runSimulationTick } from '../sandbox/simulation/tick.ts'
import { derivedRows, measureOutdated } from './derivations.ts'

/** The follow-up work of modules after the subscribers of a change were notified. */
export const afterNotifying = { messages: markReceiversNotified }

/** Starts the background loops of every module. */
export function startLoops(ctx: Context, lifecycle: Lifecycle): void {
  const dispatcher = makeDispatcher(ctx)
  lifecycle.add('deliveries', () => dispatcher.close())
  const replayer = new Replayer(ctx)
  lifecycle.add('replays', () => replayer.close())
  const jobRunner = new JobRunner(ctx, { kinds: jobKinds })
  lifecycle.add('jobs', () => jobRunner.close())
  for (const loop of loopsOf(ctx, { dispatcher, replayer, jobRunner })) {
    const running = startLoop(loop, ctx)
    lifecycle.add(`loop ${loop.name}`, () => running.stop())
  }
}

/** Makes this process follow the training examples. Processes that predict categories or train the model need them. */
export function followTrainingExamples(ctx: Context, lifecycle: Lifecycle): void {
  const loop: Loop = {
    name: 'lessons',
    turn: () => ctx.trainedModels.trainNextBatches(),
    idleMs: secondMs,
    wakes: [trainingExamplesWritten, 'reset'],
  }
  const running = startLoop(loop, ctx)
  lifecycle.add('loop lessons', () => running.stop())
}

type Workers = { dispatcher: Dispatcher; replayer: Replayer; jobRunner: JobRunner }

/** Returns all background loops of a process that works, each with its pause and the signals that wake it. */
function loopsOf(ctx: Context, { dispatcher, replayer, jobRunner }: Workers): Loop[] {
  const learner = new Learner(ctx)
  const orderFiling = new OrderReindexer(ctx)
  const pastRefunds = new RefundedSaleCanceller(ctx)
  return [
    ...notificationLoops(ctx, { dispatcher, followers: afterNotifying }),
    { name: 'counts', turn: () => applyCountChanges(ctx), idleMs: secondMs, wakes: [] },
    { name: 'order-filing', turn: () => orderFiling.turn(), idleMs: minuteMs, wakes: [] },
    ...[...derivedRows, lostOrders].map((rows) => ({
      name: rows.name.replace(' ', '-'),
      turn: () => walkRows(ctx, rows),
      idleMs: minuteMs,
      wakes: [clockMovedChannel],
    })),
    { name: 'outdated', turn: () => measureOutdated(ctx), idleMs: minuteMs, wakes: [] },
    { name: 'words', turn: () => aggregateWordCounts(ctx), idleMs: secondMs, wakes: [] },
    {
      name: 'listings',
      turn: () => reindexListings(ctx),
      idleMs: 10 * secondMs,
      wakes: [catalogReplaced],
    },
    {
      name: 'learn',
      turn: () => learner.turn(),
      idleMs: secondMs,
      wakes: [listingsChanged, clockMovedChannel],
    },
    {
      name: 'replay',
      turn: () => replayer.turn(),
      idleMs: 250,
      wakes: [replaysReady, clockMovedChannel],
    },
    {
      name: 'jobs',
      turn: () => jobRunner.turn(),
      idleMs: secondMs,
      wakes: [jobsReady, clockMovedChannel],
    },
    {
      name: 'past-refunds',
      turn: () => pastRefunds.turn(),
      idleMs: 10 * secondMs,
      wakes: [],
    },
    {
      name: 'feedback',
      turn: () => publishOverdueFeedback(ctx),
      idleMs: minuteMs,
      wakes: [clockMovedChannel],
    },
    {
      name: 'attachments',
      turn: () => sweepAttachments(ctx),
      idleMs: 10 * minuteMs,
      wakes: [clockMovedChannel],
    },
    {
      name: 'copies',
      turn: () => deleteOldFingerprints(ctx),
      idleMs: minuteMs,
      wakes: [clockMovedChannel],
    },
    {
      name: 'refresh-grace',
      turn: () => deleteExpiredSuccessors(ctx),
      idleMs: minuteMs,
      wakes: [clockMovedChannel],
    },
    {
      name: 'erasures',
      turn: () => eraseNextBatches(ctx),
      idleMs: secondMs,
      wakes: [erasuresStarted, clockMovedChannel],
    },
    {
      name: 'history',
      async turn() {
        const before = new Date(ctx.now().getTime() - ctx.config.historyDays * dayMs)
        await deleteIdempotencyKeys(ctx.db, before)
        await forgetTokens(ctx.db, before)
        await deleteDailyCounts(ctx.db, before)
        await forgetGrants(ctx.db, before)
        await forgetSessions(ctx.db, before)
        await forgetOperatorSessions(ctx.db, before)
        await deleteExpiredFlows(ctx.db, ctx.now())
        await deleteOldChanges(ctx)
        await deleteOldReplays(ctx.db, before)
        await deleteUnusedListeners(ctx, before)
        await dropOldEntries(ctx.db, { now: ctx.now(), days: ctx.config.auditDays })
        const hasMoreJobs = await deleteExpiredJobs(ctx)
        return (await dropOldHistory(ctx)) || hasMoreJobs
      },
      idleMs: hourMs,
      wakes: [clockMovedChannel],
    },
    ...(ctx.config.mode === 'sandbox' ? sandboxLoops(ctx) : []),
  ]
}

function sandboxLoops(ctx: Context): Loop[] {
  return [
    {
      name: 'simulation',
      turn: () => runSimulationTick(ctx),
      idleMs: 250,
      wakes: [simulationsChanged, clockMovedChannel],
    },
  ]
}
