import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterNotifying } from '../../src/app/loops.ts'
import { openServer } from '../../src/app/open.ts'
import { routes } from '../../src/app/routes.ts'
import { trainedModelsOf } from '../../src/catalog/learning/trained-models.ts'
import { openCatalog } from '../../src/catalog/open.ts'
import { publishOverdueFeedback } from '../../src/feedback/commands.ts'
import { Learner } from '../../src/listings/learning/learner.ts'
import { reindexListings } from '../../src/listings/search/index/reindex.ts'
import { aggregateWordCounts } from '../../src/listings/search/words/word-counts.ts'
import { listingsChanged } from '../../src/listings/store.ts'
import { countActiveListings } from '../../src/listings/store-read.ts'
import { sweepAttachments } from '../../src/messages/attachments/commands.ts'
import { Dispatcher } from '../../src/notifications/delivery/dispatcher.ts'
import { fanOutOnce } from '../../src/notifications/fan-out.ts'
import { applyCountChanges } from '../../src/orders/search/counts/apply-changes.ts'
import { OrderReindexer } from '../../src/orders/search/filing/reindexer.ts'
import { Outages } from '../../src/platform/circuit-breaker.ts'
import { readConfig } from '../../src/platform/config.ts'
import type { Context } from '../../src/platform/context.ts'
import { Database } from '../../src/platform/database/database.ts'
import { Ids } from '../../src/platform/database/ids.ts'
import { OutageLog } from '../../src/platform/database/outage-log.ts'
import { Pipeline } from '../../src/platform/database/pipeline.ts'
import { Signals } from '../../src/platform/database/signals.ts'
import { openFileStore } from '../../src/platform/files.ts'
import { type Log, makeLog } from '../../src/platform/log.ts'
import { makeMetrics } from '../../src/platform/metrics.ts'
import { makeSend } from '../../src/platform/outbound/outbound.ts'
import type { PasswordCost } from '../../src/platform/password-cost.ts'
import { systemRandom } from '../../src/platform/random.ts'
import { systemTimers, type Timers } from '../../src/platform/timers.ts'
import { followAnswerFaults } from '../../src/sandbox/answers/interfere.ts'
import { followOrderFaults } from '../../src/sandbox/order-faults.ts'
import { makeFaultySend } from '../../src/sandbox/receivers/faulty-send.ts'
import { followReceiverFaults } from '../../src/sandbox/receivers/routes.ts'
import { makeClient, type TestClient } from './client.ts'
import { openTestDatabase } from './database.ts'
import { defaultCatalog } from './default-catalog.ts'

export const operatorToken = 'operator-token-of-the-tests'

export const cheapPasswordCost: PasswordCost = { ln: 4, r: 8, p: 1 }

export interface TestApp {
  ctx: Context
  address: string
  client: TestClient
  /** Moves the clock. */
  advance(ms: number): void
  /** Turns the loops until there is nothing left to do now. */
  runPendingWork(): Promise<void>
  close(): Promise<void>
}

/**
 * The real thing on a real database and a real port, except that its clock stands still until it is
 * moved and its loops turn only when told to.
 */
export async function openTestApp(
  options: {
    env?: Record<string, string>
    databaseUrl?: string
    log?: Log
    /** Of the outage log alone. */
    timers?: Timers
  } = {},
): Promise<TestApp> {
  const database = options.databaseUrl
    ? { url: options.databaseUrl, drop: async () => {} }
    : await openTestDatabase()
  const data = mkdtempSync(join(tmpdir(), 'feria-test-data-'))
  const config = readConfig({
    FERIA_MODE: 'sandbox',
    FERIA_OPERATOR_TOKEN: operatorToken,
    FERIA_DATA: data,
    FERIA_LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
    PORT: '0',
    // On a busy machine what many ask at once may take its time.
    FERIA_QUEUE_WAIT_MS: '15000',
    ...options.env,
  })
  const signals = new Signals(database.url)
  const { poolSize, readDeadlineMs } = config.database
  const connection = { url: database.url, poolSize, statementTimeoutMs: 15_000, signals }
  const db = new Database(connection)
  const short = { ...connection, statementTimeoutMs: readDeadlineMs }
  const [reads, readsApart] = [new Pipeline(short), new Pipeline(short)]
  await signals.open()
  const outbound = makeSend(config.delivery)
  const files = openFileStore(config)
  const { log = makeLog(config.logLevel), timers = systemTimers } = options
  const outageLog = new OutageLog({
    log,
    timers,
    currentWriteError: () => db.writes.currentError(),
  })
  let nowMs = Date.parse('2026-03-10T15:00:00.000Z')
  const now = () => new Date(nowMs)
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
    // The recommended cost takes a quarter of a second of a core per sign-in.
    passwordCost: cheapPasswordCost,
    send:
      config.mode === 'sandbox'
        ? makeFaultySend({ ...outbound, faults: await followReceiverFaults(db, signals), wait })
        : outbound.send,
    files,
    log,
    outageLog,
    metrics: makeMetrics(),
    faults: config.mode === 'sandbox' ? await followOrderFaults(db, signals) : () => new Set(),
    ...(config.mode === 'sandbox' ? { interfere: followAnswerFaults(db, signals) } : {}),
  }
  openCatalog(ctx, {
    count: () => countActiveListings(db),
    changed: listingsChanged,
    open: defaultCatalog,
  })
  const server = await openServer(ctx)
  const address = await server.listen({ host: '127.0.0.1', port: 0 })
  const dispatcher = new Dispatcher(ctx)
  const learner = new Learner(ctx)
  const orderFiling = new OrderReindexer(ctx)
  return {
    ctx,
    address,
    client: makeClient(address, { routes, operatorToken }),
    advance: (ms) => {
      nowMs += ms
    },
    async runPendingWork() {
      while (await publishOverdueFeedback(ctx)) {}
      while (await fanOutOnce(ctx, afterNotifying)) {}
      while (await orderFiling.turn()) {}
      while (await applyCountChanges(ctx)) {}
      while (await aggregateWordCounts(ctx)) {}
      while (await reindexListings(ctx)) {}
      while (await sweepAttachments(ctx)) {}
      while (await learner.turn()) {}
      while (await trainedModelsOf(ctx).trainNextBatches()) {}
      await dispatcher.turn()
      await dispatcher.idle()
    },
    async close() {
      await server.close()
      outageLog.close()
      await dispatcher.close()
      await outbound.close()
      await files.close()
      rmSync(data, { recursive: true })
      await signals.close()
      await Promise.all([db.close(), reads.close(), readsApart.close()])
      await database.drop()
    },
  }
}
