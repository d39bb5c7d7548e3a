import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { systemTimers, type Timer, type Timers } from '../timers.ts'

type Listener = (payload: string) => void

/** The channel on which is told, in a sandbox, that the database is another one than it was: whatever a
 * process remembers of it is of no use any more. */
export const worldReplaced = 'world'

/** The channel on which is told, in a sandbox, how far its clock is ahead of the machine's. */
export const clockMoved = 'clock'

const heartbeatMs = 5_000
const debounceMs = 5

/** More than so many are told as everything: a NOTIFY takes 8,000 bytes. */
const mostSubjects = 300

/**
 * Hints that are given together: each channel with what it is about, so that of many who wait only
 * those are woken whom it concerns. One that is about nothing in particular is about everything.
 */
export class Hints {
  readonly #about = new Map<string, Set<string> | undefined>()

  add(channel: string, about?: Iterable<string | number>): void {
    const known = this.#about.get(channel)
    const isAll = !about || (this.#about.has(channel) && !known)
    this.#about.set(
      channel,
      isAll ? undefined : new Set([...(known ?? []), ...[...about].map(String)]),
    )
  }

  /** All of them, with the text that is told: empty for everything. Forgets them. */
  take(): [channel: string, payload: string][] {
    const all = [...this.#about].map(([channel, about]): [string, string] => [
      channel,
      about && about.size <= mostSubjects ? [...about].join() : '',
    ])
    this.#about.clear()
    return all
  }
}

/** What a hint is about: undefined for everything. */
export function subjectsOf(payload: string): string[] | undefined {
  return payload === '' ? undefined : payload.split(',')
}

/**
 * Carries short messages between the processes that share a database, by LISTEN and NOTIFY.
 *
 * Two kinds: a `hint` ("there may be work") is debounced, sent outside any transaction and may be
 * lost, because whoever is woken also polls; a `publish` of a transaction travels with its commit.
 * While the listening connection is down, `listening` is false and caches that live by it must ask
 * the database instead; when it is back, `reset` listeners drop what they remembered.
 */
export class Signals {
  readonly #url: string
  readonly #timers: Timers
  readonly #makeClient: (config: pg.ClientConfig) => pg.Client
  readonly #origin = randomUUID()
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #pending = new Hints()
  readonly #locks = new Set<string>()
  /** Those of them that the present connection has. */
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
    const known = this.#listeners.get(channel) ?? new Set()
    this.#listeners.set(channel, known.add(listener))
  }

  /** Calls the listeners of this process. */
  deliver(channel: string, payload = ''): void {
    for (const listener of this.#listeners.get(channel) ?? []) listener(payload)
  }

  /** `payload` as `Hints` has it. */
  hint(channel: string, payload = ''): void {
    this.deliver(channel, payload)
    this.#pending.add(channel, subjectsOf(payload))
    this.#flushing ??= this.#timers.after(debounceMs, () => void this.#flush())
  }

  async notify(client: pg.ClientBase, channel: string, payload: string): Promise<void> {
    const text = JSON.stringify([this.#origin, channel, payload])
    await client.query({
      name: 'signal',
      text: 'select pg_notify($1, $2)',
      values: ['feria', text],
    })
  }

  /**
   * Holds a shared advisory lock of this name while this process is connected, and takes it again with each new
   * connection: others see by it that the process lives. Returns whether it holds it now.
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

  release(name: string): void {
    this.#locks.delete(name)
  }

  /** Starts to listen. Resolves once listening; a later loss is mended in the background. */
  async open(): Promise<void> {
    const client = this.#makeClient({
      connectionString: this.#url,
      application_name: 'feria signals',
      // A heartbeat and a hint may meet.
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
    // A connection that died without a word (a sleeping laptop, a dropped route) shows only when used.
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

  async #flush(): Promise<void> {
    this.#flushing = undefined
    const hints = this.#pending.take()
    const client = this.#client
    if (!client) return
    for (const hint of hints) await this.notify(client, ...hint).catch(() => {})
  }

  #lost(client: pg.Client): void {
    if (this.#closed || (this.#client !== undefined && this.#client !== client)) return
    const first = this.#client === client
    this.#client = undefined
    this.#held.clear()
    this.#heartbeat?.cancel()
    if (!first) return
    this.deliver('reset')
    client.end().catch(() => {})
    this.#reopen(100)
  }

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

/** Never waits: nobody takes it alone. */
async function lock(client: pg.ClientBase, name: string): Promise<void> {
  await client.query(`select pg_advisory_lock_shared(hashtext('feria process'), hashtext($1))`, [
    name,
  ])
}

/** Anybody who may use the database may also write into its channel: what is none of ours is empty. */
function readMessage(payload: string | undefined): string[] {
  try {
    const message: unknown = JSON.parse(payload ?? '')
    const isOurs = Array.isArray(message) && message.every((part) => typeof part === 'string')
    return isOurs ? message : []
  } catch {
    return []
  }
}
