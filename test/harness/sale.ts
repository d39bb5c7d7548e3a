import assert from 'node:assert/strict'
import type { Client } from './client.ts'

export const ana = 1001
export const bruno = 2002
export const carla = 3003
export const applicationId = 700700

/** The tokens of a small marketplace: ana sells, bruno buys, carla has nothing to do with it. */
export interface Market {
  /** By the application, which ana owns. */
  ana: string
  /** ana in person. */
  owner: string
  bruno: string
  carla: string
}

const phone = { area_code: '11', number: '4444-0000', extension: '', verified: true }

/** Registers users, an application that both parties have authorised, tokens and two listings. */
export async function openMarket(client: Client, callbackUrl: string | null): Promise<Market> {
  const put = async (path: string, body: unknown) => {
    const { status, text } = await client.operator('PUT', path, body)
    assert.ok(status === 200 || status === 201, `PUT ${path}: ${status} ${text}`)
  }
  await put(`/operator/users/${ana}`, {
    site_id: 'MLA',
    nickname: 'ANA_VENDE',
    email: 'ana@example.com',
    first_name: 'Ana',
    last_name: 'Prueba',
    phone,
  })
  await put(`/operator/users/${bruno}`, {
    site_id: 'MLA',
    nickname: 'BRUNO_COMPRA',
    email: 'bruno@example.com',
    first_name: 'Bruno',
    last_name: 'Prueba',
    phone,
    billing_info: { doc_type: 'DNI', doc_number: '11222333' },
  })
  await put(`/operator/users/${carla}`, { site_id: 'MLA', nickname: 'CARLA' })
  await put(`/operator/applications/${applicationId}`, {
    name: 'Stock keeper',
    callback_url: callbackUrl,
    topics: ['orders_v2', 'orders', 'created_orders', 'payments'],
    owner_id: ana,
  })
  await put(`/operator/authorizations/${applicationId}/${ana}`, {})
  await putItem(client, 'MLA1001', 10)
  await putItem(client, 'MLA1002', 1)
  const token = async (user_id: number, application_id: number | null) => {
    const answer = await client.operator('POST', '/operator/tokens', { user_id, application_id })
    assert.equal(answer.status, 201, answer.text)
    return answer.body.access_token as string
  }
  return {
    ana: await token(ana, applicationId),
    owner: await token(ana, null),
    bruno: await token(bruno, null),
    carla: await token(carla, null),
  }
}

/** Tokens of the same people that outlast a clock moved by months. */
export async function lastingTokens(client: Client): Promise<Market> {
  const token = async (user_id: number, application_id: number | null) => {
    const body = { user_id, application_id, expires_in: 300 * 24 * 3600 }
    const answer = await client.operator('POST', '/operator/tokens', body)
    assert.equal(answer.status, 201, answer.text)
    return answer.body.access_token as string
  }
  return {
    ana: await token(ana, applicationId),
    owner: await token(ana, null),
    bruno: await token(bruno, null),
    carla: await token(carla, null),
  }
}

export async function putItem(client: Client, id: string, quantity: number): Promise<void> {
  const { status } = await client.operator('PUT', `/operator/items/${id}`, {
    seller_id: ana,
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
export function checkout(more: object = {}): object {
  return {
    buyer_id: bruno,
    currency_id: 'ARS',
    lines: [{ item_id: 'MLA1001', quantity: 1 }],
    shipping: { mode: 'me2', logistic_type: 'drop_off', cost: 350 },
    ...more,
  }
}

/** Makes an order and returns it as the operator sees it. */
export async function sell(client: Client, more: object = {}) {
  const { status, body, text } = await client.operator('POST', '/operator/orders', checkout(more))
  assert.equal(status, 201, text)
  return body
}
