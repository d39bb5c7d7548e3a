import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { currencyIntake } from './catalog/currencies/intake.ts'
import { currencyRoutes } from './catalog/currencies/routes.ts'
import { discoveryRoutes } from './catalog/discovery.ts'
import { openCatalog } from './catalog/open.ts'
import { catalogRoutes } from './catalog/routes.ts'
import { followCatalog } from './catalog/versions/follow.ts'
import { catalogIntake } from './catalog/versions/intake.ts'
import { changesRecorded } from './changes/record.ts'
import { claimRoutes } from './claims/routes.ts'
import { freeFeedback } from './feedback/commands.ts'
import { reputationRoutes } from './feedback/reputation/routes.ts'
import { feedbackRoutes } from './feedback/routes.ts'
import { healthRoutes } from './http/health.ts'
import type { Route } from './http/route.ts'
import { buildServer } from './http/server.ts'
import { forgetKeys } from './http/store-idempotency.ts'
import { applicationIntake } from './identity/applications/intake.ts'
import { grantRoutes } from './identity/grants/routes.ts'
import { identityIntake } from './identity/intake.ts'
import { oauthRoutes } from './identity/oauth/routes.ts'
import { forgetGrants } from './identity/oauth/store.ts'
import { passwordIntake } from './identity/passwords/intake.ts'
import { sessionRoutes } from './identity/sessions/routes.ts'
import { forgetSessions } from './identity/sessions/store.ts'
import { forgetTokens } from './identity/store.ts'
import { testUserRoutes } from './identity/test-users/routes.ts'
import { makeAuthenticate } from './identity/tokens.ts'
import { importRoutes } from './imports/routes.ts'
import { dayMs, hourMs, minuteMs, secondMs } from './kernel/clock.ts'
import { descriptionRoutes } from './listings/descriptions/routes.ts'
import { listingsIntake } from './listings/intake.ts'
import { ownItemRoutes } from './listings/own/routes.ts'
import { picturesIntake } from './listings/pictures/intake.ts'
import { pictureRoutes } from './listings/pictures/routes.ts'
import { quotationsIntake } from './listings/quotations/intake.ts'
import { quotationRoutes } from './listings/quotations/routes.ts'
import { itemRoutes } from './listings/routes.ts'
import { sellRoutes } from './listings/sell/routes.ts'
import { listingsChanged } from './listings/store.ts'
import { countListings } from './listings/store-read.ts'
import { topValueRoutes } from './listings/values/routes.ts'
import { sweepAttachments } from './messages/attachments/commands.ts'
import { attachmentRoutes } from './messages/attachments/routes.ts'
import { guideRoutes } from './messages/guide/routes.ts'
import { forgetPrints } from './messages/moderation/copies/copies.ts'
import { moderationIntake } from './messages/moderation/terms/intake.ts'
import { messagesIntake } from './messages/operator/intake.ts'
import { messageRoutes } from './messages/routes.ts'
import { receiversTold } from './messages/send/told.ts'
import { Dispatcher } from './notifications/delivery/dispatcher.ts'
import { explainIntake, explainRoutes } from './notifications/explain/routes.ts'
import { fanOutOnce, forgetChanges, notificationsReady } from './notifications/fan-out.ts'
import { notificationRoutes } from './notifications/feed/routes.ts'
import { dropOldHistory } from './notifications/history.ts'
import { laneIntake } from './notifications/lanes/intake.ts'
import { LateChanges } from './notifications/late-changes.ts'
import { closing } from './notifications/listen/arrivals.ts'
import { forgetListeners } from './notifications/listen/commands.ts'
import { listeningRoutes } from './notifications/listen/routes.ts'
import { replaysReady } from './notifications/replay/commands.ts'
import { Replayer } from './notifications/replay/replayer.ts'
import { replayRoutes } from './notifications/replay/routes.ts'
import { forgetReplays } from './notifications/replay/store.ts'
import { signingIntake } from './notifications/signing/intake.ts'
import { claimsIntake } from './orders/commands/claims-intake.ts'
import { ordersIntake } from './orders/commands/intake.ts'
import { shipmentsIntake } from './orders/commands/shipping-intake.ts'
import { orderNoteRoutes } from './orders/details/notes.ts'
import { orderDetailRoutes } from './orders/details/routes.ts'
import { shipmentRoutes } from './orders/details/shipping.ts'
import { invoicesIntake } from './orders/invoices/intake.ts'
import { invoiceRoutes } from './orders/invoices/routes.ts'
import { orderRoutes } from './orders/routes.ts'
import { foldCounts } from './orders/search/counts/fold.ts'
import { orderSearchRoutes } from './orders/search/routes.ts'
import type { Config } from './platform/config.ts'
import type { Context } from './platform/context.ts'
import { Database } from './platform/database/database.ts'
import { Ids } from './platform/database/ids.ts'
import { Pipeline } from './platform/database/pipeline.ts'
import { Signals } from './platform/database/signals.ts'
import { openFiles } from './platform/files.ts'
import type { Lifecycle } from './platform/lifecycle.ts'
import type { Log } from './platform/log.ts'
import { type Loop, startLoop } from './platform/loop.ts'
import { makeMetrics } from './platform/metrics.ts'
import { Outages } from './platform/outages.ts'
import { makeSend } from './platform/outbound/outbound.ts'
import { systemRandom } from './platform/random.ts'
import { questionsIntake } from './questions/intake.ts'
import { questionRoutes } from './questions/routes.ts'
import { clockMoved, clockRoutes, followClock } from './sandbox/clock.ts'
import { faultRoutes, followFaults } from './sandbox/faults.ts'
import { followReceiverFaults, receiverFaultRoutes } from './sandbox/receivers/routes.ts'
import { makeFaultySend } from './sandbox/receivers/send.ts'

/** Every operation, in the order of the reference page: the only list of them. */
export const routes: readonly Route[] = [
  ...orderSearchRoutes,
  ...orderRoutes,
  ...orderDetailRoutes,
  ...orderNoteRoutes,
  ...shipmentRoutes,
  ...feedbackRoutes,
  ...claimRoutes,
  ...messageRoutes,
  ...attachmentRoutes,
  ...guideRoutes,
  ...itemRoutes,
  ...sellRoutes,
  ...descriptionRoutes,
  ...ownItemRoutes,
  ...pictureRoutes,
  ...quotationRoutes,
  ...questionRoutes,
  ...invoiceRoutes,
  ...catalogRoutes,
  ...discoveryRoutes,
  ...topValueRoutes,
  ...currencyRoutes,
  ...sessionRoutes,
  ...oauthRoutes,
  ...grantRoutes,
  ...testUserRoutes,
  ...reputationRoutes,
  ...notificationRoutes,
  ...listeningRoutes,
  ...explainRoutes,
  ...replayRoutes,
  ...laneIntake,
  ...explainIntake,
  ...signingIntake,
  ...identityIntake,
  ...applicationIntake,
  ...passwordIntake,
  ...listingsIntake,
  ...picturesIntake,
  ...quotationsIntake,
  ...questionsIntake,
  ...invoicesIntake,
  ...ordersIntake,
  ...shipmentsIntake,
  ...claimsIntake,
  ...messagesIntake,
  ...moderationIntake,
  ...currencyIntake,
  ...catalogIntake,
  ...importRoutes,
  ...clockRoutes,
  ...faultRoutes,
  ...receiverFaultRoutes,
  ...healthRoutes,
]

/** What rooms do once those whom their changes concern have been told. */
export const afterTelling = { messages: receiversTold }

const statementTimeoutMs = 15_000
/** Longer than the pauses of who is told a few things a second. */
const laneLingerMs = 500

/** Opens the tools that everything else works with. The database is migrated already. */
export async function openContext(
  { config, databaseUrl, log }: { config: Config; databaseUrl: string; log: Log },
  lifecycle: Lifecycle,
): Promise<Context> {
  const signals = new Signals(databaseUrl)
  const { poolSize, readDeadlineMs } = config.database
  const options = { url: databaseUrl, poolSize, statementTimeoutMs, signals }
  const db = new Database(options)
  const short = { ...options, statementTimeoutMs: readDeadlineMs }
  const [reads, readsApart] = [new Pipeline(short), new Pipeline(short)]
  lifecycle.add('database connections', () =>
    Promise.all([db.close(), reads.close(), readsApart.close()]),
  )
  lifecycle.add('signals', () => signals.close())
  await signals.open()
  const outbound = makeSend(config.delivery)
  lifecycle.add('outgoing connections', outbound.close)
  const send =
    config.mode === 'sandbox'
      ? makeFaultySend({ ...outbound, faults: await followReceiverFaults(db, signals), wait })
      : outbound.send
  const files = openFiles(config)
  lifecycle.add('file store', () => files.close())
  const now = config.mode === 'sandbox' ? await followClock(db, signals) : () => new Date()
  return {
    config,
    db,
    reads,
    readsApart,
    outages: new Outages(now),
    signals,
    ids: new Ids(db),
    now,
    random: systemRandom,
    send,
    files,
    log,
    metrics: makeMetrics(),
    faults: config.mode === 'sandbox' ? await followFaults(db, signals) : () => new Set(),
  }
}

/** The API, not listening yet. */
export async function openServer(ctx: Context): Promise<FastifyInstance> {
  openCatalog(ctx, { count: () => countListings(ctx.db), changed: listingsChanged })
  const catalog = await followCatalog(ctx)
  const server = await buildServer(ctx, { routes, authenticate: makeAuthenticate(ctx) })
  server.addHook('onClose', async () => catalog.close())
  // Who waits for notifications is answered, or closing would wait for them.
  server.addHook('preClose', async () => ctx.signals.deliver(closing))
  return server
}

/** Starts the background work of every room. */
export function startLoops(ctx: Context, lifecycle: Lifecycle): void {
  const dispatcher = new Dispatcher(ctx, { lingerMs: laneLingerMs })
  lifecycle.add('deliveries', () => dispatcher.close())
  const replayer = new Replayer(ctx)
  lifecycle.add('replays', () => replayer.close())
  for (const loop of loopsOf(ctx, { dispatcher, replayer })) {
    const running = startLoop(loop, ctx)
    lifecycle.add(`loop ${loop.name}`, () => running.stop())
  }
}

type Senders = { dispatcher: Dispatcher; replayer: Replayer }

function loopsOf(ctx: Context, { dispatcher, replayer }: Senders): Loop[] {
  const lateChanges = new LateChanges(ctx, afterTelling)
  return [
    {
      name: 'fan-out',
      turn: () => fanOutOnce(ctx, afterTelling),
      idleMs: 250,
      wakes: [changesRecorded, clockMoved],
    },
    {
      name: 'late-changes',
      turn: () => lateChanges.turn(),
      idleMs: secondMs,
      wakes: [],
    },
    { name: 'counts', turn: () => foldCounts(ctx), idleMs: secondMs, wakes: [] },
    {
      name: 'deliver',
      turn: () => dispatcher.turn(),
      idleMs: 250,
      wakes: [notificationsReady, clockMoved],
    },
    {
      name: 'replay',
      turn: () => replayer.turn(),
      idleMs: 250,
      wakes: [replaysReady, clockMoved],
    },
    {
      name: 'feedback',
      turn: () => freeFeedback(ctx),
      idleMs: minuteMs,
      wakes: [clockMoved],
    },
    {
      name: 'attachments',
      turn: () => sweepAttachments(ctx),
      idleMs: 10 * minuteMs,
      wakes: [clockMoved],
    },
    {
      name: 'copies',
      turn: () => forgetPrints(ctx),
      idleMs: minuteMs,
      wakes: [clockMoved],
    },
    {
      name: 'history',
      async turn() {
        const before = new Date(ctx.now().getTime() - ctx.config.historyDays * dayMs)
        await forgetKeys(ctx.db, before)
        await forgetTokens(ctx.db, before)
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
  ]
}
