import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type AlteredResponse, openAlteringProxy } from '../../test/harness/altering-proxy.ts'
import { openTestApp, operatorToken, type TestApp } from '../../test/harness/app.ts'
import { applicationId, createTestMarket, placeOrder } from '../../test/harness/market.ts'
import { issueToken } from '../identity/tokens.ts'
import { demoApplication, demoBuyerId, demoSellerId } from '../sandbox/demo/ids.ts'
import { seedOrders } from '../sandbox/demo/load.ts'
import { type CheckSelection, type ConformOptions, listSections, runChecks } from './conform.ts'
import type { HttpClient } from './http-client.ts'
import { type CheckResult, ConformFailure } from './result.ts'

let app: TestApp
let options: ConformOptions

before(async () => {
  app = await openTestApp({ env: { FERIA_RATE_PER_MINUTE: '100000' } })
  await seedOrders(app.ctx, { orders: 150, seed: 1, progress: () => {} })
  await app.runPendingWork()
  const tokenOf = (userId: number) =>
    issueToken(app.ctx, {
      userId,
      applicationId: demoApplication.id,
      lifeSeconds: 1e7,
      scopes: ['read', 'write'],
    })
  options = {
    tokens: { seller: await tokenOf(demoSellerId), buyer: await tokenOf(demoBuyerId) },
    application: demoApplication.id,
    now: app.ctx.now,
    random: app.ctx.random.fraction,
  }
})
after(() => app.close())

const clientOf = (address: string): HttpClient => ({
  address,
  async send({ path, ...request }) {
    const answer = await fetch(address + path, { ...request, redirect: 'manual' })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  },
})

async function resultsOf(
  address: string,
  more: Partial<ConformOptions> = {},
): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  for await (const result of runChecks(clientOf(address), { ...options, ...more })) {
    results.push(result)
  }
  return results
}

const failuresOf = (results: readonly CheckResult[]) =>
  results.filter(({ outcome }) => outcome === 'failed')

test('this server differs from the contract in nothing, and every check has a result', async () => {
  const results = await resultsOf(app.address, { operatorToken })
  assert.deepEqual(failuresOf(results), [])
  const count = listSections().reduce((sum, { checks }) => sum + checks, 0)
  assert.equal(results.length, count)
  const passed = results.filter(({ outcome }) => outcome === 'passed')
  assert.ok(passed.length >= 180, `${passed.length} of ${count} passed`)
  for (const { outcome, lacks, says } of results) {
    assert.equal(lacks !== undefined, outcome === 'skipped', says)
  }
})

test('a sale without a shipment fails no check, and the checks of shipments say why they are skipped', async () => {
  const other = await openTestApp()
  try {
    const market = await createTestMarket(other.client, null)
    const order = await placeOrder(other.client, { shipping: undefined })
    const payment = { id: 3000, status: 'approved', transaction_amount: order.total_amount }
    const paid = await other.client.operator(
      'POST',
      `/operator/orders/${order.id}/payments`,
      payment,
    )
    assert.equal(paid.status, 201, paid.text)
    const tokens = { seller: market.anaToken }
    const results = await resultsOf(other.address, { tokens, application: applicationId })
    assert.deepEqual(failuresOf(results), [])
    const resultOf = (says: string) => results.find((result) => result.says === says)
    assert.deepEqual(resultOf('the shipment of an order is read')?.lacks, {
      kind: 'value',
      name: 'shipped',
      reason: 'no order of the seller has a shipment',
    })
    const without = resultOf('an order without a shipment has none to read')
    assert.equal(without?.outcome, 'passed')
  } finally {
    await other.close()
  }
})

test('without permission to write it only reads, and says what it left out for that', async () => {
  const proxy = await openAlteringProxy(app.address)
  try {
    const results = await resultsOf(proxy.address)
    assert.ok(results.some(({ lacks }) => lacks?.kind === 'permission'))
    const others = proxy.requests.filter((line) => !/^(GET|OPTIONS) |top_values/.test(line))
    assert.deepEqual(others, [])
  } finally {
    proxy.close()
  }
})

const wrongAnswers: Record<string, [AlteredResponse, CheckSelection, difference: RegExp]> = {
  'a field of the wrong type': [
    {
      path: /GET \/orders\/\d+$/,
      body: (order) => ({ ...order, total_amount: String(order.total_amount) }),
    },
    { section: '2.2' },
    /^body\.total_amount: expected a number, found "/,
  ],
  'a field that is missing': [
    { path: /GET \/orders\/\d+$/, body: ({ context: _, ...order }) => order },
    { section: '2.2' },
    /^body\.context: missing$/,
  ],
  'a wrong status': [
    { path: /GET \/orders\/1$/, status: 400 },
    { section: '7.5' },
    /^expected status 404, found 400/,
  ],
  'a missing header': [
    { path: /categories\/all/, without: 'x-content-md5' },
    { section: '4.4' },
    /^header x-content-md5: expected /,
  ],
}
for (const [name, [altered, selection, difference]] of Object.entries(wrongAnswers)) {
  test(`a server whose answer has ${name} fails the checks of that answer, and no others`, async () => {
    const proxy = await openAlteringProxy(app.address, altered)
    try {
      const failures = failuresOf(await resultsOf(proxy.address, selection))
      assert.ok(failures.length > 0)
      for (const { section, request, differences } of failures) {
        assert.equal(section, selection.section)
        assert.match(request, altered.path)
        assert.ok(
          differences.some((text) => difference.test(text)),
          differences.join('\n'),
        )
      }
    } finally {
      proxy.close()
    }
  })
}

test('a section stands for those below it, and only the contract for what it fixes', () => {
  const all = listSections()
  assert.deepEqual(
    listSections({ section: '4' }),
    all.filter(({ section }) => section.startsWith('4.')),
  )
  assert.deepEqual(listSections({ section: '99' }), [])
  const fixed = listSections({ contractOnly: true }).reduce((sum, { checks }) => sum + checks, 0)
  assert.ok(fixed < all.reduce((sum, { checks }) => sum + checks, 0))
  assert.ok(all.every(({ title }) => title !== ''))
})

test('a token that is not one of a seller ends the run before the first check', async () => {
  await assert.rejects(
    resultsOf(app.address, { tokens: { seller: 'x' } }),
    (error) => error instanceof ConformFailure && error.reason === 'not_a_seller',
  )
})
