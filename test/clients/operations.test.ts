import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { routes } from '../../src/app/routes.ts'
import { openTestApp, type TestApp } from '../harness/app.ts'
import { contract } from '../harness/contract.ts'
import { createTestMarket, type MarketTokens } from '../harness/market.ts'

/** What public clients of this interface call: a method and a path, `{}` for an id. */
const operations = readFileSync(new URL('./operations.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')

const servedOperations = new Set(
  routes.map(({ method, url }) => `${method} ${url.replace(/:[a-z_]+/g, '{}')}`),
)

let app: TestApp
let market: MarketTokens

before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
})
after(() => app.close())

test('the list is that of many clients, and some of it is served', () => {
  assert.ok(operations.length > 150)
  assert.ok(operations.filter((operation) => servedOperations.has(operation)).length >= 60)
})

contract(
  ['7', 'errors'],
  'what clients call and is not there is answered so, by no other resource',
  async () => {
    const missing = operations.filter((operation) => !servedOperations.has(operation))
    assert.ok(missing.length > 0)
    for (const operation of missing) {
      const [method = '', pattern = ''] = operation.split(' ')
      const path = pattern.replaceAll('{}', '1001')
      const body = method === 'GET' || method === 'DELETE' ? {} : { body: {} }
      const answer = await app.client.send(method, path, { token: market.anaToken, ...body })
      assert.equal(answer.body?.message, `No resource at ${method} ${path}`, answer.text)
      assert.equal(answer.status, 404)
    }
  },
)
