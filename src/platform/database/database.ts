import pLimit, { type LimitFunction } from 'p-limit'
import pg from 'pg'
import { systemTimers, type Timers } from '../timers.ts'
import { batchWrites } from './batch-writes.ts'
import { type CopyValue, copyRows } from './copy.ts'
import { sqlState } from './errors.ts'
import { sendStatement } from './send-statement.ts'
import { Hints, type Signals } from './signals.ts'
import type { Sql } from './sql.ts'
import { WriteCheck } from './write-check.ts'

/** A connection for statements. `Row` is the row type of the calling store, whose SQL names its columns. */
export interface Db {
  rows<Row>(statement: Sql): Promise<Row[]>
  row<Row>(statement: Sql): Promise<Row | undefined>
}

declare const inTransaction: unique symbol

/**
 * A `Db` inside a transaction, which only `Database.transaction` creates. Functions that must be atomic require it by
 * type. Statements run in order, but each is sent without waiting for earlier answers. So use `Promise.all` for
 * independent statements. After a failed statement, all later ones fail.
 */
export interface Tx extends Db {
  readonly [inTransaction]: true
  /** Sends a statement without waiting for its answer. The transaction fails if the statement does. */
  write(statement: Sql): void
  /** Wakes the listeners of `channel` in every process after the commit: those of the subjects `about`, or all. A hint
   * may be lost, so listeners also poll. */
  hint(channel: string, about?: Iterable<string | number>): void
  /** Sends a message to every process together with the commit. Use it rarely: NOTIFY in a transaction takes a
   * database-wide lock during the commit. */
  publish(channel: string, payload: string): void
}

/** A transaction of `Database.bulk`, which can also copy rows. */
export interface BulkTx extends Tx {
  /** Copies many rows into a table. Values are in the order of the columns. */
  copy(
    into: { table: string; columns: readonly string[] },
    rows: Iterable<readonly CopyValue[]>,
  ): Promise<void>
}

export interface DatabaseOptions {
  url: string
  poolSize: number
  /** Time limit of a statement. */
  statementTimeoutMs: number
  signals?: Signals
  timers?: Timers
  /** Creates a connection pool. Default: `pg.Pool`. */
  makePool?: (config: pg.PoolConfig) => pg.Pool
}

/** What every transaction of a derived database does besides its work (`Database.withExtension`). */
export interface TransactionExtension {
  /** Runs before the work. If it throws, the transaction is rolled back and the work does not run. */
  afterBegin?(tx: Tx): Promise<void>
  /** Sends the last statements of a transaction, which commit with its work. */
  beforeCommit?(tx: Tx): void | Promise<void>
  /** Runs after the commit. */
  afterCommit?(): void
}

/** Returns an extension that does what `first` does and then what `second` does. */
function bothExtensions(
  first: TransactionExtension | undefined,
  second: TransactionExtension,
): TransactionExtension {
  if (!first) return second
  return {
    async afterBegin(tx) {
      await first.afterBegin?.(tx)
      await second.afterBegin?.(tx)
    },
    async beforeCommit(tx) {
      await first.beforeCommit?.(tx)
      await second.beforeCommit?.(tx)
    },
    afterCommit() {
      first.afterCommit?.()
      second.afterCommit?.()
    },
  }
}

/** Serialization failure and deadlock: the transaction was rolled back and may be run again. */
const repeatable = new Set(['40001', '40P01'])
/** A transaction runs at most this many times. */
const repeats = 5
/** Pause before a repeat, multiplied by the number of runs. Without it, two deadlocked transactions may meet again,
 * because one can take its first lock before the other wakes up. */
const repeatPauseMs = 20

/** The share of connections for reads. The rest is for transactions: with 300 callers and no limit, a write waited for
 * a second, mostly for a connection. */
const shareOfReads = 0.6

const ignore = () => {}

/** Returns the options of every connection. 64-bit integers are read as numbers (ids stay below 2^53), `numeric` as
 * exact text, times as `Date`, JSON as text. */
export function connectionOptions(options: DatabaseOptions): pg.ClientConfig {
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.INT8, Number)
  types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, parseTimestamptz)
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

/** Timestamps of this form are read by `Date`, which is several times as fast as pg. All others (infinity, years BC,
 * offsets with seconds) are read by pg. */
const usualMoment = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?\+00$/
const readUnusualMoment = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (
  text: string,
) => unknown

function parseTimestamptz(text: string): unknown {
  if (!usualMoment.test(text)) return readUnusualMoment(text)
  return new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)
}

/** The connection pools of this process. */
export class Database implements Db {
  readonly #pool: pg.Pool
  /** Connections for COPY, which a pipelining connection cannot run. They are open only while rows are loaded. */
  readonly #bulkPool: pg.Pool
  /** Limits the connections that single reads hold (`shareOfReads`). */
  readonly #readLimit: LimitFunction
  /** One connection for health checks, which must not wait behind requests. */
  readonly #checkPool: pg.Pool
  readonly #signals: Signals | undefined
  readonly #timers: Timers
  /** Knows whether the database accepts writes. */
  readonly writes: WriteCheck
  /** The partitions that are known to exist (`partitions.ts`). */
  readonly knownPartitions: Set<string>
  readonly #extension: TransactionExtension | undefined
  /** The same database without an extension: for records that stay when the operation is refused, such as counts of
   * attempts. */
  readonly unextended: Database

  constructor(source: DatabaseOptions | { base: Database; extension: TransactionExtension }) {
    if ('base' in source) {
      const { base, extension } = source
      this.#pool = base.#pool
      this.#bulkPool = base.#bulkPool
      this.#readLimit = base.#readLimit
      this.#checkPool = base.#checkPool
      this.#signals = base.#signals
      this.#timers = base.#timers
      this.writes = base.writes
      this.knownPartitions = base.knownPartitions
      this.#extension = bothExtensions(base.#extension, extension)
      this.unextended = base.unextended
      return
    }
    const options = source
    this.unextended = this
    this.knownPartitions = new Set()
    const common = { ...connectionOptions(options), max: options.poolSize }
    const { makePool = (config) => new pg.Pool(config), timers = systemTimers } = options
    this.#pool = makePool({ ...common, pipeline: true })
    this.#bulkPool = makePool(common)
    // The connection stays open when idle. If all connections of the server were taken, the check could open none,
    // although requests still have theirs.
    this.#checkPool = makePool({ ...common, max: 1, idleTimeoutMillis: 0 })
    this.#readLimit = pLimit(Math.max(1, Math.floor(shareOfReads * options.poolSize)))
    this.#timers = timers
    this.writes = new WriteCheck((how) => this.#probe(how), timers)
    // The pool replaces an idle connection that breaks. The next query reports a failure.
    for (const pool of [this.#pool, this.#bulkPool, this.#checkPool]) {
      pool.on('error', ignore)
      // A connection that breaks between two statements emits an error, which would end the process without a listener.
      // The next statement fails and reports it.
      pool.on('connect', (client) => client.on('error', ignore))
    }
    this.#signals = options.signals
  }

  /**
   * Returns a database on the same connections that adds `extension` to every transaction, after the extensions that
   * this one has. A statement outside of transactions that may write gets a transaction of its own, so that nothing is
   * written without the extension.
   */
  withExtension(extension: TransactionExtension): Database {
    return new Database({ base: this, extension })
  }

  async rows<Row>(statement: Sql): Promise<Row[]> {
    if (this.#extension && !onlyReads(statement)) {
      return this.transaction((tx) => tx.rows<Row>(statement))
    }
    return this.#readLimit(async () => {
      const client = await this.#pool.connect()
      try {
        return await sendStatement<Row>(client, statement)
      } catch (error) {
        this.writes.recordError(error)
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
   * Runs `work` in a transaction: commits when it resolves, rolls back when it throws. After a deadlock or a
   * serialization failure `work` runs again, so it must have no effect outside of `tx`.
   */
  async transaction<T>(work: (tx: Tx) => T | Promise<T>): Promise<T> {
    return this.#run(this.#pool, (tx) => work(tx), this.#extension)
  }

  /** Runs a transaction that prepares tables for later rows and changes no data: it has no extension. */
  async prepareTables<T>(work: (tx: Tx) => T | Promise<T>): Promise<T> {
    return this.#run(this.#pool, work)
  }

  /** Runs a transaction that can copy rows. */
  async bulk<T>(work: (tx: BulkTx) => T | Promise<T>): Promise<T> {
    return this.#run(this.#bulkPool, work, this.#extension)
  }

  /** Runs a transaction, and again after a serialization failure or a deadlock. */
  async #run<T>(
    pool: pg.Pool,
    work: (tx: BulkTx) => T | Promise<T>,
    extension?: TransactionExtension,
  ): Promise<T> {
    for (let run = 1; ; run++) {
      try {
        return await this.#runOnce(pool, work, extension)
      } catch (error) {
        if (run === repeats || !repeatable.has(sqlState(error) ?? '')) throw error
        await this.#timers.rest(run * repeatPauseMs)
      }
    }
  }

  /** Runs a transaction. Writes are sent without waiting for their answers; the first that fails is thrown. Hints
   * are sent after the commit, published messages with it. */
  async #runOnce<T>(
    pool: pg.Pool,
    work: (tx: BulkTx) => T | Promise<T>,
    extension: TransactionExtension | undefined,
  ): Promise<T> {
    const client = await pool.connect()
    const hints = new Hints()
    const published: [channel: string, payload: string][] = []
    const rows = senderOf(client)
    const writes: Promise<unknown>[] = []
    let firstWriteError: unknown
    const tx: Omit<BulkTx, typeof inTransaction> = {
      rows,
      row: async <Row>(statement: Sql) => (await rows<Row>(statement))[0],
      write: (statement) => {
        const sent = rows(statement).catch((error: unknown) => {
          firstWriteError ??= error
        })
        writes.push(sent)
      },
      copy: async (into, rows) => {
        await Promise.all(writes)
        await copyRows(client, into, rows)
      },
      hint: (channel, about) => hints.add(channel, about),
      publish: (channel: string, payload: string) => void published.push([channel, payload]),
    }
    let broken: Error | undefined
    try {
      await client.query('begin')
      // Without a function to wait for, writes are sent together with the commit.
      if (extension?.afterBegin) await extension.afterBegin(tx as BulkTx)
      const result = await work(tx as BulkTx)
      const lastStatements = extension?.beforeCommit?.(tx as BulkTx)
      if (lastStatements) await lastStatements
      for (const [channel, payload] of published) {
        await this.#signals?.notify(client, channel, payload)
      }
      // The commit is sent with the last writes. PostgreSQL turns it into a rollback if one of them failed.
      await Promise.all([...writes, rows(commit)])
      if (firstWriteError) throw firstWriteError
      extension?.afterCommit?.()
      for (const hint of hints.take()) this.#signals?.hint(...hint)
      for (const [channel, payload] of published) this.#signals?.deliver(channel, payload)
      return result
    } catch (error) {
      const cause = causeOf(error, firstWriteError)
      this.writes.recordError(cause)
      // A connection that cannot roll back is closed instead of returned to the pool.
      await client.query('rollback').catch((refused: Error) => {
        broken = refused
      })
      throw cause
    } finally {
      client.release(broken)
    }
  }

  /** Tests whether the database takes writes. With `addsToFiles` it writes a row, which shows whether the disk is
   * full. */
  async #probe({ addsToFiles }: { addsToFiles: boolean }): Promise<void> {
    // While the pool has no connection, the probe must show whether requests can open one.
    const pool = this.#pool.totalCount === 0 ? this.#pool : this.#checkPool
    // The table is empty, so this locks nothing. A standby or a read-only session refuses it (25006).
    await pool.query('select from write_probe for update')
    if (!addsToFiles) return
    await this.#run(this.#checkPool, (tx) => {
      tx.write({ ...probe, values: ['x'.repeat(probeBytes)] })
      tx.write(emptyProbe)
    })
  }

  /** Numbers of open connections, of idle ones, and of requests that wait for one. */
  get load(): { total: number; idle: number; waiting: number } {
    const { totalCount: total, idleCount: idle, waitingCount: waiting } = this.#pool
    return { total, idle, waiting: waiting + this.#readLimit.pendingCount }
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.end(), this.#bulkPool.end(), this.#checkPool.end()])
  }
}

/** Returns whether a statement certainly writes nothing. Any that is not a plain `select` counts as writing, and so does
 * one with a word of a writing statement. */
function onlyReads({ text }: Sql): boolean {
  return /^\s*(select|with)\b/i.test(text) && !/\b(insert|update|delete|merge)\b/i.test(text)
}

/** Size of the probe in bytes: more than fits into the free space of existing pages. */
const probeBytes = 65_536
const probe = { text: 'insert into write_probe (filler) values ($1)', name: undefined }
const emptyProbe: Sql = { text: 'delete from write_probe', name: undefined, values: [] }

/** Returns the first error of a transaction: the thrown one or that of its writes. Later statements only report that
 * the transaction is aborted (25P02). */
function causeOf(thrown: unknown, writeError: unknown): unknown {
  return writeError === undefined || sqlState(writeError) === '25P02' ? thrown : writeError
}

const commit: Sql = { text: 'commit', name: undefined, values: [] }

/** Returns a function that sends statements in order: without waiting if the connection pipelines, otherwise each after
 * the previous answer. */
function senderOf(client: pg.PoolClient): Db['rows'] {
  if (client.pipeline) {
    return (statement) => {
      batchWrites(client)
      return sendStatement(client, statement)
    }
  }
  let last: Promise<unknown> = Promise.resolve()
  return <Row>(statement: Sql) => {
    const sent = last.then(() => sendStatement<Row>(client, statement))
    last = sent.catch(ignore)
    return sent
  }
}
