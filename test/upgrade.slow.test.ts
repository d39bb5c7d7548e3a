import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { orderRatingVersion } from '../src/feedback/view.ts'
import { partyTextVersion } from '../src/identity/view.ts'
import { indexVersion } from '../src/listings/search/index/entry.ts'
import { filingVersion } from '../src/orders/facets.ts'
import { bodyVersion } from '../src/orders/view.ts'
import { Database } from '../src/platform/database/database.ts'
import { orderShippingVersion } from '../src/shipments/view.ts'
import { openTestDatabase } from './harness/database.ts'
import { startProgram } from './harness/program.ts'
import { openReceiver, type Receiver } from './harness/receiver.ts'
import { Traffic } from './harness/upgrade-traffic.ts'
import { pollUntil } from './harness/wait.ts'
import { assertCountsMatchRecount } from './old-data/plain-counts.ts'
import { releaseSource } from './old-data/releases.ts'

/** Going to a newer version without standing still (docs/production.md): an old and a new process side
 * by side over a migration, under load, as a balancer in front would have it. */
const checkout = fileURLToPath(new URL('..', import.meta.url))
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

/** The other versions, which the next release raises. */
const versionsBefore = [
  ['listings/search/index/entry.ts', 'indexVersion', indexVersion],
  ['orders/view.ts', 'bodyVersion', bodyVersion],
  ['identity/view.ts', 'partyTextVersion', partyTextVersion],
  ['shipments/view.ts', 'orderShippingVersion', orderShippingVersion],
  ['feedback/view.ts', 'orderRatingVersion', orderRatingVersion],
] as const

const editSource = (file: string, by: (source: string) => string) =>
  writeFileSync(file, by(readFileSync(file, 'utf8')))

/** The next version: this one with a migration more, of the kind that a release may bring, and another rule for
 * filing orders, and a higher version for all else that is derived. */
function nextVersion(): string {
  const next = join(folder, 'next')
  for (const part of ['src', 'migrations', 'catalog', 'demo', 'moderation', 'package.json']) {
    cpSync(join(checkout, part), join(next, part), { recursive: true })
  }
  symlinkSync(join(checkout, 'node_modules'), join(next, 'node_modules'))
  const version = filingVersion + 1
  const rule = {
    version,
    facets: { rest: 'order.id % 3' },
    tokens: ['next'],
    tokensSince: version,
  }
  editSource(join(next, 'src', 'orders', 'facets.ts'), (source) => releaseSource(source, rule))
  for (const [file, constant, version] of versionsBefore) {
    editSource(join(next, 'src', file), (source) => {
      const before = `export const ${constant} = ${version}\n`
      assert.ok(source.includes(before), `${file}: ${before}`)
      return source.replace(before, `export const ${constant} = ${version + 1}\n`)
    })
  }
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
      DATABASE_URL: database.url,
      FERIA_MODE: 'sandbox',
      FERIA_DEMO: 'off',
      FERIA_DATA: join(folder, 'data'),
      FERIA_LOG_LEVEL: 'warn',
    },
  })

test('an old and a new process serve side by side over a migration, and no request fails', {
  skip,
}, async () => {
  const old = await start()
  const traffic = new Traffic([old], receiver.url)
  await traffic.open()
  const running = traffic.run()
  try {
    await pollUntil('some traffic', () => traffic.answeredCount > 50)
    const before = await columnsOf('orders')
    const next = await start(nextVersion())
    assert.equal((await columnsOf('orders')).length, before.length + 2)
    traffic.programs = [old, next]
    const sideBySide = traffic.answeredCount + 200
    await pollUntil('both to have served', () => traffic.answeredCount > sideBySide, 60_000)
    // As a balancer does: no new requests first, then the end.
    traffic.programs = [next]
    assert.equal(await old.stop(), 0)
    const alone = traffic.answeredCount + 50
    await pollUntil('the new one to have served alone', () => traffic.answeredCount > alone, 60_000)
    assert.deepEqual(await traffic.end(running), [])
    const orders = [...traffic.soldCount]
    assert.ok(orders.length > 20)
    await pollUntil('every sale to have been told', () => {
      const notifiedResources = new Set(receiver.received.map(({ body }) => body.resource))
      return orders.every((id) => notifiedResources.has(`/orders/${id}`))
    })
    await assertRederived(traffic)
    assert.equal(await next.stop(), 0)
  } finally {
    await traffic.end(running)
    for (const program of traffic.programs) await program.kill()
  }
})

/** The columns with the version of a row's derived data, and the versions of this release. */
const versionColumns = [
  ['orders', 'filing_version', filingVersion],
  ['orders', 'body_version', bodyVersion],
  ['listing_index', 'version', indexVersion],
  ['users', 'text_version', partyTextVersion],
  ['shipments', 'text_version', orderShippingVersion],
  ['feedback', 'text_version', orderRatingVersion],
] as const

/** Fails unless all that is derived is by the rules of the next version, and counted and read so. */
async function assertRederived(traffic: Traffic): Promise<void> {
  const db = new Database({ url: database.url, poolSize: 1, statementTimeoutMs: 15_000 })
  const hasNoOldRow = async (table: string, column: string, version: number) => {
    const text = `select from ${table} where ${column} <= ${version} limit 1`
    return !(await db.row({ name: undefined, text, values: [] }))
  }
  try {
    await traffic.assertApiMatchesDatabase(db)
    // What the old process wrote behind a walk is for its next round, an hour later.
    for (let hour = 0; hour < 2; hour++) await traffic.advance('61m')
    for (const [table, column, version] of versionColumns) {
      const wait = `${table}.${column} to be ${version + 1}`
      await pollUntil(wait, () => hasNoOldRow(table, column, version), 120_000)
    }
    await assertCountsMatchRecount(db, 'after the upgrade')
    await traffic.assertApiMatchesDatabase(db)
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
