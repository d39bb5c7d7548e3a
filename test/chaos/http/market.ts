import assert from 'node:assert/strict'
import { TestClient } from '../../harness/client.ts'
import { issueToken } from '../../harness/market.ts'
import type { NotificationArrivals } from './arrivals.ts'

/** A seller with an item and an application of their own, so that each has a lane of its own. */
export interface ChaosSeller {
  id: number
  applicationId: number
  itemId: string
  token: string
}

export interface ChaosMarket {
  sellers: readonly ChaosSeller[]
  buyer: { id: number; token: string }
}

/** Holds every answer to the schema of its operation, errors included. */
export const makeChaosClient = (address: string): TestClient => new TestClient(address)

const tokenSeconds = 300 * 24 * 3600

async function createToken(client: TestClient, userId: number, applicationId: number | null) {
  const body = { user_id: userId, application_id: applicationId, expires_in: tokenSeconds }
  return issueToken(client, body)
}

/** For a clock that was moved further than tokens live. */
export async function renewTokens(
  client: TestClient,
  { sellers, buyer }: ChaosMarket,
): Promise<void> {
  buyer.token = await createToken(client, buyer.id, null)
  for (const seller of sellers) {
    seller.token = await createToken(client, seller.id, seller.applicationId)
  }
}

const topics = ['orders_v2', 'questions', 'items', 'shipments']

export async function createChaosMarket(
  client: TestClient,
  { sellers, arrivals }: { sellers: number; arrivals: NotificationArrivals },
): Promise<ChaosMarket> {
  const put = async (path: string, body: object) => {
    const { status, text } = await client.operator('PUT', `/operator/${path}`, body)
    assert.ok(status === 200 || status === 201, `PUT ${path}: ${status} ${text}`)
  }
  await put('users/2', { site_id: 'MLA', nickname: 'COMPRA', email: 'buyer@example.com' })
  const buyer = { id: 2, token: await createToken(client, 2, null) }
  const all: ChaosSeller[] = []
  for (let n = 1; n <= sellers; n++) {
    const seller = { id: 1000 + n, applicationId: 5000 + n, itemId: `MLA${10_000 + n}` }
    await put(`users/${seller.id}`, { site_id: 'MLA', nickname: `VENDE${n}` })
    await put(`applications/${seller.applicationId}`, {
      name: `Stock keeper ${n}`,
      topics,
      owner_id: seller.id,
      callback_url: arrivals.url(seller.applicationId),
    })
    await put(`authorizations/${seller.applicationId}/${seller.id}`, {})
    await put(`items/${seller.itemId}`, {
      seller_id: seller.id,
      site_id: 'MLA',
      title: 'Pava eléctrica de acero',
      category_id: 'MLA1580',
      currency_id: 'ARS',
      price: 100,
      available_quantity: 1_000_000,
    })
    all.push({ ...seller, token: await createToken(client, seller.id, seller.applicationId) })
  }
  return { sellers: all, buyer }
}
