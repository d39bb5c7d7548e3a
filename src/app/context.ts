import { setTimeout as wait } from 'node:timers/promises'
import { ActiveCatalog, type ActiveCatalogOptions } from '../catalog/active-catalog.ts'
import { TrainedModels } from '../catalog/learning/trained-models.ts'
import { CatalogFollower } from '../catalog/versions/follow.ts'
import { ExportSlots } from '../http/export-slots.ts'
import { unaudited } from '../kernel/audit.ts'
import type { Clock } from '../kernel/clock.ts'
import { SearchCaches } from '../listings/search/caches.ts'
import { synonymList } from '../listings/search/synonyms/list.ts'
import { listingsChanged } from '../listings/store.ts'
import { countActiveListings } from '../listings/store-read.ts'
import { currentTerms } from '../messages/moderation/terms/current.ts'
import { loadModerationLists } from '../moderation/moderate.ts'
import { NotificationWaiter } from '../notifications/listen/waiter.ts'
import { IdentityProvider } from '../operators/openid/identity-provider.ts'
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
import { makeMetrics } from '../platform/metrics.ts'
import { makeSend } from '../platform/outbound/outbound.ts'
import { type PasswordCost, recommendedPasswordCost } from '../platform/password-cost.ts'
import { systemRandom } from '../platform/random.ts'
import { systemTimers, type Timers } from '../platform/timers.ts'
import { followAnswerFaults } from '../sandbox/answers/interfere.ts'
import { followClock } from '../sandbox/clock.ts'
import { followOrderFaults } from '../sandbox/order-faults.ts'
import { makeFaultySend } from '../sandbox/receivers/faulty-send.ts'
import { followReceiverFaults } from '../sandbox/receivers/routes.ts'
import { followSnapshotLoads } from '../sandbox/snapshots/follow-loads.ts'

const statementTimeoutMs = 15_000

export interface ContextOptions {
  config: Config
  databaseUrl: string
  log: Log
  /** Instead of the clock of the machine, or of the sandbox. */
  now?: Clock
  /** Instead of the recommended cost, which takes a quarter of a second of a core per sign-in. */
  passwordCost?: PasswordCost
  /** The timers of the outage log alone. */
  outageTimers?: Timers
  /** Opens the built-in catalog. */
  openCatalog?: ActiveCatalogOptions['open']
}

/**
 * Creates the tools and the state of a process, for the program and for tests. The database must be migrated already.
 * The process serves the active catalog version when it resolves. `lifecycle` closes what was opened.
 */
export async function createContext(
  options: ContextOptions,
  lifecycle: Lifecycle,
): Promise<Context> {
  const { config, databaseUrl, log, passwordCost = recommendedPasswordCost } = options
  const { outageTimers = systemTimers } = options
  const isSandbox = config.mode === 'sandbox'
  // A mistake in a list stops the start, not the first message or search.
  loadModerationLists()
  synonymList()
  const signals = new Signals(databaseUrl)
  const { db, reads, readsApart } = openConnections({ config, databaseUrl, signals }, lifecycle)
  lifecycle.add('signals', () => signals.close())
  const currentWriteError = () => db.writes.currentError()
  const outageLog = new OutageLog({ log, timers: outageTimers, currentWriteError })
  lifecycle.add('outage log', async () => outageLog.close())
  await signals.open()
  const outbound = makeSend(config.delivery)
  lifecycle.add('outgoing connections', outbound.close)
  const files = openFileStore(config)
  lifecycle.add('file store', () => files.close())
  const now = options.now ?? (isSandbox ? await followClock(db, signals) : () => new Date())
  const catalog = new ActiveCatalog(
    { config, now, signals, log },
    {
      countListings: () => countActiveListings(db),
      countsChangedChannel: listingsChanged,
      ...(options.openCatalog ? { open: options.openCatalog } : {}),
    },
  )
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
    passwordCost,
    send: isSandbox
      ? makeFaultySend({ ...outbound, faults: await followReceiverFaults(db, signals), wait })
      : outbound.send,
    files,
    log,
    outageLog,
    metrics: makeMetrics(),
    audit: unaudited,
    faults: isSandbox ? await followOrderFaults(db, signals) : () => new Set(),
    ...(isSandbox ? { interfere: followAnswerFaults(db, signals) } : {}),
    catalog,
    catalogFollower: new CatalogFollower({ catalog, db, signals, log, outageLog }),
    trainedModels: new TrainedModels({ db }),
    searchCaches: new SearchCaches({ db, signals }, () => currentTerms(db)),
    exportSlots: new ExportSlots(config.database),
    identityProvider:
      config.identityProvider && new IdentityProvider(config.identityProvider, { now, log }),
    notificationWaiter: new NotificationWaiter(signals),
  }
  lifecycle.add('catalog', async () => ctx.catalogFollower.close())
  if (isSandbox) await followSnapshotLoads(ctx)
  await ctx.catalogFollower.catchUp()
  return ctx
}

function openConnections(
  {
    config,
    databaseUrl,
    signals,
  }: Pick<ContextOptions, 'config' | 'databaseUrl'> & {
    signals: Signals
  },
  lifecycle: Lifecycle,
): Pick<Context, 'db' | 'reads' | 'readsApart'> {
  const { poolSize, readDeadlineMs } = config.database
  const options = { url: databaseUrl, poolSize, statementTimeoutMs, signals }
  const db = new Database(options)
  const readOptions = { ...options, statementTimeoutMs: readDeadlineMs }
  const reads = new Pipeline(readOptions)
  const readsApart = new Pipeline(readOptions)
  lifecycle.add('database connections', () =>
    Promise.all([db.close(), reads.close(), readsApart.close()]),
  )
  return { db, reads, readsApart }
}
