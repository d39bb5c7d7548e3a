import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { firstId, type IdKind, largestId } from '../../kernel/ids.ts'
import { Database } from './database.ts'
import { Ids } from './ids.ts'
import { sql } from './sql.ts'

let database: TestDatabase
const opened: Database[] = []

before(async () => {
  database = await openTestDatabase()
})
after(async () => {
  await Promise.all(opened.map((db) => db.close()))
  await database.drop()
})

/** As another process would: connections and blocks of its own. */
function openIds(): Ids {
  const db = new Database({ url: database.url, poolSize: 3, statementTimeoutMs: 15_000 })
  opened.push(db)
  return new Ids(db)
}

test('no number is given twice, by whomever and however many are asked for at once', async () => {
  const processes = [openIds(), openIds(), openIds()]
  const requests = processes.flatMap((ids) => [
    ...Array.from({ length: 700 }, () => ids.next('order').then((id) => [id])),
    ...[1, 999, 1_000, 1_001, 2_500].map((count) => ids.nextMany('order', count)),
    ...Array.from({ length: 700 }, () => ids.next('order').then((id) => [id])),
  ])
  const numbers = (await Promise.all(requests)).flat()
  assert.equal(numbers.length, 3 * (1_400 + 1 + 999 + 1_000 + 1_001 + 2_500))
  assert.equal(new Set(numbers).size, numbers.length)
  for (const id of numbers) assert.ok(Number.isSafeInteger(id) && id >= firstId.order)
})

test('those who find a block empty together share the next one', async () => {
  const ids = openIds()
  const numbers = await Promise.all(Array.from({ length: 1_000 }, () => ids.next('shipment')))
  const sorted = numbers.toSorted((a, b) => a - b)
  assert.equal((sorted.at(-1) ?? 0) - (sorted[0] ?? 0), 999)
})

test('a failed refill fails those who wait for it, and the next one tries again', async () => {
  const ids = openIds()
  const [db] = opened
  await db?.rows(sql`alter table id_blocks rename to id_blocks_away`)
  const refused = await Promise.allSettled([ids.next('user'), ids.next('user')])
  assert.deepEqual(
    refused.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  await db?.rows(sql`alter table id_blocks_away rename to id_blocks`)
  assert.ok((await ids.next('user')) >= firstId.user)
})

test('every kind counts from its own beginning', async () => {
  const ids = openIds()
  for (const kind of Object.keys(firstId) as IdKind[]) {
    const id = await ids.next(kind)
    assert.ok(id >= firstId[kind] && id <= largestId, `${kind} ${id}`)
    if (kind === 'item' || kind === 'application') assert.equal(id, firstId[kind])
  }
})

test('none are taken when none are asked for', async () => {
  assert.deepEqual(await openIds().nextMany('payment', 0), [])
})
