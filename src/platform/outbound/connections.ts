import { type buildConnector, Client } from 'undici'
import { type ContinueState, dropContinue } from './continue.ts'
import { Exchange, type ExchangeResponse, type PostRequest } from './exchange.ts'
import { limitRawBytes, type RawByteCount } from './raw-limit.ts'

/** Limit of connections per origin. An origin may serve many applications, and may hang. */
const mostPerOrigin = 128
const idleMs = 4_000

/** A slot for a connection, which is opened on first use. */
interface ConnectionSlot {
  client: Client
  origin: OriginPool
  /** Whether the current connection has brought an answer before. */
  isUsed: boolean
  isConnected: boolean
  awaited: ContinueState
  received: RawByteCount
}

/** An origin with its lines, the idle ones (the last one was used last), and the exchanges that wait for a line. */
interface OriginPool {
  url: string
  slots: Set<ConnectionSlot>
  idle: ConnectionSlot[]
  waiting: Set<Exchange>
}

/** This process cannot open another connection. It says nothing about the other side. */
export class NoConnectionLeft extends Error {}

/** A pool of kept-alive connections, limited in total and per origin, with one request at a time on each. Idle
 * connections are closed after 4 s. undici's agent is as fast but limits connections per origin only: with 1,000 receivers
 * and 512 open files, three of four deliveries fail (docs/decisions/0035-own-machinery.md). */
export class ConnectionPool {
  readonly #connect: buildConnector.connector
  readonly #most: number
  readonly #origins = new Map<string, OriginPool>()
  #count = 0
  /** Idle lines of all origins. The first one has been idle for longest. */
  readonly #idle = new Set<ConnectionSlot>()
  /** Origins without a line whose exchanges wait because the total limit is reached. */
  readonly #without = new Set<OriginPool>()
  /** Origins with some lines whose exchanges wait for the same reason. */
  readonly #wanting = new Set<OriginPool>()

  /** `most` limits the connections to all origins together. */
  constructor(connect: buildConnector.connector, { most }: { most: number }) {
    this.#connect = connect
    this.#most = most
  }

  /**
   * Posts a request and resolves with the answer. Rejects with `DeadlineExceeded` if the other side does not answer within
   * `timeoutMs`, without the wait for lines that other origins hold. Rejects with `NoConnectionLeft` if this process
   * cannot open a connection.
   */
  post(originUrl: string, posted: PostRequest, timeoutMs: number): Promise<ExchangeResponse> {
    return new Promise((resolve, reject) => {
      const exchange = new Exchange(posted, { resolve, reject, timeoutMs })
      const origin = this.#originOf(originUrl)
      const line = this.#lineFor(origin)
      if (line) this.#begin(line, exchange)
      else this.#wait(origin, exchange)
    })
  }

  async close(): Promise<void> {
    const origins = [...this.#origins.values()]
    this.#origins.clear()
    for (const { waiting } of origins) {
      for (const exchange of waiting) exchange.fail(new Error('this process stops'))
      waiting.clear()
    }
    const lines = origins.flatMap(({ slots }) => [...slots])
    await Promise.all(lines.map(({ client }) => client.destroy()))
  }

  #originOf(url: string): OriginPool {
    const existing = this.#origins.get(url)
    if (existing) return existing
    const origin: OriginPool = { url, slots: new Set(), idle: [], waiting: new Set() }
    this.#origins.set(url, origin)
    return origin
  }

  /** Returns an idle or new line. Undefined if a limit is reached. */
  #lineFor(origin: OriginPool): ConnectionSlot | undefined {
    const idle = origin.idle.pop()
    if (idle) {
      this.#idle.delete(idle)
      return idle
    }
    if (origin.slots.size >= mostPerOrigin) return undefined
    const [longestIdle] = this.#idle
    if (this.#count >= this.#most && longestIdle) this.#drop(longestIdle)
    return this.#count < this.#most ? this.#open(origin) : undefined
  }

  /** Lets an exchange wait for a line. Its deadline starts now only if it waits for its own origin. */
  #wait(origin: OriginPool, exchange: Exchange): void {
    origin.waiting.add(exchange)
    if (origin.slots.size === 0) this.#without.add(origin)
    else if (origin.slots.size < mostPerOrigin) this.#wanting.add(origin)
    // It waits for its own origin only, so the time counts.
    else exchange.startDeadline()
  }

  /** Makes a line to an origin. Its connection is opened by the first request, and again after the other side has
   * closed it. */
  #open(origin: OriginPool): ConnectionSlot {
    const awaited = { isOpen: false, times: 0 }
    const received = { bytes: 0 }
    const client = new Client(origin.url, {
      connect: (options, done) =>
        this.#connect(options, (...result) => {
          const [, socket] = result
          if (socket) {
            limitRawBytes(socket, received)
            dropContinue(socket, awaited)
          }
          done(...result)
        }),
      keepAliveTimeout: idleMs,
      maxHeaderSize: 16_384,
      pipelining: 1,
      // The deadline of the exchange covers headers and body.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const line: ConnectionSlot = {
      client,
      origin,
      isConnected: false,
      isUsed: false,
      awaited,
      received,
    }
    client.on('connect', () => {
      line.isConnected = true
      line.isUsed = false
    })
    client.on('disconnect', () => {
      line.isConnected = false
      if (this.#idle.has(line)) this.#drop(line)
    })
    origin.slots.add(line)
    this.#count++
    return line
  }

  /** Sends an exchange on a line, which is released when it is over. It is sent a second time if the other side
   * closed the idle connection meanwhile. */
  #begin(line: ConnectionSlot, exchange: Exchange): void {
    let isSecond = false
    const dispatch = () => {
      Object.assign(line.awaited, { isOpen: true, times: 0 })
      line.received.bytes = 0
      const { path, headers, body } = exchange.posted
      line.client.dispatch({ method: 'POST', path, headers, body }, exchange)
    }
    exchange.onConnectionFree = (error) => {
      if (error && !isSecond && line.isUsed && isClosing(error) && !exchange.isDecided) {
        // The other side closed the idle connection. Sending again is safe: even if it had read the request, the
        // notification would be retried some hours later.
        isSecond = true
        return queueMicrotask(dispatch)
      }
      exchange.endDeadline()
      if (error) exchange.fail(isLocal(error) ? new NoConnectionLeft(error.message) : error)
      line.isUsed = true
      this.#release(line)
    }
    exchange.startDeadline()
    dispatch()
  }

  /** Gives a line to the next exchange of its origin. It is closed instead if another origin waits for one and has
   * none. */
  #release(line: ConnectionSlot): void {
    const { origin } = line
    // An origin with several lines gives one up while another origin has none.
    const isOwed = this.#without.size > 0 && origin.slots.size > 1
    const next = isOwed ? undefined : nextOf(origin)
    if (next) this.#begin(line, next)
    else if (isOwed || this.#wanting.size > 0 || !line.isConnected) this.#drop(line)
    else {
      origin.idle.push(line)
      this.#idle.add(line)
    }
  }

  /** Closes a line and lets waiting origins take its place. */
  #drop(line: ConnectionSlot): void {
    const { origin, client } = line
    origin.slots.delete(line)
    this.#count--
    if (this.#idle.delete(line)) origin.idle.splice(origin.idle.indexOf(line), 1)
    if (origin.slots.size === 0 && this.#origins.get(origin.url) === origin) {
      this.#origins.delete(origin.url)
    }
    void client.destroy()
    this.#serve()
  }

  /** Opens lines while the limit allows: first for origins without any, then for the others in turn. */
  #serve(): void {
    for (const origins of [this.#without, this.#wanting]) {
      for (const origin of origins) {
        if (this.#count >= this.#most) return
        origins.delete(origin)
        const next = nextOf(origin)
        if (!next) continue
        this.#begin(this.#open(origin), next)
        if (origin.waiting.size > 0 && origin.slots.size < mostPerOrigin) this.#wanting.add(origin)
      }
    }
  }
}

/** Removes and returns the first waiting exchange that is still undecided. */
function nextOf({ waiting }: OriginPool): Exchange | undefined {
  for (const exchange of waiting) {
    waiting.delete(exchange)
    if (!exchange.isDecided) return exchange
  }
  return undefined
}

/** Returns whether a connection could not be opened because this machine lacks descriptors or memory. */
function isLocal({ code }: Error & { code?: string }): boolean {
  return code !== undefined && ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM'].includes(code)
}

/** Returns whether the connection was closed before any byte of an answer arrived. */
function isClosing(error: Error & { code?: string }): boolean {
  return (
    error.code === 'ECONNRESET' ||
    error.code === 'EPIPE' ||
    (error.code === 'UND_ERR_SOCKET' && /^(other side )?closed$/.test(error.message))
  )
}
