import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { installClusterStandIn } from '../../../test/harness/cluster-stand-in.ts'
import { tier } from '../../../test/harness/tier.ts'
import { DistributionRefused, readDistributedTables, readForeignKeys } from './distribution.ts'
import { migrate, planMigrations, readMigrations } from './migrate.ts'

/**
 * The migration runner on a cluster, with what Citus refuses, on plain PostgreSQL: the connection is cut before
 * every statement that changes something, and the next run completes the work.
 */
const serverUrl = process.env['FERIA_TEST_SERVER'] ?? ''
const skip = process.env['FERIA_TEST_TEMPLATE'] ? false : 'this server cannot make databases'
const migrations = fileURLToPath(new URL('../../../migrations/', import.meta.url))
const databases: string[] = []
const folders: string[] = []
let keyNames: string[]
let tableNames: string[]

before(async () => {
  const steps = await readMigrations()
  keyNames = steps.flatMap(({ keys }) => readForeignKeys(keys)).map(({ name }) => name)
  tableNames = steps
    .flatMap(({ distribute }) => readDistributedTables(distribute))
    .map(({ table }) => table)
})
afterEach(() => {
  pg.Client.prototype.query = query
})
after(async () => {
  for (const name of databases) await ask(serverUrl, `drop database ${name} with (force)`)
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const { query } = pg.Client.prototype

async function ask<Row>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
    .query(text)
    .then(({ rows }) => rows)
    .finally(() => client.end())
}

async function openCluster(): Promise<string> {
  const name = `feria_cluster_${process.pid}_${randomBytes(4).toString('hex')}`
  await ask(serverUrl, `create database ${name}`)
  databases.push(name)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  await installClusterStandIn(client).finally(() => client.end())
  return url.href
}

/** A folder with the first steps only, as an older release has it. */
function firstSteps(count: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'feria-migrations-'))
  folders.push(folder)
  for (const file of readdirSync(migrations)) {
    if (Number(file.slice(0, 4)) <= count) cpSync(join(migrations, file), join(folder, file))
  }
  return folder
}

/** One sale and its listing, which the foreign keys hold together. */
async function addRows(url: string): Promise<void> {
  await ask(
    url,
    `insert into listings (seller_id, id, site_id, title, category_id, currency_id, price, status,
      details, date_created, last_updated)
    values (1, 'MLA1', 'MLA', 'x', 'MLA1', 'ARS', 1, 'active', '{}', now(), now())`,
  )
  await ask(
    url,
    `insert into listing_stock (seller_id, item_id, variation_id, available_quantity, sold_quantity,
      attributes) values (1, 'MLA1', 0, 1, 0, '[]')`,
  )
}

/** Fails with the lines that are in one of both only. */
async function assertAlike(url: string, expectedUrl: string): Promise<void> {
  const [lines, expected] = [await describe(url), await describe(expectedUrl)]
  const [actualLines, expectedLines] = [new Set(lines), new Set(expected)]
  assert.deepEqual(
    [
      lines.filter((line) => !expectedLines.has(line)),
      expected.filter((line) => !actualLines.has(line)),
    ],
    [[], []],
  )
}

/** All that a run may leave different: tables, columns, indexes, constraints, what is distributed, what ran. */
async function describe(url: string): Promise<string[]> {
  const rows = await ask<{ line: string }>(
    url,
    `select format('%s.%s %s', attrelid::regclass, attname, format_type(atttypid, atttypmod)) as line
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped
    union all select pg_get_indexdef(indexrelid) from pg_index i join pg_class c on c.oid = i.indrelid
      where c.relnamespace = 'public'::regnamespace
    union all select format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
      from pg_constraint where connamespace = 'public'::regnamespace
    union all select format('distributed %s by %s', logicalrelid, partkey) from pg_dist_partition
    union all select format('step %s %s', name, distributed) from schema_steps
    order by 1`,
  )
  return rows.map(({ line }) => line)
}

const changing = /^\s*(begin|commit|create|alter|drop|insert|update|delete|select create_)/i

/** Cuts the next connection of a migration before its statement number `at` of those that change something.
 * Returns whether it came to that. */
function cutBefore(at: number): () => boolean {
  let count = 0
  let hasCut = false
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    if (typeof args[0] === 'string' && changing.test(args[0]) && ++count === at) {
      hasCut = true
      // As the kernel does with the sockets of a process that was killed.
      ;(this as unknown as { connection: pg.Connection }).connection.stream.destroy()
    }
    return Reflect.apply(query, this, args)
  } as typeof query
  return () => hasCut
}

/** Migrates with the connection cut before every statement that changes something, from every state that such
 * a run leaves. Returns how many runs it took. */
async function migrateWithCuts(
  url: string,
  options: { distribute?: boolean; folder?: string },
): Promise<number> {
  let state: string | undefined
  let at = 0
  for (let runs = 1; ; runs++) {
    const [reached] = await ask<{ state: string }>(
      url,
      `select concat(
        case when to_regclass('schema_steps') is not null then query_to_xml(
          'select count(*), count(*) filter (where distributed) from schema_steps', true, true, '') end,
        case when to_regclass('schema_foreign_keys') is not null then query_to_xml(
          'select count(*) from schema_foreign_keys', true, true, '') end,
        (select count(*) from pg_dist_partition)) as state`,
    )
    // A run that got further has committed something: from there on it starts anew. The fast tier cuts further and
    // further on, which takes a fiftieth of the runs.
    at = tier === 'fast' ? runs * 25 : reached?.state === state ? at + 1 : 1
    state = reached?.state
    const hasCut = cutBefore(at)
    const failed = await migrate(url, options).then(
      () => false,
      () => true,
    )
    pg.Client.prototype.query = query
    assert.equal(failed, hasCut(), 'a run fails when it is cut, and only then')
    if (!failed) return runs
  }
}

test('every key and table of the migrations is there after the last step', { skip }, async () => {
  const url = await openCluster()
  await migrate(url)
  const keys = await ask<{ name: string }>(
    url,
    `select conname as name from pg_constraint where contype = 'f' and conparentid = 0`,
  )
  assert.deepEqual(keys.map(({ name }) => name).sort(), keyNames.toSorted())
})

test('a database in use is distributed whole, wherever each run was cut off', {
  skip,
}, async () => {
  const folder = firstSteps(2)
  const expected = await openCluster()
  await migrate(expected, { folder })
  const lines: string[] = []
  await migrate(expected, { folder, distribute: true, say: (line) => lines.push(line) })
  assert.match(lines[0] ?? '', /^distributing id_blocks \(1 of \d+\)$/)
  assert.match(lines.at(-1) ?? '', /^adding the foreign key \w+ of \w+ \(6 of 6\)$/)

  const url = await openCluster()
  await migrate(url, { folder })
  await addRows(url)
  const runs = await migrateWithCuts(url, { folder, distribute: true })
  assert.ok(tier === 'fast' || runs > 2 * lines.length, `only ${runs} runs`)
  await assertAlike(url, expected)
  const refused = `insert into listing_stock (seller_id, item_id, variation_id, available_quantity,
    sold_quantity, attributes) values (1, 'MLA2', 0, 1, 0, '[]')`
  await assert.rejects(ask(url, refused), { code: '23503' })
})

test('an empty database is distributed whole, wherever each run was cut off', {
  skip,
}, async () => {
  const folder = firstSteps(2)
  const expected = await openCluster()
  await migrate(expected, { folder, distribute: true })
  const url = await openCluster()
  await migrateWithCuts(url, { folder, distribute: true })
  await assertAlike(url, expected)
})

test('later steps distribute what is new without being told, wherever each run was cut off', {
  skip,
}, async () => {
  const folder = firstSteps(9)
  const expected = await openCluster()
  await migrate(expected, { folder, distribute: true })
  const url = await openCluster()
  await migrate(url, { folder: firstSteps(5), distribute: true })
  await addRows(url)
  await migrateWithCuts(url, { folder })
  await assertAlike(url, expected)
})

test('the plan names every step, table and key, and changes nothing', { skip }, async () => {
  const url = await openCluster()
  const plan = await planMigrations(url, { distribute: true })
  assert.deepEqual(
    plan.tables.map(({ table }) => table),
    tableNames,
  )
  assert.deepEqual(plan.missingKeys, [])
  assert.deepEqual((await planMigrations(url)).tables, [], 'on one server nothing is distributed')
  await migrate(url, { distribute: true })
  const done = await planMigrations(url, { distribute: true })
  assert.deepEqual([done.steps, done.tables, done.missingKeys, done.refusal], [[], [], [], null])
})

test('a database with citus that is not distributed is migrated, and the command that distributes it is named', {
  skip,
}, async () => {
  const url = await openCluster()
  const linesOf = async (options: { distribute?: true } = {}) => {
    const lines: string[] = []
    await migrate(url, { ...options, say: (line) => lines.push(line) })
    return lines.filter((line) => line.includes('on the coordinator only'))
  }
  const [line, ...others] = await linesOf()
  assert.match(line ?? '', /feria migrate --distribute/)
  assert.deepEqual(others, [])
  assert.deepEqual(await linesOf(), [line], 'each start says it')
  assert.deepEqual(await linesOf({ distribute: true }), [])
  assert.deepEqual(await linesOf(), [])
})

test('a cluster with nodes that cannot be used is refused with what to do, and nothing is changed', {
  skip,
}, async () => {
  const url = await openCluster()
  const folder = firstSteps(2)
  const cases: [change: string, says: RegExp][] = [
    ['shouldhaveshards = false', /^The cluster has no workers: .*select citus_add_node/],
    [
      'isactive = nodeid <> 3',
      /^1 of 3 nodes of the cluster cannot be used: worker-2:5432 \(not active\)\. .*need all of them/,
    ],
    [
      'stand_in_is_down = nodeid <> 1',
      /^2 of 3 nodes .*: worker-1:5432 \(failed to connect to worker-1\), worker-2:5432 \(/,
    ],
  ]
  const wellAgain = `update pg_dist_node set isactive = true, stand_in_is_down = false,
    shouldhaveshards = groupid > 0`
  const refusesEach = async (options: { folder: string; distribute?: true }) => {
    for (const [change, says] of cases) {
      await ask(url, `update pg_dist_node set ${change}`)
      await assert.rejects(migrate(url, options), (error) => {
        assert.ok(error instanceof DistributionRefused)
        assert.match(error.message, says)
        return true
      })
      assert.match((await planMigrations(url, options)).refusal ?? '', says)
      await ask(url, wellAgain)
    }
  }
  await refusesEach({ folder, distribute: true })
  const there = `select to_regclass('schema_steps') as steps, count(*)::int from pg_dist_partition`
  assert.deepEqual(await ask(url, there), [{ steps: null, count: 0 }])
  await migrate(url, { folder, distribute: true })
  await refusesEach({ folder: firstSteps(4) })
  // With nothing to change, a process starts beside a node that is down.
  await ask(url, 'update pg_dist_node set stand_in_is_down = true')
  assert.deepEqual(await migrate(url, { folder }), [])
})

test('what a run of an older release left without its foreign keys is refused, and completed', {
  skip,
}, async () => {
  const url = await openCluster()
  await migrate(url)
  const expected = await openCluster()
  await migrate(expected)
  await migrate(expected, { distribute: true })
  // It dropped the keys without a record, and was killed while it distributed the first step.
  const steps = await readMigrations()
  for (const { table, name } of steps.flatMap(({ keys }) => readForeignKeys(keys))) {
    await ask(url, `alter table ${table} drop constraint ${name}`)
  }
  const says = /in part: 11 foreign keys are missing\. .*run: feria migrate --distribute$/
  await assert.rejects(migrate(url), says)
  for (const { statement } of readDistributedTables(steps[0]?.distribute ?? '').slice(0, 10)) {
    await ask(url, statement)
  }
  await assert.rejects(migrate(url), (error) => {
    assert.ok(error instanceof DistributionRefused)
    assert.match(error.message, new RegExp(`${tableNames.length - 10} tables are on the coord`))
    return true
  })
  const plan = await planMigrations(url, { distribute: true })
  assert.deepEqual(plan.missingKeys.map(({ name }) => name).sort(), keyNames.toSorted())
  await migrate(url, { distribute: true })
  await assertAlike(url, expected)
})

test('a key that its rows break is named and stays recorded until they are corrected', {
  skip,
}, async () => {
  const url = await openCluster()
  await migrate(url)
  await ask(url, 'alter table listing_stock drop constraint listing_stock_listing')
  await addRows(url)
  await ask(url, 'delete from listings')
  await assert.rejects(
    migrate(url, { distribute: true }),
    /could not be added again:\n {2}listing_stock_listing of listing_stock: .*violates/,
  )
  await assert.rejects(migrate(url), /1 foreign keys are missing/)
  await ask(url, 'delete from listing_stock')
  await migrate(url, { distribute: true })
  assert.deepEqual(await planMigrations(url), {
    steps: [],
    tables: [],
    missingKeys: [],
    refusal: null,
  })
})
