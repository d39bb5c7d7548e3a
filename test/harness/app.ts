import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { createContext } from '../../src/app/context.ts'
import { afterNotifying } from '../../src/app/loops.ts'
import { openServer } from '../../src/app/servers.ts'
import { publishOverdueFeedback } from '../../src/feedback/commands.ts'
import { Learner } from '../../src/listings/learning/learner.ts'
import { reindexListings } from '../../src/listings/search/index/reindex.ts'
import { aggregateWordCounts } from '../../src/listings/search/words/word-counts.ts'
import { sweepAttachments } from '../../src/messages/attachments/commands.ts'
import { Dispatcher } from '../../src/notifications/delivery/dispatcher.ts'
import { fanOutOnce } from '../../src/notifications/fan-out.ts'
import { applyCountChanges } from '../../src/orders/search/counts/apply-changes.ts'
import { OrderReindexer } from '../../src/orders/search/filing/reindexer.ts'
import { readConfig } from '../../src/platform/config.ts'
import type { Context } from '../../src/platform/context.ts'
import { Lifecycle } from '../../src/platform/lifecycle.ts'
import { type Log, makeLog } from '../../src/platform/log.ts'
import type { PasswordCost } from '../../src/platform/password-cost.ts'
import type { Timers } from '../../src/platform/timers.ts'
import { TestClient } from './client.ts'
import { openTestDatabase } from './database.ts'
import { defaultCatalog } from './default-catalog.ts'
import { drain } from './wait.ts'

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
  const { log = makeLog(config.logLevel), timers } = options
  let nowMs = Date.parse('2026-03-10T15:00:00.000Z')
  const lifecycle = new Lifecycle(config.shutdownMs, log)
  const ctx = await createContext(
    {
      config,
      databaseUrl: database.url,
      log,
      now: () => new Date(nowMs),
      passwordCost: cheapPasswordCost,
      openCatalog: defaultCatalog,
      ...(timers ? { outageTimers: timers } : {}),
    },
    lifecycle,
  )
  let server: FastifyInstance | undefined = await openServer(ctx)
  const address = await server.listen({ host: '127.0.0.1', port: 0 })
  const dispatcher = new Dispatcher(ctx)
  const learner = new Learner(ctx)
  const orderFiling = new OrderReindexer(ctx)
  return {
    ctx,
    address,
    client: new TestClient(address, operatorToken),
    advance: (ms) => {
      nowMs += ms
    },
    async runPendingWork() {
      await drain(() => publishOverdueFeedback(ctx))
      await drain(() => fanOutOnce(ctx, afterNotifying))
      await drain(() => orderFiling.turn())
      await drain(() => applyCountChanges(ctx))
      await drain(() => aggregateWordCounts(ctx))
      await drain(() => reindexListings(ctx))
      await drain(() => sweepAttachments(ctx))
      await drain(() => learner.turn())
      await drain(() => ctx.trainedModels.trainNextBatches())
      await dispatcher.turn()
      await dispatcher.idle()
    },
    async close() {
      await server?.close()
      // Modules of tests are never unloaded, and keep the app: the routes are most of its memory.
      server = undefined
      await dispatcher.close()
      await lifecycle.close()
      rmSync(data, { recursive: true })
      await database.drop()
    },
  }
}
