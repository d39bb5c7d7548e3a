import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { Failure } from '../kernel/failure.ts'
import type { OperatorActor } from '../kernel/operator-actor.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'

/** A request with an `Idempotency-Key`, which runs only once. */
export interface IdempotentRequest {
  key: string | undefined
  /** The user or operator who chose the key. Each has a separate set of keys, and the bearer of the operator's token that of
   * requests without one. */
  chosenBy?: number | OperatorActor | undefined
  /** The request that the key stands for. The same key with another request is refused. */
  request: unknown
  now: Date
}

/**
 * Runs `work` once per key and returns its result. Key and result commit in the caller's transaction. A repetition
 * returns the first result without running `work`; a concurrent one waits for the first. Throws
 * `idempotency_key_reused` if the request differs.
 */
export async function runIdempotent(
  tx: Tx,
  { key: headerKey, chosenBy, request, now }: IdempotentRequest,
  work: () => Promise<string>,
): Promise<{ result: string; repeated: boolean }> {
  if (headerKey === undefined) return { result: await work(), repeated: false }
  if (headerKey.length > 255 || headerKey === '') {
    throw new Failure('bad_request', 'Idempotency-Key: expected 1 to 255 characters')
  }
  const key = `${keyPrefixOf(chosenBy)}${headerKey}`
  const fingerprint = hash('sha256', JSON.stringify(request))
  const [inserted] = await tx.rows(sql`
    insert into idempotency_keys (key, fingerprint, recorded_at) values (${key}, ${fingerprint}, ${now})
    on conflict (key) do nothing returning key`)
  if (!inserted) {
    const first = await tx.row<{ fingerprint: string; result: string }>(sql`
      select fingerprint, result from idempotency_keys where key = ${key}`)
    if (first?.fingerprint !== fingerprint) throw new Failure('idempotency_key_reused')
    return { result: first.result, repeated: true }
  }
  const result = await work()
  await tx.rows(sql`update idempotency_keys set result = ${result} where key = ${key}`)
  return { result, repeated: false }
}

/** Returns what the stored keys of somebody begin with. A header cannot contain a line break, so no key of the operator's
 * token equals one of somebody else. */
function keyPrefixOf(chosenBy: IdempotentRequest['chosenBy']): string {
  if (chosenBy === undefined) return ''
  if (typeof chosenBy === 'number') return `${chosenBy}\n`
  const { kind } = chosenBy
  return kind === 'account' || kind === 'key' ? `${kind}:${chosenBy.id}\n` : ''
}

/** Deletes keys recorded before `before`. */
export async function deleteIdempotencyKeys(db: Db, before: Date): Promise<void> {
  await db.rows(sql`delete from idempotency_keys where recorded_at < ${before}`)
}

/** Deletes the keys that a user chose. Returns their number. */
export async function deleteIdempotencyKeysOf(tx: Tx, userId: number): Promise<number> {
  const rows = await tx.rows(sql`
    delete from idempotency_keys where starts_with(key, ${`${userId}\n`}) returning key`)
  return rows.length
}

/** Returns the `Idempotency-Key` of a request, or undefined. */
export function idempotencyKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key']
  return Array.isArray(key) ? key[0] : key
}
