import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import { sendGuideOption, templateId } from '../../../test/harness/guide.ts'
import { brunoId, placeOrder } from '../../../test/harness/market.ts'
import {
  createMessagingMarket,
  type MessagingTokens,
  placeCustomShippingOrder,
  sendTestMessage,
} from '../../../test/harness/messaging.ts'
import { moderationReasons } from '../../moderation/reason.ts'
import { copyLimit } from '../moderation/copies/copies.ts'

let app: TestApp
let talk: MessagingTokens

before(async () => {
  app = await openTestApp()
  talk = await createMessagingMarket(app.client)
})
after(() => app.close())

const byAna = (packId: number, text: string) =>
  sendTestMessage(app.client, { token: talk.anaToken, packId, text })
const byBruno = (packId: number, text: string) =>
  sendTestMessage(app.client, { token: talk.brunoToken, packId, by: brunoId, text })

async function holdHeldBack(
  sending: Promise<{ status: number; body: Record<string, unknown> }>,
  reason: string,
): Promise<void> {
  const { status, body } = await sending
  assert.equal(status, 201)
  const at = app.ctx.now().toISOString()
  const moderation = { status: 'rejected', reason, source: 'online', moderation_date: at }
  assert.deepEqual([body['status'], body['message_moderation']], ['moderated', moderation])
  const dates = { received: at, available: null, notified: null, created: at, read: null }
  assert.deepEqual(body['message_date'], dates)
}

/** One for every reason but that of copies. */
const refused: Readonly<Record<string, string>> = {
  OUT_OF_PLACE_LANGUAGE: 'Sos un pelotudo, mandaste otra cosa',
  SOCIAL_NETWORK_LINK: 'Más fotos en https://www.instagram.com/tienda/ hoy',
  LINK_SHORT_URL: 'La factura: https://bit.ly/3xYz, gracias',
  PERSONAL_DATA: 'Mi mail es ana.prueba@gmail.com, saludos',
  LINK_PLATFORMPAY: 'Pagá acá: https://pay.feria.example/l/1',
  PLATFORM_LINKS_EXTERNALPAY: 'Link: https://www.paypal.com/paypalme/x',
  EVASION_CLAIM_SELLER: 'Por favor no abras un reclamo',
}

contract(
  ['1', '2.10', '3.2', 'messages'],
  'a message is held back at once for each of the eight reasons, and says which',
  async () => {
    assert.deepEqual([...Object.keys(refused), 'AUTOMATIC_MESSAGE'].sort(), [
      ...moderationReasons.toSorted(),
    ])
    const { id: packId } = await placeCustomShippingOrder(app.client)
    for (const [reason, text] of Object.entries(refused)) {
      await holdHeldBack(byAna(packId, text), reason)
    }
  },
)

contract(
  '2.10',
  'an application that writes the same to ever more buyers is held back; a buyer is not',
  async () => {
    const text =
      'Hola, tu pedido ya salió de nuestro depósito y llega entre hoy y mañana por la tarde'
    for (let sent = 0; sent < copyLimit.packs; sent++) {
      const { id: packId } = await placeCustomShippingOrder(app.client)
      assert.equal((await byAna(packId, text)).body.status, 'available', `${sent}`)
      assert.equal((await byBruno(packId, text)).body.status, 'available', `${sent}`)
    }
    const { id: packId } = await placeCustomShippingOrder(app.client)
    await holdHeldBack(byAna(packId, text), 'AUTOMATIC_MESSAGE')
    assert.equal((await byBruno(packId, text)).body.status, 'available')
  },
)

contract(
  ['2.9', '2.10'],
  'a buyer tells what an invoice needs once the seller has asked for it by the guide',
  async () => {
    const { id: packId } = await placeOrder(app.client)
    const answer = 'Bruno Prueba, DNI 30.123.456, Av. San Martín 1234, CP 1406, bruno@correo.com.ar'
    await holdHeldBack(byBruno(packId, answer), 'PERSONAL_DATA')
    const request = { packId, option: 'REQUEST_BILLING_INFO' }
    assert.equal((await sendGuideOption(app.client, talk.anaToken, request)).status, 201)
    assert.equal((await byBruno(packId, answer)).body.status, 'available')
    assert.equal((await byBruno(packId, 'Mi celular es 11 5555-1234')).body.status, 'available')
  },
)

contract(
  ['2.10', '4.1'],
  'a word of the operator’s holds messages and free options back, never a template',
  async () => {
    const reason = 'PLATFORM_LINKS_EXTERNALPAY'
    const term = { kind: 'word', value: 'factura', reason }
    const { body } = await app.client.operator('POST', '/operator/moderation/terms', term)
    const [free, guided] = [
      await placeCustomShippingOrder(app.client),
      await placeOrder(app.client),
    ]
    const text = 'Va la factura de tu compra'
    await holdHeldBack(byAna(free.id, text), reason)
    const use = (option: string, more: object) =>
      sendGuideOption(app.client, talk.anaToken, { packId: guided.id, option, ...more })
    await holdHeldBack(use('SEND_INVOICE_LINK', { text }), reason)
    const template_id = templateId('REQUEST_BILLING_INFO')
    const template = await use('REQUEST_BILLING_INFO', { template_id })
    assert.match(template.body.text, /factura/)
    assert.equal(template.body.status, 'available')
    await app.client.operator('DELETE', `/operator/moderation/terms/${body.id}`)
    assert.equal((await byAna(free.id, text)).body.status, 'available')
  },
)
