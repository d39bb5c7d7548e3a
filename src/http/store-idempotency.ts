import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { Failure } from '../kernel/failure.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'

/** What a caller sends so that a repeated request is done once: the `Idempotency-Key` header. */
export interface Repeatable {
  key: string | undefined
  /** The user who chose the key; without it, the operator. Two of them may choose the same. */
  userId?: number
  /** What the key stands for; the same key with another request is refused. */
  request: unknown
  now: Date
}

/**
 * Runs `work` once per key, in the caller's transaction: the key and what it led to commit together.
 * A repetition gets the first one's result and does nothing; one that runs at the same time waits
 * for the first to end. Throws `idempotency_key_reused`.
 */
export async function runIdempotent(
  tx: Tx,
  { key: given, userId, request, now }: Repeatable,
  work: () => Promise<string>,
): Promise<{ result: string; repeated: boolean }> {
  if (given === undefined) return { result: await work(), repeated: false }
  if (given.length > 255 || given === '') {
    throw new Failure('bad_request', 'Idempotency-Key: expected 1 to 255 characters')
  }
  // No header has a line break in it, so that no operator's key looks like this.
  const key = userId === undefined ? given : `${userId}\n${given}`
  const fingerprint = hash('sha256', JSON.stringify(request))
  const [mine] = await tx.rows(sql`
    insert into idempotency_keys (key, fingerprint, recorded_at) values (${key}, ${fingerprint}, ${now})
    on conflict (key) do nothing returning key`)
  if (!mine) {
    const first = await tx.row<{ fingerprint: string; result: string }>(sql`
      select fingerprint, result from idempotency_keys where key = ${key}`)
    if (first?.fingerprint !== fingerprint) throw new Failure('idempotency_key_reused')
    return { result: first.result, repeated: true }
  }
  const result = await work()
  await tx.rows(sql`update idempotency_keys set result = ${result} where key = ${key}`)
  return { result, repeated: false }
}

/** Forgets keys recorded before `before`: nobody repeats a request weeks later. */
export async function forgetKeys(db: Db, before: Date): Promise<void> {
  await db.rows(sql`delete from idempotency_keys where recorded_at < ${before}`)
}

/** The key that a request brings, if it brings one. */
export function keyOf(headers: IncomingHttpHeaders): string | undefined {
  const given = headers['idempotency-key']
  return Array.isArray(given) ? given[0] : given
}
