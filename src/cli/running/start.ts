import cluster from 'node:cluster'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { createContext } from '../../app/context.ts'
import { followTrainingExamples, startLoops } from '../../app/loops.ts'
import { openHealthServer, openServer } from '../../app/servers.ts'
import { countWorkers } from '../../notifications/delivery/store-queues.ts'
import { type Config, readConfig, showConfig } from '../../platform/config.ts'
import type { Context } from '../../platform/context.ts'
import { Lifecycle } from '../../platform/lifecycle.ts'
import { type Log, makeLog } from '../../platform/log.ts'
import { watchProcess } from '../../platform/metrics.ts'
import { systemTimers } from '../../platform/timers.ts'
import { prepareDemoData } from '../../sandbox/demo/load.ts'
import { CommandFailure } from '../frame/failure.ts'
import type { Output } from '../frame/output.ts'
import { openMigrated } from './database.ts'
import { printWelcome } from './greet.ts'
import { portFailure, requirePort } from './port.ts'
import { startListening } from './sockets.ts'
import { reportAddress, runWorkers, serveAsWorker } from './workers.ts'

/** What a process runs: the API, the background work, or both. */
export interface ProcessRoles {
  api: boolean
  work: boolean
}

/** `feria start`, `serve` and `work`, which differ only in the parts that they run. */
export async function startCommand(
  { workers }: { workers?: number },
  { parts, out }: { parts: ProcessRoles; out: Output },
): Promise<undefined> {
  const config = readConfig(process.env)
  const log = makeLog(config.logLevel)
  const lifecycle = new Lifecycle(config.shutdownMs, log)
  log.debug(showConfig(config), 'settings')
  try {
    if (cluster.isWorker) await runWorker({ config, log }, parts, lifecycle)
    else await runPrimary({ config, log, workers, out }, parts, lifecycle)
  } catch (error) {
    await lifecycle.close()
    throw error
  }
}

/**
 * Stops this process when the shell that npm started it in is gone. npm passes SIGTERM to that shell, and the shell ends
 * without passing it on. Without this the server would go on and keep its port.
 */
function stopWithNpm(): void {
  if (process.env['npm_lifecycle_event'] === undefined) return
  const shell = process.ppid
  const timer = systemTimers.every(parentCheckMs, () => {
    if (process.ppid === shell) return
    timer.cancel()
    process.kill(process.pid, 'SIGTERM')
  })
  timer.unref()
}

const parentCheckMs = 250

/** Runs the first process of a start, which prepares the database and then serves by itself or by workers. */
async function runPrimary(
  {
    config,
    log,
    workers,
    out,
  }: { config: Config; log: Log; workers: number | undefined; out: Output },
  parts: ProcessRoles,
  lifecycle: Lifecycle,
): Promise<void> {
  let isReady = false
  lifecycle.closeOnSignals(['SIGINT', 'SIGTERM'], {
    onStop: () => {
      if (!isReady)
        out.printNote('Stopped before it was ready. The next start completes what is missing.')
    },
  })
  stopWithNpm()
  const { setting, port } = portOf(config, parts)
  if (port !== undefined) await requirePort({ host: config.http.host, port }, setting)
  if (parts.api && config.http.metricsPort !== undefined) {
    const endpoint = { host: config.http.host, port: config.http.metricsPort }
    await requirePort(endpoint, 'FERIA_METRICS_PORT')
  }
  requireCertificate(config.http.tls)
  const databaseUrl = await openMigrated({ config, log, say: out.print }, lifecycle)
  const ctx = await createContext({ config, databaseUrl, log }, lifecycle)
  if (config.demo) await prepareDemoData(ctx, out.print)
  const address = workers
    ? await runWorkers({ count: workers, databaseUrl, config, log }, lifecycle)
    : await startParts(ctx, parts, lifecycle)
  isReady = true
  if (parts.api && address)
    await printWelcome(ctx, { address: config.http.publicUrl ?? address, out })
  else out.printResult({ ready: true, address: address ?? null }, () => workLine(address))
}

async function runWorker(
  { config, log }: { config: Config; log: Log },
  parts: ProcessRoles,
  lifecycle: Lifecycle,
): Promise<void> {
  serveAsWorker(lifecycle)
  const databaseUrl = config.database.url ?? ''
  const ctx = await createContext({ config, databaseUrl, log }, lifecycle)
  reportAddress(await startParts(ctx, parts, lifecycle), ctx.metrics)
}

function workLine(address: string | undefined): string {
  const metrics = address ? ` Metrics: ${address}/metrics` : ''
  return `Feria runs the background work.${metrics}`
}

/** Starts the parts in this process. Returns the address that it listens at, if any. */
async function startParts(
  ctx: Context,
  parts: ProcessRoles,
  lifecycle: Lifecycle,
): Promise<string | undefined> {
  watchProcess(ctx.metrics, {
    poolLoad: () => ctx.db.load,
    countWorkers: () => countWorkers(ctx.reads, ctx.now()),
  })
  // Ready means that predictors answer. A process that only works in the background makes them when it trains.
  if (parts.api) await ctx.catalog.prepareAll()
  followTrainingExamples(ctx, lifecycle)
  if (parts.work) startLoops(ctx, lifecycle)
  const { host, metricsPort } = ctx.config.http
  const { port, setting } = portOf(ctx.config, parts)
  if (parts.api && metricsPort !== undefined) {
    const endpoint = { name: 'http of metrics', host, port: metricsPort }
    await serve(
      await openHealthServer(ctx),
      { ...endpoint, setting: 'FERIA_METRICS_PORT' },
      lifecycle,
    )
  }
  if (port === undefined) return undefined
  const server = await (parts.api ? openServer(ctx) : openHealthServer(ctx))
  // Added last, so closed first: no request arrives while the rest shuts down.
  return serve(server, { name: 'http', host, port, setting }, lifecycle)
}

/** Returns the address that the server listens at. Throws `CommandFailure` if it cannot listen. */
async function serve(
  server: FastifyInstance,
  { name, host, port, setting }: { name: string; host: string; port: number; setting: string },
  lifecycle: Lifecycle,
): Promise<string> {
  const { address, close } = await startListening(server, { host, port }).catch(async (error) => {
    await server.close()
    throw portFailure(error, { host, port }, setting)
  })
  lifecycle.add(name, close)
  return address
}

/** Returns the port of these parts, and the setting that holds it. */
function portOf({ http }: Config, { api }: ProcessRoles) {
  return api
    ? { setting: 'PORT', port: http.port }
    : { setting: 'FERIA_WORK_PORT', port: http.workPort }
}

/** Throws `CommandFailure` if HTTPS is configured and its files cannot be used. */
function requireCertificate(tls: Config['http']['tls']): void {
  if (!tls) return
  const files = { TLS_CERT_FILE: tls.certFile, TLS_KEY_FILE: tls.keyFile }
  const [cert, key] = Object.entries(files).map(([setting, file]) => {
    try {
      return readFileSync(file)
    } catch (error) {
      throw new CommandFailure(`${setting} cannot be read: ${(error as Error).message}`)
    }
  })
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const expected =
      code === 'ERR_OSSL_X509_KEY_VALUES_MISMATCH'
        ? 'a certificate and its own key, not that of another one'
        : 'a certificate and its key as PEM'
    throw new CommandFailure(`TLS_CERT_FILE and TLS_KEY_FILE: expected ${expected} (${message})`)
  }
}
