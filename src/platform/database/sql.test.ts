import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { Database } from './database.ts'
import { joined, type Sql, sql, type Template, unnamed } from './sql.ts'

let database: TestDatabase
let db: Database

before(async () => {
  database = await openTestDatabase()
  db = new Database({ url: database.url, poolSize: 1, statementTimeoutMs: 15_000 })
})
after(async () => {
  await db.close()
  await database.drop()
})

const textAndValues = ({ text, values }: Sql) => ({ text, values })

test('text and values stay apart, whatever a value says', () => {
  const evil = "'; drop table orders; --"
  assert.deepEqual(textAndValues(sql`select ${evil}, ${2}`), {
    text: 'select $1, $2',
    values: [evil, 2],
  })
  const lookalike = { text: 'evil', values: [], parts: ['evil'], name: 'x' }
  assert.deepEqual(textAndValues(sql`select ${lookalike}`), {
    text: 'select $1',
    values: [lookalike],
  })
})

test('a template inside another is written out in its place, and the numbering follows', () => {
  const bound = sql`n between ${3} and ${4}`
  const column = sql`total`
  const inner = sql`select ${column} from things where a = ${2} and ${bound}`
  assert.deepEqual(textAndValues(sql`select ${1}, (${inner}), ${5}${column}`), {
    text: 'select $1, (select total from things where a = $2 and n between $3 and $4), $5total',
    values: [1, 2, 3, 4, 5],
  })
  assert.deepEqual(textAndValues(sql`${column}`), { text: 'total', values: [] })
})

test('pieces are joined with their values in order', () => {
  const pieces = [sql`a = ${1}`, sql`b`, sql`c = ${2}`]
  assert.deepEqual(textAndValues(sql`where ${joined(pieces, ' and ')} limit ${3}`), {
    text: 'where a = $1 and b and c = $2 limit $3',
    values: [1, 2, 3],
  })
  assert.deepEqual(textAndValues(sql`x${joined([], ',')}y`), { text: 'xy', values: [] })
})

test('the name follows from the whole text, and only from it', () => {
  const by = (column: Template, value: number) => sql`select 1 where ${column} = ${value}`
  assert.equal(by(sql`1`, 5).name, by(sql`1`, 6).name)
  assert.notEqual(by(sql`1`, 5).name, by(sql`2`, 5).name)
  assert.equal(by(sql`1`, 5).name, sql`select 1 where 1 = ${7}`.name)
})

test('a statement without a name leaves no plan behind in the connection', async () => {
  for (const value of [1, 2]) {
    await db.rows(sql`select ${value}::int as named`)
    await db.rows(unnamed(sql`select ${value}::int as ${sql`nameless`}`))
  }
  const prepared = await db.rows<{ statement: string }>(
    unnamed(
      sql`select statement from pg_prepared_statements where statement like 'select $1::int%'`,
    ),
  )
  assert.deepEqual(
    prepared.map(({ statement }) => statement),
    ['select $1::int as named'],
  )
})
