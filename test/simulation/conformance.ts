import assert from 'node:assert/strict'
import pg from 'pg'
import { connectionOptions } from '../../src/platform/database/database.ts'
import { sqlState } from '../../src/platform/database/errors.ts'
import { openTestDatabase } from '../harness/database.ts'
import { pollUntil } from '../harness/wait.ts'
import { makePlan, type SimulationPlan } from './plan.ts'
import type { ExecutedStatement, SimulatedSession } from './postgres/server.ts'
import { simulateSchedule } from './simulate.ts'

/** A statement that waits this long would have been let through by the model only. */
const statementTimeoutMs = 5_000

/** What the simulated server does by order of the plan, a real one is not made to do. */
const plannedErrors = new Set(['crash', 'read-only', 'disk-full'])

/**
 * Runs a schedule, then every statement that the simulated PostgreSQL ran on a real one: in the same order, on as
 * many connections, in the same transactions. Fails where an answer differs. Returns how many it ran.
 */
export async function assertModelConforms(seed: number): Promise<number> {
  const planned = makePlan(seed)
  const plan: SimulationPlan = {
    ...planned,
    faults: planned.faults.filter(({ kind }) => !plannedErrors.has(kind)),
  }
  const { executedStatements } = await simulateSchedule(seed, { plan, records: true })
  const database = await openTestDatabase()
  const clients = new Map<SimulatedSession, pg.Client>()
  const options = { url: database.url, poolSize: 1, statementTimeoutMs }
  const open = async () => {
    const client = new pg.Client(connectionOptions(options))
    await client.connect()
    return client
  }
  const control = await open()
  try {
    await insertApplications(control, plan)
    for (const statement of executedStatements) {
      const client = clients.get(statement.session) ?? (await open())
      clients.set(statement.session, client)
      if (statement.text === 'close') await close(client, control)
      else await compare(client, statement)
    }
  } finally {
    await Promise.all([control.end(), ...[...clients.values()].map((client) => client.end())])
    await database.drop()
  }
  return executedStatements.length
}

async function insertApplications(
  client: pg.Client,
  { applications }: SimulationPlan,
): Promise<void> {
  for (const { id, users } of applications) {
    await client.query(
      `insert into applications (id, name, secret_hash, callback_url, topics, date_created, last_updated)
      values ($1, 'A', 'x', $2, '{orders_v2}', now(), now())`,
      [id, `http://receiver.test/${id}`],
    )
    await client.query(
      `insert into signing_secrets (application_id, id, secret, date_created)
      values ($1, 'a', $2, now())`,
      [id, `whsec_${'c2ltdWxhdGVk'.repeat(3)}`],
    )
    for (const user of users) {
      await client.query(
        `insert into authorizations (user_id, application_id, scopes, date_created)
        values ($1, $2, '{}', now())`,
        [user, id],
      )
    }
  }
}

/** A lock is free once the server has noticed that the connection is gone. */
async function close(client: pg.Client, control: pg.Client): Promise<void> {
  const { rows } = await client.query('select pg_backend_pid() as pid').catch(() => ({ rows: [] }))
  await client.end()
  await pollUntil('the connection is gone', async () => {
    const activity = await control.query('select 1 from pg_stat_activity where pid = $1', [
      rows[0]?.pid,
    ])
    return activity.rows.length === 0
  })
}

async function compare(
  client: pg.Client,
  { text, values, rows, code }: ExecutedStatement,
): Promise<void> {
  const about = text.trim().replaceAll(/\s+/g, ' ')
  let answer: { rows?: object[]; code?: string | undefined }
  try {
    answer = { rows: (await client.query(text, [...values])).rows }
  } catch (error) {
    answer = { code: sqlState(error) ?? String(error) }
  }
  const isBare = /^select pg_(advisory|notify)/.test(about)
  assert.deepEqual(
    { rows: isBare ? answer.rows?.length : normalizeRows(answer.rows), code: answer.code },
    { rows: isBare ? rows?.length : normalizeRows(rows), code },
    `${about}\n${JSON.stringify(values)}`,
  )
}

/** Rows as text, whatever their order: where it matters, no two have the same place in it. */
function normalizeRows(rows: readonly object[] | undefined): string[] | undefined {
  return rows
    ?.map((row) => JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))))
    .sort()
}
