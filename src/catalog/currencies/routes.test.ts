import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import { withoutEtag } from '../../../test/harness/etags.ts'

let app: TestApp

before(async () => {
  app = await openTestApp()
})
after(() => app.close())

const path = (from: string, to: string) => `/currency_conversions/search?from=${from}&to=${to}`
const put = (pair: string, rate: unknown) =>
  app.client.operator('PUT', `/operator/currency_rates/${pair}`, { rate })

contract(
  ['1', '2.8', '4.3', '5', 'orders'],
  'anybody may ask what a currency is worth in another',
  async () => {
    const first = await put('USD/ARS', 1400)
    assert.equal(first.status, 201, first.text)
    const date = app.ctx.now().toISOString()
    assert.deepEqual(first.body, { base: 'USD', quote: 'ARS', rate: 1400, date_created: date })
    app.advance(60_000)
    assert.equal((await put('BRL/USD', 0.2)).status, 201)
    const cases: [from: string, to: string, ratio: number, inverse: number, date: string][] = [
      ['USD', 'ARS', 1400, 0.000714285714286, date],
      ['ARS', 'USD', 0.000714285714286, 1400, date],
      ['BRL', 'ARS', 280, 0.00357142857143, date],
      ['ARS', 'BRL', 0.00357142857143, 280, date],
      ['BRL', 'USD', 0.2, 5, app.ctx.now().toISOString()],
      ['CLP', 'CLP', 1, 1, app.ctx.now().toISOString()],
    ]
    for (const [from, to, ratio, inverse, creation] of cases) {
      const { status, body } = await app.client.get(path(from, to))
      assert.equal(status, 200)
      assert.deepEqual(body, {
        currency_base: from,
        currency_quote: to,
        ratio,
        rate: ratio,
        inv_rate: inverse,
        creation_date: creation,
      })
    }
  },
)

contract(
  ['2.8', 'errors', 'orders'],
  'a conversion that cannot be made is 404, one that is asked wrongly is 400',
  async () => {
    const cases: [path: string, status: number, begins: string][] = [
      [path('USD', 'CUP'), 404, 'Currency conversion not found: USD to CUP'],
      [path('CUP', 'HNL'), 404, 'Currency conversion not found: CUP to HNL'],
      ['/currency_conversions/search', 400, 'from: expected'],
      ['/currency_conversions/search?from=USD', 400, 'to: expected'],
      ['/currency_conversions/search?to=USD', 400, 'from: expected'],
      [path('usd', 'ARS'), 400, 'from: expected one of'],
      [path('USD', 'XXX'), 400, 'to: expected one of'],
      [`${path('USD', 'ARS')}&from=BRL`, 400, 'from: expected'],
    ]
    for (const [path, status, begins] of cases) {
      const refused = await app.client.get(path)
      assert.equal(refused.status, status, path)
      assert.ok(refused.body.message.startsWith(begins), refused.body.message)
    }
  },
)

contract(
  '2.8',
  'a rate is replaced by the next one, and all are listed to the operator only',
  async () => {
    assert.equal((await put('USD/UYU', 40)).status, 201)
    app.advance(1_000)
    const second = await put('USD/UYU', 40.25)
    assert.equal(second.status, 200)
    assert.equal(second.body.date_created, app.ctx.now().toISOString())
    assert.equal((await app.client.get(path('USD', 'UYU'))).body.ratio, 40.25)
    const listed = await app.client.operator('GET', '/operator/currency_rates')
    const ours = listed.body.results.filter((rate: { quote: string }) => rate.quote === 'UYU')
    assert.deepEqual(ours.map(withoutEtag), [second.body])
    assert.equal((await app.client.get('/operator/currency_rates')).status, 401)
  },
)

contract('2.8', 'two operators at one rate leave one of theirs', async () => {
  const both = await Promise.all([put('USD/PEN', 3.5), put('USD/PEN', 3.75)])
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 201])
  const { body } = await app.client.get(path('USD', 'PEN'))
  assert.ok([3.5, 3.75].includes(body.ratio))
})

contract('2.8', 'a rate that is none is refused by its field', async () => {
  const cases: [pair: string, rate: unknown, field: string][] = [
    ['USD/USD', 1, 'quote'],
    ['USD/XXX', 1, 'quote'],
    ['usd/ARS', 1, 'base'],
    ['USD/MXN', 0, 'rate'],
    ['USD/MXN', -1, 'rate'],
    ['USD/MXN', 1e10, 'rate'],
    ['USD/MXN', '18', 'rate'],
    ['USD/MXN', 0.1 + 0.2, 'rate'],
    ['USD/MXN', undefined, 'rate'],
  ]
  for (const [pair, rate, field] of cases) {
    const refused = await put(pair, rate)
    assert.equal(refused.status, 400, `${pair} ${rate}`)
    assert.ok(refused.body.message.startsWith(`${field}: expected`), refused.body.message)
  }
  assert.equal((await app.client.get(path('USD', 'MXN'))).status, 404)
})
