import pg from 'pg'
import type { Sql } from './sql.ts'

/** The part of pg's own query that this one goes by; a test holds it to that. */
interface Inner {
  readonly name: string | undefined
  readonly _result: Shape
  _accumulateRows: boolean
  hasBeenParsed(connection: pg.Connection): boolean
  prepare(connection: pg.Connection): void
  handleCommandComplete(message: object, connection: pg.Connection): void
}

/** What the rows of an answer consist of, and how each value is read. */
interface Shape {
  fields: object
  _parsers: object
  _prebuiltEmptyResultObject: object
}

/** A connection, and what it has told of its prepared statements, by name. */
interface PreparedStatements {
  readonly shapes: Map<string, Shape>
  /** The same connection to whoever asks it to describe nothing. */
  readonly silent: pg.Connection
}

const known = new WeakMap<pg.Connection, PreparedStatements>()
const usual = pg.Query.prototype as unknown as Inner

/**
 * A statement that has its answer described once on each connection: a prepared one answers alike ever
 * after, or is refused (0A000). Describing twenty columns costs both sides more than their values do.
 */
class Prepared extends pg.Query {
  prepare(this: Inner, connection: pg.Connection): void {
    const { shapes, silent } = preparedStatementsOf(connection)
    const shape = this.hasBeenParsed(connection) ? shapes.get(this.name ?? '') : undefined
    if (shape) {
      Object.assign(this._result, shape)
      this._accumulateRows = true
    }
    usual.prepare.call(this, shape ? silent : connection)
  }

  handleCommandComplete(this: Inner, message: object, connection: pg.Connection): void {
    usual.handleCommandComplete.call(this, message, connection)
    const { shapes } = preparedStatementsOf(connection)
    if (!this.name || shapes.has(this.name)) return
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
    shapes.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject })
  }
}

function preparedStatementsOf(connection: pg.Connection): PreparedStatements {
  let each = known.get(connection)
  if (!each) {
    const silent = Object.create(connection, { describe: { value: () => {} } })
    each = { shapes: new Map(), silent }
    known.set(connection, each)
  }
  return each
}

/** Sends a statement. Rejects with PostgreSQL's error, or with that of the connection. */
export function send<Row>(client: pg.ClientBase, statement: Sql): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const answered = (error: Error | null | undefined, answer: { rows: unknown[] }) => {
      if (error) {
        // Its stack would lead to the socket; who asked is of more use.
        Error.captureStackTrace(error)
        reject(error)
      } else resolve(answer.rows as Row[])
    }
    client.query(new Prepared(statement as pg.QueryConfig, answered as never))
  })
}
