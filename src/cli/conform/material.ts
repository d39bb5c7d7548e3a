import type { Json } from '../client.ts'
import { Lacking, type Material } from './fill.ts'
import { at } from './rules.ts'
import { type Asking, send } from './run.ts'

/** A question to the server, and what of the answer fills which brace. */
interface Finder {
  ask: string
  gives: Readonly<Record<string, (body: Json, known: Material) => unknown>>
}

const from = (place: string) => (body: Json) => at(body, place)
const first = (results: Json, isRight: (one: Json) => boolean): Json =>
  (Array.isArray(results) ? results : []).find(isRight)

/** The order that most is known of: paid, and shipped by the marketplace where there is one. */
const orderIn = ({ results }: Json): Json =>
  first(results, ({ payments, shipping }) => payments?.length > 0 && shipping?.id) ?? results?.[0]
const ofOrder = (place: string) => (body: Json) => at(orderIn(body), place)

/** Discounts are kept for twelve months (2.7). */
const discountsKeptMs = 365 * 24 * 3_600_000
const isRecent = (created: Json) => Date.now() - Date.parse(created) < discountsKeptMs

/** What ids begin with of the pictures that a run makes faulty, and mends at its end. */
export const lentPicture = 'conform-'

const search = '/orders/search?seller={user}'
const finders: readonly Finder[] = [
  { ask: 'GET /users/me', gives: { user: from('id'), site: from('site_id') } },
  {
    ask: `GET ${search}&order.status=paid&sort=date_desc&limit=50`,
    gives: {
      order: ofOrder('id'),
      recent: (body) => (isRecent(ofOrder('date_created')(body)) ? ofOrder('id')(body) : undefined),
      pack: (body) => orderIn(body)?.pack_id ?? orderIn(body)?.id,
      buyer: ofOrder('buyer.id'),
      item: ofOrder('order_items[0].item.id'),
      title: ofOrder('order_items[0].item.title'),
      category: ofOrder('order_items[0].item.category_id'),
      currency: ofOrder('currency_id'),
      created: ofOrder('date_created'),
      closed: ofOrder('date_closed'),
      updated: ofOrder('date_last_updated'),
      payment: ofOrder('payments[0].id'),
      shipping: ofOrder('shipping.id'),
      word: (body) => /\p{L}{4,}/u.exec(ofOrder('order_items[0].item.title')(body) ?? '')?.[0],
    },
  },
  {
    ask: `GET ${search}&tags=pack_order&limit=1`,
    gives: { pack_of_many: from('results[0].pack_id'), packed: from('results[0].id') },
  },
  {
    ask: `GET ${search}&order.status=cancelled&limit=1`,
    gives: { cancelled: from('results[0].id') },
  },
  {
    ask: `GET ${search}&mediations.status=opened,closed&limit=1`,
    gives: { claim: from('results[0].mediations[0].id') },
  },
  {
    ask: `GET ${search}&feedback.purchase.rating=positive,neutral,negative&limit=1`,
    gives: { rated: from('results[0].id'), feedback: from('results[0].feedback.purchase.id') },
  },
  {
    ask: 'GET /questions/search?seller_id={user}&limit=1',
    gives: { question: from('questions[0].id') },
  },
  {
    ask: 'GET /currency_conversions/search?from={currency}&to=USD',
    gives: { rated_currency: (_, known) => known.get('currency') },
  },
  {
    ask: 'GET /sites/{site}/categories',
    gives: { root: from('[0].id') },
  },
  {
    ask: 'GET /categories/{root}',
    gives: { child: from('children_categories[0].id') },
  },
  {
    ask: 'GET /sites/{site}/domain_discovery/search?q={title}',
    gives: { domain: from('[0].domain_id'), predicted: from('[0].category_id') },
  },
  {
    ask: 'GET /categories/{predicted}/attributes',
    gives: {
      attribute: (body) => first(body, ({ values }) => values?.length > 0)?.id,
      value: (body) => first(body, ({ values }) => values?.length > 0)?.values[0].id,
    },
  },
]

/** What has no fixed place: tried order by order, the newest first, until one has it. */
const perPack: readonly Finder[] = [
  {
    ask: 'GET /messages/packs/{one}/sellers/{user}?tag=post_sale&mark_as_read=false',
    gives: {
      talk: (body) =>
        body?.messages?.length > 0 ? body.messages[0].message_resources[0]?.id : undefined,
      message: from('messages[0].id'),
      client: from('messages[0].client_id'),
    },
  },
  {
    ask: 'GET /messages/action_guide/packs/{one}?tag=post_sale',
    gives: { guided: (body) => (body?.options?.length > 0 ? 'one' : undefined) },
  },
]
const mostTried = 50

/** Finds by asking what checks are about. What there is not stays away, and its checks are skipped. */
export async function gather(asking: Asking): Promise<void> {
  const { material } = asking
  for (const finder of finders) await find(finder, asking)
  if (!material.has('title')) material.set('title', 'lámpara')
  const packs = await packsOf(asking)
  for (const finder of perPack) {
    for (const pack of packs.slice(0, mostTried)) {
      material.set('one', pack)
      if (await find(finder, asking)) break
    }
  }
  if (material.get('guided') === 'one') material.set('guided', Number(material.get('one')))
  material.delete('one')
  for (const topic of ['pictures', 'quotations', 'invoices']) await findResource(topic, asking)
}

/** Whether all that it gives was found. */
async function find({ ask, gives }: Finder, asking: Asking): Promise<boolean> {
  const body = await read(ask, asking)
  const found = Object.entries(gives).map(([name, of]) => {
    const value = body === undefined ? undefined : of(body, asking.material)
    if (value === undefined || value === null) return false
    asking.material.set(name, value as string | number)
    return true
  })
  return found.every(Boolean)
}

async function read(ask: string, asking: Asking): Promise<Json> {
  try {
    const { status, body } = await send({ section: '', says: '', ask, gives: 200 }, asking)
    return status === 200 ? body : undefined
  } catch (error) {
    if (error instanceof Lacking) return undefined
    throw error
  }
}

async function packsOf(asking: Asking): Promise<number[]> {
  const ask = `GET ${search}&sort=date_desc&limit=${mostTried}`
  const unread = (await read('GET /messages/unread?role=seller&tag=post_sale', asking))?.results
  const written = (Array.isArray(unread) ? unread : []).map(({ resource }) =>
    Number(/^\/packs\/(\d+)/.exec(resource)?.[1]),
  )
  const orders: Json[] = (await read(ask, asking))?.results ?? []
  return [...new Set([...written.slice(0, 3), ...orders.map(({ id, pack_id }) => pack_id ?? id)])]
}

/** What a notification of this topic named last. A picture of an earlier run is faulty no longer. */
async function findResource(topic: string, asking: Asking): Promise<void> {
  const feed = await read(`GET /myfeeds?app_id={application}&topic=${topic}&limit=50`, asking)
  const paths: string[][] = (feed?.messages ?? []).map(({ resource }: Json) => resource.split('/'))
  const ids = paths.map((path) => (topic === 'invoices' ? path[4] : path[2]))
  const id = ids.find((id) => id && !id.startsWith(lentPicture))
  if (id) asking.material.set(topic.slice(0, -1), id)
}

const wants: Readonly<Record<string, string>> = {
  application: 'the token does not tell its application, and --application was not given',
  order: 'the seller has no paid order',
  recent: 'the seller has no paid order of the last twelve months',
  rated_currency: 'the marketplace knows no rate from the currency of the order to USD',
  shipping: 'no order of the seller has a shipment',
  payment: 'no order of the seller has a payment',
  pack_of_many: 'no order of the seller has the tag pack_order',
  cancelled: 'no order of the seller is cancelled',
  claim: 'no order of the seller has a claim',
  feedback: 'no order of the seller was rated',
  question: 'nobody has asked the seller anything',
  talk: 'none of the newest orders of the seller has a message',
  message: 'none of the newest orders of the seller has a message',
  guided: 'none of the newest orders of the seller has options in the action guide',
  child: 'the first category of the site has no children',
  attribute: 'no attribute of the predicted category has values',
  picture: 'the feed names no faulty picture',
  quotation: 'the feed names no quotation',
  invoice: 'the feed names no invoice',
}

/** Why what stands in braces could not be filled in. */
export function lacks(name: string): string {
  return (
    wants[name] ?? `nothing was found for {${name}}: an earlier check makes it, or --operator-token`
  )
}
