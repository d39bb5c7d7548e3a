import { hourMs } from '../../src/kernel/clock.ts'
import { ensureDayPartitions } from '../../src/platform/database/partitions.ts'
import { openConnection } from '../database.ts'
import type { BenchSandbox } from './bench-sandbox.ts'

const applicationId = 7_900_000
const userId = 1_900_000

/**
 * Leaves an application behind that was paused in the middle of many failures: each of its notifications was tried
 * once and is parked, half of them are due again. The rows are those that deliveries write.
 */
export async function makeBacklog(
  world: BenchSandbox,
  databaseUrl: string,
  count: number,
): Promise<void> {
  const at = world.ctx.now()
  const of = { name: 'Paused', topics: ['items'], callback_url: 'http://127.0.0.1:9/paused' }
  await world.put(`applications/${applicationId}`, of)
  await world.patch(`applications/${applicationId}/queue`, { state: 'paused' })
  await ensureDayPartitions(world.ctx.db, 'notifications', at)
  await ensureDayPartitions(world.ctx.db, 'attempts', at)
  const client = await openConnection(databaseUrl)
  try {
    const from = new Date(at.getTime() - 12 * hourMs)
    const values = [applicationId, count, at, userId, from]
    await client.query(
      `create temp table parked as
        select $1::bigint as application_id, n as seq, $3::timestamptz as at,
          lpad(to_hex(n), 24, '0') as id, $4::bigint as user_id, '/items/MLA' || n as resource,
          $5::timestamptz + n * interval '24 hours' / $2::int as due
        from generate_series(1, $2::int) n`,
      values,
    )
    await client.query(
      `insert into notifications (application_id, seq, fanned_at, id, user_id, topic, resource, received)
        select application_id, seq, at, id, user_id, 'items', resource, at from parked`,
    )
    await client.query(
      `insert into attempts (application_id, seq, attempt, sent, outcome, url, request_headers,
          request_body, req_time_ms, http_code, response_headers, response_body)
        select application_id, seq, 1, at, 'not_200', 'http://127.0.0.1:9/paused', '{}', '{}', 5, 500, '{}', ''
        from parked`,
    )
    await client.query(
      `insert into unaccepted
          (application_id, seq, id, user_id, topic, resource, received, attempts, due)
        select application_id, seq, id, user_id, 'items', resource, at, 1, due from parked`,
    )
    await client.query(
      `update lanes set last_seq = $2, last_at = $3, cursor_seq = $2, cursor_at = $3, retry_due = $4
        where application_id = $1`,
      [applicationId, count, at, from],
    )
    await client.query('vacuum analyze')
    await client.query('checkpoint')
  } finally {
    await client.end()
  }
}
