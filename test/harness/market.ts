import assert from 'node:assert/strict'
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

const phone = { area_code: '11', number: '4444-0000', extension: '', verified: true }

/** Registers users, an application that both parties have authorised, tokens and two listings. */
export async function createTestMarket(
  client: TestClient,
  callbackUrl: string | null,
): Promise<MarketTokens> {
  const put = async (path: string, body: unknown) => {
    const { status, text } = await client.operator('PUT', path, body)
    assert.ok(status === 200 || status === 201, `PUT ${path}: ${status} ${text}`)
  }
  await put(`/operator/users/${anaId}`, {
    site_id: 'MLA',
    nickname: 'ANA_VENDE',
    email: 'ana@example.com',
    first_name: 'Ana',
    last_name: 'Prueba',
    phone,
  })
  await put(`/operator/users/${brunoId}`, {
    site_id: 'MLA',
    nickname: 'BRUNO_COMPRA',
    email: 'bruno@example.com',
    first_name: 'Bruno',
    last_name: 'Prueba',
    phone,
    billing_info: { doc_type: 'DNI', doc_number: '11222333' },
  })
  await put(`/operator/users/${carlaId}`, { site_id: 'MLA', nickname: 'CARLA' })
  await put(`/operator/applications/${applicationId}`, {
    name: 'Stock keeper',
    callback_url: callbackUrl,
    topics: ['orders_v2', 'orders', 'created_orders', 'payments'],
    owner_id: anaId,
  })
  await put(`/operator/authorizations/${applicationId}/${anaId}`, {})
  await putItem(client, 'MLA1001', 10)
  await putItem(client, 'MLA1002', 1)
  const token = async (user_id: number, application_id: number | null) => {
    const answer = await client.operator('POST', '/operator/tokens', { user_id, application_id })
    assert.equal(answer.status, 201, answer.text)
    return answer.body.access_token as string
  }
  return {
    anaToken: await token(anaId, applicationId),
    ownerToken: await token(anaId, null),
    brunoToken: await token(brunoId, null),
    carlaToken: await token(carlaId, null),
  }
}

/** Tokens of the same people that outlast a clock moved by months. */
export async function createLongLivedTokens(client: TestClient): Promise<MarketTokens> {
  const token = async (user_id: number, application_id: number | null) => {
    const body = { user_id, application_id, expires_in: 300 * 24 * 3600 }
    const answer = await client.operator('POST', '/operator/tokens', body)
    assert.equal(answer.status, 201, answer.text)
    return answer.body.access_token as string
  }
  return {
    anaToken: await token(anaId, applicationId),
    ownerToken: await token(anaId, null),
    brunoToken: await token(brunoId, null),
    carlaToken: await token(carlaId, null),
  }
}

export async function putItem(client: TestClient, id: string, quantity: number): Promise<void> {
  const { status } = await client.operator('PUT', `/operator/items/${id}`, {
    seller_id: anaId,
    site_id: 'MLA',
    title: 'Pava eléctrica de acero',
    category_id: 'MLA1580',
    currency_id: 'ARS',
    price: 1999.9,
    available_quantity: quantity,
    warranty: 'Garantía de fábrica: 6 meses',
    seller_sku: `SKU-${id}`,
  })
  assert.ok(status < 300)
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
