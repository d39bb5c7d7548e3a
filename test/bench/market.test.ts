import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { checkMarket, checkVersions } from '../../bench/market/counts.ts'
import { fillMarket } from '../../bench/market/load.ts'
import { firstIds } from '../../bench/market/synthetic-market.ts'
import { openTestDatabase, type TestDatabase } from '../harness/database.ts'

/** The tables of the market whose rows name the version of the rule that derived them. */
const versionColumns = [
  ['order_kinds', 'version'],
  ['order_baskets', 'version'],
  ['orders', 'filing_version'],
  ['orders', 'body_version'],
  ['users', 'text_version'],
  ['shipments', 'text_version'],
  ['feedback', 'text_version'],
] as const

let database: TestDatabase
let client: pg.Client
before(async () => {
  database = await openTestDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
after(async () => {
  await client.end()
  await database.drop()
})

test('a market of the benchmarks has the rows and the versions that this program would have written', async () => {
  // Version 1 is the default of these columns. Without one, a row that names no version is noticed today already.
  for (const [table, column] of versionColumns) {
    await client.query(`alter table ${table} alter column ${column} set default 0`)
  }
  await fillMarket(database.url, { orders: 400, now: new Date(), log: () => {} })
  for (const [table, column] of versionColumns) {
    const { rows } = await client.query(`select count(${column})::int as n from ${table}`)
    assert.ok(rows[0].n > 0, table)
  }
  await checkVersions(client)
  await checkMarket(client, [firstIds.seller, firstIds.seller + 1])

  await client.query(`update order_kinds set version = version - 1
    where kind = (select min(kind) from order_kinds)`)
  await assert.rejects(checkVersions(client), /order_kinds\.version is not/)
})
