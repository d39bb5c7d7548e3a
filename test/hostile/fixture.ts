import assert from 'node:assert/strict'
import type { Route } from '../../src/http/route.ts'
import type { KnownValues } from '../fuzz/values.ts'
import { operatorToken, type TestApp } from '../harness/app.ts'
import {
  anaId,
  applicationId,
  brunoId,
  carlaId,
  createTestMarket,
  placeOrder,
  putItem,
} from '../harness/market.ts'
import { placeCustomShippingOrder } from '../harness/messaging.ts'
import type { RequestTarget } from './cost.ts'

/** What hostile requests are about: things that are there, so that they get as far as they can. */
export interface HostileFixture {
  targetOf(route: Route): RequestTarget
  /** Values of fields by their names. */
  knownValues: KnownValues
  /** A body that is taken, of operations whose schema alone does not say what is. */
  bodyOf(route: Route): unknown
}

const validItemBody = {
  title: 'Samsung Galaxy A15',
  category_id: 'MLA1443',
  price: 10,
  available_quantity: 1,
  attributes: [
    { id: 'BRAND', value_name: 'Samsung' },
    { id: 'MODEL', value_name: 'Galaxy A15' },
  ],
}

export async function createHostileFixture(app: TestApp): Promise<HostileFixture> {
  const { client } = app
  const market = await createTestMarket(client, null)
  const order = await placeOrder(client)
  const conversationOrder = await placeCustomShippingOrder(client)
  const guided = await placeOrder(client)
  await putItem(client, 'MLA3003', {
    seller_id: carlaId,
    title: 'x',
    category_id: 'MLA1',
    price: 1,
  })
  const own = { name: 'x', callback_url: null, topics: ['orders_v2'] }
  const { body: owned } = await client.send('POST', '/applications', {
    token: market.brunoToken,
    body: own,
  })
  const { body: item, text } = await client.send('POST', '/items', {
    token: market.anaToken,
    body: validItemBody,
  })
  assert.ok(item?.id, text)
  const params = (url: string): Record<string, unknown> => ({
    order_id: order.id,
    shipping_id: order.shipping.id,
    pack_id: url.includes('action_guide') ? guided.id : conversationOrder.id,
    seller_id: anaId,
    user_id: anaId,
    item_id: item.id,
    application_id: url.startsWith('/applications') ? owned.id : applicationId,
    app_id: applicationId,
    site_id: 'MLA',
    category_id: 'MLA1443',
    domain_id: 'MLA-MOBILE_SMART_PHONES',
    attribute_id: 'BRAND',
    id: url.includes('/items/')
      ? 'MLA1001'
      : url.includes('/applications/')
        ? applicationId
        : anaId,
  })
  return {
    targetOf(route) {
      const values = params(route.url)
      const path = route.url.replace(/:([a-z_]+)/g, (_, name) => String(values[name] ?? '1'))
      const token = route.url.startsWith('/applications') ? market.brunoToken : market.anaToken
      const bearer = route.scope === 'operator' ? operatorToken : token
      const isOpen = route.scope === 'public' || route.scope === 'page'
      return { route, path, headers: isOpen ? {} : { authorization: `Bearer ${bearer}` } }
    },
    knownValues: {
      site_id: ['MLA'],
      currency_id: ['ARS'],
      category_id: ['MLA1443'],
      user_id: [anaId],
      seller_id: [anaId],
      buyer_id: [brunoId],
      item_id: ['MLA3003'],
      application_id: [applicationId],
      order_id: [order.id],
    },
    bodyOf({ method, url }) {
      const parties = { from: { user_id: anaId }, to: { user_id: brunoId }, text: 'Hola' }
      const about = { resource: 'packs', resource_id: conversationOrder.id, site_id: 'MLA' }
      const bodies: Record<string, unknown> = {
        'POST /items': validItemBody,
        'PUT /items/:item_id': validItemBody,
        'POST /messages/packs/:pack_id/sellers/:seller_id': parties,
        'POST /messages': {
          ...parties,
          to: [{ ...parties.to, ...about }],
          text: { plain: 'Hola' },
        },
        // Of no text, so that the option is not used up.
        'POST /messages/action_guide/packs/:pack_id/option': { option_id: 'OTHER', text: '' },
      }
      return bodies[`${method} ${url}`]
    },
  }
}
