import { type buildConnector, Client } from 'undici'
import { type Awaited, dropContinue } from './continue.ts'
import { type Answer, Exchange, type Posted } from './exchange.ts'
import { limitRawBytes, type Received } from './raw-limit.ts'

/** At one origin: it may belong to many applications, and be a server that hangs. */
const mostPerOrigin = 128
const idleMs = 4_000

/** A connection, or the place of one: it is opened when there is something to send. */
interface Line {
  client: Client
  origin: Origin
  /** Whether the connection that it has now has brought an answer before. */
  isUsed: boolean
  isConnected: boolean
  awaited: Awaited
  received: Received
}

/** What goes to one origin: the lines that wait for work, used last first, and what waits for a
 * line. */
interface Origin {
  url: string
  lines: Set<Line>
  idle: Line[]
  waiting: Set<Exchange>
}

/** This process can open no connection any more; of the other side nothing is known. */
export class NoConnectionLeft extends Error {}

/** Kept-alive connections, a bounded number in all and per origin, one request at a time on each; one
 * that is idle is closed. */
export class Connections {
  readonly #connect: buildConnector.connector
  readonly #most: number
  readonly #origins = new Map<string, Origin>()
  #count = 0
  /** Those of all origins that wait for work, used last last. */
  readonly #idle = new Set<Line>()
  /** Origins to which something waits because there are as many lines in all as may be: those that have
   * none, and those that have some. */
  readonly #without = new Set<Origin>()
  readonly #wanting = new Set<Origin>()

  /** `most`: to all origins together. */
  constructor(connect: buildConnector.connector, { most }: { most: number }) {
    this.#connect = connect
    this.#most = most
  }

  /**
   * Posts, and resolves with the answer. Rejects with DeadlineOver when the other side has not answered
   * within `timeoutMs`, in which the time is not counted that passes because others have all lines; with
   * NoConnectionLeft when this process can open none.
   */
  post(originUrl: string, posted: Posted, timeoutMs: number): Promise<Answer> {
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
    const lines = origins.flatMap(({ lines }) => [...lines])
    await Promise.all(lines.map(({ client }) => client.destroy()))
  }

  #originOf(url: string): Origin {
    const known = this.#origins.get(url)
    if (known) return known
    const origin: Origin = { url, lines: new Set(), idle: [], waiting: new Set() }
    this.#origins.set(url, origin)
    return origin
  }

  /** Undefined when there are as many as may be. */
  #lineFor(origin: Origin): Line | undefined {
    const idle = origin.idle.pop()
    if (idle) {
      this.#idle.delete(idle)
      return idle
    }
    if (origin.lines.size >= mostPerOrigin) return undefined
    const [elsewhere] = this.#idle
    if (this.#count >= this.#most && elsewhere) this.#drop(elsewhere)
    return this.#count < this.#most ? this.#open(origin) : undefined
  }

  #wait(origin: Origin, exchange: Exchange): void {
    origin.waiting.add(exchange)
    if (origin.lines.size === 0) this.#without.add(origin)
    else if (origin.lines.size < mostPerOrigin) this.#wanting.add(origin)
    // It waits for answers of its own origin.
    else exchange.startDeadline()
  }

  #open(origin: Origin): Line {
    const awaited = { isOpen: false, times: 0 }
    const received = { bytes: 0 }
    const client = new Client(origin.url, {
      connect: (options, done) =>
        this.#connect(options, (...came) => {
          const [, socket] = came
          if (socket) {
            limitRawBytes(socket, received)
            dropContinue(socket, awaited)
          }
          done(...came)
        }),
      keepAliveTimeout: idleMs,
      maxHeaderSize: 16_384,
      pipelining: 1,
      // The one deadline is over all of it.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const line: Line = { client, origin, isConnected: false, isUsed: false, awaited, received }
    client.on('connect', () => {
      line.isConnected = true
      line.isUsed = false
    })
    client.on('disconnect', () => {
      line.isConnected = false
      if (this.#idle.has(line)) this.#drop(line)
    })
    origin.lines.add(line)
    this.#count++
    return line
  }

  #begin(line: Line, exchange: Exchange): void {
    let isSecond = false
    const dispatch = () => {
      Object.assign(line.awaited, { isOpen: true, times: 0 })
      line.received.bytes = 0
      const { path, headers, body } = exchange.posted
      line.client.dispatch({ method: 'POST', path, headers, body }, exchange)
    }
    exchange.onOver = (error) => {
      if (error && !isSecond && line.isUsed && isClosing(error) && !exchange.isDecided) {
        // The other side had closed the connection while it was idle. If it had read what was sent,
        // it would be sent again anyway, some hours later.
        isSecond = true
        return queueMicrotask(dispatch)
      }
      exchange.endDeadline()
      if (error) exchange.fail(isOurs(error) ? new NoConnectionLeft(error.message) : error)
      line.isUsed = true
      this.#release(line)
    }
    exchange.startDeadline()
    dispatch()
  }

  #release(line: Line): void {
    const { origin } = line
    // Nobody is left without a line while others have several.
    const isOwed = this.#without.size > 0 && origin.lines.size > 1
    const next = isOwed ? undefined : nextOf(origin)
    if (next) this.#begin(line, next)
    else if (isOwed || this.#wanting.size > 0 || !line.isConnected) this.#drop(line)
    else {
      origin.idle.push(line)
      this.#idle.add(line)
    }
  }

  #drop(line: Line): void {
    const { origin, client } = line
    origin.lines.delete(line)
    this.#count--
    if (this.#idle.delete(line)) origin.idle.splice(origin.idle.indexOf(line), 1)
    if (origin.lines.size === 0 && this.#origins.get(origin.url) === origin) {
      this.#origins.delete(origin.url)
    }
    void client.destroy()
    this.#serve()
  }

  /** There may be room for a line: for whoever has none, then for the others in turn. */
  #serve(): void {
    for (const crowd of [this.#without, this.#wanting]) {
      for (const origin of crowd) {
        if (this.#count >= this.#most) return
        crowd.delete(origin)
        const next = nextOf(origin)
        if (!next) continue
        this.#begin(this.#open(origin), next)
        if (origin.waiting.size > 0 && origin.lines.size < mostPerOrigin) this.#wanting.add(origin)
      }
    }
  }
}

/** The first that waits for a line of this origin, and still does. */
function nextOf({ waiting }: Origin): Exchange | undefined {
  for (const exchange of waiting) {
    waiting.delete(exchange)
    if (!exchange.isDecided) return exchange
  }
  return undefined
}

/** Whether a connection could not be opened for want of descriptors or memory. */
function isOurs({ code }: Error & { code?: string }): boolean {
  return code !== undefined && ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM'].includes(code)
}

/** Whether the connection was closed before anything came over it. */
function isClosing(error: Error & { code?: string }): boolean {
  return (
    error.code === 'ECONNRESET' ||
    error.code === 'EPIPE' ||
    (error.code === 'UND_ERR_SOCKET' && /^(other side )?closed$/.test(error.message))
  )
}
