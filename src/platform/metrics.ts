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
    deliveryDelay: new Histogram({
      name: 'feria_delivery_delay_seconds',
      help: 'Time from a recorded change to its first attempt',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300, 3600],
      registers,
    }),
    untrustedForwarding: new Counter({
      name: 'feria_untrusted_forwarding_total',
      help: 'Forwarded requests while FERIA_TRUSTED_PROXIES is not set',
      registers,
    }),
    admission: new Histogram({
      name: 'feria_admission_seconds',
      help: 'Wait of requests in admission control, for those that had to wait, by outcome',
      labelNames: ['queue', 'outcome'] as const,
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1],
      registers,
    }),
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

/** Adds metrics of the process and of the connection pool. Call it once per process. */
export function watchProcess(
  metrics: Metrics,
  poolLoad: () => { total: number; idle: number; waiting: number },
): void {
  collectDefaultMetrics({ register: metrics.registry })
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
