import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  createMessagingMarket,
  type MessagingTokens,
  messagesPath,
  placeCustomShippingOrder,
  sendTestMessage,
} from '../../../test/harness/messaging.ts'
import { download, pdf, uploadFile } from '../../../test/harness/upload.ts'

let app: TestApp
let talk: MessagingTokens

before(async () => {
  app = await openTestApp()
  talk = await createMessagingMarket(app.client)
})
after(() => app.close())

const upload = (filename: string, content: string | Uint8Array = 'Hola') =>
  uploadFile(app.address, { token: talk.anaToken, filename, content })
const send = (packId: number, attachments: string[]) =>
  sendTestMessage(app.client, { token: talk.anaToken, packId, more: { attachments } })

contract(
  ['1', '2.10', '2.11', '9', 'messages'],
  'a message shows its files in both formats and to both parties, in its order',
  async () => {
    const { id: packId } = await placeCustomShippingOrder(app.client)
    const uploaded = app.ctx.now().toISOString()
    const first = await upload('factura.pdf', pdf)
    const second = await upload('nota.exe')
    app.advance(60_000)
    const { status, body: sent, text } = await send(packId, [second, first])
    assert.equal(status, 201, text)
    const files = [
      {
        filename: second,
        original_filename: 'nota.exe',
        type: 'text/plain',
        size: 4,
        potential_security_threat: true,
        creation_date: uploaded,
      },
      {
        filename: first,
        original_filename: 'factura.pdf',
        type: 'application/pdf',
        size: pdf.length,
        potential_security_threat: false,
        creation_date: uploaded,
      },
    ]
    assert.deepEqual(sent.message_attachments, files)
    for (const token of [talk.anaToken, talk.brunoToken]) {
      const page = await app.client.get(`${messagesPath(packId)}?mark_as_read=false`, token)
      assert.deepEqual(page.body.messages, [sent])
      const older = await app.client.get(`/messages/${sent.id}`, token)
      assert.deepEqual(older.body.attachments, files)
      const headers = { 'X-Pack-Format': 'true' }
      const newer = await app.client.send('GET', `/messages/${sent.id}`, { token, headers })
      assert.deepEqual(newer.body.messages, [sent])
      const read = await download(app.address, { token, id: first })
      assert.ok(read.bytes.equals(pdf))
    }
  },
)

contract(
  ['4.2', '7.4', '8', 'errors'],
  '25 files go with a message, not one more; what is refused keeps its files',
  async () => {
    const { id: packId } = await placeCustomShippingOrder(app.client)
    const ids: string[] = []
    for (let n = 0; n < 26; n++) ids.push(await upload(`${n}.txt`))
    const refused = await send(packId, ids)
    const words = 'The message exceeds the allowed number of attachments: 25'
    assert.deepEqual([refused.status, refused.body.message], [400, words])
    const same = await send(packId, Array(26).fill('no_such_file.txt'))
    assert.deepEqual([same.status, same.body.message], [400, words], 'as often as it is said')
    const [most, rest] = [ids.slice(0, 25), ids.slice(25)]
    const { status, body } = await send(packId, most)
    assert.equal(status, 201)
    const shown = body.message_attachments.map(({ filename }: { filename: string }) => filename)
    assert.deepEqual(shown, most)
    assert.equal((await send(packId, [...rest, ...most.slice(0, 1)])).status, 422, 'sent already')
    assert.equal((await send(packId, rest)).status, 201)
  },
)
