import assert from 'node:assert/strict'
import { linkAccount } from '../../src/operators/openid/store.ts'
import type { TestApp } from '../harness/app.ts'
import { ndjsonOf, smallCatalog } from '../harness/catalog-files.ts'
import {
  anaId,
  applicationId,
  createTestMarket,
  type MarketTokens,
  placeOrder,
  putApplication,
  putItem,
  putUser,
} from '../harness/market.ts'
import { createKey, openAccount, sendAs, succeed } from '../harness/operators.ts'

/** The market in which things are changed, with the token of an operator who may do everything. */
export interface VersionedMarket {
  app: TestApp
  tokens: MarketTokens
  operator: string
}

/** Creates users, an application, listings and an owner. */
export async function createVersionedMarket(app: TestApp): Promise<VersionedMarket> {
  const tokens = await createTestMarket(app.client, null)
  const { token } = await openAccount(app, { email: 'owner@example.com', role: 'owner' })
  return { app, tokens, operator: token }
}

/** A change of a thing that exists, and how an operator reads the version of that thing. */
export interface VersionedChange {
  path: string
  body?: unknown
  /** The operation that answers the ETag: a read of the thing, or a list and the entry. */
  read: string
  entry?: (list: never) => { etag: string } | undefined
  /** Takes the change back if later tests need what was before. */
  undo?: () => Promise<unknown>
}

type MakeChange = (market: VersionedMarket) => Promise<VersionedChange> | VersionedChange

let ids = 0
const nextId = () => 5_000_000 + ++ids
const nextName = (prefix: string) => `${prefix}-${nextId()}`

async function put({ app }: VersionedMarket, path: string, body: object): Promise<void> {
  await succeed(app.client.operator('PUT', path, body))
}

async function makeUser({ app }: VersionedMarket): Promise<string> {
  const id = nextId()
  await putUser(app.client, id)
  return `/operator/users/${id}`
}

async function makeItem({ app }: VersionedMarket): Promise<string> {
  const id = `MLA${nextId()}`
  await putItem(app.client, id)
  return id
}

async function makeApplication({ app }: VersionedMarket): Promise<number> {
  const id = nextId()
  await putApplication(app.client, id)
  return id
}

async function makeQuestion({ app, tokens }: VersionedMarket): Promise<string> {
  const body = { item_id: 'MLA1001', text: '¿Hay stock?' }
  const options = { token: tokens.brunoToken, body }
  return `/operator/questions/${(await succeed(app.client.send('POST', '/questions', options))).id}`
}

async function makeAccount({ app }: VersionedMarket): Promise<string> {
  const body = { email: `${nextName('a')}@example.com`, name: 'Eva', role: 'support' }
  const { account } = await succeed(app.client.operator('POST', '/operator/accounts', body))
  return `/operator/accounts/${account.id}`
}

/** Links an account to an identity, as if it had signed in at a provider. */
export async function linkIdentity({ ctx }: TestApp, accountId: number): Promise<void> {
  await ctx.db.transaction((tx) =>
    linkAccount(tx, {
      id: accountId,
      issuer: 'https://id.example.com',
      subject: String(accountId),
      now: ctx.now(),
    }),
  )
}

interface ListedKey {
  keys: { id: number; etag: string }[]
}

async function makeKey({ app }: VersionedMarket, action: string): Promise<VersionedChange> {
  const { id } = await createKey(app, { role: 'support' })
  return {
    path: `/operator/keys/${id}${action}`,
    read: '/operator/keys',
    entry: ({ keys }: ListedKey) => keys.find((key) => key.id === id),
  }
}

interface ListedRoles {
  roles: { name: string; etag: string }[]
}

async function makeRole(market: VersionedMarket): Promise<VersionedChange> {
  const name = nextName('role')
  const path = `/operator/roles/${name}`
  await put(market, path, { permissions: ['orders:read'] })
  const entry = ({ roles }: ListedRoles) => roles.find((role) => role.name === name)
  return { path, read: '/operator/roles', entry }
}

interface Results<Key extends string> {
  results: ({ etag: string } & Record<Key, string>)[]
}

const termsPath = '/operator/moderation/terms'

async function makeTerm({ app }: VersionedMarket) {
  const term = { kind: 'word', value: nextName('zumbel'), reason: 'OUT_OF_PLACE_LANGUAGE' }
  const { id } = await succeed(app.client.operator('POST', termsPath, term))
  const entry = ({ results }: Results<'id'>) => results.find((listed) => listed.id === id)
  return { id, term, read: { read: termsPath, entry } }
}

const synonymsPath = '/operator/search/synonyms'

async function makeSynonyms({ app }: VersionedMarket) {
  const change = { site_id: 'MLA', action: 'add', words: [nextName('za'), nextName('zb')] }
  const { id } = await succeed(app.client.operator('POST', synonymsPath, change))
  const entry = ({ results }: Results<'id'>) => results.find((listed) => listed.id === id)
  return { id, change, read: { read: `${synonymsPath}?site_id=MLA`, entry } }
}

async function makeListener(market: VersionedMarket): Promise<VersionedChange> {
  const listeners = `/operator/applications/${await makeApplication(market)}/listeners`
  await put(market, `${listeners}/erp`, {})
  const entry = (list: { listeners: { etag: string }[] }) => list.listeners[0]
  return { path: `${listeners}/erp`, read: listeners, entry }
}

const answerFaults = '/operator/sandbox/answer-faults'
const receiverFaults = '/operator/sandbox/receiver-faults'

async function makeAnswerFault(market: VersionedMarket): Promise<VersionedChange> {
  const name = nextName('slow')
  await put(market, `${answerFaults}/${name}`, { kind: 'failure', seed: 1 })
  const entry = ({ faults }: { faults: { name: string; etag: string }[] }) =>
    faults.find((fault) => fault.name === name)
  return { path: `${answerFaults}/${name}`, read: answerFaults, entry }
}

/** Returns the form of an import of aliases, which makes a new version of the catalog. */
function aliasForm(): FormData {
  const form = new FormData()
  form.append('aliases', new Blob([`MLA1580\tMLA\t${nextName('pavonia')}\n`]), 'aliases.tsv')
  return form
}

const catalogVersions = '/operator/catalog/versions'
const pack = (id: number) => `/operator/conversations/packs/${id}/sellers/${anaId}`
const rate = '/operator/currency_rates/USD/ARS'
const item = {
  seller_id: anaId,
  site_id: 'MLA',
  title: 'Otra pava',
  category_id: 'MLA1580',
  currency_id: 'ARS',
  price: 10,
  available_quantity: 1,
}

/** Every operation that may have a condition, with a change that makes another version. */
export const versionedChanges: Record<string, MakeChange> = {
  'PATCH /operator/orders/:order_id': async ({ app }) => {
    const path = `/operator/orders/${(await placeOrder(app.client)).id}`
    return { path, read: path, body: { comments: 'Frágil' } }
  },
  'POST /operator/orders/:order_id/payments': async ({ app }) => {
    const read = `/operator/orders/${(await placeOrder(app.client)).id}`
    const body = { status: 'approved', transaction_amount: 10 }
    return { path: `${read}/payments`, read, body }
  },
  'PATCH /operator/shipments/:shipping_id': async ({ app }) => {
    const path = `/operator/shipments/${(await placeOrder(app.client)).shipping.id}`
    return { path, read: path, body: { tracking_number: 'TRACK-1' } }
  },
  'PUT /operator/claims/:id': async (market) => {
    const path = `/operator/claims/${nextId()}`
    await put(market, path, { order_id: (await placeOrder(market.app.client)).id })
    return { path, read: path, body: { reason_id: 'PNR100' } }
  },
  'PUT /operator/items/:id': async (market) => {
    const path = `/operator/items/${await makeItem(market)}`
    return { path, read: `${path}?seller_id=${anaId}`, body: item }
  },
  'PUT /operator/quotations/:quotation_id': async (market) => {
    const itemId = `MLC${nextId()}`
    await putItem(market.app.client, itemId, {
      site_id: 'MLC',
      currency_id: 'CLP',
      vertical: 'real_estate',
    })
    const path = `/operator/quotations/${nextId()}`
    await put(market, path, { item_id: itemId })
    return { path, read: path, body: { item_id: itemId, comments: 'Pronto' } }
  },
  'PUT /operator/users/:id': async (market) => {
    const path = await makeUser(market)
    return { path, read: path, body: { site_id: 'MLA', nickname: 'OTRA' } }
  },
  'PATCH /operator/questions/:question_id': async (market) => {
    const path = await makeQuestion(market)
    return { path, read: path, body: { hold: true } }
  },
  'DELETE /operator/questions/:question_id': async (market) => {
    const path = await makeQuestion(market)
    return { path, read: path }
  },
  'PATCH /operator/conversations/packs/:pack_id/sellers/:seller_id': async ({ app }) => {
    const path = pack((await placeOrder(app.client)).id)
    return { path, read: path, body: { block: 'blocked_by_buyer' } }
  },
  'PUT /operator/roles/:name': async (market) => ({
    ...(await makeRole(market)),
    body: { permissions: ['orders:read', 'claims:read'] },
  }),
  'DELETE /operator/roles/:name': makeRole,
  'PATCH /operator/accounts/:id': async (market) => {
    const path = await makeAccount(market)
    return { path, read: path, body: { name: 'Eva Prueba' } }
  },
  'DELETE /operator/accounts/:id': async (market) => {
    const path = await makeAccount(market)
    return { path, read: path }
  },
  'DELETE /operator/accounts/:id/identity': async (market) => {
    const read = await makeAccount(market)
    await linkIdentity(market.app, Number(read.split('/').at(-1)))
    return { path: `${read}/identity`, read }
  },
  'POST /operator/accounts/:id/invitation': async (market) => {
    const read = await makeAccount(market)
    return { path: `${read}/invitation`, read }
  },
  'POST /operator/keys/:id/rotate': (market) => makeKey(market, '/rotate'),
  'DELETE /operator/keys/:id': (market) => makeKey(market, ''),
  'PUT /operator/token': ({ app, operator }) => {
    const path = '/operator/token'
    const undo = () => succeed(sendAs(app, operator, 'PUT', path, { is_enabled: true }))
    return { path, read: path, body: { is_enabled: false }, undo }
  },
  'PUT /operator/moderation/rules/:rule': async ({ app }) => {
    const read = '/operator/moderation/rules'
    const { results } = await succeed(app.client.operator('GET', read))
    const { rule } = results[0]
    const entry = (list: Results<'rule'>) => list.results.find((listed) => listed.rule === rule)
    return { path: `${read}/${rule}`, read, entry, body: { enabled: false } }
  },
  'POST /operator/moderation/terms': async (market) => {
    const { term, read } = await makeTerm(market)
    return { path: termsPath, ...read, body: { ...term, note: 'Otra' } }
  },
  'DELETE /operator/moderation/terms/:id': async (market) => {
    const { id, read } = await makeTerm(market)
    return { path: `${termsPath}/${id}`, ...read }
  },
  'POST /operator/search/synonyms': async (market) => {
    const { change, read } = await makeSynonyms(market)
    return { path: synonymsPath, ...read, body: { ...change, note: 'Otra' } }
  },
  'DELETE /operator/search/synonyms/:id': async (market) => {
    const { id, read } = await makeSynonyms(market)
    return { path: `${synonymsPath}/${id}`, ...read }
  },
  'PUT /operator/applications/:id': async (market) => {
    const path = `/operator/applications/${await makeApplication(market)}`
    return { path, read: path, body: { name: 'Otra', callback_url: null, topics: [] } }
  },
  'POST /operator/applications/:id/secret': async (market) => {
    const read = `/operator/applications/${await makeApplication(market)}`
    return { path: `${read}/secret`, read, body: {} }
  },
  'PATCH /operator/applications/:application_id/queue': async (market) => {
    const path = `/operator/applications/${await makeApplication(market)}/queue`
    return { path, read: path, body: { in_flight: 3 } }
  },
  'POST /operator/applications/:application_id/listeners/:name/ack': async (market) => {
    const { app } = market
    const listener = `/operator/applications/${applicationId}/listeners`
    const name = nextName('erp')
    await put(market, `${listener}/${name}`, {})
    await placeOrder(app.client)
    await app.runPendingWork()
    const { notifications } = await succeed(
      app.client.operator('GET', `${listener}/${name}/notifications`),
    )
    return {
      path: `${listener}/${name}/ack`,
      read: listener,
      entry: ({ listeners }: { listeners: { name: string; etag: string }[] }) =>
        listeners.find((listed) => listed.name === name),
      body: { seq: notifications[0].seq },
    }
  },
  'POST /operator/applications/:application_id/listeners/:name/rewind': async (market) => {
    const { app } = market
    await placeOrder(app.client)
    await app.runPendingWork()
    const listeners = `/operator/applications/${applicationId}/listeners`
    const name = nextName('erp')
    await put(market, `${listeners}/${name}`, {})
    return {
      path: `${listeners}/${name}/rewind`,
      read: listeners,
      entry: (list: { listeners: { name: string; etag: string }[] }) =>
        list.listeners.find((listed) => listed.name === name),
      body: { since: '2026-03-01T00:00:00.000Z' },
    }
  },
  'DELETE /operator/applications/:application_id/listeners/:name': makeListener,
  'PUT /operator/currency_rates/:base/:quote': async (market) => {
    await put(market, rate, { rate: 1_000 })
    const entry = (list: Results<'base'>) => list.results.find(({ base }) => base === 'USD')
    return { path: rate, read: '/operator/currency_rates', entry, body: { rate: 1_100 } }
  },
  'PUT /operator/faults': async (market) => {
    const path = '/operator/faults'
    await put(market, path, { order_parts: [] })
    return { path, read: path, body: { order_parts: ['feedback'] } }
  },
  'PUT /operator/sandbox/answer-faults/:name': async (market) => ({
    ...(await makeAnswerFault(market)),
    body: { kind: 'failure', seed: 2, application_id: nextId() },
  }),
  'DELETE /operator/sandbox/answer-faults/:name': makeAnswerFault,
  'PUT /operator/sandbox/receiver-faults': async (market) => {
    const fault = { kind: 'drop', application_id: await makeApplication(market), share: 1 }
    await put(market, receiverFaults, { ...fault, seed: 1 })
    const entry = ({ faults }: { faults: { application_id: number | null; etag: string }[] }) =>
      faults.find((listed) => listed.application_id === fault.application_id)
    return { path: receiverFaults, read: receiverFaults, entry, body: { ...fault, seed: 2 } }
  },
  'POST /operator/catalog/aliases': () => ({
    path: '/operator/catalog/aliases',
    read: catalogVersions,
    body: aliasForm(),
  }),
  'POST /operator/catalog/versions/:version/activate': async ({ app }) => {
    await succeed(app.client.operator('POST', '/operator/catalog/aliases', aliasForm()))
    return { path: `${catalogVersions}/0/activate`, read: catalogVersions }
  },
  'POST /operator/catalog/import': () => {
    const form = new FormData()
    for (const [field, rows] of Object.entries(smallCatalog(nextName(' ')))) {
      form.append(field, new Blob([ndjsonOf(rows)]), `${field}.ndjson`)
    }
    return { path: '/operator/catalog/import', read: catalogVersions, body: form }
  },
}

/** Returns the ETag of the thing that is changed. */
export async function readEtag(
  { app, operator }: VersionedMarket,
  { read, entry }: VersionedChange,
): Promise<string> {
  const { headers, body } = await app.client.send('GET', read, { token: operator })
  const etag = entry ? entry(body as never)?.etag : headers.get('etag')
  assert.ok(etag, `${read} answers no ETag`)
  return etag
}
