import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import { openTestApp, operatorToken, type TestApp } from '../../test/harness/app.ts'
import { FormBrowser } from '../../test/harness/browser.ts'
import {
  anaId,
  applicationId,
  authorize,
  brunoId,
  issueToken,
  placeOrder,
  putApplication,
  putItem,
  putUser,
} from '../../test/harness/market.ts'
import { createMessagingMarket, type MessagingTokens } from '../../test/harness/messaging.ts'
import { clientSecret, password, redirectUri, requestToken } from '../../test/harness/oauth.ts'
import { override } from '../../test/harness/override.ts'
import { openReceiver, type Receiver } from '../../test/harness/receiver.ts'
import { download, uploadFile } from '../../test/harness/upload.ts'
import { runIdempotent } from '../http/store-idempotency.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { eraseNextBatch, eraseNextBatches } from './commands.ts'
import { erasureSteps } from './erasure.ts'

/** Dora buys from ana and sells to bruno. Every personal field of hers has a word of its own. */
const doraId = 5005
const doraApplicationId = 800800

let app: TestApp
let receiver: Receiver
let market: MessagingTokens
let doraToken: string
/** Words that erasure has to remove. */
const markers = new Set<string>()
/** Words of other people, which have to stay. */
const foreignMarkers = new Set<string>()

/** Returns a word for a personal field of dora's. */
function own(field: string): string {
  const marker = `zq${field}`
  markers.add(marker)
  return marker
}

/** Returns a word for a field of somebody else's. */
function foreign(field: string): string {
  const marker = `xk${field}`
  foreignMarkers.add(marker)
  return marker
}

before(async () => {
  receiver = await openReceiver()
  app = await openTestApp()
  market = await createMessagingMarket(app.client, receiver.url)
})
after(async () => {
  await app.close()
  await receiver.close()
})

/** Sends a request that must succeed. */
async function send(method: string, path: string, body: unknown, token?: string) {
  const answer = token
    ? await app.client.send(method, path, { token, body })
    : await app.client.operator(method, path, body)
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
  return answer.body
}

const doraPath = `/operator/users/${doraId}`

/** Registers dora, with the ways into her account. */
async function putDora(): Promise<void> {
  await putUser(app.client, doraId, {
    site_id: 'MLB',
    nickname: own('nickname'),
    email: `${own('mail')}@example.com`,
    first_name: own('firstname'),
    last_name: own('lastname'),
    phone: { area_code: '11', number: own('phone'), extension: '' },
    alternative_phone: { area_code: '11', number: own('otherphone'), extension: '' },
    billing_info: {
      doc_type: 'CPF',
      doc_number: own('document'),
      address: {
        street_name: own('billingstreet'),
        street_number: own('billingnumber'),
        city_name: own('billingcity'),
        comment: own('billingcomment'),
      },
    },
  })
  await send('PUT', `${doraPath}/password`, { password })
  await new FormBrowser(app).signIn('zqnickname', 'a wrong password')
  const browser = new FormBrowser(app)
  assert.equal((await browser.signIn('zqnickname', password)).status, 303)
  await authorize(app.client, applicationId, doraId)
  doraToken = await issueToken(app.client, { user_id: doraId, application_id: applicationId })
  await app.ctx.db.transaction((tx) =>
    runIdempotent(
      tx,
      { key: own('key'), chosenBy: doraId, request: {}, now: app.ctx.now() },
      async () => 'MLA1',
    ),
  )
}

/** An application of dora's, which bruno has let in, and which was notified at her address. */
async function putDorasApplication(): Promise<void> {
  await putApplication(app.client, doraApplicationId, {
    name: own('application'),
    description: own('applicationdescription'),
    secret: clientSecret,
    callback_url: `${receiver.url}?${own('callback')}`,
    redirect_uris: [`https://${own('redirect')}.example/`, redirectUri],
    topics: ['orders_v2', 'items'],
    owner_id: doraId,
  })
  await authorize(app.client, doraApplicationId, doraId)
  await authorize(app.client, doraApplicationId, brunoId)
  const client = { client_id: String(doraApplicationId), client_secret: clientSecret }
  const { status, text } = await requestToken(app, { grant_type: 'client_credentials', ...client })
  assert.equal(status, 200, text)
}

const address = (word: (field: string) => string, kind: string) => ({
  address_line: word(`${kind}line`),
  street_name: word(`${kind}street`),
  comment: word(`${kind}comment`),
  zip_code: word(`${kind}zip`),
  city: { id: null, name: word(`${kind}city`) },
  receiver_name: word(`${kind}name`),
  receiver_phone: word(`${kind}phone`),
})

async function sendMessage(input: {
  token: string
  from: number
  to: number
  sellerId: number
  packId: number
  text: string
  filename?: string
}) {
  const { token, from, to, sellerId, packId, text, filename } = input
  const attachments = filename
    ? [
        await uploadFile(app.address, {
          token,
          filename: `${filename}.txt`,
          content: `in ${filename}`,
        }),
      ]
    : []
  await send(
    'POST',
    `/messages/packs/${packId}/sellers/${sellerId}?tag=post_sale`,
    { from: { user_id: String(from) }, to: { user_id: String(to) }, text, attachments },
    token,
  )
  return attachments[0]
}

/** Everything that dora does as a buyer of ana's, and what ana answers. */
async function buy(): Promise<number> {
  const order = await placeOrder(app.client, {
    buyer_id: doraId,
    shipping: {
      mode: 'custom',
      cost: 0,
      receiver_address: address(own, 'receiver'),
      sender_address: address(foreign, 'sender'),
      comments: own('shippingcomment'),
      tracking_number: own('tracking'),
    },
    comments: own('ordercomment'),
    product_attributes: [{ id: 1, name: 'Engraving', value: own('engraving') }],
  })
  await send('PATCH', `/operator/orders/${order.id}`, {
    status_detail: { code: 'late', description: own('statusdetail') },
  })
  // The audit log has the values before and after.
  await send('PATCH', `/operator/shipments/${order.shipping.id}`, {
    receiver_address: address(own, 'laterreceiver'),
    sender_address: address(foreign, 'latersender'),
    tracking_number: own('latertracking'),
  })
  await send('POST', `/operator/orders/${order.id}/payments`, {
    status: 'approved',
    transaction_amount: order.total_amount,
    payer_id: doraId,
    reason: own('paymentreason'),
    issuer_id: own('issuer'),
    authorization_code: own('authorization'),
    activation_uri: `https://pay.example/${own('activation')}`,
    atm_transfer_reference: { transaction_id: own('transfer'), company_id: own('bank') },
  })
  await send('PUT', '/operator/claims/61', {
    order_id: order.id,
    type: 'mediations',
    status: 'closed',
    resolution: { reason: own('claim'), benefited: ['complainant'], closed_by: 'mediator' },
  })
  await send('POST', `/orders/${order.id}/notes`, { note: own('note') }, doraToken)
  await send('POST', `/orders/${order.id}/notes`, { note: foreign('note') }, market.anaToken)
  const rating = { fulfilled: true, rating: 'positive' }
  await send(
    'POST',
    `/orders/${order.id}/feedback`,
    { ...rating, message: own('rating') },
    doraToken,
  )
  const anas = await send(
    'POST',
    `/orders/${order.id}/feedback`,
    { ...rating, message: foreign('rating') },
    market.anaToken,
  )
  await send('POST', `/feedback/${anas.id}/reply`, { reply: own('reply') }, doraToken)
  const conversation = { sellerId: anaId, packId: order.id }
  const question = await send(
    'POST',
    '/questions',
    { item_id: 'MLA1001', text: own('question') },
    doraToken,
  )
  const answer = { question_id: question.id, text: foreign('answer') }
  await send('POST', '/answers', answer, market.anaToken)
  const fromDora = { token: doraToken, from: doraId, to: anaId, ...conversation }
  await sendMessage({ ...fromDora, text: own('message'), filename: own('file') })
  const fromAna = { token: market.anaToken, from: anaId, to: doraId, ...conversation }
  await sendMessage({ ...fromAna, text: foreign('message') })
  return order.id
}

/** Everything that dora does as a seller to bruno, and what bruno does. */
async function sell(): Promise<{ saleId: number; foreignFile: string }> {
  await putItem(app.client, 'MLA5001', {
    seller_id: doraId,
    title: 'Pava zqnoun de acero',
    subtitle: own('subtitle'),
    warranty: 'zqwarranty',
    attributes: [{ id: 'BRAND', name: 'Marca', value_id: null, value_name: 'zqbrand' }],
    seller_custom_field: own('custom'),
    seller_sku: own('sku'),
    permalink: `https://${own('permalink')}.example/`,
    pictures: [{ id: 'p1', url: `https://pictures.example/${own('picture')}.jpg` }],
    seller_contact: {
      contact: own('contact'),
      area_code: '11',
      phone: own('contactphone'),
      email: `${own('contactmail')}@example.com`,
    },
    available_quantity: 5,
  })
  await putItem(app.client, 'MLA5002', { seller_id: doraId, title: 'Mesa zqnoun plegable' })
  await send('POST', '/items/MLA5001/description', { plain_text: own('description') }, doraToken)
  await send('PUT', '/operator/pictures/p1/errors', {
    item_id: 'MLA5001',
    source: `https://pictures.example/${own('source')}.jpg`,
    message: own('picturemessage'),
  })
  const body = { item_id: 'MLA5001', text: foreign('question') }
  const question = await send('POST', '/questions', body, market.brunoToken)
  await send('POST', '/answers', { question_id: question.id, text: own('answer') }, doraToken)
  const order = await placeOrder(app.client, {
    buyer_id: brunoId,
    lines: [{ item_id: 'MLA5001', quantity: 1 }],
    shipping: {
      mode: 'custom',
      cost: 0,
      receiver_address: address(foreign, 'receiver'),
      sender_address: address(own, 'sender'),
    },
    comments: foreign('ordercomment'),
  })
  await send('PATCH', `/operator/shipments/${order.shipping.id}`, {
    receiver_address: address(foreign, 'laterreceiver'),
    sender_address: address(own, 'latersender'),
  })
  await send('POST', `/orders/${order.id}/notes`, { note: own('sellernote') }, doraToken)
  const fromDora = {
    token: doraToken,
    from: doraId,
    to: brunoId,
    sellerId: doraId,
    packId: order.id,
  }
  const fromBruno = { ...fromDora, token: market.brunoToken, from: brunoId, to: doraId }
  const foreignFile = await sendMessage({
    ...fromBruno,
    text: foreign('buyermessage'),
    filename: foreign('file'),
  })
  await sendMessage({ ...fromDora, text: own('sellermessage'), filename: own('sellerfile') })
  await uploadFile(app.address, {
    token: doraToken,
    filename: `${own('loosefile')}.txt`,
    content: 'zqloosefile',
  })
  await send('PUT', `/operator/users/${doraId}/invoices/71`, {
    invoice_number: 5,
    invoice_key: invoiceKey,
    amount: 10,
  })
  await putItem(app.client, 'MLC1', {
    site_id: 'MLC',
    category_id: 'MLC1459',
    currency_id: 'CLP',
    vertical: 'real_estate',
    price: 100,
  })
  await send('PUT', '/operator/quotations/81', {
    item_id: 'MLC1',
    user_id: doraId,
    contact: {
      name: own('quotationname'),
      email: `${own('quotationmail')}@example.com`,
      phone: own('quotationphone'),
    },
    comments: own('quotationcomment'),
  })
  await send('PUT', '/operator/quotations/82', {
    item_id: 'MLC1',
    user_id: brunoId,
    comments: foreign('quotation'),
  })
  assert.ok(foreignFile)
  return { saleId: order.id, foreignFile }
}

const invoiceKey = '31415926535897932384626433832795028841971693'
markers.add(invoiceKey)

interface TableText {
  table: string
  text: string
}

const read = <Row>(text: string) => app.ctx.db.rows<Row>({ text, name: undefined, values: [] })

/** Returns every row of every table as text, snapshots of the sandbox included, and what lies packed in bytes. */
async function dumpDatabase(): Promise<TableText[]> {
  const tables = await read<{ table: string; columns: string[] }>(`
    select format('%I.%I', n.nspname, c.relname) as table,
      array(select quote_ident(a.attname) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and a.atttypid = 'bytea'::regtype) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'`)
  const dump: TableText[] = []
  for (const { table, columns } of tables) {
    const rows = await read<{ text: string }>(`select t::text as text from ${table} t`)
    dump.push({ table, text: rows.map(({ text }) => text).join('\n') })
    for (const column of columns) {
      for (const { bytes } of await read<{ bytes: Buffer }>(
        `select ${column} as bytes from ${table}`,
      ))
        dump.push({ table, text: unpacked(bytes) })
    }
  }
  return dump
}

/** Returns bytes as text, decompressed if they are compressed. */
function unpacked(bytes: Buffer): string {
  for (const unpack of [gunzipSync, inflateSync, inflateRawSync, brotliDecompressSync]) {
    try {
      return unpack(bytes).toString('latin1')
    } catch {
      // It was packed in another way, or not at all.
    }
  }
  return bytes.toString('latin1')
}

/** Returns the names and the contents of all files of the file store. */
function dumpFiles(): TableText[] {
  const folder = join(app.ctx.config.dataDirectory, 'files')
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => ({
      table: 'files',
      text: `${name} ${readFileSync(join(parentPath, name), 'latin1')}`,
    }))
}

/** Ways in which a word may be written: as it is, in hex, and in base64 at each of the three offsets. */
function writtenForms(marker: string): string[] {
  const base64 = [0, 1, 2].map((offset) => {
    const text = Buffer.from('-'.repeat(offset) + marker).toString('base64')
    // Without the characters that depend on what stands around the word.
    return text.slice(offset === 0 ? 0 : 4, -4)
  })
  return [marker, Buffer.from(marker).toString('hex'), ...base64.filter((text) => text.length > 6)]
}

/** Returns where these words are found, as `table: word`. */
function findMarkers(texts: readonly TableText[], words: Iterable<string>): string[] {
  const places = new Set<string>()
  for (const word of words) {
    const forms = writtenForms(word)
    for (const { table, text } of texts) {
      if (forms.some((form) => text.toLowerCase().includes(form.toLowerCase()))) {
        places.add(`${table}: ${word}`)
      }
    }
  }
  return [...places].sort()
}

/** A database whose next transaction is rolled back after its work, as after a crash before the commit. */
function crashing(database: Database): Database {
  return override(database, {
    transaction: <T>(work: (tx: Tx) => T | Promise<T>): Promise<T> =>
      database.transaction(async (tx) => {
        await work(tx)
        throw new Error('crash')
      }),
  })
}

/** Runs the erasure to its end. Every batch crashes once before it is committed, and every file fails once. */
async function eraseWithCrashes(): Promise<Set<string>> {
  const steps = new Set<string>()
  for (let batches = 0; ; batches++) {
    assert.ok(batches < 500, 'the erasure ends')
    const { body } = await app.client.operator('GET', `${doraPath}/erasure`)
    if (body.state === 'finished') return steps
    steps.add(body.step)
    const files = override(app.ctx.files, {
      remove: async () => {
        throw new Error('the file store is away')
      },
    })
    const crashed = { ...app.ctx, db: crashing(app.ctx.db), files }
    await assert.rejects(eraseNextBatch(crashed, doraId), /crash|away/)
    if (!(await eraseNextBatch(app.ctx, doraId))) await app.runPendingWork()
  }
}

const readExport = async (
  id: number,
): Promise<{ kind: string; data: Record<string, unknown> }[]> => {
  const { status, text } = await app.client.operator('GET', `/operator/users/${id}/personal-data`)
  assert.equal(status, 200)
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

test('an erased user is found nowhere, and what others have is all there', async () => {
  await putDora()
  await putDorasApplication()
  const purchaseId = await buy()
  const { saleId, foreignFile } = await sell()
  await app.runPendingWork()
  await send('PUT', '/operator/sandbox/snapshots/with-dora', {})
  assert.ok(receiver.received.length > 0)
  const [filled, files] = [await dumpDatabase(), dumpFiles()]
  for (const marker of [...markers, ...foreignMarkers])
    assert.notDeepEqual(findMarkers([...filled, ...files], [marker]), [], `${marker} is stored`)
  const titles = findMarkers(filled, ['zqnoun'])
  for (const table of ['lessons', 'taught_listings'])
    assert.ok(titles.includes(`public.${table}: zqnoun`), table)

  const exported = await readExport(doraId)
  assert.deepEqual(exported.at(-1), { kind: 'end', data: { lines: exported.length - 1 } })
  const decoded = exported.map(({ kind, data }) => ({
    table: kind,
    text:
      kind === 'file'
        ? Buffer.from(String(data['content']), 'base64').toString()
        : JSON.stringify(data),
  }))
  const secret = ['zqkey']
  for (const marker of markers) {
    if (secret.includes(marker)) continue
    assert.notDeepEqual(findMarkers(decoded, [marker]), [], `${marker} is exported`)
  }

  const started = await app.client.operator('POST', `${doraPath}/erasure`)
  assert.equal(started.status, 202, started.text)
  assert.equal((await app.client.get('/users/me', doraToken)).status, 401, 'at once')
  assert.equal((await new FormBrowser(app).signIn('zqnickname', password)).status, 403)
  const steps = await eraseWithCrashes()
  assert.deepEqual([...steps].sort(), [...erasureSteps].sort())
  await app.runPendingWork()

  const left = [...(await dumpDatabase()), ...dumpFiles()]
  assert.deepEqual(findMarkers(left, markers), [])
  assert.deepEqual(
    [...foreignMarkers].filter((marker) => findMarkers(left, [marker]).length === 0),
    [],
  )
  // Titles and warranty describe what was sold. Words of all titles and brands lead to no seller.
  assert.deepEqual(findMarkers(left, ['zqnoun', 'zqwarranty', 'zqbrand']), [
    'public.listing_values: zqbrand',
    'public.listing_words: zqbrand',
    'public.listing_words: zqnoun',
    'public.order_baskets: zqnoun',
    'public.order_items: zqnoun',
    'public.order_items: zqwarranty',
    'public.orders: zqnoun',
    'public.orders: zqwarranty',
    'public.orders_by_buyer: zqnoun',
  ])

  const { body: erasure } = await app.client.operator('GET', `${doraPath}/erasure`)
  assert.equal(erasure.step, null)
  assert.ok(erasure.kept.length > 0)
  const again = await app.client.operator('POST', `${doraPath}/erasure`)
  assert.equal(again.body.state, 'running')
  while (await eraseNextBatches(app.ctx)) {}
  const { body: second } = await app.client.operator('GET', `${doraPath}/erasure`)
  assert.deepEqual([second.state, second.pass, second.erased], ['finished', 1, erasure.erased])

  const fromAna = await app.client.get(`/orders/${purchaseId}`, market.anaToken)
  assert.equal(fromAna.body.buyer.nickname, `ERASED_${doraId}`)
  const fromBruno = await app.client.get(`/orders/${saleId}`, market.brunoToken)
  assert.equal(fromBruno.body.seller.nickname, `ERASED_${doraId}`)
  const file = await download(app.address, { token: market.brunoToken, id: foreignFile })
  assert.equal(file.bytes.toString(), 'in xkfile')
})

test('an erased user is not registered, let in, sold to or sold from again', async () => {
  const source = 'https://pictures.example/x.jpg'
  const user = { site_id: 'MLA', nickname: 'DORA' }
  const requests: [method: string, path: string, body: object][] = [
    ['PUT', doraPath, user],
    ['PUT', `${doraPath}/password`, { password }],
    ['PUT', `/operator/authorizations/${applicationId}/${doraId}`, {}],
    ['POST', '/operator/tokens', { user_id: doraId }],
    [
      'POST',
      '/operator/orders',
      { buyer_id: doraId, currency_id: 'ARS', lines: [{ item_id: 'MLA1001', quantity: 1 }] },
    ],
    [
      'POST',
      '/operator/orders',
      { buyer_id: brunoId, currency_id: 'ARS', lines: [{ item_id: 'MLA5001', quantity: 1 }] },
    ],
    [
      'PUT',
      '/operator/applications/77',
      { name: 'Of Dora', callback_url: null, topics: [], owner_id: doraId },
    ],
    ['PUT', '/operator/pictures/77-MLA/errors', { item_id: 'MLA5001', message: 'x', source }],
    [
      'PUT',
      '/operator/items/MLA5009',
      {
        seller_id: doraId,
        site_id: 'MLA',
        title: 'Mesa',
        category_id: 'MLA1580',
        currency_id: 'ARS',
        price: 1,
        available_quantity: 1,
      },
    ],
  ]
  for (const [method, path, body] of requests) {
    const refused = await app.client.operator(method, path, body)
    assert.deepEqual(
      [refused.status, refused.body.error],
      [409, 'user_erased'],
      `${method} ${path}`,
    )
  }
  const credentials = {
    grant_type: 'client_credentials',
    client_id: String(doraApplicationId),
    client_secret: 'x',
  }
  const { status } = await app.client.send('POST', '/oauth/token', { body: credentials })
  assert.equal(status, 400)
})

test('nobody takes the nickname of an erased user, before or after its erasure', async () => {
  const put = (id: number, nickname: string) =>
    app.client.operator('PUT', `/operator/users/${id}`, { site_id: 'MLA', nickname })
  for (const nickname of [`ERASED_${doraId}`, 'erased_6', 'Erased_007']) {
    const refused = await put(7, nickname)
    assert.deepEqual([refused.status, refused.body.error], [400, 'bad_request'], nickname)
    assert.match(refused.body.message, /^nickname: expected another nickname/)
  }
  // An import of users of another installation has erased ones too, and their names may look alike.
  assert.equal((await put(7, 'ERASED_7')).status, 201)
  assert.equal((await put(8, 'ERASED_8B')).status, 201)
})

test('an import refuses lines of an erased user', async () => {
  const item = {
    type: 'item',
    id: 'MLA5010',
    seller_id: doraId,
    site_id: 'MLA',
    title: 'Mesa',
    category_id: 'MLA1580',
    currency_id: 'ARS',
    price: 1,
    available_quantity: 1,
  }
  const user = { type: 'user', id: doraId, site_id: 'MLA', nickname: 'DORA' }
  const answer = await fetch(`${app.address}/operator/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/x-ndjson' },
    body: `${JSON.stringify(user)}\n${JSON.stringify(item)}\n`,
  })
  const lines = (await answer.text()).trim().split('\n')
  const end = JSON.parse(lines.at(-1) ?? '{}')
  assert.deepEqual([end.imported, end.refused], [0, 2], lines.join('\n'))
  assert.match(lines[0] ?? '', /user_erased/)
})

test('an unknown user has no personal data and no erasure', async () => {
  for (const [method, path] of [
    ['GET', 'personal-data'],
    ['GET', 'erasure'],
    ['POST', 'erasure'],
  ]) {
    const refused = await app.client.operator(method ?? '', `/operator/users/9/${path}`)
    assert.equal(refused.status, 404)
  }
})
