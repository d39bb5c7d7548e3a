import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { Database } from '../src/platform/database/database.ts'
import { OwnerTable } from '../src/platform/database/owners.ts'
import { openTestDatabase, type TestDatabase } from './harness/database.ts'
import { findSqlProblems, outerJoinedTables } from './harness/sql-columns.ts'
import { readStatements } from './harness/sql-statements.ts'

let database: TestDatabase
before(async () => {
  database = await openTestDatabase()
})
after(() => database.drop())

const passesOn = 'passes on the statement of its caller, which is looked at there'
const ofDays = 'DDL on the partition of a day, whose name is made of the table and the day'
const ofTables = 'made of the tables that there are at the time'
const timeLimit = '`set local` with a number: settings take no parameters'
const ofSteps =
  'a migration, or a constraint that was read before; migrations have tests of their own'
const ofClusters =
  'reads the catalog of Citus, or a table that is there only while a distribution is under way'
const ofOwners = 'made once of the names of an owner table; a test below runs those of every one'
const ofSnapshots = 'reads a table of a snapshot, whose schema is in the name'
const wholeWhenStored = 'the CHECK `whole_when_stored` has it set in the states that are asked for'

/** What the test reports and is right nevertheless, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  'src/platform/database/database.ts row: is not put together': passesOn,
  'src/platform/database/database.ts rows: is not put together': passesOn,
  'src/platform/database/pipeline.ts row: is not put together': passesOn,
  'src/platform/database/send-statement.ts sendStatement: is not put together': passesOn,
  'src/orders/read.ts rows: is not put together': passesOn,
  'src/orders/read.ts row: is not put together': passesOn,
  'src/cli/doctor/read-model.ts rows: is not put together': passesOn,
  'src/platform/database/copy.ts copyRows: is not put together':
    'COPY of the columns that its caller names; COPY is not prepared',
  'src/platform/database/partitions.ts dropPartitionsBefore: is not put together': ofDays,
  'src/platform/database/partitions.ts createDay: is not put together': ofDays,
  'src/platform/database/owners.ts: is part of no statement': ofOwners,
  'src/platform/database/owners.ts find: is not put together': ofOwners,
  'src/platform/database/owners.ts findMany: is not put together': ofOwners,
  'src/platform/database/owners.ts insert: is not put together': ofOwners,
  'src/platform/database/owners.ts claim: is not put together': ofOwners,
  'src/platform/database/owners.ts claimLocked: is not put together': ofOwners,
  'src/platform/database/owners.ts findSettled: is not put together': ofOwners,
  'src/changes/store.ts emptyNextSlot: is not put together':
    'locks and truncates the partition of a slot, whose number is in its name',
  'src/orders/figures/store.ts countByDay: is not put together': timeLimit,
  'src/orders/search/filing/store.ts findCountDifferences: is not put together': timeLimit,
  'src/platform/database/migrate.ts runStep: is not put together': ofSteps,
  'src/platform/database/distribution.ts distributeTables: is not put together': ofSteps,
  'src/platform/database/distribution.ts dropKeys: is not put together': ofSteps,
  'src/platform/database/distribution.ts restoreKey: is not put together': ofSteps,
  'src/cli/doctor/read-model.ts #shards: does not prepare': ofClusters,
  'src/platform/database/distribution.ts readDistribution: does not prepare': ofClusters,
  'src/platform/database/distribution.ts dropKeys: does not prepare': ofClusters,
  'src/platform/database/distribution.ts restoreKeys: does not prepare': ofClusters,
  'src/platform/database/distribution.ts restoreKey: does not prepare': ofClusters,
  'src/platform/database/table-copies.ts tablesWithRows: is not put together': ofTables,
  'src/platform/database/table-copies.ts copyOut: is not put together': ofTables,
  'src/platform/database/table-copies.ts daysIn: is not put together': ofTables,
  'src/platform/database/table-copies.ts analyze: is not put together': ofTables,
  'src/platform/database/table-copies.ts run: is not put together': ofTables,
  'src/messages/attachments/store.ts: is part of no statement':
    'the attachments of a snapshot, whose schema is in the name',
  'src/messages/attachments/store.ts listStored: is not put together':
    'reads the attachments of a snapshot, whose schema is in the name',
  'src/identity/store-erasure.ts: is part of no statement': ofSnapshots,
  'src/identity/store-erasure.ts isUserInSchema: is not put together': ofSnapshots,
  'src/personal-data/store.ts: is part of no statement': ofSnapshots,
  'src/personal-data/store.ts isErasedInSchema: is not put together': ofSnapshots,
  'src/messages/attachments/store.ts listStored: does not declare null for size': wholeWhenStored,
  'src/messages/attachments/store.ts findAttachment: does not declare null for size':
    wholeWhenStored,
  'src/messages/attachments/store.ts findAttachment: does not declare null for sha256':
    wholeWhenStored,
  'src/messages/attachments/store.ts findAttachment: does not declare null for potentialSecurityThreat':
    wholeWhenStored,
  'src/messages/attachments/store.ts lockStored: does not declare null for size': wholeWhenStored,
  'src/messages/attachments/store.ts lockStored: does not declare null for sha256': wholeWhenStored,
  'src/messages/attachments/store.ts lockStored: does not declare null for potentialSecurityThreat':
    wholeWhenStored,
  'src/http/store-idempotency.ts runIdempotent: does not declare null for result':
    'a key and its result are committed together',
}

test('every statement prepares, and its columns are those that its row type declares', async () => {
  const collected = readStatements('tsconfig.build.json')
  assert.ok(collected.statements.length > 500, 'the statements are found')
  const problems = await findSqlProblems(database.url, collected)
  const real = problems.filter(({ key }) => !(key in exceptions)).map(({ message }) => message)
  assert.deepEqual(real, [], `statements and row types do not agree:\n  ${real.join('\n  ')}\n`)
  const keys = new Set(problems.map(({ key }) => key))
  const idle = Object.keys(exceptions).filter((key) => !keys.has(key))
  assert.deepEqual(idle, [], 'exceptions that nothing needs any more are removed')
})

test('every owner table gives an id, and finds its owner with the values that it was given', async () => {
  const files = globSync('src/**/store*.ts').filter((file) =>
    readFileSync(file, 'utf8').includes('new OwnerTable'),
  )
  const modules = await Promise.all(files.map((file) => import(pathToFileURL(file).href)))
  const tables: unknown[] = modules.flatMap((module) => Object.values(module))
  const owners = tables.filter((table) => table instanceof OwnerTable)
  assert.ok(owners.length > 10, 'the owner tables are found')
  const db = new Database({ url: database.url, poolSize: 1, statementTimeoutMs: 15_000 })
  try {
    for (const table of owners) await giveAndFind(db, table)
  } finally {
    await db.close()
  }
})

async function giveAndFind(db: Database, table: OwnerTable<string | number, object>) {
  const idOf = (n: number) => (table.idType === 'bigint' ? n : `${n}`)
  const owner = Object.fromEntries(
    table.ownerFields.map((field, n) => [field, field === 'role' ? 'sale' : n + 1]),
  )
  await db.transaction(async (tx) => {
    table.insert(tx, { id: idOf(1), ...owner })
    assert.equal(await table.claim(tx, { id: idOf(1), ...owner }), false)
    assert.equal(await table.claim(tx, { id: idOf(2), ...owner }), true)
    assert.deepEqual({ ...(await table.claimLocked(tx, { id: idOf(2), ...owner })) }, owner)
    assert.equal(await table.findSettled(tx, { id: idOf(3), ...owner }), undefined)
  })
  assert.deepEqual({ ...(await table.find(db, idOf(1))) }, owner)
  const owners = await table.findMany(db, [idOf(1), idOf(2), idOf(3)])
  assert.deepEqual(
    [...owners].toSorted(),
    [1, 2].map((n) => [idOf(n), owner]),
  )
}

/** What `test/planted-sql/store.ts` has wrong, by function. */
const planted = [
  // `neverSent`, and the template of `unknownPiece`.
  ': is part of no statement',
  ': is part of no statement',
  'wrongName: does not declare nick: { nickname: string; } has no such property',
  'wrongName: has no column nickname: { nickname: string; } declares it',
  'noSuchColumn: does not prepare: column "nicknam" does not exist, at: nicknam as nickname from users',
  'missingInType: does not declare nickname: { id: number; } has no such property',
  'textForBigint: declares another type for id: int8 is read as number, declared is string',
  'numberForNumeric: declares another type for total: numeric is read as string, declared is number',
  'numbersForBigints: declares another type for userIds: int8[] is read as string[], declared is number[]',
  'objectForJson: declares another type for profile: json is read as string, declared is object',
  'nullNotDeclared: does not declare null for callbackUrl: applications.callback_url may be null',
  'nullDeclared: declares null for name: its column is NOT NULL',
  'neverGiven: never gives id: Date is declared',
  'wrongInOneCase: does not prepare: column "stat" does not exist, at: stat = \'x\'',
  'emptyList: does not prepare: syntax error at end of input, at: ',
  'unknownPiece: is not put together: pieces.condition is not known',
  "unknownText: is not put together: { text: 'select id from '.concat(table), name: undefined, values: [], } is made of what is not known",
]

test('what is wrong with a statement or a row type is found, and nothing else', async () => {
  const file = 'test/planted-sql/store.ts'
  const problems = await findSqlProblems(
    database.url,
    readStatements('test/planted-sql/tsconfig.json'),
  )
  const texts = problems.map(({ message }) => message.replace(/^\S+?:\d+/, '').trimStart())
  assert.deepEqual(texts.toSorted(), planted.toSorted())
  const source = readFileSync(new URL('planted-sql/store.ts', import.meta.url), 'utf8').split('\n')
  for (const { message, line } of problems) {
    assert.ok(message.startsWith(`${file}:${line}`), message)
    assert.match(source[line - 1] ?? '', /db\.rows?[<(]|= sql`/, message)
  }
})

const tables = new Set(['orders', 'users', 'claims', 'feedback'])
const joins: [text: string, outer: string[] | 'all'][] = [
  ['select 1 from orders o join users u on true', []],
  ['select left(nickname, 1) from users', []],
  ['select 1 from orders o left join users u on true', ['users']],
  ['select 1 from orders o LEFT OUTER JOIN users u on true join claims c on true', ['users']],
  [
    'select 1 from orders o left join lateral (select 1 from claims c join users u on (true)) x on true join feedback f on true',
    ['claims', 'users'],
  ],
  ['with x as (select 1 from users) select 1 from orders left join x on true', 'all'],
  ['select 1 from orders o right join users u on true', 'all'],
  ['select 1 from orders o full outer join users u on true', 'all'],
]
for (const [text, outer] of joins) {
  test(`the tables that a join may leave out are known: ${text}`, () => {
    const joined = outerJoinedTables(text, tables)
    assert.deepEqual(joined === 'all' ? joined : [...joined], outer)
  })
}
