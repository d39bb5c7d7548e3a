import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  anaId,
  carlaId,
  createTestMarket,
  type MarketTokens,
} from '../../../test/harness/market.ts'

let app: TestApp
let market: MarketTokens
const markup = `<script>alert(1)</script>"><img src=x onerror='alert(2)'>&amp;`
const attribute = { id: 'X', name: markup, value_id: null, value_name: markup }
before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
  await put('users', String(carlaId), { site_id: 'MLA', nickname: '<b>CARLA</b>' })
  await put('items', 'MLA8001', { ...item, title: `Mate ${markup}`, attributes: [attribute] })
  await put('items', 'MLA8002', {
    ...item,
    available_quantity: undefined,
    condition: 'used',
    subtitle: 'Con bombilla',
    pictures: [
      { id: 'a', url: 'https://pictures.example.com/a.jpg?x=1&y="2"' },
      { id: 'b', url: 'http://pictures.example.net/b.jpg' },
    ],
    attributes: [
      { ...attribute, name: 'Marca', value_name: 'Propia' },
      { id: 'SELLER_SKU', name: 'SKU', value_name: 'HIDDEN' },
    ],
    seller_custom_field: 'HIDDEN',
    variations: [
      {
        id: 1,
        available_quantity: 1,
        attributes: [
          { id: 'COLOR', name: 'Color', value_name: 'Rojo' },
          { id: 'SELLER_SKU', name: 'SKU', value_name: 'HIDDEN' },
        ],
      },
    ],
  })
  const described = { plain_text: `Primera línea.\nSegunda <i>línea</i>.` }
  const body = { token: market.carlaToken, body: described }
  assert.equal((await app.client.send('PUT', '/items/MLA8002/description', body)).status, 200)
})
after(() => app.close())

const item = {
  seller_id: carlaId,
  site_id: 'MLA',
  title: 'Mate de madera',
  category_id: 'MLA1580',
  currency_id: 'ARS',
  price: 1999.9,
  available_quantity: 3,
}
async function put(kind: string, id: string, body: object): Promise<void> {
  const { status, text } = await app.client.operator('PUT', `/operator/${kind}/${id}`, body)
  assert.ok(status < 300, text)
}

const load = (id: string, language = 'en') =>
  fetch(`${app.address}/listings/${id}`, { headers: { 'accept-language': language } })

contract('catalog', 'the permalink of an item leads to a page that anybody can read', async () => {
  const { body } = await app.client.get('/items/MLA8002')
  assert.equal(body.permalink, `${app.address}/listings/MLA8002`)
  const page = await fetch(body.permalink, { headers: { 'accept-language': 'es' } })
  const text = await page.text()
  assert.equal(page.status, 200)
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  for (const part of [
    '<html lang="es">',
    '<h1>Mate de madera</h1>',
    'Con bombilla',
    'Usado',
    'Color: Rojo',
    '<dt>Marca</dt><dd>Propia</dd>',
    'Primera línea.\nSegunda',
    '&lt;b&gt;CARLA&lt;/b&gt;',
    'src="https://pictures.example.com/a.jpg?x=1&amp;y=&quot;2&quot;"',
    'alt="Mate de madera.',
  ]) {
    assert.ok(text.includes(part), part)
  }
  assert.match(text, /1\.999,90/)
  assert.ok(!text.includes('HIDDEN'), 'the seller’s own codes are the seller’s alone')
  assert.match(await (await load('MLA8002', 'pt-BR')).text(), /<dt>Condição<\/dt><dd>Usado/)
})

test('markup in what a seller writes does nothing on the page', async () => {
  for (const id of ['MLA8001', 'MLA8002']) {
    const page = await load(id)
    const text = await page.text()
    assert.doesNotMatch(text, /<script|<b>|<i>|onerror='/)
    const policy = page.headers.get('content-security-policy') ?? ''
    assert.match(policy, /^default-src 'none'; img-src 'self' https: http:; style-src 'sha256-/)
    assert.doesNotMatch(policy, /unsafe|script-src/)
    assert.equal(page.headers.get('x-frame-options'), 'DENY')
  }
})

test('what is not listed, was deleted or is forbidden has a page that says so', async () => {
  await put('items', 'MLA8003', { ...item, status: 'closed' })
  const closed = await load('MLA8003')
  assert.equal(closed.status, 200)
  assert.match(await closed.text(), /This listing has ended/)
  await put('items', 'MLA8003', { ...item, status: 'closed', sub_status: ['deleted'] })
  await put('items', 'MLA8005', { ...item, status: 'closed', sub_status: ['expired', 'forbidden'] })
  assert.equal((await app.client.get('/items/MLA8005')).status, 200)
  for (const id of ['MLA8003', 'MLA8005', 'MLA9', 'x', '%3Cscript%3E']) {
    const page = await load(id)
    assert.equal(page.status, 404, id)
    assert.match(await page.text(), /<h1>Listing not found<\/h1>/)
  }
})

test('an item answers the address that its operator gave it, or the public one of the service', async () => {
  const elsewhere = 'https://shop.example.com/mate'
  await put('items', 'MLA8004', { ...item, seller_id: anaId, permalink: elsewhere })
  assert.equal((await app.client.get('/items/MLA8004')).body.permalink, elsewhere)
  const behind = await openTestApp({ env: { FERIA_PUBLIC_URL: 'https://feria.example.com' } })
  await createTestMarket(behind.client, null)
  const { body } = await behind.client.get('/items?ids=MLA1001')
  assert.equal(body[0].body.permalink, 'https://feria.example.com/listings/MLA1001')
  await behind.close()
})
