import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RequestBody } from 'feria/client'
import type { PlaceholderValues } from './checks/placeholders.ts'
import { missingReasonOf } from './missing-reasons.ts'
import { Operator } from './operator.ts'
import { reportedPicturePrefix } from './placeholder-finders.ts'
import { ConformFailure } from './result.ts'
import type { ConformSession } from './run.ts'

const applicationPath = '/operator/applications/{id}'
const picturePath = '/operator/pictures/{picture_id}/errors'
type ListingBody = RequestBody<'/operator/items/{id}', 'put'>
type OrderBody = RequestBody<'/operator/orders', 'post'>
type Shipping = NonNullable<OrderBody['shipping']>
type TestUserBody = RequestBody<'/users/test_user', 'post'>
type TokenBody = RequestBody<'/operator/tokens', 'post'>

/**
 * Yields what `run` yields, with fixtures that the operator sets up: tokens of other users and, with `--write`, sales in states that a
 * seller cannot reach, and a callback that is notified of them. Removes the fixtures afterwards.
 */
export async function* withFixtures<T>(
  session: ConformSession,
  operatorToken: string,
  run: () => AsyncIterable<T>,
): AsyncGenerator<T> {
  const operator = new Operator(session.client, operatorToken)
  await issueCallerTokens(operator, session)
  if (!session.mayWrite || !session.material.has('buyer')) return yield* run()
  const callback = await setTemporaryCallback(operator, session)
  try {
    await createSales(operator, session)
    yield* run()
  } finally {
    await callback.takeBack()
    const picture = session.material.get('picture')
    if (picture !== undefined) {
      await operator.call('DELETE', picturePath, { path: { picture_id: picture } })
    }
    for (const name of ['new_item', 'made_item'])
      await closeListing(operator, session, session.material.get(name))
  }
}

/** Gives an application without a callback a local one, if the server is local, too: without one its feed is empty. */
async function setTemporaryCallback(operator: Operator, { client, material }: ConformSession) {
  const path = { id: material.get('application') ?? '' }
  const isLocal = /^(127\.|localhost$|\[::1\])/.test(new URL(client.address).hostname)
  const application = isLocal
    ? await operator.call('GET', applicationPath, { path }).catch(() => undefined)
    : undefined
  if (application === undefined || application.callback_url !== null)
    return { takeBack: async () => {} }
  const server = createServer((request, response) =>
    request.resume().on('end', () => response.end()),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { name, topics } = application
  const put = (callback_url: string | null) =>
    operator.call('PUT', applicationPath, { path, body: { name, topics, callback_url } })
  await put(`http://127.0.0.1:${port}/`)
  return {
    async takeBack() {
      await put(null)
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Makes sales of every kind, and fills the names in braces with them. */
async function createSales(operator: Operator, session: ConformSession): Promise<void> {
  const { material } = session
  const item = await createListing(operator, session, {})
  material.set('new_item', item)
  const madeToOrder = await createListing(operator, session, { manufacturing_days: 10 })
  material.set('made_item', madeToOrder)
  const picture = `${reportedPicturePrefix}${item}`
  const error = { item_id: item, source: 'https://pictures.example.com/a.jpg', message: 'HTTP 403' }
  await operator.call('PUT', picturePath, { path: { picture_id: picture }, body: error })
  material.set('picture', picture)
  const sell = (shipping: Shipping, item_id: string) =>
    createPaidOrder(operator, session, { shipping, item_id })
  const me2 = (logistic_type: Shipping['logistic_type']): Shipping =>
    ({ mode: 'me2', logistic_type, cost: 0 }) as Shipping
  const day = new Date(session.now().getTime() + 24 * 3600_000).toISOString()
  const sales: [name: string, shipping: Shipping, item: string][] = [
    ['free_pack', { mode: 'custom', cost: 0 }, item],
    ['noted', { mode: 'custom', cost: 0 }, item],
    ['guide_pack', me2('drop_off'), item],
    ['cross_pack', me2('cross_docking'), item],
    ['flex_pack', { ...me2('self_service'), estimated_delivery_time: { date: day } }, item],
    ['fulfilled_pack', me2('fulfillment'), item],
    ['made_pack', me2('drop_off'), madeToOrder],
    ['blocked_pack', { mode: 'custom', cost: 0 }, item],
  ]
  for (const [name, shipping, id] of sales) material.set(name, await sell(shipping, id))
  await operator.call('PATCH', '/operator/conversations/packs/{pack_id}/sellers/{seller_id}', {
    path: { pack_id: idOf(material, 'blocked_pack'), seller_id: idOf(material, 'user') },
    body: { block: 'blocked_by_restrictions' },
  })
}

/** Issues tokens of the buyer, of an uninvolved user, and two of the seller with fewer rights. */
async function issueCallerTokens(operator: Operator, session: ConformSession): Promise<void> {
  const { material, tokens } = session
  const application = material.has('application')
    ? { application_id: idOf(material, 'application') }
    : {}
  const tokenOf = async (user_id: number, more: Partial<TokenBody> = {}): Promise<string> => {
    const body = { user_id, ...application, ...more }
    return (await operator.call('POST', '/operator/tokens', { body })).access_token
  }
  const user = idOf(material, 'user')
  tokens.unbound ??= await tokenOf(user, { application_id: null })
  tokens.reader ??= await tokenOf(user, { scopes: ['read'] })
  if (tokens.stranger === undefined) {
    const body = { site_id: material.get('site') as TestUserBody['site_id'] }
    const options = { body, token: tokens.seller ?? '' }
    // An account may make ten test users. After that, any other active user serves.
    const testUser = await operator.call('POST', '/users/test_user', options).catch(() => undefined)
    const stranger = testUser?.id ?? (await findUninvolvedUser(operator, session))
    await authorize(operator, idOf(material, 'application'), stranger)
    tokens.stranger = await tokenOf(stranger)
    material.set('stranger', stranger)
  }
  if (tokens.buyer === undefined && material.has('buyer')) {
    const buyer = idOf(material, 'buyer')
    await authorize(operator, idOf(material, 'application'), buyer)
    tokens.buyer = await tokenOf(buyer)
  }
}

const authorize = (operator: Operator, application_id: number, user_id: number) =>
  operator.call('PUT', '/operator/authorizations/{application_id}/{user_id}', {
    path: { application_id, user_id },
    body: {},
  })

async function findUninvolvedUser(
  operator: Operator,
  { material }: ConformSession,
): Promise<number> {
  const { users } = await operator.call('GET', '/operator/users', { query: { limit: 1_000 } })
  const [user, buyer] = [material.get('user'), material.get('buyer')]
  const other = users.find(({ id, status }) => id !== user && id !== buyer && status === 'active')
  if (!other)
    throw new ConformFailure('no_third_user', 'There is no third user for the checks of strangers.')
  return other.id
}

/** Creates a listing of the seller for the run. */
async function createListing(
  operator: Operator,
  { material, random }: ConformSession,
  more: Partial<ListingBody>,
): Promise<string> {
  const id = `${material.get('site')}${600_000_000 + Math.floor(random() * 100_000_000)}`
  const body = { ...listing(material), available_quantity: 1000, ...more }
  await operator.call('PUT', '/operator/items/{id}', { path: { id }, body })
  return id
}

/** Makes a paid sale of one unit. Returns the id of the order. */
async function createPaidOrder(
  operator: Operator,
  { material }: ConformSession,
  { shipping, item_id }: { shipping: Shipping; item_id: string },
): Promise<number> {
  const body = {
    buyer_id: idOf(material, 'buyer'),
    currency_id: material.get('currency') as OrderBody['currency_id'],
    shipping,
    lines: [{ item_id, quantity: 1 }],
  }
  const { id } = await operator.call('POST', '/operator/orders', { body })
  await operator.call('POST', '/operator/orders/{order_id}/payments', {
    path: { order_id: id },
    body: { status: 'approved', transaction_amount: 100 },
  })
  return id
}

/** Closes a listing of the run, so that nobody buys it. */
async function closeListing(
  operator: Operator,
  { material }: ConformSession,
  item: string | number | undefined,
): Promise<void> {
  if (item === undefined) return
  const body = { ...listing(material), available_quantity: 0, status: 'closed' as const }
  await operator.call('PUT', '/operator/items/{id}', { path: { id: item }, body })
}

/** The fields that all listings of a run have. The values come from the server, which checks them. */
const listing = (material: PlaceholderValues) => ({
  seller_id: idOf(material, 'user'),
  site_id: material.get('site') as ListingBody['site_id'],
  title: 'Listing of a conformance run',
  category_id: material.get('category') as ListingBody['category_id'],
  currency_id: material.get('currency') as ListingBody['currency_id'],
  price: 100,
})

/** Returns the id with this name. Throws `ConformFailure` if the server has none. */
function idOf(material: PlaceholderValues, name: string): number {
  const id = material.get(name)
  if (id === undefined)
    throw new ConformFailure('no_value', `No fixtures can be made: ${missingReasonOf(name)}.`)
  return Number(id)
}
