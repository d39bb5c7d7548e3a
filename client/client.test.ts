import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, operatorToken, type TestApp } from '../test/harness/app.ts'
import { contract } from '../test/harness/contract.ts'
import {
  anaId,
  applicationId,
  createTestMarket,
  type MarketTokens,
  placeOrder,
} from '../test/harness/market.ts'
import {
  clientSecret,
  enableSignIn,
  exchangeAuthorizationCode,
  obtainCode,
  openSignedInBrowser,
} from '../test/harness/oauth.ts'
import { openReceiver, type Receiver } from '../test/harness/receiver.ts'
import {
  bodyOf,
  eachNotification,
  eachOrder,
  type Feria,
  FeriaFailure,
  Incomplete,
  memoryStore,
  openFeria,
  partsOf,
  type TokenStore,
  type Tokens,
} from './client.ts'

let app: TestApp
let market: MarketTokens
let receiver: Receiver
let feria: Feria
const orders: number[] = []

before(async () => {
  app = await openTestApp()
  receiver = await openReceiver()
  market = await createTestMarket(app.client, receiver.url)
  await enableSignIn(app, { callback_url: receiver.url })
  for (let count = 0; count < 5; count++) orders.push((await placeOrder(app.client)).id)
  feria = openFeria({ baseUrl: `${app.address}/`, token: market.anaToken })
})
after(async () => {
  await receiver.close()
  await app.close()
})

const read = (client: Feria, id: number) =>
  client.GET('/orders/{order_id}', { params: { path: { order_id: String(id) } } })

contract(
  ['4.3', '7.5'],
  'an order is read with its types, and a refusal has a code, words and the request’s id',
  async () => {
    const order = await bodyOf(read(feria, orders[0] ?? 0))
    assert.equal(order.id, orders[0])
    assert.equal(order.seller.id, anaId)
    await assert.rejects(bodyOf(read(feria, 1)), (error) => {
      assert.ok(error instanceof FeriaFailure)
      assert.deepEqual([error.status, error.code], [404, 'order_not_found'])
      assert.match(error.message, /^\/orders\/1 was answered with 404: Order not found/)
      assert.match(error.requestId ?? '', /\w/)
      return true
    })
  },
)

contract(
  '4.3',
  'parts that could not be had are named, and an order without them is no whole one',
  async () => {
    const id = orders[0] ?? 0
    const order_parts = ['shipping', 'feedback']
    await app.client.operator('PUT', '/operator/faults', { order_parts })
    try {
      const { data, missing } = await partsOf(read(feria, id))
      assert.deepEqual([data.id, missing], [id, ['feedback', 'shipping']])
      await assert.rejects(bodyOf(read(feria, id)), (error) => {
        return error instanceof Incomplete && error.missing.length === 2
      })
    } finally {
      await app.client.operator('PUT', '/operator/faults', { order_parts: [] })
    }
    assert.deepEqual((await partsOf(read(feria, id))).missing, [])
  },
)

contract('4.3', 'all orders of a search come, each once, whatever the size of a page', async () => {
  for (const limit of [1, 2, 5, 100]) {
    const ids: number[] = []
    for await (const { id } of eachOrder(feria, { seller: anaId, limit })) ids.push(id)
    assert.deepEqual(ids.toSorted(), orders.toSorted(), `${limit} a page`)
  }
})

contract('4.5', 'the whole feed comes, page by page', async () => {
  await app.runPendingWork()
  const ids: string[] = []
  for await (const entry of eachNotification(feria, { app_id: applicationId, limit: 2 })) {
    ids.push(entry._id)
  }
  const { body } = await app.client.get(
    `/myfeeds?app_id=${applicationId}&limit=100`,
    market.anaToken,
  )
  assert.ok(ids.length >= orders.length)
  assert.deepEqual(
    ids,
    body.messages.map(({ _id }: { _id: string }) => _id),
  )
})

/** Tokens of a consent that ana has given on the page, in a store that remembers what it was told. */
async function consented(): Promise<{ store: TokenStore; writtenTokens: Tokens[] }> {
  const { body } = await exchangeAuthorizationCode(
    app,
    await obtainCode(await openSignedInBrowser(app)),
  )
  const store = memoryStore({
    accessToken: body.access_token,
    refreshToken: body.refresh_token,
    expiresAt: app.ctx.now().getTime() + body.expires_in * 1000,
  })
  const writtenTokens: Tokens[] = []
  const write = async (tokens: Tokens) => {
    writtenTokens.push(tokens)
    await store.write(tokens)
  }
  return { store: { read: store.read, write }, writtenTokens }
}

const now = () => app.ctx.now().getTime()
const grant = { clientId: applicationId, clientSecret }

contract(
  '5',
  'a token that ends is renewed once, however many requests need one, and lasts on',
  async () => {
    const { store, writtenTokens } = await consented()
    const client = openFeria({ baseUrl: app.address, grant: { ...grant, store }, now })
    const me = async () => (await bodyOf(client.GET('/users/me'))).id
    assert.equal(await me(), anaId)
    assert.equal(writtenTokens.length, 0, 'there was no need')
    for (let times = 1; times <= 3; times++) {
      app.advance(6 * 3600 * 1000)
      assert.deepEqual(await Promise.all(Array.from({ length: 20 }, me)), Array(20).fill(anaId))
      assert.equal(writtenTokens.length, times)
    }
  },
)

contract(
  '5',
  'a token that was revoked before its end is renewed, and the request is sent again with its body',
  async () => {
    const { store, writtenTokens } = await consented()
    const { accessToken } = await store.read()
    await app.client.operator('POST', '/operator/tokens/revoke', { access_token: accessToken })
    const client = openFeria({ baseUrl: app.address, grant: { ...grant, store }, now })
    const noted = await Promise.all(
      orders.map((id) =>
        bodyOf(
          client.POST('/orders/{order_id}/notes', {
            params: { path: { order_id: String(id) } },
            body: { note: `for ${id}` },
          }),
        ),
      ),
    )
    assert.equal(noted.length, orders.length)
    assert.equal(writtenTokens.length, 1)
  },
)

contract('5', 'a new token is used by nobody before the store has kept it', async () => {
  const { store, writtenTokens } = await consented()
  const { accessToken } = await store.read()
  await app.client.operator('POST', '/operator/tokens/revoke', { access_token: accessToken })
  const used: string[] = []
  const fetch = (request: Request) => {
    used.push(request.headers.get('authorization') ?? '')
    return globalThis.fetch(request)
  }
  const write = async (): Promise<void> => {
    throw new Error('the disk is full')
  }
  const failing = { ...grant, store: { read: store.read, write } }
  const client = openFeria({ baseUrl: app.address, grant: failing, now, fetch })
  await assert.rejects(bodyOf(client.GET('/users/me')), /the disk is full/)
  assert.deepEqual(used.filter(Boolean), [`Bearer ${accessToken}`])
  assert.equal(writtenTokens.length, 0)
})

contract('5', 'what another process has renewed is used, and not renewed again', async () => {
  const { store, writtenTokens } = await consented()
  const one = openFeria({ baseUrl: app.address, grant: { ...grant, store }, now })
  const stale = await store.read()
  app.advance(6 * 3600 * 1000)
  await bodyOf(one.GET('/users/me'))
  assert.equal(writtenTokens.length, 1)
  // The other one has read the store before, and finds out when it wants to renew.
  let reads = 0
  const late = { ...store, read: async () => (reads++ === 0 ? stale : store.read()) }
  const other = openFeria({ baseUrl: app.address, grant: { ...grant, store: late }, now })
  await bodyOf(other.GET('/users/me'))
  assert.equal(writtenTokens.length, 1)
})

contract('5', 'an authorisation that has ended is told as such, and asked for once', async () => {
  const { store } = await consented()
  app.advance(6 * 3600 * 1000)
  await app.client.operator('DELETE', `/operator/authorizations/${applicationId}/${anaId}`)
  const client = openFeria({ baseUrl: app.address, grant: { ...grant, store }, now })
  await assert.rejects(
    bodyOf(client.GET('/users/me')),
    (error) => error instanceof FeriaFailure && error.code === 'invalid_grant',
  )
})

test('the operator’s operations are typed too, with the operator’s token', async () => {
  const operator = openFeria({ baseUrl: app.address, token: operatorToken })
  const { users } = await bodyOf(operator.GET('/operator/users'))
  assert.ok(users.length >= 3)
})
