import pg from 'pg'
import type { SimulationClock } from '../simulation-clock.ts'
import { statementModelOf } from './statements.ts'
import { primaryKeyOf, type RowChange, type TableName, type TableRows } from './tables.ts'

/** An error as PostgreSQL reports it. */
export function postgresError(code: string, message: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code })
}

/** Thrown by a statement that has to wait until this transaction has ended. */
export class LockWait {
  readonly by: SimulatedTransaction
  constructor(by: SimulatedTransaction) {
    this.by = by
  }
}

/** What is visible to nobody else yet, by table and key; undefined for a deleted row. */
type WriteSet = Map<TableName, Map<string, TableRows[TableName] | undefined>>

export class SimulatedTransaction {
  readonly written: WriteSet = new Map()
  readonly locks = new Set<string>()
  readonly notices: string[] = []
  hasFailed = false
  /** Committed without waiting for the disk. */
  isForgetful = false
  waitsFor: SimulatedTransaction | undefined
}

/** What a connection is to the server. */
export class SimulatedSession {
  readonly owner: string
  transaction: SimulatedTransaction | undefined
  /** Advisory locks that it holds until it ends. */
  readonly locks = new Set<string>()
  /** Takes what is told on the channel that it listens on. */
  onNotice: ((payload: string) => void) | undefined
  isListening = false
  isOpen = true
  constructor(owner: string) {
    this.owner = owner
  }
}

/** One statement that the server ran, for holding the model against PostgreSQL. */
export interface ExecutedStatement {
  session: SimulatedSession
  text: string
  values: readonly unknown[]
  rows?: readonly object[]
  code?: string
}

type ServerFaults = { isDown: boolean; isReadOnly: boolean; isDiskFull: boolean }

/** The writer of PostgreSQL's log brings to disk what is older than this. */
const flushedAfterMs = 600

/**
 * A PostgreSQL in memory that knows the statements of the core and no others (`statements.ts`). Transactions
 * are read committed: each statement sees what is committed by then, rows that are written or locked stay
 * locked until the end, deadlocks are found. A crash forgets what was committed without waiting for the
 * disk. A conformance test holds it to the real one.
 */
export class SimulatedPostgres {
  readonly faults: ServerFaults = { isDown: false, isReadOnly: false, isDiskFull: false }
  readonly sessions = new Set<SimulatedSession>()
  /** Called with what each commit has changed. */
  onCommit: (changes: readonly RowChange[], session: SimulatedSession) => void = () => {}
  onRefused: (session: SimulatedSession) => void = () => {}
  /** Every statement that was run, if that is wanted. */
  executedStatements: ExecutedStatement[] | undefined
  readonly #world: SimulationClock
  readonly #tables = new Map<TableName, Map<string, TableRows[TableName]>>()
  readonly #locks = new Map<string, SimulatedTransaction>()
  readonly #waiting = new Map<SimulatedTransaction, (() => void)[]>()
  /** What a crash may forget, the oldest first. */
  #unflushed: { at: number; changes: readonly RowChange[] }[] = []

  constructor(world: SimulationClock) {
    this.#world = world
  }

  /** Committed rows. */
  rows<Name extends TableName>(table: Name): Map<string, TableRows[Name]> {
    let rows = this.#tables.get(table)
    if (!rows) {
      rows = new Map()
      this.#tables.set(table, rows)
    }
    return rows as Map<string, TableRows[Name]>
  }

  /** Writes a row past all transactions: what is there in the beginning. */
  put<Name extends TableName>(table: Name, row: TableRows[Name]): void {
    this.rows(table).set(primaryKeyOf[table](row), row)
  }

  open(owner: string): SimulatedSession {
    if (this.faults.isDown) throw postgresError('57P03', 'the database system is starting up')
    const session = new SimulatedSession(owner)
    this.sessions.add(session)
    return session
  }

  /** The connection is gone, or was closed: what it had not committed never was. */
  close(session: SimulatedSession): void {
    if (!session.isOpen) return
    session.isOpen = false
    this.sessions.delete(session)
    this.executedStatements?.push({ session, text: 'close', values: [] })
    this.#end(session)
  }

  /** Ends at once, and forgets some of what it may forget. Whoever is connected is not told: see `SimulatedClient`. */
  crash(): void {
    this.faults.isDown = true
    for (const session of [...this.sessions]) this.close(session)
    this.#flush()
    const survivingCount = this.#world.random.below(this.#unflushed.length + 1)
    for (const { changes } of this.#unflushed.splice(survivingCount).reverse()) {
      for (const { table, key, before } of changes) {
        if (before) this.rows(table).set(key, before as never)
        else this.rows(table).delete(key)
      }
    }
  }

  /** Runs a statement. Throws `LockWait` when it has to wait, and PostgreSQL's errors. */
  execute(session: SimulatedSession, text: string, values: readonly unknown[]): object[] {
    try {
      const rows = this.#run(session, text, values)
      this.executedStatements?.push({ session, text, values, rows })
      return rows
    } catch (error) {
      if (error instanceof LockWait) {
        this.#findDeadlock(session, error.by)
        throw error
      }
      if (session.transaction) session.transaction.hasFailed = true
      if (error instanceof pg.DatabaseError) {
        const { code = '' } = error
        this.executedStatements?.push({ session, text, values, code })
        if (code === '25006' || code === '53100') this.onRefused(session)
      }
      throw error
    }
  }

  /** Calls back when a transaction has ended. */
  whenEnded(transaction: SimulatedTransaction, then: () => void): void {
    const waiting = this.#waiting.get(transaction) ?? []
    this.#waiting.set(transaction, [...waiting, then])
  }

  /** Whether somebody holds the advisory lock of this name. */
  isLocked(name: string): boolean {
    for (const { locks } of this.sessions) if (locks.has(name)) return true
    return false
  }

  #run(session: SimulatedSession, text: string, values: readonly unknown[]): object[] {
    if (text === 'begin') {
      session.transaction = new SimulatedTransaction()
      return []
    }
    if (text === 'rollback') {
      this.#end(session)
      return []
    }
    if (text === 'commit') {
      const { transaction } = session
      if (transaction && !transaction.hasFailed) this.#commit(transaction, session)
      else this.#end(session)
      return []
    }
    if (session.transaction?.hasFailed) throw postgresError('25P02', 'transaction is aborted')
    this.#refuse(text)
    const single = session.transaction ? undefined : new SimulatedTransaction()
    const transaction = session.transaction ?? single
    if (!transaction) return []
    try {
      const view = new StatementView(this, session, transaction)
      const rows = statementModelOf(text)(view, values)
      view.keep()
      transaction.waitsFor = undefined
      if (single) this.#commit(single, session)
      return rows
    } catch (error) {
      if (single) this.#release(single)
      throw error
    }
  }

  #refuse(text: string): void {
    if (this.faults.isReadOnly && isWrite.test(text)) {
      throw postgresError('25006', 'cannot execute in a read-only transaction')
    }
    if (this.faults.isDiskFull && addsToFiles.test(text)) {
      throw postgresError('53100', 'could not extend file: No space left on device')
    }
  }

  #commit(transaction: SimulatedTransaction, session: SimulatedSession): void {
    const changes: RowChange[] = []
    for (const [table, written] of transaction.written) {
      const rows = this.rows(table)
      for (const [key, after] of written) {
        changes.push({ table, key, before: rows.get(key), after } as RowChange)
        if (after) rows.set(key, after)
        else rows.delete(key)
      }
    }
    const { notices, isForgetful } = transaction
    if (session.transaction === transaction) session.transaction = undefined
    this.#release(transaction)
    if (changes.length > 0) {
      this.#flush()
      if (isForgetful) this.#unflushed.push({ at: this.#world.now, changes })
      else this.#unflushed = []
      this.onCommit(changes, session)
    }
    for (const notice of notices) {
      for (const { isListening, onNotice } of this.sessions) if (isListening) onNotice?.(notice)
    }
  }

  #flush(): void {
    const before = this.#world.now - flushedAfterMs
    this.#unflushed = this.#unflushed.filter(({ at }) => at >= before)
  }

  /** Ends a transaction without committing it. */
  #end(session: SimulatedSession): void {
    const { transaction } = session
    session.transaction = undefined
    if (transaction) this.#release(transaction)
  }

  #release(transaction: SimulatedTransaction): void {
    for (const name of transaction.locks) this.#locks.delete(name)
    transaction.locks.clear()
    const waiting = this.#waiting.get(transaction) ?? []
    this.#waiting.delete(transaction)
    for (const then of waiting) then()
  }

  #findDeadlock({ transaction }: SimulatedSession, by: SimulatedTransaction): void {
    if (!transaction) return
    transaction.waitsFor = by
    for (let next: SimulatedTransaction | undefined = by; next; next = next.waitsFor) {
      if (next !== transaction) continue
      transaction.waitsFor = undefined
      transaction.hasFailed = true
      throw postgresError('40P01', 'deadlock detected')
    }
  }

  /** Takes a lock until the transaction ends. Returns whether it was free. */
  tryLock(name: string, transaction: SimulatedTransaction): SimulatedTransaction | undefined {
    const holder = this.#locks.get(name)
    if (holder && holder !== transaction) return holder
    this.#locks.set(name, transaction)
    transaction.locks.add(name)
    return undefined
  }
}

const isWrite = /^(insert|update|delete|create|alter)|for (no key )?update/
const addsToFiles = /^(insert into (?!holders|lanes)|create)/

/** What one statement sees and does. What it writes is kept only when all of it could be done. */
export class StatementView {
  readonly server: SimulatedPostgres
  readonly session: SimulatedSession
  readonly transaction: SimulatedTransaction
  readonly #written: (() => void)[] = []

  constructor(
    server: SimulatedPostgres,
    session: SimulatedSession,
    transaction: SimulatedTransaction,
  ) {
    this.server = server
    this.session = session
    this.transaction = transaction
  }

  /** Rows of a table that are visible. */
  *all<Name extends TableName>(table: Name): Generator<TableRows[Name]> {
    const own = this.transaction.written.get(table) as Map<string, TableRows[Name]> | undefined
    const committed = this.server.rows(table)
    for (const [key, row] of committed) if (!own?.has(key)) yield row
    for (const row of own?.values() ?? []) if (row) yield row
  }

  find<Name extends TableName>(table: Name, key: string): TableRows[Name] | undefined {
    const own = this.transaction.written.get(table)
    return (own?.has(key) ? own.get(key) : this.server.rows(table).get(key)) as
      | TableRows[Name]
      | undefined
  }

  /** Locks a row, and waits for whoever has locked it. */
  lock<Name extends TableName>(table: Name, row: TableRows[Name]): void {
    this.lockNamed(`${table} ${primaryKeyOf[table](row)}`)
  }

  lockNamed(name: string): void {
    const holder = this.server.tryLock(name, this.transaction)
    if (holder) throw new LockWait(holder)
  }

  insert<Name extends TableName>(table: Name, row: TableRows[Name]): void {
    this.lock(table, row)
    if (this.find(table, primaryKeyOf[table](row)))
      throw postgresError('23505', `duplicate key in ${table}`)
    this.#put(table, row)
  }

  update<Name extends TableName>(
    table: Name,
    row: TableRows[Name],
    values: Partial<TableRows[Name]>,
  ) {
    this.lock(table, row)
    const after = { ...row, ...values }
    this.#put(table, after)
    return after
  }

  remove<Name extends TableName>(table: Name, row: TableRows[Name]): void {
    this.lock(table, row)
    const key = primaryKeyOf[table](row)
    this.#written.push(() => void this.#own(table).set(key, undefined))
  }

  keep(): void {
    for (const write of this.#written) write()
  }

  #put<Name extends TableName>(table: Name, row: TableRows[Name]): void {
    const key = primaryKeyOf[table](row)
    this.#written.push(() => void this.#own(table).set(key, row))
  }

  #own(table: TableName): Map<string, TableRows[TableName] | undefined> {
    const { written } = this.transaction
    const own = written.get(table) ?? new Map()
    written.set(table, own)
    return own
  }
}
