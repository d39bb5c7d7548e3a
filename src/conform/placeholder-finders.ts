import { MissingPlaceholder } from './checks/placeholders.ts'
import { listAt, valueAt } from './checks/rules.ts'
import { type ConformSession, sendCheck } from './run.ts'

/** A request, and how its answer fills names in braces. */
interface PlaceholderFinder {
  request: string
  values: Readonly<Record<string, (body: unknown, session: ConformSession) => unknown>>
}

const from = (path: string) => (body: unknown) => valueAt(body, path)
const hasElements = (body: unknown, path: string) => listAt(body, path).length > 0

/** Returns a paid order, preferably one with a shipment, because it fills the most names. */
function orderIn(body: unknown): unknown {
  const orders = listAt(body, 'results')
  return (
    orders.find((order) => hasElements(order, 'payments') && valueAt(order, 'shipping.id')) ??
    orders[0]
  )
}
const ofOrder = (path: string) => (body: unknown) => valueAt(orderIn(body), path)
const packOf = (order: unknown) => valueAt(order, 'pack_id') ?? valueAt(order, 'id')

const attributeWithValues = (body: unknown) =>
  listAt(body, '').find((attribute) => hasElements(attribute, 'values'))

/** Servers keep discounts for twelve months. */
const discountsKeptMs = 365 * 24 * 3_600_000
const isRecent = (created: unknown, now: Date) =>
  now.getTime() - Date.parse(String(created)) < discountsKeptMs

/** Prefix of the ids of pictures that a run reports as faulty. It withdraws the reports at its end. */
export const reportedPicturePrefix = 'conform-'

const search = '/orders/search?seller={user}'
const finders: readonly PlaceholderFinder[] = [
  { request: 'GET /users/me', values: { user: from('id'), site: from('site_id') } },
  {
    request: `GET ${search}&order.status=paid&sort=date_desc&limit=50`,
    values: {
      order: ofOrder('id'),
      recent: (body, { now }) =>
        isRecent(ofOrder('date_created')(body), now()) ? ofOrder('id')(body) : undefined,
      pack: (body) => packOf(orderIn(body)),
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
      shipped: (body) => (ofOrder('shipping.id')(body) ? ofOrder('id')(body) : undefined),
      unshipped: (body) =>
        valueAt(
          listAt(body, 'results').find((order) => !valueAt(order, 'shipping.id')),
          'id',
        ),
      word: (body) =>
        /\p{L}{4,}/u.exec(String(ofOrder('order_items[0].item.title')(body) ?? ''))?.[0],
    },
  },
  {
    request: `GET ${search}&tags=pack_order&limit=1`,
    values: { pack_of_many: from('results[0].pack_id'), packed: from('results[0].id') },
  },
  {
    request: `GET ${search}&order.status=cancelled&limit=1`,
    values: { cancelled: from('results[0].id') },
  },
  {
    request: `GET ${search}&mediations.status=opened,closed&limit=1`,
    values: { claim: from('results[0].mediations[0].id') },
  },
  {
    request: `GET ${search}&feedback.purchase.rating=positive,neutral,negative&limit=1`,
    values: { rated: from('results[0].id'), feedback: from('results[0].feedback.purchase.id') },
  },
  {
    request: 'GET /questions/search?seller_id={user}&limit=1',
    values: { question: from('questions[0].id') },
  },
  {
    request: 'GET /currency_conversions/search?from={currency}&to=USD',
    values: { rated_currency: (_, { material }) => material.get('currency') },
  },
  {
    request: 'GET /sites/{site}/categories',
    values: { root: from('[0].id') },
  },
  {
    request: 'GET /categories/{root}',
    values: { child: from('children_categories[0].id') },
  },
  {
    request: 'GET /sites/{site}/domain_discovery/search?q={title}',
    values: { domain: from('[0].domain_id'), predicted: from('[0].category_id') },
  },
  {
    request: 'GET /categories/{predicted}/attributes',
    values: {
      attribute: (body) => valueAt(attributeWithValues(body), 'id'),
      value: (body) => valueAt(attributeWithValues(body), 'values[0].id'),
    },
  },
]

/** Finders that are tried pack by pack, newest first, until one succeeds. */
const perPack: readonly PlaceholderFinder[] = [
  {
    request: 'GET /messages/packs/{one}/sellers/{user}?tag=post_sale&mark_as_read=false',
    values: {
      talk: from('messages[0].message_resources[0].id'),
      message: from('messages[0].id'),
      client: from('messages[0].client_id'),
    },
  },
  {
    request: 'GET /messages/action_guide/packs/{one}?tag=post_sale',
    values: { guided: (body) => (hasElements(body, 'options') ? 'one' : undefined) },
  },
]
const maximumPacks = 50

/** Fills the material from the server. Checks whose names stay empty are skipped. */
export async function findPlaceholderValues(session: ConformSession): Promise<void> {
  const { material } = session
  for (const finder of finders) await runFinder(finder, session)
  if (!material.has('title')) material.set('title', 'lámpara')
  const packs = await packsOf(session)
  for (const finder of perPack) {
    for (const pack of packs.slice(0, maximumPacks)) {
      material.set('one', pack)
      if (await runFinder(finder, session)) break
    }
  }
  if (material.get('guided') === 'one') material.set('guided', Number(material.get('one')))
  material.delete('one')
  for (const topic of ['pictures', 'quotations', 'invoices']) await findResource(topic, session)
}

/** Returns whether all names of the finder were filled. */
async function runFinder(
  { request, values }: PlaceholderFinder,
  session: ConformSession,
): Promise<boolean> {
  const body = await read(request, session)
  const results = Object.entries(values).map(([name, extract]) => {
    const value = body === undefined ? undefined : extract(body, session)
    if (value === undefined || value === null) return false
    session.material.set(name, value as string | number)
    return true
  })
  return results.every(Boolean)
}

async function read(ask: string, session: ConformSession): Promise<unknown> {
  try {
    const { status, body } = await sendCheck({ section: '', says: '', ask, gives: 200 }, session)
    return status === 200 ? body : undefined
  } catch (error) {
    if (error instanceof MissingPlaceholder) return undefined
    throw error
  }
}

async function packsOf(session: ConformSession): Promise<number[]> {
  const ask = `GET ${search}&sort=date_desc&limit=${maximumPacks}`
  const unread = await read('GET /messages/unread?role=seller&tag=post_sale', session)
  const written = listAt(unread, 'results').map((conversation) =>
    Number(/^\/packs\/(\d+)/.exec(String(valueAt(conversation, 'resource')))?.[1]),
  )
  const orders = listAt(await read(ask, session), 'results')
  const packs = orders.map((order) => Number(packOf(order)))
  return [...new Set([...written.slice(0, 3), ...packs])]
}

/** Finds the newest resource of a topic in the feed, but no picture of an earlier run, whose report is withdrawn. */
async function findResource(topic: string, session: ConformSession): Promise<void> {
  const feed = await read(`GET /myfeeds?app_id={application}&topic=${topic}&limit=50`, session)
  const paths = listAt(feed, 'messages').map((entry) =>
    String(valueAt(entry, 'resource')).split('/'),
  )
  const ids = paths.map((path) => (topic === 'invoices' ? path[4] : path[2]))
  const id = ids.find((id) => id && !id.startsWith(reportedPicturePrefix))
  if (id) session.material.set(topic.slice(0, -1), id)
}
