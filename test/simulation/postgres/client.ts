import { EventEmitter } from 'node:events'
import pg from 'pg'
import type { SimulationClock } from '../simulation-clock.ts'
import { LockWait, postgresError, type SimulatedPostgres, type SimulatedSession } from './server.ts'

/** What the network and the machine of the database do to connections. */
export interface ConnectionFaults {
  /** The share of statements at which a connection breaks. */
  breakProbability: number
  /** How many times as long statements take. */
  slowness: number
  /** Nothing is answered until then. */
  frozenUntil: number
}

/** A process that connections belong to. */
export interface ConnectionOwner {
  name: string
  isAlive: boolean
  /** Its connections that are open. */
  clients: Set<SimulatedClient>
}

interface SimulatedNetwork {
  world: SimulationClock
  server: SimulatedPostgres
  weather: ConnectionFaults
}

interface PendingQuery {
  text: string
  values: readonly unknown[]
  answer(error: Error | undefined, rows: object[]): void
}

const usualLatencyMs = { least: 0.1, most: 1.2 }
/** For how long the server may not have noticed that a connection is gone. */
const unnoticedMs = 1_500

const lostConnection = () => new Error('Connection terminated unexpectedly')

/**
 * A connection as pg has it. Statements run one after another, each a while after it was asked for. It may
 * break before a statement, after it, or at a commit that the server completes later.
 */
export class SimulatedClient extends EventEmitter {
  readonly pipeline = true
  /** What `gather` holds back for a moment; nothing is written to a socket here. */
  readonly connection = { stream: { cork() {}, uncork() {} } }
  readonly #network: SimulatedNetwork
  readonly #owner: ConnectionOwner
  readonly #queue: PendingQuery[] = []
  #session: SimulatedSession | undefined
  #isBroken = false
  #isRunning = false

  constructor(network: SimulatedNetwork, owner: ConnectionOwner) {
    super()
    this.#network = network
    this.#owner = owner
  }

  async connect(): Promise<void> {
    const { world, server } = this.#network
    await this.#wait()
    if (!this.#owner.isAlive) return new Promise<never>(() => {})
    if (server.faults.isDown) throw postgresError('57P03', 'the database system is starting up')
    this.#session = server.open(this.#owner.name)
    this.#session.onNotice = (payload) => {
      const { random } = world
      world.after(random.between(usualLatencyMs.least, usualLatencyMs.most), () => {
        if (!this.#isBroken && this.#owner.isAlive) this.emit('notification', { payload })
      })
    }
    this.#owner.clients.add(this)
  }

  /** As pg's: a text or a statement, answered by a promise or by the callback of a query. */
  query(statement: string | pg.QueryConfig | pg.Query, values: unknown[] = []): Promise<object> {
    const config = typeof statement === 'string' ? { text: statement, values } : statement
    const {
      text,
      values: queryValues = [],
      callback,
    } = config as pg.QueryConfig & {
      callback?: (error: Error | undefined, answer: object) => void
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({
        text,
        values: queryValues,
        answer(error, rows) {
          if (callback) callback(error, { rows })
          else if (error) reject(error)
          else resolve({ rows })
        },
      })
      if (!this.#isRunning) this.#next()
    })
  }

  async end(): Promise<void> {
    this.drop()
  }

  get isBroken(): boolean {
    return this.#isBroken
  }

  /** The connection is gone, for its process at once and for the server after a while. */
  break({ noticedMs = 0 } = {}): void {
    if (this.#isBroken) return
    this.drop(noticedMs)
    this.#isRunning = false
    for (const query of this.#queue.splice(0)) this.#answer(query, lostConnection())
    if (!this.#owner.isAlive) return
    this.emit('error', lostConnection())
    this.emit('end')
  }

  /** Gives the connection up. */
  drop(noticedMs = 0): void {
    this.#isBroken = true
    this.#owner.clients.delete(this)
    const session = this.#session
    const { world, server } = this.#network
    if (!session) return
    if (noticedMs > 0) world.after(noticedMs, () => server.close(session))
    else server.close(session)
  }

  /** Resolves when a request has come to the server. */
  #wait(): Promise<void> {
    const { world, weather } = this.#network
    const { random } = world
    const ms = random.between(usualLatencyMs.least, usualLatencyMs.most) * weather.slowness
    return world.sleep(Math.max(ms, weather.frozenUntil - world.now))
  }

  #next(): void {
    const [query] = this.#queue
    this.#isRunning = query !== undefined
    if (!query) return
    void this.#wait().then(() => this.#run(query))
  }

  #run(query: PendingQuery): void {
    const { world, server } = this.#network
    const session = this.#session
    if (this.#queue[0] !== query) return
    if (!this.#owner.isAlive && query.text !== 'commit') return
    if (this.#isBroken || !session?.isOpen) {
      this.break()
      this.#done(query, lostConnection())
      return
    }
    const breaks = this.#breaksAt(query)
    if (breaks === 'before') {
      const { random } = world
      this.break({ noticedMs: random.isTrue(0.5) ? 0 : random.between(0, unnoticedMs) })
    } else if (breaks === 'meanwhile') {
      const laterMs = world.random.between(1, unnoticedMs)
      world.after(laterMs, () => session.isOpen && server.execute(session, 'commit', []))
      this.break({ noticedMs: laterMs + 1 })
    } else this.#runIn(session, query, breaks === 'after')
  }

  #runIn(session: SimulatedSession, query: PendingQuery, breaksAfter: boolean): void {
    const { server } = this.#network
    try {
      const rows = server.execute(session, query.text, query.values)
      if (breaksAfter) this.break()
      else this.#done(query, undefined, rows)
    } catch (error) {
      if (error instanceof LockWait) server.whenEnded(error.by, () => this.#next())
      else if (error instanceof pg.DatabaseError) this.#done(query, error)
      else throw error
    }
  }

  /** Whether the connection breaks at this statement: before it, after it, or at a commit that comes later. */
  #breaksAt({ text }: PendingQuery): 'before' | 'after' | 'meanwhile' | undefined {
    const { world, weather } = this.#network
    if (weather.breakProbability === 0 || !world.random.isTrue(weather.breakProbability))
      return undefined
    const when = world.random.pick(['before', 'after', 'meanwhile'] as const)
    const breaks = when === 'meanwhile' && text !== 'commit' ? 'after' : when
    world.log(() => `${this.#owner.name}: connection breaks ${breaks} "${abbreviate(text)}"`)
    return breaks
  }

  #done(query: PendingQuery, error: Error | undefined, rows: object[] = []): void {
    this.#queue.shift()
    this.#answer(query, error, rows)
    this.#next()
  }

  #answer(query: PendingQuery, error: Error | undefined, rows: object[] = []): void {
    if (this.#owner.isAlive) query.answer(error, rows)
  }
}

const abbreviate = (text: string) => text.trim().replaceAll(/\s+/g, ' ').slice(0, 50)

/** A pool of such connections, with as much of pg's as `CellDatabase` uses. */
export class SimulatedPool {
  readonly #network: SimulatedNetwork
  readonly #owner: ConnectionOwner
  readonly #most: number
  readonly #idle: SimulatedClient[] = []
  readonly #waiting: (() => void)[] = []
  #open = 0

  constructor(network: SimulatedNetwork, owner: ConnectionOwner, { max = 10 }: pg.PoolConfig) {
    this.#network = network
    this.#owner = owner
    this.#most = max
  }

  on(): this {
    return this
  }

  async connect(): Promise<SimulatedClient & { release(broken?: Error): void }> {
    while (this.#idle.length === 0 && this.#open >= this.#most) {
      await new Promise<void>((resolve) => void this.#waiting.push(resolve))
    }
    // An idle connection that broke has been taken out by pg, which listens to it.
    let client = this.#idle.pop()
    while (client?.isBroken) {
      this.#open--
      client = this.#idle.pop()
    }
    if (!client) {
      client = new SimulatedClient(this.#network, this.#owner)
      client.on('error', () => {})
      this.#open++
      try {
        await client.connect()
      } catch (error) {
        this.#freed()
        throw error
      }
    }
    const connected = client
    return Object.assign(connected, {
      release: (broken?: Error) => {
        if (!broken) {
          this.#idle.push(connected)
          this.#waiting.shift()?.()
          return
        }
        connected.drop()
        this.#freed()
      },
    })
  }

  async query(text: string): Promise<object> {
    const client = await this.connect()
    try {
      const answer = await client.query(text)
      client.release()
      return answer
    } catch (error) {
      client.release(client.isBroken ? (error as Error) : undefined)
      throw error
    }
  }

  async end(): Promise<void> {
    for (const client of this.#idle.splice(0)) client.drop()
  }

  #freed(): void {
    this.#open--
    this.#waiting.shift()?.()
  }
}
