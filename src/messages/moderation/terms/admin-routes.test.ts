import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { contract } from '../../../../test/harness/contract.ts'
import { openTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts'
import { withoutEtag } from '../../../../test/harness/etags.ts'
import { moderate } from '../../../moderation/moderate.ts'
import { currentTerms } from './current.ts'

let database: TestDatabase
let app: TestApp
/** Another process over the same database, as far as memory goes: nothing is shared but the rows. */
let other: TestApp
before(async () => {
  database = await openTestDatabase()
  app = await openTestApp({ databaseUrl: database.url })
  other = await openTestApp({ databaseUrl: database.url })
})
after(async () => {
  await app.close()
  await other.close()
  await database.drop()
})

const terms = '/operator/moderation/terms'

async function verdictOf(text: string, more: object = {}, of = app) {
  const body = { text, site_id: 'MLA', writer: 'seller', ...more }
  const answer = await of.client.operator('POST', '/operator/moderation/try', body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function put(body: object) {
  const answer = await app.client.operator('POST', terms, body)
  assert.ok(answer.status === 201 || answer.status === 200, answer.text)
  return answer
}

contract(
  '2.10',
  'a trial tells the verdict with its reason, rule and span, and keeps nothing',
  async () => {
    assert.deepEqual(await verdictOf('Escribime a ana@gmail.com'), {
      status: 'rejected',
      reason: 'PERSONAL_DATA',
      rule: 'contact.email',
      from: 12,
      to: 25,
      cause: 'ana@gmail.com',
    })
    assert.deepEqual(await verdictOf('Sale hoy'), {
      status: 'clean',
      reason: null,
      rule: null,
      from: null,
      to: null,
      cause: null,
    })
    assert.equal((await verdictOf('mi dni es 30.123.456', { writer: 'buyer' })).status, 'rejected')
    const asked = { writer: 'buyer', billing_asked: true }
    assert.equal((await verdictOf('mi dni es 30.123.456', asked)).status, 'clean')
  },
)

contract(
  '2.10',
  'a word counts from the next message on, in every process, and until it is taken back',
  async () => {
    const text = 'Llegó, el Trueque Paralelo'
    assert.equal((await verdictOf(text, {}, other)).status, 'clean')
    const reason = 'PLATFORM_LINKS_EXTERNALPAY'
    const { body } = await put({ kind: 'word', value: 'Trueque  paralelo', reason })
    assert.deepEqual(await verdictOf(text, {}, other), {
      status: 'rejected',
      reason,
      rule: `operator:${body.id}`,
      from: 10,
      to: 26,
      cause: 'Trueque Paralelo',
    })
    assert.equal((await app.client.operator('DELETE', `${terms}/${body.id}`)).status, 204)
    assert.equal((await verdictOf(text, {}, other)).status, 'clean')
  },
)

contract(
  '2.10',
  'who judges a message within a transaction sees what was in force when it asked',
  async () => {
    await put({ kind: 'word', value: 'zanahoria', reason: 'OUT_OF_PLACE_LANGUAGE' })
    const decision = await other.ctx.db.transaction(async (tx) =>
      moderate('qué zanahoria', {
        siteId: 'MLA',
        writer: 'buyer',
        terms: await currentTerms(tx),
        billingAsked: false,
      }),
    )
    assert.equal(decision?.reason, 'OUT_OF_PLACE_LANGUAGE')
  },
)

contract('2.10', 'words read like messages do: tricks hide them no better', async () => {
  await put({ kind: 'word', value: 'Berenjena', reason: 'OUT_OF_PLACE_LANGUAGE' })
  for (const text of ['b e r e n j e n a', 'BERENJENAAAA', 'b3r3nj3n4', 'berén\u00adjena']) {
    assert.equal((await verdictOf(text)).status, 'rejected', text)
  }
  assert.equal((await verdictOf('las berenjenas')).status, 'clean')
})

contract(
  '2.10',
  'a domain is refused with its subdomains, and allowed against the list',
  async () => {
    await put({ kind: 'domain', value: 'Malo.example', reason: 'SOCIAL_NETWORK_LINK' })
    assert.equal(
      (await verdictOf('mirá https://www.malo.example/x')).cause,
      'https://www.malo.example/x',
    )
    assert.equal((await verdictOf('mirá bueno-malo.example')).status, 'clean')
    assert.equal((await verdictOf('mirá bit.ly/x')).reason, 'LINK_SHORT_URL')
    await put({ kind: 'allowed_domain', value: 'bit.ly' })
    assert.equal((await verdictOf('mirá bit.ly/x')).status, 'clean')
    await put({ kind: 'domain', value: 'pagos.feria.example', reason: 'LINK_PLATFORMPAY' })
    assert.equal((await verdictOf('pagos.feria.example/1')).reason, 'LINK_PLATFORMPAY')
    assert.equal((await verdictOf('feria.example/ayuda')).status, 'clean')
    await put({ kind: 'allowed_domain', value: 'tienda.com.ar' })
    assert.equal((await verdictOf('hola@tienda.com.ar')).status, 'clean')
  },
)

contract('2.10', 'an allowed word is not refused any more, the rest is', async () => {
  assert.equal((await verdictOf('qué boludo')).status, 'rejected')
  await put({ kind: 'allowed_word', value: 'boludo', note: 'como se habla aquí' })
  assert.equal((await verdictOf('qué boludo')).status, 'clean')
  assert.equal((await verdictOf('qué pelotudo')).status, 'rejected')
  assert.equal((await verdictOf('qué boludo pelotudo')).cause, 'pelotudo')
  await put({ kind: 'allowed_word', value: '0800 555 1234' })
  assert.equal((await verdictOf('llamá al 0800 555 1234')).status, 'clean')
  assert.equal((await verdictOf('llamá al 0800 555 1234 o 11 4444-3333')).cause, '11 4444-3333')
  await put({ kind: 'allowed_word', value: 'puta' })
  assert.equal((await verdictOf('hijo de puta')).status, 'rejected')
})

contract('2.10', 'a term of one site says nothing on another', async () => {
  await put({ kind: 'word', value: 'chirimoya', reason: 'OUT_OF_PLACE_LANGUAGE', site_id: 'MLB' })
  assert.equal((await verdictOf('chirimoya', { site_id: 'MLB' })).status, 'rejected')
  assert.equal((await verdictOf('chirimoya')).status, 'clean')
})

test('the same term again replaces it, and the list tells all of them', async () => {
  const term = { kind: 'word', value: 'pomelo', reason: 'OUT_OF_PLACE_LANGUAGE', site_id: 'MLC' }
  const first = await put(term)
  const again = await put({ ...term, value: ' POMELO ', reason: 'PERSONAL_DATA', note: 'prueba' })
  assert.deepEqual([first.status, again.status], [201, 200])
  const list = async (query: string) =>
    (await app.client.operator('GET', `${terms}${query}`)).body.results.filter(
      ({ value }: { value: string }) => value === 'pomelo',
    )
  assert.deepEqual((await list('?site_id=MLC&kind=word')).map(withoutEtag), [again.body])
  assert.deepEqual(await list('?site_id=MLB'), [])
  assert.equal(again.body.date_created, first.body.date_created)
})

test('changes at the same time are all kept', async () => {
  const values = Array.from({ length: 12 }, (_, index) => `fruta ${'abcdefghijkl'[index]}x`)
  await Promise.all(
    values.map((value) => put({ kind: 'word', value, reason: 'OUT_OF_PLACE_LANGUAGE' })),
  )
  for (const value of values) assert.equal((await verdictOf(value, {}, other)).status, 'rejected')
})

test('a wrong term is refused by a word that names the field', async () => {
  const word = { kind: 'word', value: 'abc', reason: 'PERSONAL_DATA' }
  const domain = { kind: 'domain', value: 'a.example', reason: 'LINK_SHORT_URL' }
  for (const [body, message] of [
    [{ ...word, kind: 'verb' }, /^kind: expected/],
    [{ ...word, value: '' }, /^value: expected/],
    [{ ...word, value: '!!' }, /^value: expected 1 to 6 words/],
    [{ ...word, value: 'uno dos tres cuatro cinco seis siete' }, /^value: expected 1 to 6 words/],
    [{ ...word, value: 'p*ta' }, /^value: expected 1 to 6 words/],
    [{ ...word, reason: 'RUDE' }, /^reason: expected/],
    [{ ...word, reason: null }, /^reason: expected a reason/],
    [{ ...word, reason: 'AUTOMATIC_MESSAGE' }, /^reason: expected another/],
    [{ ...word, kind: 'allowed_word' }, /^reason: expected none/],
    [{ ...word, site_id: 'XXX' }, /^site_id: expected/],
    [{ ...word, colour: 'red' }, /colour/],
    [{ ...domain, value: 'https://a.example/x' }, /^value: expected a domain/],
    [{ ...domain, value: 'a' }, /^value: expected a domain/],
    [{ ...domain, value: 'com.ar' }, /^value: expected a registered domain/],
    ['no', /./],
  ] as const) {
    const answer = await app.client.operator('POST', terms, body)
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.match(answer.body.message, message)
  }
  const { status, body } = await app.client.operator('DELETE', `${terms}/none`)
  assert.deepEqual([status, body.message], [404, 'Term not found: none'])
})

test('all of it is the operator’s alone', async () => {
  for (const [method, path] of [
    ['GET', terms],
    ['POST', terms],
    ['DELETE', `${terms}/x`],
    ['POST', '/operator/moderation/try'],
  ] as const) {
    assert.equal((await app.client.send(method, path, { token: 'stranger' })).status, 401)
  }
})
