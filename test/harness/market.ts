import assert from 'node:assert/strict'
import type { RequestBody } from 'feria/client'
import type { TestClient } from './client.ts'

export const anaId = 1001
export const brunoId = 2002
export const carlaId = 3003
export const applicationId = 700700

/** The tokens of a small marketplace: ana sells, bruno buys, carla has nothing to do with it. */
export interface MarketTokens {
  /** By the application, which ana owns. */
  anaToken: string
  /** ana in person. */
  ownerToken: string
  brunoToken: string
  carlaToken: string
}

/** What builders ask of a client: typed calls, which throw if they are refused. */
type Caller = Pick<TestClient, 'call'>

/** Registers a user of MLA. */
export async function putUser(
  client: Caller,
  id: number,
  fields: Partial<RequestBody<'/operator/users/{id}', 'put'>> = {},
): Promise<void> {
  await client.call('PUT', '/operator/users/{id}', {
    path: { id },
    body: { site_id: 'MLA', nickname: `USER_${id}`, ...fields },
  })
}

/** Registers an application that is told of orders, at no address. */
export async function putApplication(
  client: Caller,
  id: number,
  fields: Partial<RequestBody<'/operator/applications/{id}', 'put'>> = {},
): Promise<void> {
  await client.call('PUT', '/operator/applications/{id}', {
    path: { id },
    body: { name: 'Stock keeper', callback_url: null, topics: ['orders_v2'], ...fields },
  })
}

/** A user lets an application in. */
export async function authorize(
  client: Caller,
  application_id: number,
  user_id: number,
): Promise<void> {
  const path = { application_id, user_id }
  await client.call('PUT', '/operator/authorizations/{application_id}/{user_id}', {
    path,
    body: {},
  })
}

/** Returns an access token of a user, without an application unless one is named. */
export async function issueToken(
  client: Caller,
  grant: RequestBody<'/operator/tokens', 'post'>,
): Promise<string> {
  return (await client.call('POST', '/operator/tokens', { body: grant })).access_token
}

export type ItemFields = Partial<RequestBody<'/operator/items/{id}', 'put'>>

/** Lists an item of ana's on MLA, of which there is one piece. Fields replace all of that. */
export async function putItem(client: Caller, id: string, fields: ItemFields = {}): Promise<void> {
  await client.call('PUT', '/operator/items/{id}', {
    path: { id },
    body: {
      seller_id: anaId,
      site_id: 'MLA',
      title: 'Pava eléctrica de acero',
      category_id: 'MLA1580',
      currency_id: 'ARS',
      price: 10,
      ...(fields.variations ? {} : { available_quantity: 1 }),
      ...fields,
    },
  })
}

/** Lists a kettle of ana's, as the market sells it, or sets its stock. */
export async function putKettle(client: Caller, id: string, quantity: number): Promise<void> {
  await putItem(client, id, {
    price: 1999.9,
    available_quantity: quantity,
    warranty: 'Garantía de fábrica: 6 meses',
    seller_sku: `SKU-${id}`,
  })
}

const phone = { area_code: '11', number: '4444-0000', extension: '', verified: true }

/** Registers users, an application that both parties have authorised, tokens and two listings. */
export async function createTestMarket(
  client: TestClient,
  callbackUrl: string | null,
): Promise<MarketTokens> {
  await putUser(client, anaId, {
    nickname: 'ANA_VENDE',
    email: 'ana@example.com',
    first_name: 'Ana',
    last_name: 'Prueba',
    phone,
  })
  await putUser(client, brunoId, {
    nickname: 'BRUNO_COMPRA',
    email: 'bruno@example.com',
    first_name: 'Bruno',
    last_name: 'Prueba',
    phone,
    billing_info: { doc_type: 'DNI', doc_number: '11222333' },
  })
  await putUser(client, carlaId, { nickname: 'CARLA' })
  await putApplication(client, applicationId, {
    callback_url: callbackUrl,
    topics: ['orders_v2', 'orders', 'created_orders', 'payments'],
    owner_id: anaId,
  })
  await authorize(client, applicationId, anaId)
  await putKettle(client, 'MLA1001', 10)
  await putKettle(client, 'MLA1002', 1)
  return createTokens(client)
}

/** Tokens of the same people that outlast a clock moved by months. */
export const createLongLivedTokens = (client: TestClient): Promise<MarketTokens> =>
  createTokens(client, { expires_in: longLivedSeconds })

/** Lifetime of tokens that outlast a clock moved by months. */
export const longLivedSeconds = 300 * 24 * 3600

async function createTokens(
  client: TestClient,
  life: { expires_in?: number } = {},
): Promise<MarketTokens> {
  return {
    anaToken: await issueToken(client, {
      user_id: anaId,
      application_id: applicationId,
      ...life,
    }),
    ownerToken: await issueToken(client, { user_id: anaId, ...life }),
    brunoToken: await issueToken(client, { user_id: brunoId, ...life }),
    carlaToken: await issueToken(client, { user_id: carlaId, ...life }),
  }
}

/** A checkout of one MLA1001 by bruno, with whatever else is given. */
export function checkoutBody(more: object = {}): object {
  return {
    buyer_id: brunoId,
    currency_id: 'ARS',
    lines: [{ item_id: 'MLA1001', quantity: 1 }],
    shipping: { mode: 'me2', logistic_type: 'drop_off', cost: 350 },
    ...more,
  }
}

/** Makes an order and returns it as the operator sees it. */
export async function placeOrder(client: TestClient, more: object = {}) {
  const { status, body, text } = await client.operator(
    'POST',
    '/operator/orders',
    checkoutBody(more),
  )
  assert.equal(status, 201, text)
  return body
}
