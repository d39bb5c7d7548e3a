import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { systemTimers, type Timer, type Timers } from '../timers.ts'

type Listener = (payload: string) => void

/** The channel of a sandbox that announces a replaced database: cached data is no longer valid. */
export const databaseReplacedChannel = 'world'

/** The channel of a sandbox that announces the offset of its clock from the machine's. */
export const clockMovedChannel = 'clock'

const heartbeatMs = 5_000
const debounceMs = 5

/** With more subjects, a hint is about everything: a NOTIFY has at most 8,000 bytes. */
const mostSubjects = 300

/**
 * Collected hints: channels with their subjects, so that only the listeners concerned wake up. A hint without subjects
 * is about everything.
 */
export class Hints {
  readonly #about = new Map<string, Set<string> | undefined>()

  add(channel: string, about?: Iterable<string | number>): void {
    const subjects = this.#about.get(channel)
    const isAll = !about || (this.#about.has(channel) && !subjects)
    this.#about.set(
      channel,
      isAll ? undefined : new Set([...(subjects ?? []), ...[...about].map(String)]),
    )
  }

  /** Returns all hints with their payloads and clears them. An empty payload means everything. */
  take(): [channel: string, payload: string][] {
    const hints = [...this.#about].map(([channel, about]): [string, string] => [
      channel,
      about && about.size <= mostSubjects ? [...about].join() : '',
    ])
    this.#about.clear()
    return hints
  }
}

/** Returns the subjects of a hint. Undefined means everything. */
export function subjectsOf(payload: string): string[] | undefined {
  return payload === '' ? undefined : payload.split(',')
}

/**
 * Carries short messages between the processes that share a database, by LISTEN and NOTIFY.
 *
 * A `hint` ("there may be work") is debounced and sent outside of transactions. It may be lost, so listeners also poll.
 * `publish` of a transaction arrives with its commit. While the listening connection is down, `listening` is false and
 * caches must not be used. When it is back, listeners of `reset` clear their caches.
 */
export class Signals {
  readonly #url: string
  readonly #timers: Timers
  readonly #makeClient: (config: pg.ClientConfig) => pg.Client
  readonly #origin = randomUUID()
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #pending = new Hints()
  readonly #locks = new Set<string>()
  /** The locks that the current connection holds. */
  readonly #held = new Set<string>()
  #client: pg.Client | undefined
  #flushing: Timer | undefined
  #heartbeat: Timer | undefined
  #retry: Timer | undefined
  #closed = false

  constructor(
    url: string,
    { timers = systemTimers, makeClient = (config: pg.ClientConfig) => new pg.Client(config) } = {},
  ) {
    this.#url = url
    this.#timers = timers
    this.#makeClient = makeClient
  }

  get listening(): boolean {
    return this.#client !== undefined
  }

  on(channel: string, listener: Listener): void {
    const listeners = this.#listeners.get(channel) ?? new Set()
    this.#listeners.set(channel, listeners.add(listener))
  }

  /** Calls the listeners of this process. */
  deliver(channel: string, payload = ''): void {
    for (const listener of this.#listeners.get(channel) ?? []) listener(payload)
  }

  /** Sends a hint to the listeners of all processes. `payload` has the format of `Hints.take`. */
  hint(channel: string, payload = ''): void {
    this.deliver(channel, payload)
    this.#pending.add(channel, subjectsOf(payload))
    this.#flushing ??= this.#timers.after(debounceMs, () => void this.#flush())
  }

  /** Sends a message to the listeners of other processes, in the transaction of `client` if it has one. */
  async notify(client: pg.ClientBase, channel: string, payload: string): Promise<void> {
    const text = JSON.stringify([this.#origin, channel, payload])
    await client.query({
      name: 'signal',
      text: 'select pg_notify($1, $2)',
      values: ['feria', text],
    })
  }

  /**
   * Holds a shared advisory lock of this name while the process is connected, and takes it again on each new
   * connection. Other processes see by it that this one is alive. Returns whether the lock is held now.
   */
  async hold(name: string): Promise<boolean> {
    this.#locks.add(name)
    const client = this.#client
    if (client && !this.#held.has(name)) {
      await lock(client, name).then(
        () => this.#held.add(name),
        () => this.#lost(client),
      )
    }
    return this.#held.has(name)
  }

  /** Stops taking this lock on new connections. The current connection holds it until it closes. */
  release(name: string): void {
    this.#locks.delete(name)
  }

  /** Starts to listen. Resolves once listening. A lost connection is reopened in the background. */
  async open(): Promise<void> {
    const client = this.#makeClient({
      connectionString: this.#url,
      application_name: 'feria signals',
      // A heartbeat and a hint may be sent at the same time.
      pipeline: true,
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: heartbeatMs,
    })
    client.on('error', () => this.#lost(client))
    client.on('end', () => this.#lost(client))
    client.on('notification', ({ payload }) => {
      const [origin, channel, text] = readMessage(payload)
      if (channel !== undefined && origin !== this.#origin) this.deliver(channel, text)
    })
    try {
      await client.connect()
      await client.query('listen feria')
      for (const name of this.#locks) {
        await lock(client, name)
        this.#held.add(name)
      }
    } catch (error) {
      client.end().catch(() => {})
      throw error
    }
    if (this.#closed) return client.end()
    this.#client = client
    // A connection that died silently (a sleeping laptop, a lost route) is noticed only when it is used.
    this.#heartbeat = this.#timers.every(heartbeatMs, () => {
      client.query('select 1').catch(() => this.#lost(client))
    })
    this.#heartbeat.unref()
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#flushing?.cancel()
    this.#retry?.cancel()
    this.#heartbeat?.cancel()
    const client = this.#client
    this.#client = undefined
    await client?.end().catch(() => {})
  }

  /** Sends the collected hints. They are lost while there is no connection, or if sending fails. */
  async #flush(): Promise<void> {
    this.#flushing = undefined
    const hints = this.#pending.take()
    const client = this.#client
    if (!client) return
    for (const hint of hints) await this.notify(client, ...hint).catch(() => {})
  }

  /** Handles the loss of a connection. It may be reported several times; only the first report of the connection in use
   * clears caches and starts to reopen. A connection that never came into use is retried by its opener. */
  #lost(client: pg.Client): void {
    if (this.#closed || (this.#client !== undefined && this.#client !== client)) return
    const isFirstReport = this.#client === client
    this.#client = undefined
    this.#held.clear()
    this.#heartbeat?.cancel()
    if (!isFirstReport) return
    this.deliver('reset')
    client.end().catch(() => {})
    this.#reopen(100)
  }

  /** Opens the connection again after `waitMs`, and waits twice as long after each failure, at most 5 s. The second
   * `reset` covers what was published while the connection was down. */
  #reopen(waitMs: number): void {
    if (this.#closed) return
    this.#retry = this.#timers.after(waitMs, () => {
      this.open().then(
        () => this.deliver('reset'),
        () => this.#reopen(Math.min(waitMs * 2, 5_000)),
      )
    })
  }
}

/** Takes a shared lock. It never waits, because nobody takes it exclusively. */
async function lock(client: pg.ClientBase, name: string): Promise<void> {
  await client.query(`select pg_advisory_lock_shared(hashtext('feria process'), hashtext($1))`, [
    name,
  ])
}

/** Parses a message. Any user of the database can write to the channel, so a foreign message gives an empty list. */
function readMessage(payload: string | undefined): string[] {
  try {
    const message: unknown = JSON.parse(payload ?? '')
    const isOurs = Array.isArray(message) && message.every((part) => typeof part === 'string')
    return isOurs ? message : []
  } catch {
    return []
  }
}
