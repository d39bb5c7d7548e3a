import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestApp, type TestApp } from '../harness/app.ts'
import { freePort } from '../harness/cli-fixture.ts'
import {
  applicationId,
  brunoId,
  createTestMarket,
  placeOrder,
  putKettle,
} from '../harness/market.ts'
import { placeCustomShippingOrder } from '../harness/messaging.ts'
import {
  clientSecret,
  enableSignIn,
  obtainCode,
  openSignedInBrowser,
  redirectUri,
} from '../harness/oauth.ts'

/** A listing as public clients send it: with fields that Feria knows, and with some that it does not. */
const publishedItem = {
  title: 'Celular Samsung Galaxy A15',
  category_id: 'MLA1443',
  price: '2000.00',
  currency_id: 'ARS',
  available_quantity: '12',
  buying_mode: 'buy_it_now',
  listing_type_id: 'gold_special',
  condition: 'new',
  description: { plain_text: 'Nuevo, en caja cerrada.' },
  video_id: 'a1b2c3',
  sale_terms: [{ id: 'WARRANTY_TIME', value_name: '12 meses' }],
  pictures: [{ source: 'https://example.com/a15.jpg' }],
  attributes: [
    { id: 'BRAND', value_name: 'Samsung' },
    { id: 'MODEL', value_name: 'Galaxy A15' },
    { id: 'SELLER_SKU', value_name: 'A15-1' },
    { id: 'GTIN', value_name: '7790001000019' },
  ],
  shipping: { mode: 'me2', free_shipping: false, local_pick_up: true, methods: [] },
  channels: ['marketplace'],
  catalog_listing: false,
  automatic_relist: false,
  my_own_field: 'x',
}

/** A PNG of one pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const orderCount = 5
const itemCount = 5

/** What a client needs to play the scenario, as the environment of a program. */
export type ClientEnvironment = Readonly<Record<string, string>>

/** A market in which a seller's program signs in, reads, answers, writes, publishes and is notified. */
export interface ClientFixture {
  app: TestApp
  /** Returns the settings of one client, with a code and a question of its own. */
  settingsOf(inbox: string): Promise<ClientEnvironment>
  close(): Promise<void>
}

export async function openClientFixture(): Promise<ClientFixture> {
  const folder = mkdtempSync(join(tmpdir(), 'feria-clients-'))
  const file = join(folder, 'etiqueta.png')
  writeFileSync(file, picture)
  const app = await openTestApp()
  const { client } = app
  const market = await createTestMarket(client, null)
  for (const id of ['MLA1003', 'MLA1004', 'MLA1005']) await putKettle(client, id, 10)
  await putKettle(client, 'MLA1001', 1_000)
  for (let placed = 1; placed < orderCount; placed++) await placeOrder(client)
  const { id: packId } = await placeCustomShippingOrder(client)

  return {
    app,
    async settingsOf(inbox) {
      // What the stage itself has changed is told to nobody.
      await app.runPendingWork()
      const port = await freePort()
      await enableSignIn(app, {
        name: 'Stock keeper',
        topics: ['items'],
        callback_url: `http://127.0.0.1:${port}/`,
      })
      const body = { item_id: 'MLA1001', text: '¿Hay stock?' }
      const response = await client.send('POST', '/questions', { token: market.brunoToken, body })
      assert.equal(response.status, 201, response.text)
      return {
        FERIA: app.address,
        CLIENT_ID: String(applicationId),
        CLIENT_SECRET: clientSecret,
        REDIRECT_URI: redirectUri,
        CODE: await obtainCode(await openSignedInBrowser(app)),
        BUYER_ID: String(brunoId),
        PACK_ID: String(packId),
        QUESTION_ID: String(response.body.id),
        FILE: file,
        PUBLICATION: JSON.stringify(publishedItem),
        INBOX: inbox,
        RECEIVER_PORT: String(port),
      }
    },
    async close() {
      await app.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** What the scenario comes to, whatever the language. Each client lists an item of its own. */
export const expectedOutcome = (clientsBefore: number) => ({
  same_successor: true,
  orders: orderCount,
  order: true,
  items: itemCount + clientsBefore,
  answered: 'ANSWERED',
  message: 'available',
  price: 2100.5,
  quantity: 7,
  missed: true,
  received: 'items',
  key: true,
})
