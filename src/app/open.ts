import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { trainedModelsOf } from '../catalog/learning/trained-models.ts'
import { trainingExamplesWritten } from '../catalog/learning/training-examples.ts'
import { openCatalog } from '../catalog/open.ts'
import { type CatalogFollower, followCatalog } from '../catalog/versions/follow.ts'
import { separatePortHealthRoutes } from '../http/health.ts'
import { buildServer } from '../http/server.ts'
import { createAuthenticate } from '../identity/tokens.ts'
import { secondMs } from '../kernel/clock.ts'
import { listingsChanged } from '../listings/store.ts'
import { countActiveListings } from '../listings/store-read.ts'
import { serverClosing } from '../notifications/listen/waiter.ts'
import { Outages } from '../platform/circuit-breaker.ts'
import type { Config } from '../platform/config.ts'
import type { Context } from '../platform/context.ts'
import { Database } from '../platform/database/database.ts'
import { Ids } from '../platform/database/ids.ts'
import { OutageLog } from '../platform/database/outage-log.ts'
import { Pipeline } from '../platform/database/pipeline.ts'
import { Signals } from '../platform/database/signals.ts'
import { openFileStore } from '../platform/files.ts'
import type { Lifecycle } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import { type Loop, startLoop } from '../platform/loop.ts'
import { makeMetrics } from '../platform/metrics.ts'
import { makeSend } from '../platform/outbound/outbound.ts'
import { recommendedPasswordCost } from '../platform/password-cost.ts'
import { systemRandom } from '../platform/random.ts'
import { systemTimers } from '../platform/timers.ts'
import { followAnswerFaults } from '../sandbox/answers/interfere.ts'
import { followClock } from '../sandbox/clock.ts'
import { followOrderFaults } from '../sandbox/order-faults.ts'
import { makeFaultySend } from '../sandbox/receivers/faulty-send.ts'
import { followReceiverFaults } from '../sandbox/receivers/routes.ts'
import { followSnapshotLoads } from '../sandbox/snapshots/follow-loads.ts'
import { serveConsole } from './console.ts'
import { routes } from './routes.ts'

const statementTimeoutMs = 15_000

/** Opens the tools of all modules. The database must be migrated already. */
export async function openContext(
  { config, databaseUrl, log }: { config: Config; databaseUrl: string; log: Log },
  lifecycle: Lifecycle,
): Promise<Context> {
  const signals = new Signals(databaseUrl)
  const { poolSize, readDeadlineMs } = config.database
  const options = { url: databaseUrl, poolSize, statementTimeoutMs, signals }
  const db = new Database(options)
  const readOptions = { ...options, statementTimeoutMs: readDeadlineMs }
  const reads = new Pipeline(readOptions)
  const readsApart = new Pipeline(readOptions)
  lifecycle.add('database connections', () =>
    Promise.all([db.close(), reads.close(), readsApart.close()]),
  )
  lifecycle.add('signals', () => signals.close())
  const outageLog = new OutageLog({ log, currentWriteError: () => db.writes.currentError() })
  lifecycle.add('outage log', async () => outageLog.close())
  await signals.open()
  const outbound = makeSend(config.delivery)
  lifecycle.add('outgoing connections', outbound.close)
  const send =
    config.mode === 'sandbox'
      ? makeFaultySend({ ...outbound, faults: await followReceiverFaults(db, signals), wait })
      : outbound.send
  const files = openFileStore(config)
  lifecycle.add('file store', () => files.close())
  const now = config.mode === 'sandbox' ? await followClock(db, signals) : () => new Date()
  const ctx: Context = {
    config,
    db,
    reads,
    readsApart,
    outages: new Outages(now),
    signals,
    ids: new Ids(db),
    now,
    timers: systemTimers,
    random: systemRandom,
    passwordCost: recommendedPasswordCost,
    send,
    files,
    log,
    outageLog,
    metrics: makeMetrics(),
    faults: config.mode === 'sandbox' ? await followOrderFaults(db, signals) : () => new Set(),
    ...(config.mode === 'sandbox' ? { interfere: followAnswerFaults(db, signals) } : {}),
  }
  const catalog = await followServedCatalog(ctx)
  lifecycle.add('catalog', async () => catalog.close())
  return ctx
}

/** Returns the server of the HTTP interface. It does not listen yet. */
export async function openServer(ctx: Context): Promise<FastifyInstance> {
  const catalog = await followServedCatalog(ctx)
  const server = await buildServer(ctx, { routes, authenticate: createAuthenticate(ctx) })
  await serveConsole(server, ctx)
  server.addHook('onClose', async () => catalog.close())
  // Answer the clients that wait for notifications. Otherwise closing would wait for them.
  server.addHook('preClose', async () => ctx.signals.deliver(serverClosing))
  return server
}

/** Returns the server of health and metrics for a separate port. It does not listen yet. */
export async function openHealthServer(ctx: Context): Promise<FastifyInstance> {
  return buildServer(ctx, {
    routes: separatePortHealthRoutes,
    authenticate: createAuthenticate(ctx),
  })
}

/** Makes this process follow changes of the served catalog and, in a sandbox, the replacement of its data. Repeated calls
 * have no effect. */
async function followServedCatalog(ctx: Context): Promise<CatalogFollower> {
  if (ctx.config.mode === 'sandbox') await followSnapshotLoads(ctx)
  openCatalog(ctx, { count: () => countActiveListings(ctx.db), changed: listingsChanged })
  return followCatalog(ctx)
}

/** Makes this process follow the training examples. Processes that predict categories or train the model need them. */
export function followTrainingExamples(ctx: Context, lifecycle: Lifecycle): void {
  const loop: Loop = {
    name: 'lessons',
    turn: () => trainedModelsOf(ctx).trainNextBatches(),
    idleMs: secondMs,
    wakes: [trainingExamplesWritten, 'reset'],
  }
  const running = startLoop(loop, ctx)
  lifecycle.add('loop lessons', () => running.stop())
}
