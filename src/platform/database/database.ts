import pLimit, { type LimitFunction } from 'p-limit'
import pg from 'pg'
import { systemTimers, type Timers } from '../timers.ts'
import { type CopyValue, copyRows } from './copy.ts'
import { sqlState } from './errors.ts'
import { gather } from './gather.ts'
import { send } from './prepared.ts'
import { Hints, type Signals } from './signals.ts'
import type { Sql } from './sql.ts'
import { WriteCheck } from './write-check.ts'

/** What reads need. `Row` is the row type of the room's store; its columns are written in its SQL. */
export interface Db {
  rows<Row>(statement: Sql): Promise<Row[]>
  row<Row>(statement: Sql): Promise<Row | undefined>
}

declare const inTransaction: unique symbol

/**
 * A `Db` that only `Database.transaction` can make: what must be atomic asks for it by type. Statements
 * run in the order in which they are asked for, each sent without waiting for the one before: those
 * that need nothing of each other's answers are asked for at once, with `Promise.all`. After one that
 * fails, all behind it fail.
 */
export interface Tx extends Db {
  readonly [inTransaction]: true
  /** Runs a statement in its turn, whose answer nobody waits for: the transaction fails if it does. */
  write(statement: Sql): void
  /** Wakes who listens on `channel`, in every process, once this transaction has committed: those whom
   * any of `about` concerns, or all. Lossy by design: listeners poll as well. */
  hint(channel: string, about?: Iterable<string | number>): void
  /** Tells every process, together with the commit. For rare things: a NOTIFY inside a transaction
   * takes a database-wide lock while it commits. */
  publish(channel: string, payload: string): void
}

/** What `Database.bulk` makes, for loading much. */
export interface BulkTx extends Tx {
  /** Copies many rows into a table at once. Values stand in the order of the columns. */
  copy(
    into: { table: string; columns: readonly string[] },
    rows: Iterable<readonly CopyValue[]>,
  ): Promise<void>
}

export interface DatabaseOptions {
  url: string
  poolSize: number
  /** Ends a statement that runs longer. */
  statementTimeoutMs: number
  signals?: Signals
  timers?: Timers
  /** Opens a pool of connections; pg's own unless given. */
  makePool?: (config: pg.PoolConfig) => pg.Pool
}

/** Serialization failure and deadlock: the transaction left nothing behind and may be run again. */
const repeatable = new Set(['40001', '40P01'])
const repeats = 5
/** Before a repeat, times the number of runs: who locked whom out would else meet again, since the
 * repeat may take its first lock before the other has woken up to it. */
const repeatPauseMs = 20

/** The other connections are left to transactions, which would else wait behind every read that came before: with
 * 300 callers a write waited for a second, mostly for a connection. */
const shareOfReads = 0.6

const ignore = () => {}

/** What every connection has in common. Integers of 64 bits are read as numbers (no id is past
 * 2^53), `numeric` as exact text, times as Date, JSON as text. */
export function connectionOptions(options: DatabaseOptions): pg.ClientConfig {
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.INT8, Number)
  types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, readMoment)
  types.setTypeParser(pg.types.builtins.JSON, (text: string) => text)
  types.setTypeParser(pg.types.builtins.JSONB, (text: string) => text)
  return {
    connectionString: options.url,
    types,
    application_name: 'feria',
    statement_timeout: options.statementTimeoutMs,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  }
}

/** The usual form is left to the language's own reader, several times as quick as pg's; whatever is
 * unusual (infinity, years before Christ, offsets with seconds) to pg's. */
const usualMoment = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?\+00$/
const readUnusualMoment = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (
  text: string,
) => unknown

function readMoment(text: string): unknown {
  if (!usualMoment.test(text)) return readUnusualMoment(text)
  return new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)
}

/** Owns the pools of connections. */
export class Database implements Db {
  readonly #pool: pg.Pool
  /** A connection that pipelines cannot copy; these are there only while something is loaded. */
  readonly #bulkPool: pg.Pool
  /** Reads of one statement hold so many connections of the pool at most, however many wait. */
  readonly #readLimit: LimitFunction
  /** One connection, so that nobody who wants to know how the database is waits behind requests. */
  readonly #checkPool: pg.Pool
  readonly #signals: Signals | undefined
  readonly #timers: Timers
  /** Whether writes are taken. */
  readonly writes: WriteCheck

  constructor(options: DatabaseOptions) {
    const common = { ...connectionOptions(options), max: options.poolSize }
    const { makePool = (config) => new pg.Pool(config), timers = systemTimers } = options
    this.#pool = makePool({ ...common, pipeline: true })
    this.#bulkPool = makePool(common)
    // Kept while nothing is asked: when others hold all connections, a new one would be refused to the check although
    // requests have theirs.
    this.#checkPool = makePool({ ...common, max: 1, idleTimeoutMillis: 0 })
    this.#readLimit = pLimit(Math.max(1, Math.floor(shareOfReads * options.poolSize)))
    this.#timers = timers
    this.writes = new WriteCheck((how) => this.#probe(how), timers)
    // An idle connection that breaks is replaced by its pool; who needs one learns it from its query.
    for (const pool of [this.#pool, this.#bulkPool, this.#checkPool]) {
      pool.on('error', ignore)
      // One that breaks between two statements says so by an event, which would end the process if
      // nobody listened; the next statement fails and is what the caller learns it from.
      pool.on('connect', (client) => client.on('error', ignore))
    }
    this.#signals = options.signals
  }

  async rows<Row>(statement: Sql): Promise<Row[]> {
    return this.#readLimit(async () => {
      const client = await this.#pool.connect()
      try {
        return await send<Row>(client, statement)
      } catch (error) {
        this.writes.failed(error)
        throw error
      } finally {
        client.release()
      }
    })
  }

  async row<Row>(statement: Sql): Promise<Row | undefined> {
    return (await this.rows<Row>(statement))[0]
  }

  /**
   * Runs `work` in one transaction: committed when it resolves, rolled back when it throws. It is
   * run again when PostgreSQL asks for that, so it must touch nothing but its `tx`.
   */
  async transaction<T>(work: (tx: Tx) => T | Promise<T>): Promise<T> {
    return this.#run(this.#pool, (tx) => work(tx))
  }

  /** The same for work that copies rows. */
  async bulk<T>(work: (tx: BulkTx) => T | Promise<T>): Promise<T> {
    return this.#run(this.#bulkPool, work)
  }

  async #run<T>(pool: pg.Pool, work: (tx: BulkTx) => T | Promise<T>): Promise<T> {
    for (let run = 1; ; run++) {
      try {
        return await this.#runOnce(pool, work)
      } catch (error) {
        if (run === repeats || !repeatable.has(sqlState(error) ?? '')) throw error
        await this.#timers.rest(run * repeatPauseMs)
      }
    }
  }

  async #runOnce<T>(pool: pg.Pool, work: (tx: BulkTx) => T | Promise<T>): Promise<T> {
    const client = await pool.connect()
    const hints = new Hints()
    const published: [channel: string, payload: string][] = []
    const rows = senderOf(client)
    const written: Promise<unknown>[] = []
    let failed: unknown
    const tx: Omit<BulkTx, typeof inTransaction> = {
      rows,
      row: async <Row>(statement: Sql) => (await rows<Row>(statement))[0],
      write: (statement) => {
        const sent = rows(statement).catch((error: unknown) => {
          failed ??= error
        })
        written.push(sent)
      },
      copy: async (into, rows) => {
        await Promise.all(written)
        await copyRows(client, into, rows)
      },
      hint: (channel, about) => hints.add(channel, about),
      publish: (channel: string, payload: string) => void published.push([channel, payload]),
    }
    let broken: Error | undefined
    try {
      await client.query('begin')
      const result = await work(tx as BulkTx)
      for (const [channel, payload] of published) {
        await this.#signals?.notify(client, channel, payload)
      }
      // Goes out with what was just written: PostgreSQL makes a rollback of it if any of that failed.
      await Promise.all([...written, rows(commit)])
      if (failed) throw failed
      for (const hint of hints.take()) this.#signals?.hint(...hint)
      for (const [channel, payload] of published) this.#signals?.deliver(channel, payload)
      return result
    } catch (error) {
      const cause = causeOf(error, failed)
      this.writes.failed(cause)
      // A connection that cannot even roll back is not given back to the pool.
      await client.query('rollback').catch((refused: Error) => {
        broken = refused
      })
      throw cause
    } finally {
      client.release(broken)
    }
  }

  async #probe({ addsToFiles }: { addsToFiles: boolean }): Promise<void> {
    // While requests have no connection, whether they can get one decides.
    const pool = this.#pool.totalCount === 0 ? this.#pool : this.#checkPool
    // Locks nothing, since the table is empty; a standby and a read-only session refuse it (25006).
    await pool.query('select from write_probe for update')
    if (!addsToFiles) return
    await this.#run(this.#checkPool, (tx) => {
      tx.write({ ...probe, values: ['x'.repeat(probeBytes)] })
      tx.write(emptyProbe)
    })
  }

  /** Connections: all there are, those at rest, and requests that wait for one. */
  get load(): { total: number; idle: number; waiting: number } {
    const { totalCount: total, idleCount: idle, waitingCount: waiting } = this.#pool
    return { total, idle, waiting: waiting + this.#readLimit.pendingCount }
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.end(), this.#bulkPool.end(), this.#checkPool.end()])
  }
}

/** More than fits into what is free of the pages that a table has. */
const probeBytes = 65_536
const probe = { text: 'insert into write_probe (filler) values ($1)', name: undefined }
const emptyProbe: Sql = { text: 'delete from write_probe', name: undefined, values: [] }

/** What a transaction failed by: of what was thrown and what became of its writes, the one that failed first. Whatever
 * came behind it only says that something did (25P02). */
function causeOf(thrown: unknown, written: unknown): unknown {
  return written === undefined || sqlState(written) === '25P02' ? thrown : written
}

const commit: Sql = { text: 'commit', name: undefined, values: [] }

/** Sends statements in their order: all at once where the connection pipelines, else each once the one
 * before is answered. */
function senderOf(client: pg.PoolClient): Db['rows'] {
  if (client.pipeline) {
    return (statement) => {
      gather(client)
      return send(client, statement)
    }
  }
  let last: Promise<unknown> = Promise.resolve()
  return <Row>(statement: Sql) => {
    const sent = last.then(() => send<Row>(client, statement))
    last = sent.catch(ignore)
    return sent
  }
}
