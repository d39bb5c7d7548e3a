import assert from 'node:assert/strict'
import type { TestApp } from '../harness/app.ts'
import {
  anaId,
  applicationId,
  authorize,
  brunoId,
  carlaId,
  createTestMarket,
  issueToken,
  type MarketTokens,
  placeOrder,
  putKettle,
} from '../harness/market.ts'
import { placeCustomShippingOrder, sendTestMessage } from '../harness/messaging.ts'
import { clientSecret, registerClient, requestToken } from '../harness/oauth.ts'
import { uploadFile } from '../harness/upload.ts'
import type { CallerKind } from './expectations.ts'

/** Another application that ana has authorised; she does not own it. */
const otherApplicationId = 700_701
/** Nothing listens there. */
const callback_url = 'http://127.0.0.1:9/'
export const applicationSettings = {
  name: 'Stock keeper',
  callback_url,
  topics: ['orders_v2', 'payments'],
}

/** What ana, seller A, has: one of each thing that a path can name. */
export interface AuthorizationFixture {
  app: TestApp
  market: MarketTokens
  orderId: number
  paymentId: number
  shippingId: number
  claimId: number
  noteId: number
  feedbackId: number
  /** A pack in which both parties may write, with what was said and attached in it. */
  packId: number
  messageId: string
  /** A pack that a seller writes to by the action guide first. */
  guidedPackId: number
  attachmentId: string
  questionId: number
  notificationId: string
  replayId: string
}

/** Makes the world. What a test uses up, it makes anew. */
export async function createAuthorizationFixture(app: TestApp): Promise<AuthorizationFixture> {
  const { client } = app
  const market = await createTestMarket(client, callback_url)
  await putKettle(client, 'MLA1001', 10_000)
  await registerClient(client, applicationId, { ...applicationSettings, owner_id: anaId })
  await registerClient(client, otherApplicationId, { name: 'Elsewhere' })
  const put = async (path: string, body: object) => {
    const { status, text } = await client.operator('PUT', `/operator/${path}`, body)
    assert.ok(status < 300, text)
  }
  await put(`authorizations/${otherApplicationId}/${anaId}`, {})
  const listing = { category_id: 'MLA1', title: 'x', price: 1, available_quantity: 1 }
  const flat = { ...listing, site_id: 'MLC', currency_id: 'CLP', vertical: 'real_estate' }
  await put('items/MLC1', { ...flat, seller_id: anaId })
  const bought = { ...listing, site_id: 'MLA', currency_id: 'ARS', seller_id: brunoId }
  await put('items/MLA2002', bought)
  await put('quotations/31', { item_id: 'MLC1' })
  const source = 'https://example.com/a.jpg'
  await put('pictures/p1/errors', { item_id: 'MLA1001', message: 'x', source })
  // Invoices are of users of one site.
  await put(`users/${anaId}`, { site_id: 'MLB', nickname: 'ANA_VENDE' })
  await put(`users/${anaId}/invoices/41`, { invoice_number: 1, amount: 1 })
  await put(`users/${anaId}`, { site_id: 'MLA', nickname: 'ANA_VENDE' })
  await put('currency_rates/USD/ARS', { rate: 1_000 })

  const order = await placeOrder(client)
  const payment = { status: 'approved', transaction_amount: 10 }
  const paid = await client.operator('POST', `/operator/orders/${order.id}/payments`, payment)
  await put('claims/51', { order_id: order.id })
  const { id: packId } = await placeCustomShippingOrder(client)
  await app.runPendingWork()
  const missed = `/operator/applications/${applicationId}/missed_feeds?user_id=${anaId}&limit=1`
  const world: AuthorizationFixture = {
    app,
    market,
    packId,
    orderId: order.id,
    paymentId: paid.body.payments[0].id,
    shippingId: order.shipping.id,
    claimId: 51,
    noteId: 0,
    feedbackId: 0,
    messageId: '',
    guidedPackId: (await placeOrder(client)).id,
    attachmentId: await uploadFile(app.address, { token: market.anaToken }),
    questionId: 0,
    notificationId: (await client.operator('GET', missed)).body.messages[0]._id,
    replayId: '',
  }
  world.noteId = await makeNote(world)
  world.feedbackId = await makeFeedback(world, market.anaToken)
  world.questionId = await makeQuestion(world)
  world.replayId = await makeReplay(world)
  const attachments = [world.attachmentId]
  const sent = await sendTestMessage(client, {
    token: market.anaToken,
    packId,
    more: { attachments },
  })
  assert.equal(sent.status, 201, sent.text)
  world.messageId = sent.body.id
  return world
}

/** Makes something over the interface and returns the body of the answer. */
async function createResource(
  { app }: AuthorizationFixture,
  path: string,
  asking: { token: string; body: object },
) {
  const { status, body, text } = await app.client.send('POST', path, asking)
  assert.equal(status, 201, `${path} ${text}`)
  return body
}

export async function makeNote(world: AuthorizationFixture): Promise<number> {
  const asking = { token: world.market.anaToken, body: { note: 'a note' } }
  return (await createResource(world, `/orders/${world.orderId}/notes`, asking)).note.id
}

const rating = { fulfilled: true, rating: 'neutral', message: 'x' }

/** Rates a sale of its own; both parties do when the token is bruno's, so that ana may reply. */
export async function makeFeedback(world: AuthorizationFixture, token: string): Promise<number> {
  const { id } = await placeOrder(world.app.client)
  const path = `/orders/${id}/feedback`
  const feedback = await createResource(world, path, { token, body: rating })
  if (token !== world.market.anaToken)
    await createResource(world, path, { token: world.market.anaToken, body: rating })
  return feedback.id
}

export async function makeQuestion(world: AuthorizationFixture): Promise<number> {
  const body = { item_id: 'MLA1001', text: '¿Hay?' }
  return (await createResource(world, '/questions', { token: world.market.brunoToken, body })).id
}

export async function makeReplay(world: AuthorizationFixture): Promise<string> {
  const body = { since: '2026-03-01T00:00:00.000Z' }
  const path = `/applications/${applicationId}/replays`
  return (await createResource(world, path, { token: world.market.ownerToken, body })).id
}

/** An item of ana's that nobody has described. */
export async function makeItem({ app }: AuthorizationFixture): Promise<string> {
  const id = `MLA${Math.floor(app.ctx.random.fraction() * 1e9) + 1_000_000}`
  await putKettle(app.client, id, 1)
  return id
}

/** One token for each caller. */
export async function makeTokens({
  app,
  market,
}: AuthorizationFixture): Promise<Record<CallerKind, string>> {
  const { client } = app
  for (const userId of [anaId, carlaId]) {
    await authorize(client, applicationId, userId)
  }
  const issue = async (body: object): Promise<string> => {
    return issueToken(client, { user_id: anaId, ...body })
  }
  const ofClient = async (scope: string): Promise<string> => {
    const { status, body, text } = await requestToken(app, {
      grant_type: 'client_credentials',
      client_id: String(applicationId),
      client_secret: clientSecret,
      scope,
    })
    assert.equal(status, 200, text)
    return body.access_token
  }
  const application_id = applicationId
  const revoked = await issue({ application_id })
  await client.operator('POST', '/operator/tokens/revoke', { access_token: revoked })
  const expired = await issue({ application_id, expires_in: 1 })
  app.advance(1_000)
  return {
    none: '',
    stranger: market.carlaToken,
    guest: await issue({ user_id: carlaId, application_id }),
    elsewhere: await issue({ application_id: otherApplicationId }),
    user: await issue({ application_id }),
    'user:r': await issue({ application_id, scopes: ['read'] }),
    'user:w': await issue({ application_id, scopes: ['write'] }),
    client: await ofClient('read write'),
    'client:r': await ofClient('read'),
    'client:w': await ofClient('write'),
    owner: market.ownerToken,
    revoked,
    expired,
    operator: app.ctx.config.operatorToken,
  }
}
