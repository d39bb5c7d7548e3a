import assert from 'node:assert/strict'
import pg from 'pg'
import type { TestClient, TestResponse } from './client.ts'
import { assertRefused, guideRefusals, sendGuideOption } from './guide.ts'
import { anaId } from './market.ts'
import { messagesPath } from './messaging.ts'
import { pollUntil } from './wait.ts'

/** A connection of nobody's, for a test to hold locks with. */
export async function connectLockHolder(url: string): Promise<{ db: pg.Client; pid: number }> {
  const db = new pg.Client({ connectionString: url })
  db.on('error', () => {})
  await db.connect()
  const { rows } = await db.query('select pg_backend_pid() as pid')
  return { db, pid: rows[0].pid }
}

/** From now on a message can be written, its ownership not: calls stop in the middle of their
 * transaction. */
export async function blockMessageWrites(db: pg.Client): Promise<void> {
  await db.query('begin')
  await db.query('lock table message_owner in exclusive mode')
}

export const waitUntilBlocked = (db: pg.Client) =>
  pollUntil('a call to be held back', async () => {
    const { rows } = await db.query(`
      select 1 from pg_locks where relation = 'message_owner'::regclass and not granted
        and database = (select oid from pg_database where datname = current_database())`)
    return rows.length > 0
  })

/** What somebody gets who asks again while they are told that another request holds the lock. */
export function retryWhileLocked(
  by: TestClient,
  token: string,
  input: { packId: number; option: string; text?: string },
): Promise<TestResponse> {
  return pollUntil(
    'the lock to be free',
    async () => {
      const response = await sendGuideOption(by, token, input)
      if (response.status !== 409) return response
      assertRefused(response, guideRefusals.locked)
      return undefined
    },
    60_000,
  )
}

export function countResults(answers: readonly TestResponse[]): Record<string, number> {
  const named = answers.map(({ status, body }) => (status === 201 ? 'sent' : body.cause))
  return Object.fromEntries(
    [...Map.groupBy(named, (name) => name)].map(([name, all]) => [name, all.length]),
  )
}

export async function listMessageIds(
  client: TestClient,
  { packId, token, sellerId = anaId }: { packId: number; token: string; sellerId?: number },
): Promise<string[]> {
  const path = `${messagesPath(packId, sellerId)}?limit=100&mark_as_read=false`
  const { body } = await client.get(path, token)
  assert.equal(body.paging.total, body.messages.length)
  return body.messages.map(({ id }: { id: string }) => id)
}
