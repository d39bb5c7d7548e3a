import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { AuditEntryAnswer } from '../src/audit/view.ts'
import { JobRunner } from '../src/jobs/runner.ts'
import { minuteMs } from '../src/kernel/clock.ts'
import { eraseNextBatches } from '../src/personal-data/commands.ts'
import { jobKinds } from '../src/personal-data/job-kinds.ts'
import { openTestApp, type TestApp } from './harness/app.ts'
import { anaId, applicationId, brunoId, placeOrder, putItem, putUser } from './harness/market.ts'
import {
  createMessagingMarket,
  type MessagingTokens,
  placeCustomShippingOrder,
  sendTestMessage,
} from './harness/messaging.ts'
import { createKey, succeed } from './harness/operators.ts'

let app: TestApp
let tokens: MessagingTokens
/** A second operator, beside the bearer of the operator's token. */
let desk: { id: number; key: string }

before(async () => {
  app = await openTestApp()
  tokens = await createMessagingMarket(app.client)
  desk = await createKey(app, { name: 'Support desk', role: 'owner' })
})
after(() => app.close())

interface Result {
  at: string
  kind: string
  resource: string | null
  details: Record<string, unknown>
  audit: AuditEntryAnswer | null
}

async function historyOf(path: string): Promise<Result[]> {
  const { status, body, text } = await app.client.operator('GET', `/operator/${path}/history`)
  assert.equal(status, 200, text)
  return body.results
}

/** Makes a change as the bearer of the token, with a reason, a minute after the last one. */
async function change(method: string, path: string, body?: object, reason = 'ticket 1') {
  app.advance(minuteMs)
  return succeed(
    app.client.operator(method, `/operator/${path}`, body, { 'x-feria-reason': reason }),
  )
}

/** Makes a change as the support desk, a minute after the last one. */
async function changeAtDesk(method: string, path: string, body?: object) {
  app.advance(minuteMs)
  const headers = { 'x-feria-reason': 'call 2' }
  return succeed(
    app.client.send(method, `/operator/${path}`, {
      token: desk.key,
      headers,
      ...(body ? { body } : {}),
    }),
  )
}

/** Returns what operators changed, the newest first: actor, operation and reason. */
const actionsOf = (results: readonly Result[]) =>
  results.flatMap(({ audit }) =>
    audit ? [[audit.actor_name ?? audit.actor, audit.operation, audit.reason]] : [],
  )

const kindsOf = (results: readonly Result[]) => results.map(({ kind }) => kind)

function assertNewestFirst(results: readonly Result[]): void {
  const dates = results.map(({ at }) => at)
  assert.deepEqual(dates, dates.toSorted().toReversed())
}

test('the history of a listing has its questions and what two operators changed, with who and why', async () => {
  await putItem(app.client, 'MLA5001')
  app.advance(minuteMs)
  const body = { item_id: 'MLA5001', text: '¿Tiene garantía?' }
  const question = await succeed(
    app.client.send('POST', '/questions', { token: tokens.brunoToken, body }),
  )
  const item = { seller_id: anaId, site_id: 'MLA', title: 'Pava', category_id: 'MLA1580' }
  const price = { ...item, currency_id: 'ARS', price: 15, available_quantity: 1 }
  await change('PUT', 'items/MLA5001', price)
  await changeAtDesk('DELETE', `questions/${question.id}`)
  await changeAtDesk('PUT', 'pictures/p5001/errors', {
    item_id: 'MLA5001',
    message: 'broken',
    source: 'https://example.com/a.jpg',
  })
  const results = await historyOf('items/MLA5001')
  assertNewestFirst(results)
  assert.deepEqual(actionsOf(results).slice(0, 3), [
    ['Support desk', 'PUT /operator/pictures/{picture_id}/errors', 'call 2'],
    ['Support desk', 'DELETE /operator/questions/{question_id}', 'call 2'],
    ['token', 'PUT /operator/items/{id}', 'ticket 1'],
  ])
  const [, , repriced] = results.filter(({ audit }) => audit)
  assert.deepEqual(
    [repriced?.audit?.before, repriced?.audit?.after],
    [{ price: 10 }, { price: 15 }],
  )
  const event = results.find(({ kind }) => kind === 'question_asked')
  assert.deepEqual(
    [event?.resource, event?.details],
    [`/questions/${question.id}`, { from_id: brunoId }],
  )
  for (const kind of ['picture_error_reported', 'listing_updated', 'change_recorded']) {
    assert.ok(kindsOf(results).includes(kind), kind)
  }
  assert.equal(results.findLast(({ audit }) => audit === null)?.kind, 'listing_created')
})

test('the history of a listing shows a job that changed it, with who started it, once', async () => {
  await putItem(app.client, 'MLA5002')
  await putItem(app.client, 'MLA5003', { status: 'paused' })
  const body = {
    kind: 'bulk_listing_change',
    parameters: { filter: { seller_id: anaId, status: 'active' }, change: { price_percent: 10 } },
  }
  const { id: jobId } = await changeAtDesk('POST', 'jobs', body)
  const runner = new JobRunner(app.ctx, { kinds: jobKinds, most: 1 })
  await runner.turn()
  await runner.idle()
  const [entry] = (await historyOf('items/MLA5002')).flatMap(({ audit }) => audit ?? [])
  assert.deepEqual(
    [entry?.actor_name, entry?.operation, entry?.related],
    ['Support desk', 'POST /operator/jobs', [{ kind: 'job', id: jobId }]],
  )
  assert.deepEqual([entry?.before, entry?.after], [{ price: 10 }, { price: 11 }])
  assert.deepEqual(actionsOf(await historyOf('items/MLA5003')), [
    ['token', 'PUT /operator/items/{id}', null],
  ])
  const { body: log } = await app.client.operator('GET', `/operator/audit-log?target=job:${jobId}`)
  const targets = log.results.map(({ target }: AuditEntryAnswer) => `${target?.kind}:${target?.id}`)
  assert.equal(targets.filter((target: string) => target === 'listing:MLA5002').length, 1)
  assert.ok(targets.includes(`job:${jobId}`))
})

test('the history of a user has applications, passwords and tokens, with who changed them and why', async () => {
  await putUser(app.client, 7007, { nickname: 'DORA', email: 'dora@example.com' })
  await change('PUT', `authorizations/${applicationId}/7007`, { scopes: ['read'] })
  const { access_token } = await changeAtDesk('POST', 'tokens', { user_id: 7007 })
  await change('POST', 'tokens/revoke', { access_token })
  await changeAtDesk('PUT', 'users/7007/password', { password: 'correct horse battery' })
  await change('DELETE', `authorizations/${applicationId}/7007`)
  const results = await historyOf('users/7007')
  assertNewestFirst(results)
  assert.deepEqual(actionsOf(results), [
    ['token', 'DELETE /operator/authorizations/{application_id}/{user_id}', 'ticket 1'],
    ['Support desk', 'PUT /operator/users/{id}/password', 'call 2'],
    ['token', 'POST /operator/tokens/revoke', 'ticket 1'],
    ['Support desk', 'POST /operator/tokens', 'call 2'],
    ['token', 'PUT /operator/authorizations/{application_id}/{user_id}', 'ticket 1'],
    ['token', 'PUT /operator/users/{id}', null],
  ])
  const [ended, password] = results.filter(({ audit }) => audit)
  assert.deepEqual([ended?.audit?.before, ended?.audit?.after], [{ scopes: ['read'] }, null])
  assert.deepEqual(password?.audit?.after, { has_password: true })
  assert.deepEqual(kindsOf(results.filter(({ audit }) => audit === null)), [
    'password_changed',
    'user_created',
  ])
})

test('the history of an erased user keeps who changed what, and none of the values', async () => {
  await putUser(app.client, 7008, { nickname: 'ELSA', email: 'elsa@example.com' })
  await change('PUT', 'users/7008', { site_id: 'MLA', nickname: 'ELSA', first_name: 'Elsa' })
  const text = async () =>
    (await app.client.operator('GET', '/operator/users/7008/history')).text.toLowerCase()
  assert.match(await text(), /elsa@example\.com/)
  await change('POST', 'users/7008/erasure', undefined, 'her request')
  while (await eraseNextBatches(app.ctx)) {}
  assert.doesNotMatch(await text(), /elsa/)
  const results = await historyOf('users/7008')
  assert.deepEqual(actionsOf(results), [
    ['token', 'POST /operator/users/{id}/erasure', 'her request'],
    ['token', 'PUT /operator/users/{id}', 'ticket 1'],
    ['token', 'PUT /operator/users/{id}', null],
  ])
  const personal = results.flatMap(({ audit }) => audit?.personal ?? [])
  assert.ok(personal.length > 0 && personal.every(({ erased }) => erased))
  assert.ok(kindsOf(results).includes('erasure_finished'))
})

test('the history of a conversation says what was held back and released, by whom, and no text', async () => {
  const { id: packId } = await placeCustomShippingOrder(app.client)
  const rude = 'Escribime a ventas@example.org'
  app.advance(minuteMs)
  const { body: sent } = await sendTestMessage(app.client, {
    token: tokens.anaToken,
    packId,
    text: rude,
  })
  await changeAtDesk('POST', `messages/${sent.id}/overrule`, {})
  const path = `conversations/packs/${packId}/sellers/${anaId}`
  await change('PATCH', path, { block: 'blocked_by_restrictions' }, 'threats')
  const results = await historyOf(path)
  assert.deepEqual(kindsOf(results), [
    'operator_change',
    'conversation_blocked',
    'operator_change',
    'message_released',
    'message_held_back',
    'message_sent',
  ])
  assert.deepEqual(actionsOf(results), [
    ['token', 'PATCH /operator/conversations/packs/{pack_id}/sellers/{seller_id}', 'threats'],
    ['Support desk', 'POST /operator/messages/{message_id}/overrule', 'call 2'],
  ])
  assert.equal(results[4]?.details['reason'], 'PERSONAL_DATA')
  assert.ok(!JSON.stringify(results).includes('ventas'))
  const { body } = await app.client.operator('GET', `/operator/orders/${packId}/history`)
  const operations = body.audit.map(({ operation }: AuditEntryAnswer) => operation)
  assert.ok(operations.includes('POST /operator/messages/{message_id}/overrule'), operations)
})

test('an entry in a history shows its values to who may read what the operation writes, and who and why to all', async () => {
  await putUser(app.client, 7010, { site_id: 'MLB', nickname: 'FLOR', email: 'flor@example.com' })
  await change('PUT', 'users/7010/invoices/1', { invoice_number: 1, amount: 1.5 }, 'audit')
  await change('POST', 'tokens', { user_id: 7010 })
  const order = await placeOrder(app.client)
  await change('POST', `orders/${order.id}/payments`, { status: 'pending', transaction_amount: 10 })
  await change('PUT', 'claims/7010', { order_id: order.id })
  const [user, invoice, token, payment, created, claim] = [
    'PUT /operator/users/{id}',
    'PUT /operator/users/{user_id}/invoices/{invoice_id}',
    'POST /operator/tokens',
    'POST /operator/orders/{order_id}/payments',
    'POST /operator/orders',
    'PUT /operator/claims/{id}',
  ] as const
  const table: [permissions: string[], shown: string[], hidden: string[]][] = [
    [['users:read'], [user], [invoice, token]],
    [['users:read', 'finance:read'], [user, invoice], [token]],
    [['users:read', 'finance:write'], [user, invoice], [token]],
    [['users:read', 'users:credentials'], [user, token], [invoice]],
    [['users:read', 'audit:read'], [user, invoice, token], []],
    [['orders:read'], [created], [payment, claim]],
    [['orders:read', 'finance:read'], [created, payment], [claim]],
    [['orders:read', 'claims:read'], [created, claim], [payment]],
    [['orders:read', 'audit:read'], [created, payment, claim], []],
  ]
  for (const [index, [permissions, shown, hidden]] of table.entries()) {
    await succeed(app.client.operator('PUT', `/operator/roles/reader-${index}`, { permissions }))
    const { key } = await createKey(app, { role: `reader-${index}` })
    const ofUser = permissions.includes('users:read')
    const path = ofUser ? 'users/7010' : `orders/${order.id}`
    const body = await succeed(app.client.send('GET', `/operator/${path}/history`, { token: key }))
    const entries: AuditEntryAnswer[] = ofUser
      ? body.results.flatMap(({ audit }: Result) => audit ?? [])
      : body.audit
    const hasValues = ({ before, after, personal, result }: AuditEntryAnswer) =>
      before !== null || after !== null || personal.length > 0 || result !== null
    const operations = (values: boolean) =>
      entries.filter((entry) => hasValues(entry) === values).map(({ operation }) => operation)
    assert.deepEqual(operations(true).toSorted(), shown.toSorted(), permissions.join())
    assert.deepEqual(operations(false).toSorted(), hidden.toSorted(), permissions.join())
    for (const { operation, actor, date, reason } of entries) {
      const isChange = operation !== user && operation !== created
      assert.deepEqual([actor, isChange], ['token', reason !== null], operation)
      assert.ok(Date.parse(date) > 0)
    }
  }
})

test('pages of a history follow each other without gap or repetition while entries are added', async () => {
  await putUser(app.client, 7009)
  for (let n = 0; n < 4; n++) {
    await change('PUT', 'users/7009/password', { password: `correct horse ${n}` })
    await app.client.operator('PUT', `/operator/authorizations/${applicationId}/7009`, {})
  }
  const resultKey = ({ at, kind, audit }: Result) => `${at} ${kind} ${audit?.id}`
  const all = (await historyOf('users/7009')).map(resultKey)
  assert.ok(all.length >= 12)
  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`
    const path = `/operator/users/7009/history?limit=1${query}`
    const page = (await app.client.operator('GET', path)).body
    seen.push(...page.results.map(resultKey))
    cursor = page.next_cursor
    await change('POST', 'tokens', { user_id: 7009 })
  }
  assert.deepEqual(seen, all)
})

test('a cursor belongs to its history, and there is none of a thing that is none, nor for users', async () => {
  const { body } = await app.client.operator('GET', `/operator/users/${anaId}/history?limit=1`)
  for (const [path, status] of [
    [`users/${brunoId}/history?cursor=${body.next_cursor}`, 400],
    ['users/7777/history', 404],
    ['items/MLA999/history', 404],
    [`conversations/packs/999/sellers/${anaId}/history`, 404],
  ] as const) {
    assert.equal((await app.client.operator('GET', `/operator/${path}`)).status, status, path)
  }
  const own = await app.client.get(`/operator/users/${anaId}/history`, tokens.anaToken)
  assert.equal(own.status, 401)
})

test('an entry is found under what it is related to, also after its own target', async () => {
  const order = await placeOrder(app.client)
  await change('PUT', 'claims/6161', { order_id: order.id })
  await change('POST', `orders/${order.id}/payments`, { status: 'pending', transaction_amount: 10 })
  const operationsOf = async (target: string) => {
    const { body } = await app.client.operator('GET', `/operator/audit-log?target=${target}`)
    return body.results.map(({ operation }: AuditEntryAnswer) => operation)
  }
  assert.deepEqual(await operationsOf(`order:${order.id}`), [
    'POST /operator/orders/{order_id}/payments',
    'PUT /operator/claims/{id}',
    'POST /operator/orders',
  ])
  assert.deepEqual(await operationsOf('claim:6161'), ['PUT /operator/claims/{id}'])
  const listener = `applications/${applicationId}/listeners/erp`
  await change('PUT', listener, {})
  await change('DELETE', listener)
  assert.deepEqual((await operationsOf(`application:${applicationId}`)).slice(0, 2), [
    'DELETE /operator/applications/{application_id}/listeners/{name}',
    'PUT /operator/applications/{application_id}/listeners/{name}',
  ])
})
