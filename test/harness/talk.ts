import assert from 'node:assert/strict'
import type { Answered, Client } from './client.ts'
import { ana, applicationId, bruno, carla, openMarket, putItem, sell } from './sale.ts'

/** People who talk to each other through the application `Stock keeper`. */
export interface Talk {
  ana: string
  bruno: string
  carla: string
  /** Ana's, without an application. */
  bare: string
}

/** Nobody listens there. */
const nowhere = 'http://127.0.0.1:1/'

/** A market whose people may all write by an application, which is told of messages. */
export async function openTalk(client: Client, callbackUrl = nowhere): Promise<Talk> {
  await openMarket(client, callbackUrl)
  await putItem(client, 'MLA1001', 1_000)
  const application = { name: 'Stock keeper', callback_url: callbackUrl, topics: ['messages'] }
  await client.operator('PUT', `/operator/applications/${applicationId}`, application)
  const token = async (user_id: number, application_id: number | null) => {
    if (application_id) {
      await client.operator('PUT', `/operator/authorizations/${application_id}/${user_id}`, {})
    }
    const body = { user_id, application_id, expires_in: 300 * 24 * 3600 }
    const answer = await client.operator('POST', '/operator/tokens', body)
    assert.equal(answer.status, 201, answer.text)
    return answer.body.access_token as string
  }
  return {
    ana: await token(ana, applicationId),
    bruno: await token(bruno, applicationId),
    carla: await token(carla, applicationId),
    bare: await token(ana, null),
  }
}

/** A confirmed sale that seller and buyer arrange between themselves: both may write at once. */
export async function sellFreely(client: Client, more: object = {}) {
  return sell(client, { shipping: { mode: 'custom', cost: 0 }, ...more })
}

/** Where the conversation of a pack of ana's is. */
export const pathOf = (packId: number | string, sellerId: number | string = ana) =>
  `/messages/packs/${packId}/sellers/${sellerId}`

/** Somebody writes to the other one. */
export async function say(
  client: Client,
  told: { token: string; packId: number; text?: unknown; by?: number; more?: object },
): Promise<Answered> {
  const { token, packId, text = 'Hola, ¿cómo va?', by = ana, more = {} } = told
  const to = by === ana ? bruno : ana
  return client.call('POST', `${pathOf(packId)}?tag=post_sale`, {
    token,
    body: { from: { user_id: `${by}` }, to: { user_id: `${to}` }, text, ...more },
  })
}
