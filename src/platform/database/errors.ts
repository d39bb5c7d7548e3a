import pg from 'pg'

/** Returns the SQLSTATE of an error of PostgreSQL. Do not use the name of its constraint: on a cluster it is empty or
 * names a shard. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}

/** Classes: no connection (08), no resources (53), canceled by the operator or a time limit (57), system error (58).
 * Codes: read-only, a conflict after all repeats, a lock that was not available. */
const unavailable = /^(08|53|57|58|25006|40001|40P01|55P03)/

/** Returns whether an error means that the database is unreachable, read-only, shutting down or too slow. The request
 * itself is fine and may be repeated. */
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

/** Returns whether an error means that one node of a cluster is unreachable. Data on other nodes is available. */
export function isNodeUnavailable(error: unknown): boolean {
  return sqlState(error) === '08006' && /connection to the remote node/.test(String(error))
}
