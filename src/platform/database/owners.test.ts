import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { Database } from './database.ts'
import { sqlState } from './errors.ts'
import { OwnerTable } from './owners.ts'
import { type Sql, sql } from './sql.ts'

let database: TestDatabase
let db: Database

before(async () => {
  database = await openTestDatabase()
  db = new Database({ url: database.url, poolSize: 3, statementTimeoutMs: 15_000 })
})
after(async () => {
  await db.close()
  await database.drop()
})

const orders = new OwnerTable<number, { sellerId: number; buyerId: number }>({
  table: 'order_owner',
  id: 'order_id',
  idType: 'bigint',
  owner: { sellerId: 'seller_id', buyerId: 'buyer_id' },
})
const messages = new OwnerTable<string, { sellerId: number; packId: number }>({
  table: 'message_owner',
  id: 'message_id',
  idType: 'text',
  owner: { sellerId: 'seller_id', packId: 'pack_id' },
})
const [first, second] = [
  { sellerId: 1, buyerId: 2 },
  { sellerId: 3, buyerId: 4 },
]

test('an id that nobody has is given once, and keeps its owner', async () => {
  const claimed = (owner: typeof first) =>
    db.transaction(async (tx) => {
      const isFree = await orders.claim(tx, { id: 10, ...owner })
      return { isFree, ...(await orders.claimOrFind(tx, { id: 11, ...owner })) }
    })
  assert.equal(await orders.find(db, 10), undefined)
  const mine = await claimed(first)
  assert.deepEqual([mine.isFree, mine.isNew, mine.owner.sellerId], [true, true, 1])
  assert.deepEqual(await claimed(second), { isFree: false, isNew: false, owner: first })
  assert.deepEqual({ ...(await orders.find(db, 10)) }, first)
})

test('of two who claim an id at once, the second waits and finds the first', async () => {
  let both: Promise<unknown>[] = []
  await db.transaction(async (tx) => {
    await orders.claim(tx, { id: 20, ...first })
    both = [second, first].map((owner) =>
      db.transaction((tx) => orders.claimOrFind(tx, { id: 20, ...owner })),
    )
  })
  const expected = { owner: first, isNew: false }
  assert.deepEqual(await Promise.all(both), [expected, expected])
})

test('an id that is given for good cannot be given again: the transaction fails', async () => {
  const insert = () => db.transaction((tx) => orders.insert(tx, { id: 30, ...first }))
  await insert()
  await assert.rejects(insert(), (error) => sqlState(error) === '23505')
})

test('a claim that locks is refused to others until the transaction ends, also of a known id', async () => {
  const claim = { id: 40, ...first }
  await db.transaction((tx) => orders.insert(tx, claim))
  await db.transaction(async (tx) => {
    assert.deepEqual(await orders.claimLocked(tx, { ...claim, ...second }), first)
    const other = db.row(sql`select 1 from order_owner where order_id = 40 for update nowait`)
    await assert.rejects(other, (error) => sqlState(error) === '55P03')
  })
})

test('a free id is found free once nobody is giving it, and stays free until the transaction ends', async () => {
  const find = (id: number) => db.transaction((tx) => orders.findSettled(tx, { id, ...second }))
  let pending: Promise<unknown> | undefined
  await db.transaction(async (tx) => {
    await orders.claim(tx, { id: 50, ...first })
    pending = find(50)
  })
  assert.deepEqual(await pending, first)
  assert.equal(await find(51), undefined)
  assert.equal(await orders.find(db, 51), undefined)
  const steps: string[] = []
  let claimed: Promise<unknown> | undefined
  await db.transaction(async (tx) => {
    await orders.findSettled(tx, { id: 52, ...second })
    claimed = db.transaction(async (tx) => {
      assert.equal(await orders.claim(tx, { id: 52, ...first }), true)
      steps.push('claimed')
    })
    await tx.rows(sql`select pg_sleep(0)`)
    steps.push('committing')
  })
  await claimed
  assert.deepEqual(steps, ['committing', 'claimed'])
})

test('owners are found many at once, whatever the type of the id; unknown ids are left out', async () => {
  const conversation = { sellerId: 1, packId: 5 }
  await db.bulk(async (tx) => {
    await messages.copyMany(tx, [
      { id: 'a', ...conversation },
      { id: "it's", ...conversation },
    ])
    await messages.copyMany(tx, [])
  })
  const ownersById = await messages.findMany(db, ['a', "it's", 'unknown'])
  assert.deepEqual([...ownersById.keys()].sort(), ['a', "it's"])
  assert.deepEqual(ownersById.get('a'), conversation)
  assert.deepEqual([...(await messages.findMany(db, []))], [])
})

test('statements are named, one for all values, and take a value as nothing else', async () => {
  const sent: Sql[] = []
  const recorder = {
    rows: async <Row>(statement: Sql) => {
      sent.push(statement)
      return db.rows<Row>(statement)
    },
    row: async <Row>(statement: Sql) => {
      sent.push(statement)
      return db.row<Row>(statement)
    },
  }
  for (const id of ['a', "'; drop table message_owner; --"]) await messages.find(recorder, id)
  await messages.findMany(recorder, ['a'])
  const [one, other] = sent
  assert.ok(sent.every(({ name }) => name))
  assert.deepEqual([one?.name, one?.text], [other?.name, other?.text])
  assert.equal(
    one?.text,
    'select seller_id as "sellerId", pack_id as "packId" from message_owner where message_id = $1',
  )
})

test('what is no plain name of a table makes no statement', () => {
  assert.throws(
    () => new OwnerTable({ table: 'a; b', id: 'id', idType: 'text', owner: {} }),
    /expected a plain name/,
  )
})
