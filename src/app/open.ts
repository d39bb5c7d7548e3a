import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { knowledgeOf } from '../catalog/learning/knowledge.ts'
import { trainingExamplesWritten } from '../catalog/learning/training-examples.ts'
import { openCatalog } from '../catalog/open.ts'
import { type CatalogFollower, followCatalog } from '../catalog/versions/follow.ts'
import { ownPortRoutes } from '../http/health.ts'
import { buildServer } from '../http/server.ts'
import { makeAuthenticate } from '../identity/tokens.ts'
import { secondMs } from '../kernel/clock.ts'
import { listingsChanged } from '../listings/store.ts'
import { countListings } from '../listings/store-read.ts'
import { closing } from '../notifications/listen/arrivals.ts'
import type { Config } from '../platform/config.ts'
import type { Context } from '../platform/context.ts'
import { Database } from '../platform/database/database.ts'
import { Ids } from '../platform/database/ids.ts'
import { OutageLog } from '../platform/database/outage-log.ts'
import { Pipeline } from '../platform/database/pipeline.ts'
import { Signals } from '../platform/database/signals.ts'
import { openFiles } from '../platform/files.ts'
import type { Lifecycle } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import { type Loop, startLoop } from '../platform/loop.ts'
import { makeMetrics } from '../platform/metrics.ts'
import { Outages } from '../platform/outages.ts'
import { makeSend } from '../platform/outbound/outbound.ts'
import { recommendedPasswordCost } from '../platform/password-cost.ts'
import { systemRandom } from '../platform/random.ts'
import { systemTimers } from '../platform/timers.ts'
import { followAnswerFaults } from '../sandbox/answers/meet.ts'
import { followClock } from '../sandbox/clock.ts'
import { followFaults } from '../sandbox/faults.ts'
import { followReceiverFaults } from '../sandbox/receivers/routes.ts'
import { makeFaultySend } from '../sandbox/receivers/send.ts'
import { followWorld } from '../sandbox/snapshots/world.ts'
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
  const outageLog = new OutageLog({ log, ask: () => db.writes.ask() })
  lifecycle.add('outage log', async () => outageLog.close())
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
    faults: config.mode === 'sandbox' ? await followFaults(db, signals) : () => new Set(),
    ...(config.mode === 'sandbox' ? { interfere: followAnswerFaults(db, signals) } : {}),
  }
  const catalog = await followedCatalog(ctx)
  lifecycle.add('catalog', async () => catalog.close())
  return ctx
}

/** Returns the server of the HTTP interface. It does not listen yet. */
export async function openServer(ctx: Context): Promise<FastifyInstance> {
  const catalog = await followedCatalog(ctx)
  const server = await buildServer(ctx, { routes, authenticate: makeAuthenticate(ctx) })
  await serveConsole(server, ctx)
  server.addHook('onClose', async () => catalog.close())
  // Answer the clients that wait for notifications. Otherwise closing would wait for them.
  server.addHook('preClose', async () => ctx.signals.deliver(closing))
  return server
}

/** Returns the server of health and metrics for a separate port. It does not listen yet. */
export async function openHealth(ctx: Context): Promise<FastifyInstance> {
  return buildServer(ctx, { routes: ownPortRoutes, authenticate: makeAuthenticate(ctx) })
}

/** Makes this process follow changes of the served catalog and, in a sandbox, the replacement of its data. Repeated calls
 * have no effect. */
async function followedCatalog(ctx: Context): Promise<CatalogFollower> {
  if (ctx.config.mode === 'sandbox') await followWorld(ctx)
  openCatalog(ctx, { count: () => countListings(ctx.db), changed: listingsChanged })
  return followCatalog(ctx)
}

/** Makes this process follow the training examples. Processes that predict categories or train the model need them. */
export function startFollowing(ctx: Context, lifecycle: Lifecycle): void {
  const loop: Loop = {
    name: 'lessons',
    turn: () => knowledgeOf(ctx).follow(),
    idleMs: secondMs,
    wakes: [trainingExamplesWritten, 'reset'],
  }
  const running = startLoop(loop, ctx)
  lifecycle.add('loop lessons', () => running.stop())
}
