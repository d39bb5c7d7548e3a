import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { uploadCatalog } from '../../../test/harness/catalog-files.ts'
import { contract } from '../../../test/harness/contract.ts'
import { openTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import {
  anaId,
  applicationId,
  brunoId,
  createTestMarket,
  issueToken,
  placeOrder,
  putItem,
  putKettle,
  putUser,
} from '../../../test/harness/market.ts'
import { openReceiver, type Receiver } from '../../../test/harness/receiver.ts'
import { uploadFile } from '../../../test/harness/upload.ts'
import { pollUntil } from '../../../test/harness/wait.ts'
import { dayMs } from '../../kernel/clock.ts'
import { sql } from '../../platform/database/sql.ts'
import { listTables } from '../../platform/database/table-copies.ts'
import { seedOrders } from '../demo/load.ts'
import { readClockOffset } from '../store.ts'
import { snapshotTables } from './commands.ts'
import { lockSnapshots, setClockOffset } from './store.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
type Json = any

let database: TestDatabase
let app: TestApp
/** Another process of the same sandbox. */
let other: TestApp
let receiver: Receiver
const url = '/operator/sandbox/snapshots'

before(async () => {
  database = await openTestDatabase()
  app = await openTestApp({ databaseUrl: database.url })
  other = await openTestApp({ databaseUrl: database.url })
  receiver = await openReceiver()
})
after(async () => {
  await app.close()
  await other.close()
  await receiver.close()
  await database.drop()
})

async function save(name: string): Promise<Json> {
  const answer = await app.client.operator('PUT', `${url}/${name}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
async function load(name: string, by: TestApp = app): Promise<Json> {
  const answer = await by.client.operator('POST', `${url}/${name}/load`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/** Every table's rows, as one digest each; but for what says who holds a lane, and the time. */
async function dump(): Promise<Record<string, string>> {
  const { db } = app.ctx
  const digests: Record<string, string> = {}
  for (const { name, columns } of await listTables(db, snapshotTables)) {
    if (name === 'sandbox_clock' || name === 'holders') continue
    const compared = columns
      .split(', ')
      .filter((column) => !/^(fence|held_until|holder|is_waiting)$/.test(column))
    const rows = await db.rows<{ row: string }>({
      text: `select (${compared.map((column) => `${column}::text`).join(', ')})::text as row from ${name}`,
      name: undefined,
      values: [],
    })
    const lines = rows.map(({ row }) => row).sort()
    digests[name] = `${lines.length} ${hash('sha256', lines.join('\n')).slice(0, 12)}`
  }
  return digests
}

/** What is read over HTTP of all that is counted, learned, indexed or remembered. */
async function readWorld(tokens: { anaToken: string }, by: TestApp = app): Promise<Json> {
  const get = async (path: string, token?: string) => {
    const { status, text } = await by.client.get(path, token)
    // Items say at which address they are read: that of the process that answers.
    return { status, body: JSON.parse(text.replaceAll(by.address, 'http://here')) }
  }
  const feed = `/operator/applications/${applicationId}/myfeeds`
  return {
    orders: await get(`/orders/search?seller=${anaId}&display=complete`, tokens.anaToken),
    listings: await get('/sites/MLA/search?q=pava'),
    category: await get('/categories/MLA1411'),
    predicted: await get('/sites/MLA/domain_discovery/search?q=zurcido+invisible+de+marca+trelew'),
    item: await get('/items/MLA1001'),
    feed: (await by.client.operator('GET', feed)).body.messages,
    faults: (await by.client.operator('GET', '/operator/sandbox/answer-faults')).body,
    versions: (await by.client.operator('GET', '/operator/catalog/versions')).body,
  }
}

/** Puts two branches of the built-in catalog in force: every version of the whole takes seconds to dump and to predict
 * from. */
async function importBranches(keys: RegExp): Promise<void> {
  const exported = async (file: string): Promise<Json[]> => {
    const { text } = await app.client.operator('GET', `/operator/catalog/export?file=${file}`)
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
  }
  const categories = (await exported('categories')).filter(({ key }) => keys.test(key))
  const used = new Set(categories.map(({ domain }) => domain))
  const domains = (await exported('domains')).filter(({ id }) => used.has(id))
  const attributes = await exported('attributes')
  const { status, bytes } = await uploadCatalog(app.address, { categories, attributes, domains })
  assert.equal(status, 201, bytes.toString())
}

async function settleAll(): Promise<void> {
  await app.runPendingWork()
  await other.runPendingWork()
}

contract(
  '1',
  'a world that is saved, changed in everything and loaded is again what it was',
  {
    timeout: 280_000,
  },
  async () => {
    const tokens = await createTestMarket(app.client, receiver.url)
    // Of these are the categories below.
    await importBranches(/^(el|aa)(-|$)/)
    await seedOrders(app.ctx, { orders: 120, seed: 1, progress: () => {} })
    const { client } = app
    for (const n of [1, 2, 3]) {
      const id = `MLA70${n}`
      await putKettle(client, id, 5)
      const title = `Zurcido invisible de marca Trelew ${n}`
      await putItem(client, id, { title, category_id: 'MLA1056', available_quantity: 3 })
    }
    const sold = await placeOrder(client)
    await client.operator('POST', '/operator/sandbox/triggers/catalog_change', {
      application_id: applicationId,
    })
    await client.operator('PUT', '/operator/sandbox/answer-faults/late', {
      kind: 'slow',
      delay_ms: 1,
      seed: 1,
      path: '/nowhere',
    })
    const attachment = await uploadFile(app.address, { token: tokens.anaToken })
    await settleAll()
    const [rows, read] = [await dump(), await readWorld(tokens)]
    const saved = await save('before')
    assert.ok(saved.rows > 1_000 && saved.bytes > 100_000 && saved.tables > 30)
    assert.ok(saved.files >= 1)
    assert.equal(saved.world_time, app.ctx.now().toISOString())
    assert.deepEqual(await dump(), rows, 'saving changes nothing')

    // Everything is changed, and what was there is gone, the attachment's file too.
    app.advance(100 * dayMs)
    other.advance(100 * dayMs)
    await placeOrder(client)
    await seedOrders(app.ctx, { orders: 40, seed: 2, progress: () => {} })
    await client.operator('PATCH', `/operator/orders/${sold.id}`, { status: 'cancelled' })
    await client.operator('POST', '/operator/sandbox/triggers/catalog_change', {
      application_id: applicationId,
    })
    for (const n of [1, 2, 3]) {
      await putItem(client, `MLA70${n}`, {
        title: 'Otro',
        price: 11,
        category_id: 'MLA1421',
        sub_status: ['deleted'],
        status: 'closed',
      })
    }
    await client.operator('DELETE', '/operator/sandbox/answer-faults')
    await putUser(client, anaId, { nickname: 'ANOTHER' })
    await settleAll()
    const attachmentPath = `/messages/attachments/${attachment}?tag=post_sale&site_id=MLA`
    const stored = await app.ctx.db.rows(sql`select id from attachments where id = ${attachment}`)
    assert.deepEqual(stored, [], 'what was never attached is swept')
    for (const [table, digest] of Object.entries(await dump())) {
      if (['orders', 'users', 'listings', 'catalogues', 'changes'].includes(table)) {
        assert.notEqual(digest, rows[table], table)
      }
    }

    const loaded = await load('before')
    assert.ok(loaded.loaded_in_ms > 0)
    app.advance(-100 * dayMs)
    other.advance(-100 * dayMs)
    assert.deepEqual(await dump(), rows)
    assert.deepEqual(await readWorld(tokens), read)
    await pollUntil('the other process to follow', async () => {
      await other.runPendingWork()
      try {
        assert.deepEqual(await readWorld(tokens, other), read)
        return true
      } catch {
        return false
      }
    })
    await settleAll()
    assert.deepEqual(await readWorld(tokens), read, 'and stays so')
    assert.equal((await client.get(attachmentPath, tokens.anaToken)).status, 200)
  },
)

contract(
  '1',
  'life goes on after it: orders are made by both processes, told, and delivered',
  async () => {
    const ids = new Set<number>()
    receiver.received.length = 0
    for (const by of [app, other, app, other]) {
      await putKettle(by.client, 'MLA1001', 10)
      ids.add((await placeOrder(by.client)).id)
    }
    assert.equal(ids.size, 4)
    await settleAll()
    await pollUntil('all to be told', () =>
      [...ids].every((id) =>
        receiver.received.some(({ body }) => body.resource === `/orders/${id}`),
      ),
    )
  },
)

test('a token of the time after the snapshot is refused in every process, one of before is taken', async () => {
  const issue = async () => await issueToken(app.client, { user_id: brunoId })
  const before = await issue()
  await save('tokens')
  const later = await issue()
  const me = async (token: string, by: TestApp) => (await by.client.get('/users/me', token)).status
  assert.deepEqual([await me(later, app), await me(later, other)], [200, 200])
  await load('tokens', other)
  await pollUntil('both to forget', async () => (await me(later, app)) === 401)
  assert.deepEqual([await me(later, other), await me(before, app)], [401, 200])
})

contract(
  '1',
  'two that save and load at once come one after the other, and readers meet no failure',
  async () => {
    const { anaToken: token } = await createTestMarket(app.client, null)
    await save('twice')
    const path = `/orders/search?seller=${anaId}`
    let isOver = false
    const statuses = new Set<number>()
    const pendingReads = (async () => {
      while (!isOver) statuses.add((await app.client.get(path, token)).status)
    })()
    const all = await Promise.all([
      app.client.operator('PUT', `${url}/twice`),
      other.client.operator('PUT', `${url}/twice`),
      app.client.operator('POST', `${url}/twice/load`),
      other.client.operator('POST', `${url}/twice/load`),
    ])
    isOver = true
    await pendingReads
    assert.deepEqual(
      all.map(({ status, text }) => (status === 200 ? 200 : text)),
      [200, 200, 200, 200],
    )
    assert.deepEqual([...statuses], [200])
  },
)

test('a world that is saved behind another save or load is the one that this left', async () => {
  const { db } = app.ctx
  const { saving, aheadMs } = await db.transaction(async (tx) => {
    await lockSnapshots(tx)
    const saving = save('behind')
    await pollUntil('the save to wait', async () => {
      const waiting = await db.rows(sql`
        select from pg_locks where relation = 'sandbox_snapshots'::regclass and not granted`)
      return waiting.length > 0
    })
    const aheadMs = (await readClockOffset(tx)) + 60_000
    await setClockOffset(tx, aheadMs)
    return { saving: { answer: saving }, aheadMs }
  })
  await saving.answer
  const row = await db.row<{ place: string }>(sql`
    select place from sandbox_snapshots where name = 'behind'`)
  const text = `select ahead_ms as "aheadMs" from ${row?.place}.sandbox_clock`
  assert.deepEqual(await db.rows({ text, name: undefined, values: [] }), [{ aheadMs }])
})

contract('1', 'a load that fails halfway leaves the world as it is', async () => {
  await save('broken')
  const schemas = await app.ctx.db.rows<{ place: string }>(sql`
    select place from sandbox_snapshots where name = 'broken'`)
  const plain = { name: undefined, values: [] }
  // It is met after most tables were replaced.
  await app.ctx.db.rows({ ...plain, text: `drop table ${schemas[0]?.place}.users` })
  await putKettle(app.client, 'MLA9009', 3)
  const rows = await dump()
  const answer = await app.client.operator('POST', `${url}/broken/load`)
  assert.equal(answer.status, 500)
  assert.deepEqual(await dump(), rows)
  await save('broken')
  await load('broken')
  assert.deepEqual(await dump(), rows)
})

test('a snapshot of another schema is refused in a sentence, and nothing is loaded', async () => {
  await save('older')
  await app.ctx.db.rows(sql`update sandbox_snapshots set step = step - 1 where name = 'older'`)
  const rows = await dump()
  const { status, body } = await app.client.operator('POST', `${url}/older/load`)
  assert.deepEqual([status, body.error], [409, 'snapshot_refused'])
  assert.match(
    body.message,
    /^Snapshot older was taken at step \d+ of the schema, which is at \d+:/,
  )
  assert.deepEqual(await dump(), rows)
})

test('the worlds that are kept are listed, and one that is removed leaves nothing behind', async () => {
  await save('one')
  const names = async () =>
    (await app.client.operator('GET', url)).body.snapshots.map(({ name }: Json) => name)
  assert.ok((await names()).includes('one'))
  assert.equal((await app.client.operator('DELETE', `${url}/one`)).status, 204)
  assert.ok(!(await names()).includes('one'))
  for (const name of await names()) await app.client.operator('DELETE', `${url}/${name}`)
  const schemas = await app.ctx.db.rows(sql`
    select nspname from pg_namespace where nspname like 'snapshot%'`)
  assert.deepEqual(schemas, [])
  assert.equal((await app.client.operator('DELETE', `${url}/one`)).status, 404)
  assert.equal((await app.client.operator('POST', `${url}/one/load`)).status, 404)
  const wrong = await app.client.operator('PUT', `${url}/No%20name`)
  assert.match(wrong.body.message, /^name: expected /)
})

contract('1', 'in production no world is kept, and none loaded', async () => {
  const real = await openTestApp({ env: { FERIA_MODE: 'production' } })
  try {
    for (const [method, at] of [
      ['GET', url],
      ['PUT', `${url}/x`],
      ['POST', `${url}/x/load`],
      ['DELETE', `${url}/x`],
    ] as const) {
      const answer = await real.client.operator(method, at)
      assert.deepEqual([answer.status, answer.body.error], [403, 'sandbox_only'])
    }
  } finally {
    await real.close()
  }
})
