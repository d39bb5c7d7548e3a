import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  openTestDatabase,
  skipWithoutClones,
  type TestDatabase,
} from '../../../test/harness/database.ts'
import { withoutEtag } from '../../../test/harness/etags.ts'
import { applicationId, createTestMarket, type MarketTokens } from '../../../test/harness/market.ts'
import { openReceiver, type Receiver } from '../../../test/harness/receiver.ts'
import { pollUntil } from '../../../test/harness/wait.ts'
import { recordChanges } from '../../changes/record.ts'

const url = '/operator/sandbox/receiver-faults'
let database: TestDatabase
let app: TestApp
let other: TestApp
let receiver: Receiver
let market: MarketTokens

before(async () => {
  database = await openTestDatabase()
  app = await openTestApp({ databaseUrl: database.url })
  other = await openTestApp({ databaseUrl: database.url })
  receiver = await openReceiver()
  market = await createTestMarket(app.client, receiver.url)
})
after(async () => {
  await app.close()
  await other.close()
  await receiver.close()
  await database.drop()
})

const put = (body: object, by = app) => by.client.operator('PUT', url, body)
const clear = (query = '') => app.client.operator('DELETE', url + query)

/** Lets ana's application be told of these, one after the other. */
async function happen(by: TestApp, resources: string[]): Promise<void> {
  for (const resource of resources) {
    by.advance(1)
    const at = by.ctx.now()
    const change = { topic: 'payments' as const, resource, userIds: [1001], sellerId: 1001, at }
    await by.ctx.db.transaction((tx) => recordChanges(tx, [change]))
  }
  await by.runPendingWork()
}

test('a fault is shown with what it goes by, and set in the place of its like', async () => {
  const first = await put({ kind: 'delay', share: 0.25, seed: 3, delay_ms: 50 })
  const shown = { application_id: null, topic: null, kind: 'delay', share: 0.25, seed: 3 }
  assert.deepEqual([first.status, first.body], [200, { ...shown, delay_ms: 50 }])
  const drawn = await put({ application_id: 5, topic: 'items', kind: 'status', share: 1 })
  assert.ok(Number.isInteger(drawn.body.seed), 'a seed is drawn where none was given, and told')
  assert.equal(drawn.body.status, 500)
  await put({ kind: 'delay', share: 1, seed: 4 })
  const { body } = await app.client.operator('GET', url)
  const faults = body.faults.map(withoutEtag)
  assert.deepEqual(faults, [{ ...shown, share: 1, seed: 4, delay_ms: 2_000 }, drawn.body])
  await clear('?application_id=5')
  assert.equal((await app.client.operator('GET', url)).body.faults.length, 1)
  await clear('?kind=drop')
  assert.equal((await app.client.operator('GET', url)).body.faults.length, 1)
  assert.equal((await clear()).status, 204)
  assert.deepEqual((await app.client.operator('GET', url)).body.faults, [])
})

test('a fault that cannot be is refused by its field', async () => {
  const cases: [body: object, field: string][] = [
    [{ kind: 'explode', share: 1 }, 'kind'],
    [{ share: 1 }, 'kind'],
    [{ kind: 'drop' }, 'share'],
    [{ kind: 'drop', share: 1.1 }, 'share'],
    [{ kind: 'drop', share: -0.1 }, 'share'],
    [{ kind: 'drop', share: 1, topic: 'weather' }, 'topic'],
    [{ kind: 'drop', share: 1, seed: 1.5 }, 'seed'],
    [{ kind: 'drop', share: 1, delay_ms: 5 }, 'delay_ms'],
    [{ kind: 'drop', share: 1, status: 500 }, 'status'],
    [{ kind: 'delay', share: 1, delay_ms: 60_001 }, 'delay_ms'],
    [{ kind: 'status', share: 1, status: 99 }, 'status'],
    [{ kind: 'drop', share: 1, application_id: 'x' }, 'application_id'],
  ]
  for (const [body, field] of cases) {
    const refused = await put(body)
    assert.equal(refused.status, 400, JSON.stringify(body))
    assert.ok(refused.body.message.startsWith(`${field}: expected`), refused.body.message)
  }
  for (let n = 1; n <= 20; n++) {
    assert.equal((await put({ application_id: n, kind: 'drop', share: 1 })).status, 200)
  }
  const many = await put({ application_id: 21, kind: 'drop', share: 1 })
  assert.match(many.body.message, /at most 20/)
  await clear()
})

contract(
  '4.5',
  'what is set meets the very next notification, in every process, and the feed shows it',
  async () => {
    await put({ application_id: applicationId, kind: 'status', share: 1, status: 418 })
    await happen(app, ['/collections/1'])
    await put({ kind: 'drop', share: 1 }, other)
    await pollUntil('the first to hear', async () => {
      await happen(app, ['/collections/2'])
      const { body } = await app.client.get(
        `/myfeeds?app_id=${applicationId}&limit=1`,
        market.anaToken,
      )
      return body.messages[0].outcome === 'timeout'
    })
    assert.equal(receiver.received.length, 0)
    const { body } = await app.client.get(
      `/myfeeds?app_id=${applicationId}&limit=100`,
      market.anaToken,
    )
    const [last, first] = [body.messages[0], body.messages.at(-1)]
    assert.equal(first.response.http_code, 418)
    assert.equal(first.response.headers['x-feria-simulated'], 'status')
    assert.equal(last.response.http_code, null)
    assert.equal(last.response.body, 'x-feria-simulated: drop, status')
    await clear()
  },
)

test('with the same seed the same notifications are met', {
  skip: skipWithoutClones('it compares two worlds'),
}, async () => {
  const runs: string[][] = []
  for (let run = 0; run < 2; run++) {
    const fresh = await openTestApp()
    try {
      await createTestMarket(fresh.client, receiver.url)
      receiver.received.length = 0
      await put({ kind: 'drop', share: 0.5, seed: 42 }, fresh)
      await happen(
        fresh,
        Array.from({ length: 20 }, (_, n) => `/collections/${n}`),
      )
      runs.push(receiver.received.map(({ body }) => body.resource).sort())
    } finally {
      await fresh.close()
    }
  }
  assert.deepEqual(runs[0], runs[1])
  assert.ok(runs[0] && runs[0].length > 0 && runs[0].length < 20)
})

test('in production nothing of it exists', async () => {
  await put({ kind: 'drop', share: 1 })
  const env = { FERIA_MODE: 'production' }
  const real = await openTestApp({ databaseUrl: database.url, env })
  try {
    assert.equal((await put({ kind: 'drop', share: 1 }, real)).body.error, 'sandbox_only')
    assert.equal((await real.client.operator('DELETE', url)).body.error, 'sandbox_only')
    assert.equal((await real.client.operator('GET', url)).body.error, 'sandbox_only')
    assert.equal((await real.client.send('GET', url, { token: market.anaToken })).status, 401)
  } finally {
    await real.close()
    await clear()
  }
})
