import type { TestClient, TestResponse } from './client.ts'
import {
  anaId,
  applicationId,
  authorize,
  brunoId,
  carlaId,
  createTestMarket,
  issueToken,
  longLivedSeconds,
  placeOrder,
  putApplication,
  putKettle,
} from './market.ts'

/** People who talk to each other through the application `Stock keeper`. */
export interface MessagingTokens {
  anaToken: string
  brunoToken: string
  carlaToken: string
  /** Ana's, without an application. */
  tokenWithoutApplication: string
}

/** Nobody listens there. */
const unreachableUrl = 'http://127.0.0.1:1/'

/** A market whose people may all write by an application, which is told of messages. */
export async function createMessagingMarket(
  client: TestClient,
  callbackUrl = unreachableUrl,
): Promise<MessagingTokens> {
  await createTestMarket(client, callbackUrl)
  await putKettle(client, 'MLA1001', 1_000)
  await putApplication(client, applicationId, { callback_url: callbackUrl, topics: ['messages'] })
  const token = async (user_id: number) => {
    await authorize(client, applicationId, user_id)
    return issueToken(client, {
      user_id,
      application_id: applicationId,
      expires_in: longLivedSeconds,
    })
  }
  return {
    anaToken: await token(anaId),
    brunoToken: await token(brunoId),
    carlaToken: await token(carlaId),
    tokenWithoutApplication: await issueToken(client, {
      user_id: anaId,
      expires_in: longLivedSeconds,
    }),
  }
}

/** A confirmed sale that seller and buyer arrange between themselves: both may write at once. */
export async function placeCustomShippingOrder(client: TestClient, more: object = {}) {
  return placeOrder(client, { shipping: { mode: 'custom', cost: 0 }, ...more })
}

/** Where the conversation of a pack of ana's is. */
export const messagesPath = (packId: number | string, sellerId: number | string = anaId) =>
  `/messages/packs/${packId}/sellers/${sellerId}`

/** Somebody writes to the other one. */
export async function sendTestMessage(
  client: TestClient,
  input: { token: string; packId: number; text?: unknown; by?: number; more?: object },
): Promise<TestResponse> {
  const { token, packId, text = 'Hola, ¿cómo va?', by = anaId, more = {} } = input
  const to = by === anaId ? brunoId : anaId
  return client.send('POST', `${messagesPath(packId)}?tag=post_sale`, {
    token,
    body: { from: { user_id: `${by}` }, to: { user_id: `${to}` }, text, ...more },
  })
}
