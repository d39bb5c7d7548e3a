import { type buildConnector, Client } from 'undici'
import { type Awaited, dropContinue } from './continue.ts'
import { type Answer, DeadlineOver, Exchange, type Posted } from './exchange.ts'

/** At one origin: it may belong to many applications, and be a server that hangs. */
const mostPerOrigin = 128
const idleMs = 4_000

/** A connection, or the place of one: it is opened when there is something to send. */
interface Line {
  client: Client
  url: string
  origin: Origin
  /** Whether the connection that it has now has brought an answer before. */
  isUsed: boolean
  isConnected: boolean
  awaited: Awaited
}

/** What goes to one origin: the lines that wait for work, used last first, and what waits for a
 * line. */
interface Origin {
  lines: Set<Line>
  idle: Line[]
  waiting: Set<Exchange>
}

/** Kept-alive connections, a bounded number per origin, one request at a time on each; one that is
 * idle is closed. */
export class Connections {
  readonly #connect: buildConnector.connector
  readonly #origins = new Map<string, Origin>()

  constructor(connect: buildConnector.connector) {
    this.#connect = connect
  }

  /** Posts, and resolves with the answer; rejects with DeadlineOver when `timeoutMs` are over first. */
  post(originUrl: string, posted: Posted, timeoutMs: number): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const exchange = new Exchange(posted, { resolve, reject })
      const origin = this.#originOf(originUrl)
      const timer = setTimeout(() => {
        origin.waiting.delete(exchange)
        exchange.abort(new DeadlineOver())
      }, timeoutMs)
      exchange.onOver = () => clearTimeout(timer)
      const line = origin.idle.pop() ?? this.#open(originUrl, origin)
      if (line) this.#begin(line, exchange)
      else origin.waiting.add(exchange)
    })
  }

  async close(): Promise<void> {
    const lines = [...this.#origins.values()].flatMap(({ lines }) => [...lines])
    this.#origins.clear()
    await Promise.all(lines.map(({ client }) => client.destroy()))
  }

  #originOf(url: string): Origin {
    const known = this.#origins.get(url)
    if (known) return known
    const origin: Origin = { lines: new Set(), idle: [], waiting: new Set() }
    this.#origins.set(url, origin)
    return origin
  }

  /** Undefined when there are as many as may be. */
  #open(url: string, origin: Origin): Line | undefined {
    if (origin.lines.size >= mostPerOrigin) return undefined
    const awaited = { isOpen: false, times: 0 }
    const client = new Client(url, {
      connect: (options, done) =>
        this.#connect(options, (...came) => {
          const [, socket] = came
          if (socket) dropContinue(socket, awaited)
          done(...came)
        }),
      keepAliveTimeout: idleMs,
      maxHeaderSize: 16_384,
      pipelining: 1,
      // The one deadline is over all of it.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const line: Line = { client, url, origin, isConnected: false, isUsed: false, awaited }
    client.on('connect', () => {
      line.isConnected = true
      line.isUsed = false
    })
    client.on('disconnect', () => {
      line.isConnected = false
      const place = origin.idle.indexOf(line)
      if (place < 0) return
      origin.idle.splice(place, 1)
      this.#drop(line)
    })
    origin.lines.add(line)
    return line
  }

  #begin(line: Line, exchange: Exchange): void {
    const clearDeadline = exchange.onOver
    let isSecond = false
    const dispatch = () => {
      Object.assign(line.awaited, { isOpen: true, times: 0 })
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
      clearDeadline(error)
      if (error) exchange.fail(error)
      line.isUsed = true
      this.#release(line)
    }
    dispatch()
  }

  #release(line: Line): void {
    const { origin } = line
    const [next] = origin.waiting
    if (next) {
      origin.waiting.delete(next)
      this.#begin(line, next)
    } else if (line.isConnected) origin.idle.push(line)
    else this.#drop(line)
  }

  #drop(line: Line): void {
    const { origin, url, client } = line
    origin.lines.delete(line)
    if (origin.lines.size === 0 && this.#origins.get(url) === origin) this.#origins.delete(url)
    void client.destroy()
  }
}

/** Whether the connection was closed before anything came over it. */
function isClosing(error: Error & { code?: string }): boolean {
  return (
    error.code === 'ECONNRESET' ||
    error.code === 'EPIPE' ||
    (error.code === 'UND_ERR_SOCKET' && /^(other side )?closed$/.test(error.message))
  )
}
