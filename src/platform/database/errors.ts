import pg from 'pg'

/** The five-letter code of an error of PostgreSQL's (never its constraint's name: on a cluster that
 * field is empty or names a shard). */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}

/** Classes: no connection, no resources (disk, memory, connections), ended by the operator or a time limit, an error
 * of the machine. Codes: read-only, a conflict that stayed after all repeats, a lock that could not be had. */
const unavailable = /^(08|53|57|58|25006|40001|40P01|55P03)/

/** Whether the database could not be reached, could not write, was shutting down or took too long: the caller may
 * try again, nothing about its request was wrong. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const state = sqlState(error)
  if (state !== undefined) return unavailable.test(state)
  const code = 'code' in error ? String(error.code) : ''
  return (
    /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/.test(
      code,
    ) ||
    /connection terminated|not queryable|timeout expired|timeout exceeded when trying to connect|query read timeout/i.test(
      error.message,
    )
  )
}
