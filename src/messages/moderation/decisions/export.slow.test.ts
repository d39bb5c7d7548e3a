import assert from 'node:assert/strict'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../../test/harness/app.ts'
import {
  createMessagingMarket,
  placeCustomShippingOrder,
  sendTestMessage,
} from '../../../../test/harness/messaging.ts'
import { override } from '../../../../test/harness/override.ts'
import { noTerms } from '../../../moderation/terms.ts'
import type { Db } from '../../../platform/database/database.ts'
import { type Sql, sql } from '../../../platform/database/sql.ts'
import { previewTerms } from '../preview/preview.ts'
import { listPastMessages } from '../preview/store.ts'
import { decisionsAdminRoutes } from './admin-routes.ts'
import { countDecisions, countNewestDecisions, listDecisions } from './store.ts'

/** More messages than are held back: plans must find those without reading the others. */
const heldCount = 10_000
const passedCount = 40_000

let app: TestApp
before(async () => {
  app = await openTestApp()
  const talk = await createMessagingMarket(app.client)
  const { id: packId } = await placeCustomShippingOrder(app.client)
  const send = (text: string) => sendTestMessage(app.client, { token: talk.anaToken, packId, text })
  const copy = (id: string, count: number) =>
    app.ctx.db.rows(sql`
      insert into messages (seller_id, pack_id, id, buyer_id, from_id, to_id, text, status,
        date_created, date_available, details, body)
      select seller_id, pack_id, md5(${id}::text || n), buyer_id, from_id, to_id, text, status,
        date_created - n * interval '1 second', date_available, details, body
      from messages, generate_series(1, ${count}::int) n where id = ${id}`)
  // The match is nearly all of a text, so that each line of the export is long.
  const held = await send(`mirá https://bit.ly/${'x'.repeat(320)}`)
  const passed = await send('Sale hoy con el correo de siempre')
  assert.deepEqual([held.body.status, passed.body.status], ['moderated', 'available'])
  await copy(held.body.id, heldCount - 1)
  await copy(passed.body.id, passedCount - 1)
  await app.ctx.db.rows({ text: 'analyze messages', name: undefined, values: [] })
})
after(() => app.close())

/** Returns the database, and the statements that were sent to it. */
function recorded(): { db: Db; statements: Sql[] } {
  const statements: Sql[] = []
  const rows = (statement: Sql) => {
    statements.push(statement)
    return app.ctx.db.rows(statement)
  }
  return { db: override(app.ctx.db, { rows: rows as Db['rows'] }), statements }
}

const since = {
  from: new Date('2026-01-01T00:00:00.000Z'),
  to: new Date('2027-01-01T00:00:00.000Z'),
}

test('an export of 10,000 decisions has each once and in order', async () => {
  const { body } = await app.client.request('GET', '/operator/moderation/decisions')
  const ids = new Set<string>()
  let last = ''
  const input = Readable.fromWeb(body as ReadableStream)
  for await (const line of createInterface({ input })) {
    const { message_id, date_held } = JSON.parse(line)
    assert.ok(date_held >= last)
    last = date_held
    ids.add(message_id)
  }
  assert.equal(ids.size, heldCount)
})

test('an export reads no page before the one before it was taken', async () => {
  const { db, statements } = recorded()
  const [{ handle } = assert.fail('there is no route')] = decisionsAdminRoutes
  const { content } = await handle(override(app.ctx, { db: db as typeof app.ctx.db }), {
    query: {},
  } as Parameters<typeof handle>[1])
  assert.ok(content)
  const chunks = content[Symbol.asyncIterator]()
  let taken = 0
  let lines = 0
  for (;;) {
    const { done, value } = await chunks.next()
    if (done) break
    taken++
    lines += String(value).split('\n').length - 1
    // The stream reads a few chunks ahead, and no more however many there are.
    assert.ok(statements.length <= taken + content.readableHighWaterMark + 1)
  }
  assert.equal(lines, heldCount)
})

/** How PostgreSQL runs the statement that `read` sends. */
async function planOf(read: (db: Db) => Promise<unknown>): Promise<string> {
  const { db, statements } = recorded()
  await read(db)
  const [{ text, values } = assert.fail('no statement was sent')] = statements
  const explain = { text: `explain ${text}`, name: undefined, values }
  const rows = await app.ctx.db.rows<{ 'QUERY PLAN': string }>(explain)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

test('among many messages, decisions and the newest ones are found by their indexes', async () => {
  const page = { siteId: null, rule: null, id: '', limit: 500 }
  assert.match(
    await planOf((db) => countDecisions(db, { ...since, siteId: 'MLA' })),
    /Scan (using|on) messages_decided/,
  )
  assert.match(
    await planOf((db) => listDecisions(db, { ...since, ...page })),
    /^Limit.*\n\s+-> {2}Index Scan using messages_decided/,
  )
  assert.match(
    await planOf((db) => countNewestDecisions(db, 1_000)),
    /Index Scan Backward using messages_decided/,
  )
  for (const from of [since.from, new Date('1900-01-01T00:00:00.000Z')]) {
    assert.match(
      await planOf((db) => listPastMessages(db, { from, before: since.to, id: '', limit: 200 })),
      /Incremental Sort[\s\S]*Index Scan Backward using messages_by_date/,
    )
  }
})

test('a preview of the most messages lets other work go on, and judges each once', async () => {
  let turns = 0
  let isRunning = true
  const countTurns = () => {
    turns++
    if (isRunning) setImmediate(countTurns)
  }
  countTurns()
  const preview = await previewTerms(app.ctx.db, {
    ...since,
    before: noTerms,
    after: noTerms,
    siteId: null,
    limit: 5_000,
  })
  isRunning = false
  assert.deepEqual([preview.judged, preview.cut], [5_000, 'limit'])
  assert.deepEqual(preview.counts, { newly_held: 0, newly_passed: 0, other_reason: 0 })
  // More than one turn for each page.
  assert.ok(turns > 2 * (5_000 / 200), `${turns} turns`)
})
