import { EventEmitter } from 'node:events'
import pg from 'pg'
import type { World } from '../world.ts'
import { Blocked, errorOf, type Server, type Session } from './server.ts'

/** What the network and the machine of the database do to connections. */
export interface Weather {
  /** The share of statements at which a connection breaks. */
  breaks: number
  /** How many times as long statements take. */
  slowness: number
  /** Nothing is answered until then. */
  frozenUntil: number
}

/** A process that connections belong to. */
export interface Owner {
  name: string
  isAlive: boolean
  /** Its connections that are open. */
  clients: Set<Client>
}

interface Network {
  world: World
  server: Server
  weather: Weather
}

interface Query {
  text: string
  values: readonly unknown[]
  answer(error: Error | undefined, rows: object[]): void
}

const usualMs = { least: 0.1, most: 1.2 }
/** For how long the server may not have noticed that a connection is gone. */
const unnoticedMs = 1_500

const lostConnection = () => new Error('Connection terminated unexpectedly')

/**
 * A connection as pg has it. Statements run one after another, each a while after it was asked for. It may
 * break before a statement, after it, or at a commit that the server completes later.
 */
export class Client extends EventEmitter {
  readonly pipeline = true
  /** What `gather` holds back for a moment; nothing is written to a socket here. */
  readonly connection = { stream: { cork() {}, uncork() {} } }
  readonly #network: Network
  readonly #owner: Owner
  readonly #queue: Query[] = []
  #session: Session | undefined
  #isBroken = false
  #isRunning = false

  constructor(network: Network, owner: Owner) {
    super()
    this.#network = network
    this.#owner = owner
  }

  async connect(): Promise<void> {
    const { world, server } = this.#network
    await this.#wait()
    if (!this.#owner.isAlive) return new Promise<never>(() => {})
    if (server.faults.isDown) throw errorOf('57P03', 'the database system is starting up')
    this.#session = server.open(this.#owner.name)
    this.#session.onNotice = (payload) => {
      const { chance } = world
      world.after(chance.between(usualMs.least, usualMs.most), () => {
        if (!this.#isBroken && this.#owner.isAlive) this.emit('notification', { payload })
      })
    }
    this.#owner.clients.add(this)
  }

  /** As pg's: a text or a statement, answered by a promise or by the callback of a query. */
  query(asked: string | pg.QueryConfig | pg.Query, values: unknown[] = []): Promise<object> {
    const config = typeof asked === 'string' ? { text: asked, values } : asked
    const {
      text,
      values: given = [],
      callback,
    } = config as pg.QueryConfig & {
      callback?: (error: Error | undefined, answer: object) => void
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({
        text,
        values: given,
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
    const { chance } = world
    const ms = chance.between(usualMs.least, usualMs.most) * weather.slowness
    return world.rest(Math.max(ms, weather.frozenUntil - world.now))
  }

  #next(): void {
    const [query] = this.#queue
    this.#isRunning = query !== undefined
    if (!query) return
    void this.#wait().then(() => this.#run(query))
  }

  #run(query: Query): void {
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
      const { chance } = world
      this.break({ noticedMs: chance.isTrue(0.5) ? 0 : chance.between(0, unnoticedMs) })
    } else if (breaks === 'meanwhile') {
      const laterMs = world.chance.between(1, unnoticedMs)
      world.after(laterMs, () => session.isOpen && server.run(session, 'commit', []))
      this.break({ noticedMs: laterMs + 1 })
    } else this.#runIn(session, query, breaks === 'after')
  }

  #runIn(session: Session, query: Query, breaksAfter: boolean): void {
    const { server } = this.#network
    try {
      const rows = server.run(session, query.text, query.values)
      if (breaksAfter) this.break()
      else this.#done(query, undefined, rows)
    } catch (error) {
      if (error instanceof Blocked) server.whenEnded(error.by, () => this.#next())
      else if (error instanceof pg.DatabaseError) this.#done(query, error)
      else throw error
    }
  }

  /** Whether the connection breaks at this statement: before it, after it, or at a commit that comes later. */
  #breaksAt({ text }: Query): 'before' | 'after' | 'meanwhile' | undefined {
    const { world, weather } = this.#network
    if (weather.breaks === 0 || !world.chance.isTrue(weather.breaks)) return undefined
    const when = world.chance.pick(['before', 'after', 'meanwhile'] as const)
    const breaks = when === 'meanwhile' && text !== 'commit' ? 'after' : when
    world.tell(() => `${this.#owner.name}: connection breaks ${breaks} "${brief(text)}"`)
    return breaks
  }

  #done(query: Query, error: Error | undefined, rows: object[] = []): void {
    this.#queue.shift()
    this.#answer(query, error, rows)
    this.#next()
  }

  #answer(query: Query, error: Error | undefined, rows: object[] = []): void {
    if (this.#owner.isAlive) query.answer(error, rows)
  }
}

const brief = (text: string) => text.trim().replaceAll(/\s+/g, ' ').slice(0, 50)

/** A pool of such connections, with as much of pg's as `Database` uses. */
export class Pool {
  readonly #network: Network
  readonly #owner: Owner
  readonly #most: number
  readonly #idle: Client[] = []
  readonly #waiting: (() => void)[] = []
  #open = 0

  constructor(network: Network, owner: Owner, { max = 10 }: pg.PoolConfig) {
    this.#network = network
    this.#owner = owner
    this.#most = max
  }

  on(): this {
    return this
  }

  async connect(): Promise<Client & { release(broken?: Error): void }> {
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
      client = new Client(this.#network, this.#owner)
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
