import assert from 'node:assert/strict'
import type { SiteId } from '../../src/kernel/sites.ts'
import { sites } from '../../src/kernel/sites.ts'
import type { TestApp } from '../harness/app.ts'
import { authorize, issueToken, putApplication, putItem, putUser } from '../harness/market.ts'
import { succeed } from '../harness/operators.ts'
import { uploadFile } from '../harness/upload.ts'

/** Ids of what a site has: one thing of each kind. */
export interface SiteMarket {
  site: SiteId
  seller: number
  buyer: number
  item: string
  /** An item that quotations may be about. */
  estate: string
  order: number
  shipment: number
  payment: number
  claim: number
  /** A conversation, with a message that was held back and a file. */
  pack: number
  message: string
  attachment: string
  question: number
  picture: string
  quotation: number
  invoice: number
  term: string
  synonyms: string
  job: string
  application: number
  accessToken: string
}

/** Creates a thing of each kind on a site. Its ids begin with `digit`, and its texts with the site. */
export async function createSiteMarket(
  app: TestApp,
  { site, digit }: { site: SiteId; digit: number },
): Promise<SiteMarket> {
  const { client } = app
  const id = (number: number) => digit * 10_000_000 + number
  const [seller, buyer, application] = [id(1), id(2), id(3)]
  const word = `zz${site.toLowerCase()}`
  const operator = (method: string, path: string, body: object) =>
    succeed(client.operator(method, `/operator/${path}`, body))

  for (const user of [seller, buyer]) {
    await putUser(client, user, { site_id: site, nickname: `${word}${user}` })
  }
  await putApplication(client, application, {
    topics: ['messages'],
    callback_url: 'http://127.0.0.1:1/',
  })
  const token = async (user_id: number) => {
    await authorize(client, application, user_id)
    return issueToken(client, { user_id, application_id: application })
  }
  const [sellerToken, buyerToken] = [await token(seller), await token(buyer)]

  const [item, estate] = [`${site}${id(4)}`, `${site}${id(5)}`]
  const listing = {
    seller_id: seller,
    site_id: site,
    currency_id: sites[site].currency,
    title: word,
  }
  const category_id = `${site}1580`
  await putItem(client, item, { ...listing, category_id, available_quantity: 100 })
  await putItem(client, estate, { ...listing, category_id, vertical: 'real_estate' })

  const checkout = {
    ...checkoutOf({ site, buyer, item }),
    shipping: { mode: 'me2', logistic_type: 'drop_off', cost: 1 },
  }
  const order = await operator('POST', 'orders', checkout)
  const paid = await operator('POST', `orders/${order.id}/payments`, {
    status: 'pending',
    transaction_amount: 10,
  })
  await operator('PUT', `claims/${id(6)}`, { order_id: order.id })

  const arranged = { ...checkoutOf({ site, buyer, item }), shipping: { mode: 'custom', cost: 0 } }
  const { id: pack } = await operator('POST', 'orders', arranged)
  const term = await operator('POST', 'moderation/terms', {
    kind: 'word',
    value: `${word}tabu`,
    reason: 'OUT_OF_PLACE_LANGUAGE',
    site_id: site,
  })
  const attachment = await uploadFile(app.address, { token: sellerToken })
  const send = (more: object) =>
    succeed(
      client.send('POST', `/messages/packs/${pack}/sellers/${seller}?tag=post_sale`, {
        token: sellerToken,
        body: { from: { user_id: `${seller}` }, to: { user_id: `${buyer}` }, ...more },
      }),
    )
  await send({ text: `Hola ${word}`, attachments: [attachment] })
  const message = await send({ text: `Hola ${word}tabu` })

  const question = await succeed(
    client.send('POST', '/questions', { token: buyerToken, body: { item_id: item, text: word } }),
  )
  const picture = `${id(7)}-${item}_092026`
  const source = 'https://example.com/a.jpg'
  await operator('PUT', `pictures/${picture}/errors`, { item_id: item, message: word, source })
  if (site === 'MLC') await operator('PUT', `quotations/${id(8)}`, { item_id: estate })
  if (site === 'MLB') {
    const invoice = { invoice_number: 1, amount: 1 }
    await operator('PUT', `users/${seller}/invoices/${id(9)}`, invoice)
  }
  const synonyms = await operator('POST', 'search/synonyms', {
    site_id: site,
    action: 'add',
    words: [`${word}a`, `${word}b`],
  })
  const job = await operator('POST', 'jobs', jobOf(site))
  return {
    site,
    seller,
    buyer,
    item,
    estate,
    order: order.id,
    shipment: order.shipping.id,
    payment: paid.payments[0].id,
    claim: id(6),
    pack,
    message: message.id,
    attachment,
    question: question.id,
    picture,
    quotation: id(8),
    invoice: id(9),
    term: term.id,
    synonyms: synonyms.id,
    job: job.id,
    application,
    accessToken: await issueToken(client, { user_id: buyer }),
  }
}

/** A checkout of one item of a site. */
export function checkoutOf({ site, buyer, item }: Pick<SiteMarket, 'site' | 'buyer' | 'item'>) {
  const lines = [{ item_id: item, quantity: 1 }]
  return { buyer_id: buyer, currency_id: sites[site].currency, lines }
}

/** A job that pauses no listing of a site. */
export function jobOf(site: SiteId) {
  const filter = { site_id: site, status: 'closed' }
  return { kind: 'bulk_listing_change', parameters: { filter, change: { status: 'paused' } } }
}

/** Returns ids of the same form as those of a market, which nothing has. */
export function unknownMarket(market: SiteMarket): SiteMarket {
  const unknown = Object.entries(market).map(([name, value]) => {
    if (name === 'site') return [name, value]
    if (typeof value === 'number') return [name, value + 5_000_321]
    if (name === 'attachment')
      return [name, value.replace(/[0-9a-f](?=\.)/, (c: string) => (c === '0' ? '1' : '0'))]
    const changed = value.replace(/[0-9a-f]$/, (c: string) => (c === '0' ? '1' : '0'))
    assert.notEqual(changed, value)
    return [name, changed]
  })
  return Object.fromEntries(unknown) as SiteMarket
}
