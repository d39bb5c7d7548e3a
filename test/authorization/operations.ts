import { anaId, applicationId, brunoId, placeOrder } from '../harness/market.ts'
import type { AccessClass } from './expectations.ts'
import {
  type AuthorizationFixture,
  applicationSettings,
  makeFeedback,
  makeItem,
  makeNote,
  makeQuestion,
  makeReplay,
} from './fixture.ts'

export interface OperationRequest {
  path: string
  body?: object
  /** A file to upload instead. */
  file?: true
  /** The body names what is asked about, and not the path. */
  isNamedInBody?: true
  /** What everybody meets who is let in, where it is not done. */
  expectedStatus?: number
}

/** A request that is right in all but, maybe, who sends it; made anew for everybody who is let in. */
type RequestFactory = (world: AuthorizationFixture) => OperationRequest | Promise<OperationRequest>

const requestAt =
  (path: string, body?: object): RequestFactory =>
  () =>
    body === undefined ? { path } : { path, body }

const application = `/applications/${applicationId}`
const listener = `${application}/listeners/laptop`
const since = '2026-03-10T00:00:00.000Z'
const rating = { fulfilled: true, rating: 'neutral', message: 'x' }
const message = { from: { user_id: String(anaId) }, to: { user_id: String(brunoId) }, text: 'Hola' }
const itemBody = {
  title: 'Samsung Galaxy A15',
  category_id: 'MLA1443',
  currency_id: 'ARS',
  price: 10,
  available_quantity: 1,
  attributes: [
    { id: 'BRAND', value_name: 'Samsung' },
    { id: 'MODEL', value_name: 'Galaxy A15' },
  ],
}
/** Pages and the token endpoint know their callers by session, form or secret, and look at no token: a
 * request that brings none of these meets the same refusal from everybody. */
const refusedForEveryone =
  (path: string, meets: number, body?: object): RequestFactory =>
  () => ({
    path,
    expectedStatus: meets,
    ...(body ? { body } : {}),
  })

/** Every operation in its class, with a request for it. Operator's operations are all in one class. */
export const operationRequests: Record<
  Exclude<AccessClass, 'operator'>,
  Record<string, RequestFactory>
> = {
  public: {
    'GET /items/{item_id}/description': async (world) => {
      const [id, token] = [await makeItem(world), world.market.anaToken]
      const path = `/items/${id}/description`
      await world.app.client.send('POST', path, { token, body: { plain_text: 'x' } })
      return { path }
    },
    'GET /sites': requestAt('/sites'),
    'GET /sites/{site_id}': requestAt('/sites/MLA'),
    'GET /sites/{site_id}/categories': requestAt('/sites/MLA/categories'),
    'GET /sites/{site_id}/categories/all': requestAt('/sites/MLA/categories/all'),
    'GET /categories/{category_id}': requestAt('/categories/MLA1411'),
    'GET /categories/{category_id}/attributes': requestAt('/categories/MLA1411/attributes'),
    'GET /category_pictures/{file}': requestAt('/category_pictures/MLA1411.svg'),
    'GET /sites/{site_id}/domain_discovery/search': requestAt(
      '/sites/MLA/domain_discovery/search?q=pava',
    ),
    'POST /catalog_domains/{domain_id}/attributes/{attribute_id}/top_values': requestAt(
      '/catalog_domains/MLA-MOBILE_SMART_PHONES/attributes/BRAND/top_values',
      {},
    ),
    'GET /currency_conversions/search': requestAt('/currency_conversions/search?from=USD&to=ARS'),
    'GET /sites/{site_id}/search': requestAt('/sites/MLA/search?q=pava'),
    'GET /sites/{site_id}/autosuggest': requestAt('/sites/MLA/autosuggest?q=pa'),
    'GET /{site_id}/search': requestAt('/MLA/search?category=MLA1580'),
    'GET /.well-known/oauth-authorization-server': requestAt(
      '/.well-known/oauth-authorization-server',
    ),
    'GET /': requestAt('/'),
    'GET /health/live': requestAt('/health/live'),
    'GET /health/ready': requestAt('/health/ready'),
    'GET /listings/{item_id}': requestAt('/listings/MLA1001'),
    'GET /login': requestAt('/login'),
    'POST /login': refusedForEveryone('/login', 400),
    'POST /logout': refusedForEveryone('/logout', 400),
    'GET /account': refusedForEveryone('/account', 303),
    'POST /account': refusedForEveryone('/account', 400),
    'GET /authorization': refusedForEveryone('/authorization', 400),
    'POST /authorization': refusedForEveryone('/authorization', 400),
    'POST /operator/sign-in': ({ app }) => ({
      path: '/operator/sign-in',
      // Another account each time: attempts at one are limited.
      body: { email: `${app.ctx.random.hex(4)}@example.com`, password: 'not a password' },
      expectedStatus: 401,
    }),
    'POST /operator/sign-in/openid/begin': refusedForEveryone(
      '/operator/sign-in/openid/begin',
      404,
      {},
    ),
    'POST /operator/sign-in/openid': refusedForEveryone('/operator/sign-in/openid', 404, {
      state: 'none',
      verifier: 'none',
      authorization_code: 'none',
    }),
    'POST /operator/invitations/accept': refusedForEveryone('/operator/invitations/accept', 404, {
      invitation: 'feria_invitation_none',
      password: 'a password for nobody',
    }),
    'POST /oauth/token': refusedForEveryone('/oauth/token', 400, {
      grant_type: 'client_credentials',
    }),
    'POST /oauth/revoke': refusedForEveryone('/oauth/revoke', 400, { token: 'none' }),
  },

  mixed: {
    'GET /items/{item_id}': requestAt('/items/MLA1001'),
    'GET /items': requestAt('/items?ids=MLA1001'),
    'GET /users/{user_id}': requestAt(`/users/${anaId}`),
  },

  'of-caller-read': {
    'GET /users/me': requestAt('/users/me'),
    'GET /messages/unread': requestAt('/messages/unread?role=seller&tag=post_sale'),
    'GET /questions/search': requestAt('/questions/search?item=MLA1001'),
    'GET /questions/{question_id}': ({ questionId }) => ({ path: `/questions/${questionId}` }),
  },

  'of-caller-write': {
    'POST /items': requestAt('/items', itemBody),
    'POST /questions': requestAt('/questions', { item_id: 'MLA2002', text: '¿Hay?' }),
    'POST /users/test_user': requestAt('/users/test_user', { site_id: 'MLA' }),
    'POST /messages/attachments': () => ({
      path: '/messages/attachments?tag=post_sale&site_id=MLA',
      file: true,
    }),
  },

  'of-user-read': {
    'GET /orders/search': requestAt(`/orders/search?seller=${anaId}`),
    'GET /orders/{order_id}': ({ orderId }) => ({ path: `/orders/${orderId}` }),
    'GET /orders/{order_id}/product': ({ orderId }) => ({ path: `/orders/${orderId}/product` }),
    'GET /orders/{order_id}/discounts': ({ orderId }) => ({ path: `/orders/${orderId}/discounts` }),
    'GET /orders/{order_id}/billing_info': ({ orderId }) => ({
      path: `/orders/${orderId}/billing_info`,
    }),
    'GET /orders/{order_id}/notes': ({ orderId }) => ({ path: `/orders/${orderId}/notes` }),
    'GET /orders/{order_id}/shipments': ({ orderId }) => ({ path: `/orders/${orderId}/shipments` }),
    'GET /orders/{order_id}/feedback': ({ orderId }) => ({ path: `/orders/${orderId}/feedback` }),
    'GET /messages/packs/{pack_id}/sellers/{seller_id}': ({ packId }) => ({
      path: `/messages/packs/${packId}/sellers/${anaId}?tag=post_sale`,
    }),
    'GET /messages/unread/packs/{pack_id}/sellers/{seller_id}': ({ packId }) => ({
      path: `/messages/unread/packs/${packId}/sellers/${anaId}?tag=post_sale`,
    }),
    'GET /messages/{message_id}': ({ messageId }) => ({
      path: `/messages/${messageId}?tag=post_sale`,
    }),
    'GET /messages/action_guide/packs/{pack_id}': ({ guidedPackId }) => ({
      path: `/messages/action_guide/packs/${guidedPackId}?tag=post_sale`,
    }),
    'GET /messages/action_guide/packs/{pack_id}/caps_available': ({ guidedPackId }) => ({
      path: `/messages/action_guide/packs/${guidedPackId}/caps_available?tag=post_sale`,
    }),
    'GET /users/{user_id}/items/search': requestAt(`/users/${anaId}/items/search`),
    'GET /users/{user_id}/applications': requestAt(`/users/${anaId}/applications`),
  },

  'of-user-write': {
    'POST /orders/{order_id}/notes': ({ orderId }) => ({
      path: `/orders/${orderId}/notes`,
      body: { note: 'x' },
    }),
    'PUT /orders/{order_id}/notes/{note_id}': ({ orderId, noteId }) => ({
      path: `/orders/${orderId}/notes/${noteId}`,
      body: { note: 'y' },
    }),
    'DELETE /orders/{order_id}/notes/{note_id}': async (world) => ({
      path: `/orders/${world.orderId}/notes/${await makeNote(world)}`,
    }),
    'POST /orders/{order_id}/feedback': async ({ app }) => ({
      path: `/orders/${(await placeOrder(app.client)).id}/feedback`,
      body: rating,
    }),
    'PUT /items/{item_id}': requestAt('/items/MLA1001', { price: 20 }),
    'POST /items/{item_id}/description': async (world) => ({
      path: `/items/${await makeItem(world)}/description`,
      body: { plain_text: 'x' },
    }),
    'PUT /items/{item_id}/description': requestAt('/items/MLA1001/description', {
      plain_text: 'x',
    }),
    'POST /answers': async (world) => ({
      path: '/answers',
      body: { question_id: await makeQuestion(world), text: 'Sí' },
      isNamedInBody: true,
    }),
  },

  'hidden-read': {
    'GET /packs/{pack_id}': ({ packId }) => ({ path: `/packs/${packId}` }),
    'GET /collections/{payment_id}': ({ paymentId }) => ({ path: `/collections/${paymentId}` }),
    'GET /shipments/{shipping_id}': ({ shippingId }) => ({ path: `/shipments/${shippingId}` }),
    'GET /feedback/{feedback_id}': ({ feedbackId }) => ({ path: `/feedback/${feedbackId}` }),
    'GET /v1/claims/{claim_id}': ({ claimId }) => ({ path: `/v1/claims/${claimId}` }),
    'GET /post-purchase/v1/claims/{claim_id}': ({ claimId }) => ({
      path: `/post-purchase/v1/claims/${claimId}`,
    }),
    'GET /messages/attachments/{attachment_id}': ({ attachmentId }) => ({
      path: `/messages/attachments/${attachmentId}?tag=post_sale&site_id=MLA`,
    }),
    'GET /pictures/{picture_id}/errors': requestAt('/pictures/p1/errors'),
    'GET /quotations/{quotation_id}': requestAt('/quotations/31?caller.type=seller'),
    'GET /users/{user_id}/invoices/{invoice_id}': requestAt(`/users/${anaId}/invoices/41`),
  },

  'hidden-write': {
    'PUT /feedback/{feedback_id}': ({ feedbackId }) => ({
      path: `/feedback/${feedbackId}`,
      body: { message: 'y' },
    }),
    'POST /feedback/{feedback_id}/reply': async (world) => ({
      path: `/feedback/${await makeFeedback(world, world.market.brunoToken)}/reply`,
      body: { reply: 'Gracias' },
    }),
  },

  'grant-write': {
    'DELETE /users/{user_id}/applications/{app_id}': requestAt(
      `/users/${anaId}/applications/${applicationId}`,
    ),
  },

  'message-write': {
    'POST /messages/packs/{pack_id}/sellers/{seller_id}': ({ packId }) => ({
      path: `/messages/packs/${packId}/sellers/${anaId}?tag=post_sale`,
      body: message,
    }),
    'POST /messages': ({ packId }) => ({
      path: '/messages?tag=post_sale',
      body: {
        ...message,
        to: { ...message.to, resource: 'orders', resource_id: packId, site_id: 'MLA' },
      },
    }),
  },

  'guide-write': {
    'POST /messages/action_guide/packs/{pack_id}/option': async ({ app }) => ({
      path: `/messages/action_guide/packs/${(await placeOrder(app.client)).id}/option?tag=post_sale`,
      body: { option_id: 'OTHER', text: 'Hola' },
    }),
  },

  'in-person-read': { 'GET /applications': requestAt('/applications') },
  'in-person-write': { 'POST /applications': requestAt('/applications', applicationSettings) },

  'owner-write': {
    'PUT /applications/{application_id}': requestAt(application, applicationSettings),
    'POST /applications/{application_id}/secret': requestAt(`${application}/secret`, {}),
    'POST /applications/{application_id}/tokens': requestAt(`${application}/tokens`, {}),
  },

  // How far a listener has read is the application's own affair: it asks for no right to write.
  'whole-read': {
    'GET /applications/{application_id}/grants': requestAt(`${application}/grants`),
    'GET /applications/{application_id}/queue': requestAt(`${application}/queue`),
    'GET /applications/{application_id}/signing-secrets': requestAt(
      `${application}/signing-secrets`,
    ),
    'GET /applications/{application_id}/replays': requestAt(`${application}/replays`),
    'GET /applications/{application_id}/replays/{replay_id}': ({ replayId }) => ({
      path: `${application}/replays/${replayId}`,
    }),
    'GET /applications/{application_id}/listeners': requestAt(`${application}/listeners`),
    'PUT /applications/{application_id}/listeners/{name}': requestAt(listener, {}),
    'GET /applications/{application_id}/listeners/{name}/notifications': requestAt(
      `${listener}/notifications`,
    ),
    'POST /applications/{application_id}/listeners/{name}/ack': requestAt(`${listener}/ack`, {
      seq: 0,
    }),
    'POST /applications/{application_id}/listeners/{name}/rewind': requestAt(`${listener}/rewind`, {
      since,
    }),
    'DELETE /applications/{application_id}/listeners/{name}': async ({ app }) => {
      const path = `${application}/listeners/phone`
      await app.client.operator('PUT', `/operator${path}`, {})
      return { path }
    },
  },

  'whole-write': {
    'PATCH /applications/{application_id}/queue': requestAt(`${application}/queue`, {
      state: 'open',
    }),
    'POST /applications/{application_id}/signing-secrets': requestAt(
      `${application}/signing-secrets`,
      {},
    ),
    'POST /applications/{application_id}/replays': requestAt(`${application}/replays`, {
      since,
      dry_run: true,
    }),
    'PATCH /applications/{application_id}/replays/{replay_id}': async (world) => ({
      ...{
        path: `${application}/replays/${await makeReplay(world)}`,
        body: { state: 'cancelled' },
      },
    }),
  },

  'application-read': {
    'GET /applications/{application_id}': requestAt(application),
    'GET /applications/{application_id}/notifications/explain': ({ orderId }) => ({
      path: `${application}/notifications/explain?resource=/orders/${orderId}`,
    }),
    'GET /myfeeds': requestAt(`/myfeeds?app_id=${applicationId}`),
    'GET /missed_feeds': requestAt(`/missed_feeds?app_id=${applicationId}`),
  },

  'application-write': {
    'POST /applications/{application_id}/notifications/{notification_id}/retry': ({
      notificationId,
    }) => ({ path: `${application}/notifications/${notificationId}/retry` }),
  },
}
