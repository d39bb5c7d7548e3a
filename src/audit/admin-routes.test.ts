import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { download, linesOf } from '../../test/harness/exports.ts'
import { postImportLines } from '../../test/harness/import-lines.ts'
import {
  anaId,
  applicationId,
  brunoId,
  createTestMarket,
  placeOrder,
  putItem,
} from '../../test/harness/market.ts'
import { pollUntil } from '../../test/harness/wait.ts'
import type { Route } from '../http/route.ts'
import { dayMs, minuteMs } from '../kernel/clock.ts'
import { auditAdminRoutes } from './admin-routes.ts'
import { csvCell } from './csv.ts'
import { dropOldEntries, erasePersonalValues } from './store.ts'
import type { AuditEntryAnswer } from './view.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
  await createTestMarket(app.client, null)
})
after(() => app.close())

const path = '/operator/audit-log'

async function change(
  method: string,
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<string> {
  const answer = await app.client.operator(method, url, body, headers)
  assert.ok(answer.status < 300, answer.text)
  return answer.headers.get('x-request-id') ?? ''
}

async function list(query: Record<string, string | number> = {}): Promise<AuditEntryAnswer[]> {
  const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, `${value}`]))
  const answer = await app.client.operator('GET', `${path}?${text}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.results
}

async function newest(query: Record<string, string | number> = {}): Promise<AuditEntryAnswer> {
  const [entry] = await list({ ...query, limit: 1 })
  return entry ?? assert.fail('there is no entry')
}

test('an entry says who changed what, when, why, and from which value to which', async () => {
  const { id: orderId } = await placeOrder(app.client)
  app.advance(minuteMs)
  const date = app.ctx.now().toISOString()
  const body = { status: 'cancelled', cancel_detail: cancelDetail }
  const reason = { 'x-feria-reason': 'fraud, ticket 4711' }
  const id = await change('PATCH', `/operator/orders/${orderId}`, body, reason)
  const { before, after, personal, ...entry } = await newest()
  assert.deepEqual(entry, {
    id,
    date,
    actor: 'token',
    actor_name: null,
    operation: 'PATCH /operator/orders/{order_id}',
    target: { kind: 'order', id: String(orderId) },
    related: [],
    reason: 'fraud, ticket 4711',
    result: null,
  })
  assert.deepEqual((personal as { after: object }[])[0]?.after, { description: 'x' })
  const [old, current] = [before, after] as [Record<string, unknown>, Record<string, unknown>]
  assert.equal(old['status'], 'confirmed')
  assert.equal(current['status'], 'cancelled')
  assert.deepEqual(Object.keys(old).toSorted(), Object.keys(current).toSorted())
  assert.ok(!('lines' in current), 'only fields that differ')
})

const cancelDetail = {
  group: 'fraud',
  code: 'fraud',
  description: 'x',
  requested_by: 'platform',
}

test('an entry of something new has nothing before, and names the new id', async () => {
  const { id } = await placeOrder(app.client)
  const order = await newest()
  assert.deepEqual(order.target, { kind: 'order', id: String(id) })
  assert.equal(order.before, null)
  assert.equal((order.after as { status: string }).status, 'confirmed')
  const term = { kind: 'word', value: 'palabrota', reason: 'OUT_OF_PLACE_LANGUAGE' }
  const { body } = await app.client.operator('POST', '/operator/moderation/terms', term)
  assert.deepEqual((await newest()).target, { kind: 'moderation_term', id: body.id })
})

test('a reason keeps its accents, and one that is too long is refused before anything changes', async () => {
  await change(
    'PUT',
    '/operator/currency_rates/BRL/USD',
    { rate: 0.2 },
    {
      'x-feria-reason': Buffer.from('decisión del año').toString('latin1'),
    },
  )
  assert.equal((await newest()).reason, 'decisión del año')
  const { status, body } = await app.client.operator(
    'PUT',
    '/operator/currency_rates/BRL/USD',
    { rate: 0.3 },
    { 'x-feria-reason': 'x'.repeat(501) },
  )
  assert.deepEqual([status, body.error], [400, 'bad_request'])
  assert.match(body.message, /X-Feria-Reason: expected at most 500 characters/)
  const rates = await app.client.operator('GET', '/operator/currency_rates')
  assert.equal(rates.body.results[0].rate, 0.2)
})

test('a refused operation and a read leave no entry', async () => {
  const { id } = await newest()
  const refusals = await Promise.all([
    app.client.operator('PATCH', '/operator/orders/1', { status: 'cancelled' }),
    app.client.operator('PUT', '/operator/items/MLA1', { title: 1 }),
    app.client.operator('DELETE', '/operator/moderation/terms/none'),
    app.client.operator('POST', '/operator/tokens/revoke', { access_token: `APP_USR-x-${anaId}` }),
    app.client.operator('DELETE', `/operator/authorizations/${applicationId}/${brunoId}`),
    app.client.send('POST', '/operator/clock', { token: 'not-the-operator', body: {} }),
  ])
  assert.ok(refusals.every(({ status }) => status >= 400))
  await app.client.operator('GET', '/operator/users')
  assert.equal((await newest()).id, id)
})

test('what an application does with its own listener leaves no entry, what an operator does has one', async () => {
  const { ownerToken: token } = await createTestMarket(app.client, null)
  const url = `/applications/${applicationId}/listeners/own`
  app.advance(minuteMs)
  const from = app.ctx.now().toISOString()
  const own = await app.client.send('PUT', url, { token, body: {} })
  assert.equal(own.status, 201, own.text)
  assert.equal((await app.client.send('DELETE', url, { token })).status, 204)
  assert.deepEqual(await list({ from }), [])
  await change('PUT', `/operator${url}`, {})
  assert.deepEqual((await newest()).target, {
    kind: 'listener',
    id: `${applicationId}/own`,
  })
  assert.equal((await newest()).actor, 'token')
})

test('entries are found by actor, target, operation and time', async () => {
  app.advance(minuteMs)
  const from = app.ctx.now().toISOString()
  const first = await change('PUT', '/operator/currency_rates/ARS/USD', { rate: 0.001 })
  app.advance(minuteMs)
  const to = app.ctx.now().toISOString()
  const second = await change('PUT', '/operator/currency_rates/ARS/USD', { rate: 0.002 })
  const other = await change('PUT', '/operator/currency_rates/CLP/USD', { rate: 0.001 })
  const ids = async (query: Record<string, string>) => (await list(query)).map(({ id }) => id)
  const operation = 'PUT /operator/currency_rates/{base}/{quote}'
  assert.deepEqual(await ids({ target: 'currency_rate:ARS/USD' }), [second, first])
  assert.deepEqual(await ids({ operation, from: to }), [other, second])
  assert.deepEqual(await ids({ operation, from, to }), [first])
  assert.deepEqual((await ids({ actor: 'token', from: to })).slice(0, 2), [other, second])
  assert.deepEqual(await ids({ actor: 'account:5' }), [])
  for (const query of [
    'target=order',
    'target=nothing:1',
    'from=yesterday',
    'cursor=x',
    'limit=0',
  ]) {
    const { status, body } = await app.client.operator('GET', `${path}?${query}`)
    assert.deepEqual([status, body.error], [400, 'bad_request'], query)
  }
})

test('pages follow each other without gap or repetition while entries are added', async () => {
  const all = (await list({ limit: 200 })).map(({ id }) => id)
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`
    const { body } = await app.client.operator('GET', `${path}?limit=4${query}`)
    seen.push(...body.results.map(({ id }: AuditEntryAnswer) => id))
    cursor = body.next_cursor
    await putItem(app.client, 'MLA1002')
  }
  assert.deepEqual(seen, all)
  const { body } = await app.client.operator('GET', `${path}?limit=1`)
  const reused = await app.client.operator('GET', `${path}?actor=token&cursor=${body.next_cursor}`)
  assert.equal(reused.status, 400, 'a cursor belongs to its filters')
})

test('an export has every entry, as lines of JSON or as CSV', async () => {
  const entries = await list({ limit: 200 })
  const lines = await app.client.operator('GET', `${path}/export`)
  assert.equal(lines.headers.get('content-type'), 'application/x-ndjson; charset=utf-8')
  const exported = lines.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(exported, entries)
  const csv = await app.client.operator('GET', `${path}/export?format=csv`)
  assert.equal(csv.headers.get('content-type'), 'text/csv; charset=utf-8; header=present')
  const rows = csv.text.split('\r\n').slice(0, -1)
  assert.equal(rows.length, entries.length + 1)
  assert.ok(rows[0]?.startsWith('"id","date","actor"'))
  assert.ok(rows[1]?.startsWith(`"${entries[0]?.id}"`))
})

test('exports of the log share the limit of all exports, and give their slots back', async () => {
  const { exportSlots } = app.ctx
  const others = Array.from({ length: exportSlots.limit - 1 }, () =>
    exportSlots.take({ kind: 'token' }),
  )
  const answers = await Promise.all(
    [1, 2, 3].map(() => app.client.operator('GET', `${path}/export?format=csv`)),
  )
  for (const { status, body } of answers) {
    assert.ok(status === 200 || (status === 429 && body.error === 'too_many_exports'))
  }
  others.push(exportSlots.take({ kind: 'token' }))
  const refused = await app.client.operator('GET', `${path}/export`)
  assert.deepEqual([refused.status, refused.body.error], [429, 'too_many_exports'])
  assert.equal((await app.client.operator('GET', path)).status, 200)
  for (const release of others) release()
  const { text, isComplete, trailers } = await download(app, `${path}/export`)
  assert.equal(trailers['x-feria-entries'], String(linesOf(text).length))
  assert.ok(isComplete)
  assert.equal((await download(app, `${path}/export`, 'HEAD')).status, 200)
  await pollUntil('the end of all exports', () => exportSlots.used === 0)
})

test('an export of the log whose client reads nothing for a minute is ended', async () => {
  const due: (() => void)[] = []
  const timers = {
    ...app.ctx.timers,
    after(ms: number, work: () => void) {
      assert.equal(ms, 60_000)
      due.push(work)
      return { cancel: () => void due.splice(due.indexOf(work), 1), unref() {} }
    },
  }
  const route = auditAdminRoutes.find(({ url }) => url === `${path}/export`)
  const input = { query: {} } as Parameters<Route['handle']>[1]
  const answer = await route?.handle({ ...app.ctx, timers }, input)
  assert.ok(answer?.content)
  const failed = once(answer.content, 'error')
  answer.content.read()
  await pollUntil('a piece that waits for the client', () => due.length === 1)
  assert.equal(app.ctx.exportSlots.used, 1)
  due[0]?.()
  assert.match(String((await failed)[0]), /has read nothing for a minute/)
  await pollUntil('the end of the export', () => app.ctx.exportSlots.used === 0)
})

test('no cell of a CSV export starts a formula', async () => {
  for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', ' =1+1', '\t=1+1', '\r=1', '＝1+1', '\n1']) {
    assert.equal(csvCell(text), `"'${text}"`)
  }
  for (const hidden of ['\u200b', '\u00ad', '\u2060', '\u202e', '\ufeff \u3164']) {
    assert.equal(csvCell(`${hidden}=1`), `"'${hidden}=1"`)
  }
  for (const small of '﹦﹢﹣﹫') assert.equal(csvCell(`${small}1`), `"'${small}1"`)
  assert.equal(csvCell('a;=1; \u200b@b;c'), `"a;'=1;' \u200b@b;c"`)
  assert.equal(csvCell('say "=1"'), '"say ""=1"""')
  const reason = { 'x-feria-reason': '=HYPERLINK("http://example.com")' }
  await change('PUT', '/operator/currency_rates/UYU/USD', { rate: 0.02 }, reason)
  const csv = await app.client.operator(
    'GET',
    `${path}/export?format=csv&target=currency_rate:UYU/USD`,
  )
  assert.match(csv.text, /,"'=HYPERLINK\(""http:\/\/example.com""\)",/)
})

test('personal values of a user can be erased, and their entries stay', async () => {
  const user = { site_id: 'MLA', nickname: 'DORA', email: 'dora@example.com' }
  await change('PUT', '/operator/users/9009', user)
  const moved = { ...user, first_name: 'Dora', status: 'deactivated' }
  const id = await change('PUT', '/operator/users/9009', moved)
  const entry = await newest({ target: 'user:9009' })
  assert.deepEqual(entry.before, { status: 'active' })
  assert.deepEqual(entry.after, { status: 'deactivated' })
  assert.deepEqual(entry.personal, [
    { user_id: 9009, erased: false, before: { first_name: null }, after: { first_name: 'Dora' } },
  ])
  await app.ctx.db.transaction((tx) => erasePersonalValues(tx, 9009))
  const entries = await list({ target: 'user:9009' })
  assert.equal(entries.length, 2)
  assert.equal(entries[0]?.id, id)
  for (const { personal } of entries) {
    assert.deepEqual(personal, [{ user_id: 9009, erased: true, before: null, after: null }])
  }
  const csv = await app.client.operator('GET', `${path}/export?format=csv`)
  assert.doesNotMatch(csv.text, /dora/i)
})

test('addresses in a shipment are personal values, the sender’s of the seller, the others of the buyer', async () => {
  const order = await placeOrder(app.client)
  const receiver_address = { street_name: 'Calle Falsa', street_number: '123' }
  const url = `/operator/shipments/${order.shipping.id}`
  const sender_address = { street_name: 'Calle Cierta', street_number: '5' }
  const patch = { tracking_number: 'T1', receiver_address, sender_address }
  await change('PATCH', url, patch)
  const { after, personal } = await newest()
  assert.ok(!String(JSON.stringify(after)).includes('T1'))
  const textOf = (userId: number) =>
    JSON.stringify(personal.find(({ user_id }) => user_id === userId)?.after)
  assert.match(textOf(brunoId), /T1/)
  assert.match(textOf(brunoId), /Calle Falsa/)
  assert.match(textOf(anaId), /Calle Cierta/)
  assert.equal(personal.length, 2)
})

test('secrets, passwords and tokens never reach the log', async () => {
  await change('PUT', `/operator/users/${brunoId}/password`, { password: 'correct horse battery' })
  const token = await app.client.operator('POST', '/operator/tokens', { user_id: brunoId })
  await change('POST', '/operator/tokens/revoke', { access_token: token.body.access_token })
  const secret = await app.client.operator(
    'POST',
    `/operator/applications/${applicationId}/secret`,
    {},
  )
  const { text } = await app.client.operator('GET', `${path}/export`)
  for (const value of ['correct horse', token.body.access_token, secret.body.secret]) {
    assert.ok(!text.includes(value))
  }
  assert.equal(
    (await newest({ operation: 'POST /operator/tokens/revoke' })).target?.id,
    `${brunoId}`,
  )
})

test('an import has one entry with its counts, however many lines it has', async () => {
  const from = app.ctx.now().toISOString()
  const users = Array.from({ length: 2_500 }, (_, at) => {
    return { type: 'user', id: 700_000 + at, site_id: 'MLA', nickname: `IMPORTED_${at}` }
  })
  await postImportLines(app, [...users, { type: 'user', id: 0 }])
  const entries = await list({ operation: 'POST /operator/import', from })
  assert.equal(entries.length, 1)
  assert.deepEqual(entries[0]?.result, { done: 2_501, imported: 2_500, unchanged: 0, refused: 1 })
})

test('operations of the sandbox are recorded, and loading a snapshot loses no entry', async () => {
  await change('PUT', '/operator/faults', { order_parts: [] })
  assert.deepEqual((await newest()).operation, 'PUT /operator/faults')
  const { body, status, text } = await app.client.operator(
    'POST',
    '/operator/sandbox/triggers/orders_v2',
    { application_id: applicationId },
  )
  assert.equal(status, 201, text)
  const trigger = await newest()
  assert.deepEqual(trigger.target, { kind: 'trigger', id: 'orders_v2' })
  assert.deepEqual(trigger.result, { made: body.made })
  await change('PUT', '/operator/sandbox/snapshots/one')
  const lost = await change('PUT', '/operator/currency_rates/PEN/USD', { rate: 0.27 })
  const load = await change('POST', '/operator/sandbox/snapshots/one/load')
  assert.deepEqual(
    (await list({ limit: 2 })).map(({ id }) => id),
    [load, lost],
  )
})

test('the history of an order shows what operators changed about it, and who', async () => {
  const order = await placeOrder(app.client)
  const status = await change('PATCH', `/operator/shipments/${order.shipping.id}`, {
    status: 'ready_to_ship',
  })
  const claim = await change('PUT', '/operator/claims/5151', { order_id: order.id })
  await placeOrder(app.client)
  const { body } = await app.client.operator('GET', `/operator/orders/${order.id}/history`)
  const [first, second, third, ...others] = body.audit as AuditEntryAnswer[]
  assert.deepEqual([first?.id, second?.id], [claim, status])
  assert.equal(third?.operation, 'POST /operator/orders')
  assert.deepEqual(others, [])
  assert.ok(body.audit.every(({ actor }: AuditEntryAnswer) => actor === 'token'))
})

test('entries are dropped by whole days once they are older than the setting says', async () => {
  await app.client.operator('GET', path)
  const old = app.ctx.now()
  app.advance(40 * dayMs)
  const id = await change('PUT', '/operator/currency_rates/COP/USD', { rate: 0.0002 })
  await dropOldEntries(app.ctx.db, { now: app.ctx.now(), days: 30 })
  assert.deepEqual(
    (await list()).map((entry) => entry.id),
    [id],
  )
  assert.deepEqual(await list({ to: old.toISOString() }), [])
  assert.equal(app.ctx.config.auditDays, 365)
})
