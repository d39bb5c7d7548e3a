import pg from 'pg'

/** The pool of a floor, on the database of its environment. */
export function openFloorPool(max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max })
  // A connection that breaks, idle or in use, must not end the floor: the next statement fails and is
  // answered with its reason.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
