import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readLabeledMessages } from '../../../../bench/moderation/labelled.ts'
import { openTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { sendGuideOption, templateId } from '../../../../test/harness/guide.ts'
import { brunoId, placeOrder } from '../../../../test/harness/market.ts'
import {
  createMessagingMarket,
  type MessagingTokens,
  placeCustomShippingOrder,
  sendTestMessage,
} from '../../../../test/harness/messaging.ts'
import { dayMs } from '../../../kernel/clock.ts'
import { ModerationTerms, noTerms } from '../../../moderation/terms.ts'
import { copyLimit } from '../copies/copies.ts'
import { previewBounds, previewTerms } from './preview.ts'

let app: TestApp
let talk: MessagingTokens
before(async () => {
  app = await openTestApp()
  talk = await createMessagingMarket(app.client)
})
after(() => app.close())

const path = '/operator/moderation/preview'

/** Begins a period of its own, so that a test sees no messages of another one. */
function newPeriod(): string {
  app.advance(dayMs)
  return app.ctx.now().toISOString()
}

async function send(pack: number, text: string, writer: 'seller' | 'buyer' = 'seller') {
  const sender =
    writer === 'seller' ? { token: talk.anaToken } : { token: talk.brunoToken, by: brunoId }
  const answer = await sendTestMessage(app.client, { ...sender, packId: pack, text })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

async function preview(body: object) {
  const answer = await app.client.operator('POST', path, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function put(method: string, url: string, body?: object) {
  const answer = await app.client.operator(method, url, body)
  assert.ok(answer.status < 300, answer.text)
  return answer.body
}

interface DifferenceResult {
  message_id: string
  change: string
  after: object | null
}

/** What a message was held back by, or null. */
async function storedVerdict(id: string) {
  const { status, message_moderation, finding } = await put('GET', `/operator/messages/${id}`)
  if (status === 'available') return null
  const { rule, from, to, text } = finding
  return { reason: message_moderation.reason, rule, from, to, cause: text }
}

test('a preview equals what sending the same texts decides once the change is in force', async () => {
  const pack = (await placeCustomShippingOrder(app.client)).id
  const old = { kind: 'word', value: 'talle', reason: 'OUT_OF_PLACE_LANGUAGE' }
  const { id: oldTermId } = await put('POST', '/operator/moderation/terms', old)
  const from = newPeriod()
  const messages = readLabeledMessages('tuning')
    .filter(({ context }) => context.siteId === 'MLA' && !context.billingAsked)
    .filter(({ text }) => text.length <= 350)
    .slice(0, 150)
  const sent = new Map<string, (typeof messages)[number]>()
  for (const message of messages) {
    const { id } = await send(pack, message.text, message.context.writer)
    sent.set(id, message)
  }
  const before = new Map<string, object | null>()
  for (const id of sent.keys()) before.set(id, await storedVerdict(id))

  const add = [
    { kind: 'word', value: 'factura', reason: 'PERSONAL_DATA' },
    { kind: 'allowed_domain', value: 'bit.ly' },
    { kind: 'allowed_word', value: 'boludo' },
    {
      kind: 'domain',
      value: 'correoargentino.com.ar',
      reason: 'SOCIAL_NETWORK_LINK',
      site_id: 'MLA',
    },
  ]
  const rules = [
    { rule: 'contact.email', enabled: false },
    { rule: 'language.insult', enabled: false, site_id: 'MLA' },
    { rule: 'pay.account', enabled: false, site_id: 'MLB' },
  ]
  const result = await preview({ add, delete: [oldTermId], rules, from, limit: 5_000 })
  assert.equal(result.judged, messages.length)
  assert.equal(result.cut, null)
  const heldBefore = [...before.values()].filter((verdict) => verdict !== null).length
  assert.equal(result.held_before, heldBefore)
  const { newly_held, newly_passed } = result
  assert.equal(result.held_after, heldBefore + newly_held - newly_passed)
  assert.ok(newly_held > 0 && newly_passed > 0, JSON.stringify(result))

  await put('DELETE', `/operator/moderation/terms/${oldTermId}`)
  const added: string[] = []
  for (const term of add) added.push((await put('POST', '/operator/moderation/terms', term)).id)
  for (const { rule, ...more } of rules)
    await put('PUT', `/operator/moderation/rules/${rule}`, more)
  const differences = new Map(
    result.differences.map((each: DifferenceResult) => [each.message_id, each]),
  ) as Map<string, DifferenceResult>
  for (const [id, { text, context }] of sent) {
    const again = await storedVerdict((await send(pack, text, context.writer)).id)
    const difference = differences.get(id)
    const [{ reason: oldReason } = {}, { reason: newReason } = {}] = [before.get(id), again].map(
      (verdict) => (verdict ?? {}) as { reason?: string },
    )
    assert.equal(difference !== undefined, oldReason !== newReason, text)
    if (difference) assert.deepEqual(difference.after, again, text)
  }
  for (const id of added) await put('DELETE', `/operator/moderation/terms/${id}`)
  for (const { rule, site_id = null } of rules) {
    await put('PUT', `/operator/moderation/rules/${rule}`, { enabled: null, site_id })
  }
})

test('each difference names message, verdicts and match, and nothing is changed', async () => {
  const from = newPeriod()
  const pack = (await placeCustomShippingOrder(app.client)).id
  const held = await send(pack, 'ana@correo.uy por favor')
  const passed = await send(pack, 'quiero un durazno')
  const both = await send(pack, 'un durazno y ana@correo.uy')
  const body = {
    add: [{ kind: 'word', value: 'durazno', reason: 'OUT_OF_PLACE_LANGUAGE' }],
    rules: [{ rule: 'contact.email', enabled: false }],
    from,
  }
  const result = await preview(body)
  const rule = result.differences.find((each: { change: string }) => each.change === 'newly_held')
    ?.after.rule
  assert.match(rule, /^operator:/)
  const common = {
    ...{ site_id: 'MLA', seller_id: 1001, pack_id: pack, writer: 'seller' },
    date_created: app.ctx.now().toISOString(),
  }
  const email = { reason: 'PERSONAL_DATA', rule: 'contact.email', cause: 'ana@correo.uy' }
  const fruit = { reason: 'OUT_OF_PLACE_LANGUAGE', rule, cause: 'durazno' }
  const byId = (one: DifferenceResult, other: DifferenceResult) =>
    one.message_id < other.message_id ? -1 : 1
  const expected = [
    {
      ...{ change: 'other_reason', message_id: both.id, ...common, status: 'moderated' },
      before: { ...email, from: 13, to: 26 },
      after: { ...fruit, from: 3, to: 10 },
    },
    {
      ...{ change: 'newly_held', message_id: passed.id, ...common, status: 'available' },
      before: null,
      after: { ...fruit, from: 10, to: 17 },
    },
    {
      ...{ change: 'newly_passed', message_id: held.id, ...common, status: 'moderated' },
      before: { ...email, from: 0, to: 13 },
      after: null,
    },
  ].sort(byId)
  assert.deepEqual(
    { ...result, differences: result.differences.sort(byId) },
    {
      ...{ judged: 3, oldest: common.date_created, cut: null, held_before: 2, held_after: 2 },
      ...{ newly_held: 1, newly_passed: 1, other_reason: 1, differences: expected },
    },
  )
  const { newly_held, newly_passed, other_reason } = await preview({ from })
  assert.deepEqual([newly_held, newly_passed, other_reason], [0, 0, 0])
  assert.equal((await send(pack, 'otro durazno')).status, 'available')
  assert.equal((await send(pack, 'otra vez ana@correo.uy')).status, 'moderated')
})

test('templates stay unjudged, billing data counts as asked for, and copies are as they were decided', async () => {
  const from = newPeriod()
  const guided = await placeOrder(app.client)
  await sendGuideOption(app.client, talk.anaToken, {
    packId: guided.id,
    option: 'REQUEST_BILLING_INFO',
    template_id: templateId('REQUEST_BILLING_INFO'),
  })
  await send(guided.id, 'Mi DNI es 30.123.456', 'buyer')
  const add = [{ kind: 'word', value: 'factura', reason: 'PERSONAL_DATA' }]
  const guide = await preview({ from, add })
  assert.deepEqual([guide.judged, guide.held_before, guide.held_after], [2, 0, 0])
  const text =
    'Hola, tu compra ya está lista en el depósito y sale mañana temprano con el correo de siempre'
  for (let count = 0; count <= copyLimit.packs; count++) {
    await send((await placeCustomShippingOrder(app.client)).id, text)
  }
  const rules = [{ rule: 'copies', enabled: false }]
  const copies = await preview({ from, rules })
  assert.deepEqual([copies.held_before, copies.held_after, copies.newly_passed], [1, 0, 1])
  assert.deepEqual(copies.differences[0].before, {
    ...{ reason: 'AUTOMATIC_MESSAGE', rule: 'copies', from: 0, to: text.length, cause: text },
  })
})

test('a preview is bounded by number, period, site, time and reads, and says by which', async () => {
  const from = newPeriod()
  const pack = (await placeCustomShippingOrder(app.client)).id
  for (let count = 0; count < 7; count++) {
    app.advance(1_000)
    await send(pack, `mensaje ${count}`)
  }
  const add = [{ kind: 'word', value: 'mensaje', reason: 'PERSONAL_DATA' }]
  const all = await preview({ add, from })
  assert.deepEqual([all.judged, all.newly_held, all.cut], [7, 7, null])
  const newest = await preview({ add, from, limit: 3 })
  assert.deepEqual([newest.judged, newest.cut], [3, 'limit'])
  const dates = all.differences.map((each: { date_created: string }) => each.date_created)
  assert.deepEqual(dates, dates.toSorted().reverse(), 'the newest first')
  assert.equal(newest.oldest, dates[2])
  const exact = await preview({ add, from, limit: 7 })
  assert.deepEqual([exact.judged, exact.cut], [7, null])
  const part = await preview({ add, from: dates[4], to: dates[1] })
  assert.deepEqual([part.judged, part.oldest], [3, dates[4]])
  const elsewhere = await preview({ add, from, site_id: 'MLB' })
  assert.deepEqual([elsewhere.judged, elsewhere.oldest, elsewhere.cut], [0, null, null])
  const unbounded = await preview({ add, limit: 5 })
  assert.deepEqual([unbounded.judged, unbounded.cut], [5, 'limit'])

  const input = {
    ...{ before: noTerms, after: new ModerationTerms([]), siteId: null, limit: 7 },
    ...{ from: new Date(from), to: new Date(app.ctx.now().getTime() + 1) },
  }
  const cutBy = async (more: object, bounds: object) => {
    const result = await previewTerms(
      app.ctx.db,
      { ...input, ...more },
      { ...previewBounds, ...bounds },
    )
    return [result.judged, result.cut]
  }
  assert.deepEqual(await cutBy({}, { pageSize: 2 }), [7, null])
  assert.deepEqual(await cutBy({}, { pageSize: 7 }), [7, null])
  assert.deepEqual(await cutBy({}, { mostMs: 0 }), [0, 'time'])
  assert.deepEqual(await cutBy({ siteId: 'MLB' }, { pageSize: 2, mostReads: 5 }), [0, 'reads'])
  assert.deepEqual(await cutBy({ signal: AbortSignal.abort() }, {}), [0, 'time'])
})

test('a wrong change is refused by a word that names the field', async () => {
  const word = { kind: 'word', value: 'abc', reason: 'PERSONAL_DATA' }
  for (const [body, message] of [
    [{ add: [word, { ...word, reason: null }] }, /^add\[1\]\.reason: expected a reason/],
    [{ add: [{ ...word, value: '!!' }] }, /^add\[0\]\.value: expected 1 to 6 words/],
    [{ delete: ['none'] }, /^delete\[0\]: expected the id of a term/],
    [
      { rules: [{ rule: 'contact.fax', enabled: false }] },
      /^rules\[0\]\.rule: expected a built-in/,
    ],
    [{ rules: [{ rule: 'copies' }] }, /enabled/],
    [{ limit: 5_001 }, /^limit: expected/],
    [{ from: 'yesterday' }, /^from: expected/],
    [
      { from: '2026-03-11T00:00:00.000Z', to: '2026-03-10T00:00:00.000Z' },
      /^from: expected a time/,
    ],
    [{ texts: [] }, /texts/],
  ] as const) {
    const answer = await app.client.operator('POST', path, body)
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.match(answer.body.message, message)
  }
})
