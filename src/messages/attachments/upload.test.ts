import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import { openTestFileStore, type TestFileStore } from '../../../test/harness/file-stores.ts'
import {
  anaId,
  createLongLivedTokens,
  createTestMarket,
  type MarketTokens,
} from '../../../test/harness/market.ts'
import {
  download,
  formEnd,
  jpg,
  multipartForm,
  partHeader,
  pdf,
  pdfContaining,
  pdfOfSize,
  png,
  type RawResponse,
  startUpload,
  uploadFile,
  uploadForm,
  writePiece,
} from '../../../test/harness/upload.ts'
import { drain, pollUntil } from '../../../test/harness/wait.ts'
import { hourMs } from '../../kernel/clock.ts'
import { sql } from '../../platform/database/sql.ts'
import { maxFileBytes, storageKeyOf } from './attachment.ts'
import { sweepAttachments } from './commands.ts'

const says = ({ status, body }: RawResponse) => [status, body?.error, body?.message]
const bad = (message: string) => [400, 'bad_request', message]

for (const [name, open] of Object.entries(openTestFileStore)) {
  describe(`uploading to ${name}`, () => {
    let store: TestFileStore
    let app: TestApp
    let market: MarketTokens
    before(async () => {
      store = await open()
      app = await openTestApp({ env: store.env })
      await createTestMarket(app.client, null)
      market = await createLongLivedTokens(app.client)
    })
    after(async () => {
      await app.close()
      await store.close()
    })

    const rows = () =>
      app.ctx.db.rows<{ id: string; state: string }>(sql`
        select id, state from attachments order by id`)
    const send = (form: Uint8Array, more: { path?: string; type?: string; token?: string } = {}) =>
      uploadForm(app.address, { token: market.anaToken, form, ...more })
    const file = (content: string | Uint8Array, filename = 'a.txt') =>
      multipartForm({ filename, content })
    const isEmpty = async () => (await rows()).length === 0 && (await store.keys()).length === 0
    const removeAll = async () => {
      app.advance(49 * hourMs)
      await drain(() => sweepAttachments(app.ctx))
      assert.ok(await isEmpty())
    }

    contract(
      ['4.2', 'messages'],
      'a file is kept as it is, under an id of its user and its kind',
      async () => {
        const cases: [kind: string, type: string, content: Uint8Array][] = [
          ['jpg', 'image/jpeg', jpg],
          ['png', 'image/png', png],
          ['pdf', 'application/pdf', pdf],
          ['txt', 'text/plain; charset=utf-8', Buffer.from('¡Hola!\n')],
        ]
        for (const [kind, type, content] of cases) {
          const answer = await send(file(content, 'whatever.exe'))
          assert.equal(answer.status, 201, answer.bytes.toString())
          assert.deepEqual(Object.keys(answer.body), ['id'])
          const { id } = answer.body
          assert.match(id, RegExp(`^${anaId}_[0-9a-f-]{36}\\.${kind}$`))
          assert.deepEqual(await store.keys(), [storageKeyOf(id)])
          const read = await download(app.address, { token: market.anaToken, id })
          assert.equal(read.status, 200)
          assert.equal(read.headers['content-type'], type)
          assert.deepEqual(read.bytes, Buffer.from(content))
          await removeAll()
        }
      },
    )

    contract(
      ['7.4', '8', 'errors'],
      'exactly 25 MB pass, one byte more leaves nothing',
      async () => {
        const content = pdfOfSize(maxFileBytes)
        const id = await uploadFile(app.address, {
          token: market.anaToken,
          filename: 'a.pdf',
          content,
        })
        const read = await download(app.address, { token: market.anaToken, id })
        assert.equal(read.bytes.length, maxFileBytes)
        assert.ok(read.bytes.equals(content))
        await removeAll()
        const larger = await send(file(pdfOfSize(maxFileBytes + 1), 'a.pdf'))
        assert.deepEqual(says(larger), bad('File attachment is bigger than 25 Mb.'))
        assert.ok(await isEmpty())
      },
    )

    contract('7.4', 'what is too large is refused while it still comes', async () => {
      const { request, answer } = startUpload(app.address, { token: market.anaToken })
      await writePiece(request, partHeader({ filename: 'a.pdf' }))
      await writePiece(request, pdf)
      let response: RawResponse | undefined
      answer.then((received) => {
        response = received
      })
      const piece = Buffer.alloc(1024 * 1024)
      for (let sent = 0; !response && sent < 40; sent++) {
        await Promise.race([writePiece(request, piece), answer])
        // The refusal takes its way to this side, while more is sent.
        await setTimeout(5)
      }
      assert.deepEqual(says(await answer), bad('File attachment is bigger than 25 Mb.'))
      assert.ok(await isEmpty())
      request.destroy()
    })

    test('bytes leave memory while more of them still come', async () => {
      const { request, answer } = startUpload(app.address, { token: market.anaToken })
      await writePiece(request, partHeader({ filename: 'a.pdf' }))
      await writePiece(request, pdfContaining(Buffer.alloc(10 * 1024 * 1024, 0x80)))
      await pollUntil(
        'most of it is written',
        () => store.unfinishedUploadBytes() > 9 * 1024 * 1024,
      )
      assert.deepEqual(
        (await rows()).map(({ state }) => state),
        ['uploading'],
      )
      request.end(`the last byte${formEnd}`)
      assert.equal((await answer).status, 201)
      await removeAll()
    })

    test('a connection that breaks in the middle leaves nothing', async () => {
      const beginnings = [
        [partHeader({ filename: 'a.pdf' }).slice(0, 20)],
        [partHeader({ filename: 'a.pdf' })],
        [partHeader({ filename: 'a.pdf' }), pdf.subarray(0, 30)],
        [partHeader({ filename: 'a.pdf' }), pdf, Buffer.alloc(500_000)],
        [partHeader({ filename: 'a.pdf' }), pdf, formEnd.slice(0, 6)],
        [multipartForm({ filename: 'a.pdf', content: pdf }).subarray(0, -4)],
      ]
      for (const beginning of beginnings) {
        const { request, answer } = startUpload(app.address, { token: market.anaToken })
        for (const piece of beginning) await writePiece(request, piece)
        // A part may have been read or not: nothing tells, and either way nothing is left.
        await setTimeout(30)
        request.destroy()
        await assert.rejects(answer)
        await pollUntil(
          'nothing is left',
          async () => (await isEmpty()) && store.unfinishedUploadBytes() === 0,
        )
      }
    })

    test('other fields of a form, before and behind the file, are passed over', async () => {
      const form = multipartForm(
        { field: 'site_id', content: 'MLX' },
        { filename: 'a.txt', content: 'Hola' },
        { field: 'note', content: 'x'.repeat(10_000) },
      )
      assert.equal((await send(form)).status, 201)
      await removeAll()
    })

    test('many at once are kept apart', async () => {
      const contents = Array.from({ length: 20 }, (_, index) => `file ${index} `.repeat(20_000))
      const ids = await Promise.all(
        contents.map((content) => uploadFile(app.address, { token: market.anaToken, content })),
      )
      assert.equal(new Set(ids).size, ids.length)
      for (const [index, id] of ids.entries()) {
        const { bytes } = await download(app.address, { token: market.anaToken, id })
        assert.equal(bytes.toString(), contents[index])
      }
      await removeAll()
    })

    test('an upload that lasts longer than an hour is refused', async () => {
      const { request, answer } = startUpload(app.address, { token: market.anaToken })
      await writePiece(request, partHeader({ filename: 'a.pdf' }))
      await writePiece(request, pdfContaining(Buffer.alloc(500_000)))
      await pollUntil('it has begun', async () => store.unfinishedUploadBytes() > 100_000)
      app.advance(hourMs + 1)
      await writePiece(request, Buffer.alloc(100_000))
      assert.equal((await answer).status, 408)
      request.destroy()
      assert.ok(await isEmpty())
    })

    test('an upload that the sweep took for broken off ends without a file', async () => {
      const { request, answer } = startUpload(app.address, { token: market.anaToken })
      await writePiece(request, partHeader({ filename: 'a.pdf' }))
      await writePiece(request, pdfContaining(Buffer.alloc(10_000)))
      await pollUntil('it has begun', async () => (await rows()).length === 1)
      app.advance(25 * hourMs)
      await sweepAttachments(app.ctx)
      // The clock that it began by is not the sweep's: nothing but the row tells.
      app.advance(-25 * hourMs)
      request.end(formEnd)
      const cannot = [500, 'internal_server_error', 'File can not be saved, try it later']
      assert.deepEqual(says(await answer), cannot)
      assert.ok(await isEmpty())
    })
  })
}
