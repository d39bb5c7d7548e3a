import pg from 'pg'
import { connectionOptions, type DatabaseOptions, type Db } from './database.ts'
import { sqlState } from './errors.ts'
import { gather } from './gather.ts'
import { send } from './prepared.ts'
import type { Sql } from './sql.ts'

/** Three carry the load of ten that wait for each answer. */
const connections = 3
/** One connection has all reads as long as it keeps up: what leaves in one piece costs both sides less
 * than what is spread (a fifth, measured with 32 requests at a time). It does not when so many are under
 * way, or when none was answered for so long. */
const deep = 48
const stuckMs = 20

const ignore = () => {}

interface PipelineConnection {
  client: Promise<pg.Client> | undefined
  /** Statements sent that have not been answered. */
  under: number
  /** When the last was answered, or the first sent of those under way. */
  since: number
}

/**
 * Short reads, several under way on one connection: the next is sent before the last is answered, so
 * neither side sleeps and wakes for each (a fifth less processor time an order read). What is behind
 * a slow statement waits for it, so only reads by key belong here; everything else takes the pool.
 */
export class Pipeline implements Db {
  readonly #options: DatabaseOptions
  readonly #queues: PipelineConnection[] = Array.from({ length: connections }, () => ({
    client: undefined,
    under: 0,
    since: 0,
  }))
  #closed = false

  constructor(options: DatabaseOptions) {
    this.#options = options
  }

  async rows<Row>(statement: Sql): Promise<Row[]> {
    const queue = this.#next()
    const client = queue.client ?? this.#open(queue)
    queue.under++
    try {
      const ready = await client
      gather(ready)
      return await sent<Row>(ready, statement)
    } catch (error) {
      if (isBroken(error) && queue.client === client) {
        // What was under way is lost; the next read opens another connection.
        queue.client = undefined
        client.then((each) => each.end()).catch(ignore)
      }
      throw error
    } finally {
      queue.under--
      queue.since = performance.now()
    }
  }

  #next(): PipelineConnection {
    const now = performance.now()
    const keepsUp = ({ under, since }: PipelineConnection) =>
      under === 0 || (under < deep && now - since < stuckMs)
    const queue =
      this.#queues.find(keepsUp) ??
      this.#queues.reduce((least, each) => (each.under < least.under ? each : least))
    if (queue.under === 0) queue.since = now
    return queue
  }

  async row<Row>(statement: Sql): Promise<Row | undefined> {
    return (await this.rows<Row>(statement))[0]
  }

  async close(): Promise<void> {
    this.#closed = true
    const open = this.#queues.map(({ client }) => client?.then((each) => each.end()))
    await Promise.allSettled(open)
  }

  /** Opens the connection of a lane, and forgets it when it could not be opened, whatever the reason, or has ended. */
  #open(queue: PipelineConnection): Promise<pg.Client> {
    const client = this.#connect()
    const forget = () => {
      if (queue.client === client) queue.client = undefined
    }
    client.then((each) => each.once('end', forget), forget)
    queue.client = client
    return client
  }

  async #connect(): Promise<pg.Client> {
    if (this.#closed) throw new Error('the connections are closed')
    const client = new pg.Client({
      ...connectionOptions(this.#options),
      pipeline: true,
      // What waits that long is behind several that ran into their own deadline: it and the connection
      // are given up, so that nobody joins that queue.
      query_timeout: 3 * this.#options.statementTimeoutMs,
    })
    // The read that meets a broken connection reports it; the event would end the process.
    client.on('error', ignore)
    await client.connect()
    return client
  }
}

/** A statement is prepared by whoever sends it first, and those behind it count on that. When it
 * fails, they meet no such statement (26000), or two prepare it anew (42P05): then each sends its own. */
async function sent<Row>(client: pg.Client, statement: Sql): Promise<Row[]> {
  try {
    return await send<Row>(client, statement)
  } catch (error) {
    if (!/^(26000|42P05)$/.test(sqlState(error) ?? '')) throw error
    const { text, values } = statement
    return send<Row>(client, { text, values, name: undefined })
  }
}

/** Whether the connection is of no more use: an answer of PostgreSQL's that is not its farewell means
 * that it is. */
function isBroken(error: unknown): boolean {
  const state = sqlState(error)
  return state === undefined || /^(08|57P)/.test(state)
}
