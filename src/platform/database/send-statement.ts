import pg from 'pg'
import type { Sql } from './sql.ts'

/** The internals of `pg.Query` on which this module relies. A test checks them. */
interface QueryInternals {
  readonly name: string | undefined
  readonly _result: ResultShape
  _accumulateRows: boolean
  hasBeenParsed(connection: pg.Connection): boolean
  prepare(connection: pg.Connection): void
  handleCommandComplete(message: object, connection: pg.Connection): void
}

/** The columns of an answer and their parsers. */
interface ResultShape {
  fields: object
  _parsers: object
  _prebuiltEmptyResultObject: object
}

/** The prepared statements of a connection, by name. */
interface PreparedStatements {
  readonly shapes: Map<string, ResultShape>
  /** The same connection, whose `describe` does nothing. */
  readonly silent: pg.Connection
}

interface Answer {
  rows: unknown[]
}

const preparedStatements = new WeakMap<pg.Connection, PreparedStatements>()
const baseQuery = pg.Query.prototype as unknown as QueryInternals

/**
 * A statement whose answer is described once per connection. A prepared statement always has the same columns, or fails
 * with 0A000. Describing twenty columns costs both sides more than their values do: without this, an order search takes 19 %
 * more processor time of the server, and the slowest listing searches twice as long (decision 35).
 */
class PreparedQuery extends pg.Query {
  constructor(
    { text, values, name }: Sql,
    answered: (error: Error | null, answer: Answer) => void,
  ) {
    // One by one, because the library copies an object with all its property descriptors: 2 % of the processor time of a
    // page of messages.
    super(text, values as unknown[], answered as never)
    ;(this as unknown as { name: string | undefined }).name = name
  }

  prepare(this: QueryInternals, connection: pg.Connection): void {
    const { shapes, silent } = preparedStatementsOf(connection)
    const shape = this.hasBeenParsed(connection) ? shapes.get(this.name ?? '') : undefined
    if (shape) {
      Object.assign(this._result, shape)
      this._accumulateRows = true
    }
    baseQuery.prepare.call(this, shape ? silent : connection)
  }

  handleCommandComplete(this: QueryInternals, message: object, connection: pg.Connection): void {
    baseQuery.handleCommandComplete.call(this, message, connection)
    const { shapes } = preparedStatementsOf(connection)
    if (!this.name || shapes.has(this.name)) return
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
    shapes.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject })
  }
}

function preparedStatementsOf(connection: pg.Connection): PreparedStatements {
  let statements = preparedStatements.get(connection)
  if (!statements) {
    const silent = Object.create(connection, { describe: { value: () => {} } })
    statements = { shapes: new Map(), silent }
    preparedStatements.set(connection, statements)
  }
  return statements
}

/** Sends a statement and returns its rows. Rejects with the error of PostgreSQL or of the connection. */
export function sendStatement<Row>(client: pg.ClientBase, statement: Sql): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const answered = (error: Error | null, answer: Answer) => {
      if (error) {
        // Its own stack leads to the socket. That of the caller is more useful.
        Error.captureStackTrace(error)
        reject(error)
      } else resolve(answer.rows as Row[])
    }
    client.query(new PreparedQuery(statement, answered))
  })
}
