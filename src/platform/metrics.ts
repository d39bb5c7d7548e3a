import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** The metrics that `/metrics` shows. */
export type Metrics = ReturnType<typeof makeMetrics>

/** Creates the metrics with a registry of their own. */
export function makeMetrics() {
  const registry = new Registry()
  const registers = [registry]
  return {
    registry,
    /** Renders the answer of `/metrics`. With several processes, it is replaced by one that collects from all. */
    collect: async () => ({ text: await registry.metrics(), contentType: registry.contentType }),
    requests: new Histogram({
      name: 'feria_http_request_seconds',
      help: 'Time from the arrival of a request to the end of its answer',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    deliveries: new Counter({
      name: 'feria_deliveries_total',
      help: 'Attempts at notifications, by topic and outcome',
      labelNames: ['topic', 'outcome'] as const,
      registers,
    }),
    deliveryDelay: startAtZero(
      new Histogram({
        name: 'feria_delivery_delay_seconds',
        help: 'Time from a recorded change to its first attempt. cause: receiver if its queue failed, rested or was paused since the change, else feria',
        labelNames: ['cause'] as const,
        buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 60, 300, 3600],
        registers,
      }),
      [{ cause: 'feria' }, { cause: 'receiver' }],
    ),
    untrustedForwarding: new Counter({
      name: 'feria_untrusted_forwarding_total',
      help: 'Forwarded requests while FERIA_TRUSTED_PROXIES is not set',
      registers,
    }),
    admission: startAtZero(
      new Histogram({
        name: 'feria_admission_seconds',
        help: 'Wait of requests in admission control, for those that had to wait, by outcome',
        labelNames: ['queue', 'outcome'] as const,
        buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1],
        registers,
      }),
      ['reads', 'writes'].flatMap((queue) => [
        { queue, outcome: 'admitted' },
        { queue, outcome: 'refused' },
      ]),
    ),
    outdatedRows: new Gauge({
      name: 'feria_outdated_rows',
      help: 'Rows of derived data with an earlier version, which a loop renews, up to 100,000, by derivation',
      labelNames: ['derivation'] as const,
      // Every process counts the same rows.
      aggregator: 'max',
      registers,
    }),
    loopFailures: new Counter({
      name: 'feria_loop_failures_total',
      help: 'Failed turns of a background loop, which are repeated',
      labelNames: ['loop'] as const,
      registers,
    }),
  }
}

/** Gives these labels a first value of zero. Without it, `increase` does not see the first event. */
function startAtZero<Label extends string>(
  histogram: Histogram<Label>,
  labels: readonly Record<Label, string>[],
): Histogram<Label> {
  for (const values of labels) histogram.zero(values)
  return histogram
}

/** Adds metrics of the process, of the connection pool and of all workers. Call it once per process. */
export function watchProcess(
  metrics: Metrics,
  {
    poolLoad,
    countWorkers,
  }: {
    poolLoad: () => { total: number; idle: number; waiting: number }
    /** Returns the number of processes that do background work, this one or others. */
    countWorkers: () => Promise<number>
  },
): void {
  collectDefaultMetrics({ register: metrics.registry })
  new Gauge({
    name: 'feria_workers',
    help: 'Processes with background work that gave a sign of life within a minute, of this database. Absent while it does not answer',
    // Every process counts the same rows.
    aggregator: 'max',
    registers: [metrics.registry],
    async collect() {
      await countWorkers().then(
        (count) => this.set(count),
        () => this.remove(),
      )
    },
  })
  new Gauge({
    name: 'feria_database_connections',
    help: 'Connections to the database, and requests that wait for one',
    labelNames: ['state'] as const,
    registers: [metrics.registry],
    collect() {
      for (const [state, count] of Object.entries(poolLoad())) this.set({ state }, count)
    },
  })
}
