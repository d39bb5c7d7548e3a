import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { sandboxOperatorToken } from '../src/platform/config.ts'
import { Database } from '../src/platform/database/database.ts'
import { sql } from '../src/platform/database/sql.ts'
import { openTestDatabase } from './harness/database.ts'
import { type Program, startProgram, until } from './harness/program.ts'
import { openReceiver, type Receiver } from './harness/receiver.ts'
import { assertCountsArePlain } from './old-data/plain-counts.ts'
import { madeUp } from './old-data/releases.ts'

/** Going to a newer version without standing still (docs/production.md): an old and a new process side
 * by side over a migration, under load, as a balancer in front would have it. */
const checkout = fileURLToPath(new URL('..', import.meta.url))
const seller = 7
const buyer = 8
const applicationId = 77
let folder: string
let database: Awaited<ReturnType<typeof openTestDatabase>>
let receiver: Receiver

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'feria-upgrade-'))
  database = await openTestDatabase()
  receiver = await openReceiver()
})
after(async () => {
  await receiver.close()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

// What a later version has migrated is of no use to the files that run after this one.
const skip = process.env['FERIA_TEST_TEMPLATE'] ? false : 'it needs a database of its own'

/** The next version: this one with a migration more, of the kind that a release may bring, and another rule for
 * filing orders. */
function nextVersion(): string {
  const next = join(folder, 'next')
  for (const part of ['src', 'migrations', 'catalog', 'package.json']) {
    cpSync(join(checkout, part), join(next, part), { recursive: true })
  }
  symlinkSync(join(checkout, 'node_modules'), join(next, 'node_modules'))
  const facets = join(next, 'src', 'orders', 'facets.ts')
  const rule = { version: 2, facets: { rest: 'order.id % 3' }, tokens: ['next'], tokensSince: 2 }
  writeFileSync(facets, madeUp(readFileSync(facets, 'utf8'), rule))
  writeFileSync(
    join(next, 'migrations', '9000_next.sql'),
    `alter table orders add column next_thing text;
     alter table orders add column next_count int not null default 0;
     create table next_things (seller_id bigint, id bigint, primary key (seller_id, id));
     create index next_by_thing on orders (seller_id, next_thing);`,
  )
  return join(next, 'src', 'cli', 'main.ts')
}

const start = (main?: string) =>
  startProgram({
    ...(main ? { main } : {}),
    env: {
      ...{ DATABASE_URL: database.url, FERIA_MODE: 'sandbox', FERIA_DEMO: 'off' },
      ...{ FERIA_DATA: join(folder, 'data'), FERIA_LOG_LEVEL: 'warn' },
    },
  })

test('an old and a new process serve side by side over a migration, and no request fails', {
  skip,
}, async () => {
  const old = await start()
  const traffic = new Traffic([old])
  await traffic.open()
  const running = traffic.run()
  try {
    await until('some traffic', () => traffic.done > 50)
    const before = await columnsOf('orders')
    const next = await start(nextVersion())
    assert.equal((await columnsOf('orders')).length, before.length + 2)
    traffic.programs = [old, next]
    const sideBySide = traffic.done + 200
    await until('both to have served', () => traffic.done > sideBySide, 60_000)
    // As a balancer does: no new requests first, then the end.
    traffic.programs = [next]
    assert.equal(await old.stop(), 0)
    const alone = traffic.done + 50
    await until('the new one to have served alone', () => traffic.done > alone, 60_000)
    assert.deepEqual(await traffic.end(running), [])
    const orders = [...traffic.sold]
    assert.ok(orders.length > 20)
    await until('every sale to have been told', () => {
      const told = new Set(receiver.received.map(({ body }) => body.resource))
      return orders.every((id) => told.has(`/orders/${id}`))
    })
    await assertFiledAnew(traffic)
    assert.equal(await next.stop(), 0)
  } finally {
    await traffic.end(running)
    for (const each of traffic.programs) await each.kill()
  }
})

/** Fails unless all sales are filed by the rule of the next version, and counted so. */
async function assertFiledAnew(traffic: Traffic): Promise<void> {
  const db = new Database({ url: database.url, poolSize: 1, statementTimeoutMs: 15_000 })
  try {
    const outdated = () => db.row(sql`select id from orders where filing_version = 1 limit 1`)
    // The loop looks once a minute.
    await until('every sale to be filed anew', async () => !(await outdated()), 120_000)
    await assertCountsArePlain(db, 'after the upgrade')
    const orders = await db.rows(sql`select id from orders`)
    assert.equal(await traffic.countSales(), orders.length)
  } finally {
    await db.close()
  }
}

test('a process of the version before does not start on the newer schema, and says what to do', {
  skip,
}, async () => {
  await assert.rejects(start(), /schema is at step 9000.*[Rr]un the newer version/s)
})

async function columnsOf(table: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const { rows } = await client.query(
    'select column_name from information_schema.columns where table_name = $1',
    [table],
  )
  await client.end()
  return rows.map(({ column_name }) => column_name)
}

/** Sales, changes, reads and searches, each by whoever is in rotation, without a pause. */
class Traffic {
  programs: Program[]
  done = 0
  readonly sold = new Set<number>()
  readonly #failed: string[] = []
  #stopping = false
  #turn = 0
  #token = ''

  constructor(programs: Program[]) {
    this.programs = programs
  }

  async open(): Promise<void> {
    for (const [id, nickname] of [
      [seller, 'TIENDA'],
      [buyer, 'COMPRA'],
    ]) {
      await this.#ask('PUT', `/operator/users/${id}`, { site_id: 'MLA', nickname })
    }
    const application = { name: 'Mine', callback_url: receiver.url, topics: ['orders_v2'] }
    await this.#ask('PUT', `/operator/applications/${applicationId}`, application)
    await this.#ask('PUT', `/operator/authorizations/${applicationId}/${seller}`, {})
    await this.#ask('PUT', '/operator/items/MLA1', {
      ...{ seller_id: seller, site_id: 'MLA', title: 'Pava', category_id: 'MLA1580' },
      ...{ currency_id: 'ARS', price: 10, available_quantity: 1_000_000 },
    })
    const token = { user_id: seller, application_id: applicationId }
    this.#token = (await this.#ask('POST', '/operator/tokens', token)).access_token
  }

  run(): Promise<unknown> {
    return Promise.all(Array.from({ length: 4 }, () => this.#work()))
  }

  async end(running: Promise<unknown>): Promise<string[]> {
    this.#stopping = true
    await running
    return this.#failed
  }

  /** Returns the total of a search for all sales. */
  async countSales(): Promise<number> {
    const path = `/orders/search?seller=${seller}&limit=1`
    return (await this.#ask('GET', path, undefined, this.#token)).paging.total
  }

  async #work(): Promise<void> {
    while (!this.#stopping) {
      const lines = [{ item_id: 'MLA1', quantity: 1 }]
      const sale = { buyer_id: buyer, currency_id: 'ARS', lines }
      const { id } = await this.#ask('POST', '/operator/orders', sale)
      if (id) this.sold.add(id)
      await this.#ask('PATCH', `/operator/orders/${id}`, { comments: `${this.done}` })
      const { comments } = await this.#ask('GET', `/orders/${id}`, undefined, this.#token)
      if (comments === undefined || comments === null) this.#failed.push(`${id} lost its comments`)
      await this.#ask('GET', `/orders/search?seller=${seller}&limit=5`, undefined, this.#token)
      await this.#ask('GET', '/sites/MLA/categories')
    }
  }

  async #ask(method: string, path: string, body?: object, token = sandboxOperatorToken) {
    const program = this.programs[this.#turn++ % this.programs.length]
    try {
      const answer = await fetch(`${program?.address}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      const text = await answer.text()
      if (![200, 201].includes(answer.status)) throw new Error(`${answer.status} ${text}`)
      this.done++
      return JSON.parse(text)
    } catch (error) {
      this.#failed.push(`${method} ${path}: ${(error as Error).message}`)
      return {}
    }
  }
}
