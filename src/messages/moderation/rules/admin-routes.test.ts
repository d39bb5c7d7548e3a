import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { contract } from '../../../../test/harness/contract.ts'
import { openTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts'
import { withoutEtag } from '../../../../test/harness/etags.ts'
import { brunoId } from '../../../../test/harness/market.ts'
import {
  createMessagingMarket,
  type MessagingTokens,
  placeCustomShippingOrder,
  sendTestMessage,
} from '../../../../test/harness/messaging.ts'
import { override } from '../../../../test/harness/override.ts'
import { dayMs } from '../../../kernel/clock.ts'
import { builtInRules } from '../../../moderation/built-in-rules.ts'
import type { Db } from '../../../platform/database/database.ts'
import { type Sql, sql } from '../../../platform/database/sql.ts'
import { copyLimit } from '../copies/copies.ts'
import { countDecisions, listDecisions } from '../decisions/store.ts'
import { listPastMessages } from '../preview/store.ts'

let database: TestDatabase
let app: TestApp
/** Another process over the same database, as far as memory goes: nothing is shared but the rows. */
let other: TestApp
let talk: MessagingTokens
let packId: number
before(async () => {
  database = await openTestDatabase()
  app = await openTestApp({ databaseUrl: database.url })
  other = await openTestApp({ databaseUrl: database.url })
  talk = await createMessagingMarket(app.client)
  packId = (await placeCustomShippingOrder(app.client)).id
})
after(async () => {
  await app.close()
  await other.close()
  await database.drop()
})

const rules = '/operator/moderation/rules'

async function send(text: string, { by = app, from = talk.anaToken, pack = packId } = {}) {
  const writer = from === talk.brunoToken ? { by: brunoId } : {}
  const answer = await sendTestMessage(by.client, { token: from, packId: pack, text, ...writer })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

async function statusOf(text: string, by = app): Promise<string> {
  return (await send(text, { by })).status
}

async function put(rule: string, body: object, by = app) {
  const answer = await by.client.operator('PUT', `${rules}/${rule}`, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function overrule(id: string) {
  const answer = await app.client.operator('POST', `/operator/messages/${id}/overrule`, {})
  assert.equal(answer.status, 200, answer.text)
}

interface RuleResult {
  rule: string | null
  reason: string
  is_built_in: boolean
  enabled: boolean
  switches: { site_id: string | null; enabled: boolean }[]
  held: number
  overruled: number
  sites: object[]
}

async function listRules(query = ''): Promise<RuleResult[]> {
  const answer = await app.client.operator('GET', `${rules}${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.results.map(withoutEtag)
}

const resultOf = (results: RuleResult[], rule: string | null) =>
  results.find((each) => each.rule === rule)

contract(
  '2.10',
  'a rule that is off holds no message back, in every process, from the next one on',
  async () => {
    const text = 'Te lo mando por bit.ly/promo'
    assert.equal(await statusOf(text, other), 'moderated')
    const off = await put('link.short', { enabled: false, note: 'a campaign' })
    const { last_updated } = off.switches[0]
    assert.deepEqual(off, {
      rule: 'link.short',
      reason: 'LINK_SHORT_URL',
      switches: [{ site_id: null, enabled: false, note: 'a campaign', last_updated }],
    })
    assert.equal(await statusOf(text, other), 'available')
    await put('link.short', { enabled: true, site_id: 'MLA' }, other)
    assert.equal(await statusOf(text), 'moderated')
    await put('link.short', { enabled: null, site_id: 'MLA' })
    assert.equal(await statusOf(text, other), 'available')
    assert.deepEqual((await put('link.short', { enabled: null }, other)).switches, [])
    assert.equal(await statusOf(text), 'moderated')
  },
)

test('operators who switch rules at the same time lose no switch of each other', async () => {
  const ids = builtInRules()
    .map(({ rule }) => rule)
    .slice(0, 12)
  await Promise.all(
    ids.map((rule, index) => put(rule, { enabled: false }, index % 2 === 0 ? app : other)),
  )
  const off = (await listRules()).filter(({ enabled }) => !enabled).map(({ rule }) => rule)
  assert.deepEqual(off.sort(), ids)
  await Promise.all(ids.map((rule) => put(rule, { enabled: null }, other)))
  assert.ok((await listRules()).every(({ enabled }) => enabled))
})

test('two operators who switch one rule at the same time leave the state of one of them, everywhere', async () => {
  const text = 'mirá bit.ly/dos'
  const answers = await Promise.all([
    put('link.short', { enabled: false }),
    put('link.short', { enabled: true }, other),
  ])
  const [result] = (await listRules()).filter(({ rule }) => rule === 'link.short')
  const expected = result?.enabled ? 'moderated' : 'available'
  assert.deepEqual([await statusOf(text), await statusOf(text, other)], [expected, expected])
  assert.ok(answers.every(({ switches }) => switches.length === 1))
  await put('link.short', { enabled: null })
})

test('messages of an application that repeats itself pass while the rule of copies is off', async () => {
  const text =
    'Hola, tu pedido ya salió de nuestro depósito y llega entre hoy y mañana por la tarde sin falta'
  const packs: number[] = []
  for (let count = 0; count <= copyLimit.packs; count++) {
    packs.push((await placeCustomShippingOrder(app.client)).id)
  }
  const statuses = []
  for (const pack of packs) statuses.push((await send(text, { pack })).status)
  assert.equal(statuses.at(-1), 'moderated')
  await put('copies', { enabled: false, site_id: 'MLA' })
  const pack = packs.at(-1) as number
  assert.equal((await send(text, { pack })).status, 'available')
  await put('copies', { enabled: null, site_id: 'MLA' })
  assert.equal((await send(text, { pack })).status, 'moderated')
})

test('rules are counted by how often they held a message back, and how often one was released', async () => {
  app.advance(40 * dayMs)
  other.advance(40 * dayMs)
  const before = app.ctx.now()
  const pack = (await placeCustomShippingOrder(app.client)).id
  const held = []
  for (const text of ['mail: uno@gmail.com', 'mail: dos@gmail.com', 'mail: tres@gmail.com']) {
    held.push(await send(text, { from: talk.brunoToken, pack }))
  }
  await send('qué mierda', { pack })
  for (const { id } of held.slice(0, 2)) await overrule(id)
  const results = await listRules()
  const expected = {
    rule: 'contact.email',
    reason: 'PERSONAL_DATA',
    is_built_in: true,
    enabled: true,
    switches: [],
    held: 3,
    overruled: 2,
    sites: [{ site_id: 'MLA', held: 3, overruled: 2 }],
  }
  assert.deepEqual(results[0], expected)
  assert.equal(resultOf(results, 'language.vulgar')?.held, 1)
  assert.deepEqual(
    builtInRules()
      .map(({ rule }) => rule)
      .filter((rule) => !resultOf(results, rule)),
    [],
    'rules that held nothing back are listed, too',
  )
  assert.deepEqual(resultOf(await listRules('?site_id=MLA'), 'contact.email'), expected)
  assert.equal(resultOf(await listRules('?site_id=MLB'), 'contact.email')?.held, 0)
  const until = encodeURIComponent(before.toISOString())
  assert.equal(resultOf(await listRules(`?to=${until}`), 'contact.email')?.held, 0)
  const long = '?from=2026-01-01T00:00:00.000Z'
  const copies = resultOf(await listRules(long), 'copies')
  assert.deepEqual([copies?.held, copies?.overruled], [2, 0])
})

test('`enabled` is that of the site that is asked for', async () => {
  await put('pay.cash', { enabled: false })
  await put('pay.cash', { enabled: true, site_id: 'MLB' })
  const enabledOn = async (query: string) => resultOf(await listRules(query), 'pay.cash')?.enabled
  assert.deepEqual(
    [await enabledOn(''), await enabledOn('?site_id=MLA'), await enabledOn('?site_id=MLB')],
    [false, false, true],
  )
  const switches = resultOf(await listRules(), 'pay.cash')?.switches
  assert.deepEqual(
    switches?.map(({ site_id, enabled }) => [site_id, enabled]),
    [
      [null, false],
      ['MLB', true],
    ],
  )
  await put('pay.cash', { enabled: null })
  await put('pay.cash', { enabled: null, site_id: 'MLB' })
})

test('messages without a rule, of a term, and of a rule of another release are counted by what is stored', async () => {
  app.advance(40 * dayMs)
  other.advance(40 * dayMs)
  const pack = (await placeCustomShippingOrder(app.client)).id
  const term = { kind: 'word', value: 'pomelo', reason: 'OUT_OF_PLACE_LANGUAGE' }
  const { body } = await app.client.operator('POST', '/operator/moderation/terms', term)
  await send('un pomelo', { pack })
  const imported = await send('mail: cuatro@gmail.com', { pack })
  const renamed = await send('mail: cinco@gmail.com', { pack })
  // As an import stores it: what another system decided, without a rule.
  await app.ctx.db.rows(sql`
    update messages set details = replace(details::text,
      substring(details::text from '"finding":{[^}]*}'), '"finding":null')::json
    where id = ${imported.id}`)
  await app.ctx.db.rows(sql`
    update messages set details = replace(details::text, 'contact.email', 'classifier.contact')::json
    where id = ${renamed.id}`)
  await overrule(renamed.id)
  await app.client.operator('DELETE', `/operator/moderation/terms/${body.id}`)
  const held = (await listRules()).filter((each) => each.held > 0)
  assert.deepEqual(
    held
      .map((each) => [each.rule, each.reason, each.is_built_in, each.held, each.overruled])
      .sort(),
    [
      [null, 'PERSONAL_DATA', false, 1, 0],
      ['classifier.contact', 'PERSONAL_DATA', false, 1, 1],
      [`operator:${body.id}`, 'OUT_OF_PLACE_LANGUAGE', false, 1, 0],
    ].sort(),
  )
})

test('an unknown rule and a wrong body are refused by name', async () => {
  for (const rule of ['contact.fax', 'operator:0123456789abcdef', 'classifier.contact', '%20']) {
    const { status, body } = await app.client.operator('PUT', `${rules}/${rule}`, {
      enabled: false,
    })
    assert.equal(status, 404, rule)
    assert.equal(body.message, `Rule not found: ${decodeURIComponent(rule)}`)
  }
  for (const [body, message] of [
    [{}, /enabled/],
    [{ enabled: 'no' }, /^enabled: expected/],
    [{ enabled: false, site_id: 'XXX' }, /^site_id: expected/],
    [{ enabled: false, note: '' }, /^note: expected/],
    [{ enabled: false, reason: 'PERSONAL_DATA' }, /reason/],
  ] as const) {
    const answer = await app.client.operator('PUT', `${rules}/link.short`, body)
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.match(answer.body.message, message)
  }
  for (const query of ['?from=yesterday', '?site_id=XXX']) {
    assert.equal((await app.client.operator('GET', `${rules}${query}`)).status, 400, query)
  }
  const turned = '?from=2026-03-11T00:00:00.000Z&to=2026-03-10T00:00:00.000Z'
  const { status, body } = await app.client.operator('GET', `${rules}${turned}`)
  assert.deepEqual([status, body.message], [400, 'from: expected a time before `to`'])
})

/** How PostgreSQL runs the statement that `read` sends, when it avoids reading whole tables: these are small here. */
async function planOf(read: (db: Db) => Promise<unknown>): Promise<string> {
  const statements: Sql[] = []
  const capture = async (statement: Sql) => {
    statements.push(statement)
    return []
  }
  await read(override(app.ctx.db, { rows: capture as Db['rows'] }))
  const [{ text, values } = assert.fail('no statement was sent')] = statements
  return app.ctx.db.transaction(async (tx) => {
    tx.write({ text: 'set local enable_seqscan = off', name: undefined, values: [] })
    const explain = { text: `explain ${text}`, name: undefined, values }
    const rows = await tx.rows<{ 'QUERY PLAN': string }>(explain)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
}

test('counts and exports read the index of decisions, previews the index by date', async () => {
  const period = { siteId: 'MLA' as const, from: new Date(0), to: app.ctx.now() }
  const page = { id: '', limit: 500 }
  assert.match(await planOf((db) => countDecisions(db, period)), /messages_decided/)
  assert.match(
    await planOf((db) => listDecisions(db, { ...period, ...page, rule: null })),
    /^Limit.*\n\s+-> {2}Index Scan using messages_decided/,
  )
  assert.match(
    await planOf((db) => listPastMessages(db, { ...page, from: period.from, before: period.to })),
    /messages_by_date/,
  )
})
