import cluster, { type Worker } from 'node:cluster'
import { randomUUID } from 'node:crypto'
import { AggregatorRegistry } from 'prom-client'
import { Failure } from '../../kernel/failure.ts'
import type { Config } from '../../platform/config.ts'
import type { Lifecycle } from '../../platform/lifecycle.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { CommandFailure } from '../frame/failure.ts'

/** Messages between workers and their primary. */
type WorkerMessage =
  | { feria: 'started'; address: string | undefined }
  | { feria: 'metrics?'; id: string }
  /** `text` is null when a worker did not report in time. */
  | { feria: 'metrics'; id: string; text: string | null }

const restartMs = 1_000

/**
 * Forks `count` processes that share the port, and replaces those that die. Resolves with their address once all have
 * started. `/metrics` of each worker shows the sum of all.
 */
export async function runWorkers(
  {
    count,
    databaseUrl,
    config,
    log,
  }: { count: number; databaseUrl: string; config: Config; log: Log },
  lifecycle: Lifecycle,
): Promise<string | undefined> {
  const metrics = new AggregatorRegistry()
  const env = { DATABASE_URL: databaseUrl, FERIA_MODE: config.mode, FERIA_DEMO: 'off' }
  let stopping = false
  let hasServed = false
  const fork = () =>
    new Promise<string | undefined>((resolve, reject) => {
      const worker = cluster.fork(env)
      worker.on('message', (message: WorkerMessage) => {
        if (message.feria === 'started') resolve(message.address)
        if (message.feria === 'metrics?') void answerMetrics(worker, message.id)
      })
      worker.once('exit', (code) => {
        // The worker has printed why.
        reject(new CommandFailure(`A worker could not start. It exited with code ${code}.`))
        if (stopping || !hasServed) return
        log.error({ code }, 'a worker ended on its own; starting another')
        setTimeout(() => void fork().catch(() => {}), restartMs)
      })
    })
  const answerMetrics = async (worker: Worker, id: string) => {
    const text = await metrics.clusterMetrics().catch((error: unknown) => {
      log.warn({ err: error }, 'not all workers reported their metrics')
      return null
    })
    if (worker.isConnected()) worker.send({ feria: 'metrics', id, text } satisfies WorkerMessage)
  }
  lifecycle.add('workers', async () => {
    stopping = true
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
    await Promise.all(
      workers.map((worker) => {
        const ended = new Promise((resolve) => worker.once('exit', resolve))
        worker.process.kill('SIGTERM')
        return ended
      }),
    )
  })
  const addresses = await Promise.all(Array.from({ length: count }, fork))
  hasServed = true
  return addresses[0]
}

/** Stops this worker on SIGTERM or when its primary is gone. Ctrl-C reaches both processes, so the worker ignores it. */
export function serveAsWorker(lifecycle: Lifecycle): void {
  process.on('SIGINT', () => {})
  lifecycle.closeOnSignals(['SIGTERM'])
  process.on('disconnect', () => void lifecycle.close().then(() => process.exit(0)))
}

/** Reports to the primary that this worker has started, and makes `/metrics` show the sum of all workers. */
export function reportAddress(address: string | undefined, metrics: Metrics): void {
  AggregatorRegistry.setRegistries(metrics.registry)
  // The constructor registers the handler that answers the primary's collector.
  new AggregatorRegistry()
  metrics.collect = async () => {
    const id = randomUUID()
    const text = await new Promise<string | null>((resolve) => {
      const onMessage = (message: WorkerMessage) => {
        if (message.feria !== 'metrics' || message.id !== id) return
        process.off('message', onMessage)
        resolve(message.text)
      }
      process.on('message', onMessage)
      process.send?.({ feria: 'metrics?', id } satisfies WorkerMessage)
    })
    if (text === null) throw new Failure('unavailable')
    return { text, contentType: metrics.registry.contentType }
  }
  process.send?.({ feria: 'started', address } satisfies WorkerMessage)
}
