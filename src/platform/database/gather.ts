import type pg from 'pg'

/** The connections that hold back what they write. */
const gathering = new WeakSet<object>()

/**
 * Holds back what is written on a connection until everything that has arrived by now was looked at,
 * so that the statements of all of it leave in one piece: who sends ten at once pays for writing, and
 * the server for waking up, only once.
 */
export function gather({ connection: { stream } }: pg.Client): void {
  if (gathering.has(stream)) return
  gathering.add(stream)
  stream.cork()
  setImmediate(() => {
    gathering.delete(stream)
    stream.uncork()
  })
}
