import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import { openTestFileStore, type TestFileStore } from '../../../test/harness/file-stores.ts'
import {
  anaId,
  createLongLivedTokens,
  createTestMarket,
  issueToken,
  type MarketTokens,
} from '../../../test/harness/market.ts'
import {
  download,
  formEnd,
  jpg,
  multipartForm,
  pdf,
  type RawResponse,
  startUpload,
  uploadFile,
  uploadForm,
  uploadPath,
} from '../../../test/harness/upload.ts'
import { drain } from '../../../test/harness/wait.ts'
import { hourMs } from '../../kernel/clock.ts'
import { sql } from '../../platform/database/sql.ts'
import { storageKeyOf } from './attachment.ts'
import { sweepAttachments } from './commands.ts'

const says = ({ status, body }: RawResponse) => [status, body?.error, body?.message]
const bad = (message: string) => [400, 'bad_request', message]

for (const [name, open] of Object.entries(openTestFileStore)) {
  describe(`refused uploads to ${name}`, () => {
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

    test('a form that ends before its end is refused, and leaves nothing', async () => {
      const whole = multipartForm({ filename: 'a.pdf', content: pdf })
      for (const length of [20, 60, whole.length - 40, whole.length - 10, whole.length - 5]) {
        const answer = await send(whole.subarray(0, length))
        assert.equal(answer.status, 400, `${length}: ${answer.bytes}`)
        assert.match(answer.body.message, /^body: expected a whole form|^File attached is empty$/)
        assert.ok(await isEmpty(), String(length))
      }
    })

    contract(
      ['4.2', '7.4', 'errors', 'messages'],
      'what is refused leaves nothing, and says why',
      async () => {
        const type = 'file: expected the content of a jpg, png, pdf or plain text file'
        const badName = 'File name cannot include characters like /, \\'
        const good = { filename: 'a.txt', content: 'Hola' }
        const cases: [what: string, form: Uint8Array, words: string][] = [
          ['no bytes', file(''), 'File attached is empty'],
          ['no parts', Buffer.from(formEnd.slice(2)), 'File attached is empty'],
          ['only fields', multipartForm({ field: 'note', content: 'x' }), 'File attached is empty'],
          ['a file that is a field', multipartForm({ content: 'x' }), 'File attached is empty'],
          ['a gif', file('GIF89a\x01\x00'), type],
          ['a program', file('MZ\x90\0\x03\0\0\0', 'a.pdf'), type],
          ['text with NUL', file('Ho\0la'), type],
          ['binary behind text', file(Buffer.concat([Buffer.alloc(200_000, 'a'), jpg])), type],
          ['a slash', file('x', 'a/b.txt'), badName],
          ['a backslash', file('x', 'a\\b.txt'), badName],
          ['a path of Windows', file('x', 'C:\\a.txt'), badName],
          ['dots', file('x', '..'), badName],
          [
            'NUL',
            multipartForm({
              disposition: `form-data; name="file"; filename*=UTF-8''a%00.txt`,
              content: 'x',
            }),
            badName,
          ],
          [
            '201 characters',
            file('x', `${'ñ'.repeat(197)}.txt`),
            'The original_filename exceeded 200 character limit',
          ],
          ['a blank name', file('x', '  '), 'file: expected a part with a filename'],
          ['two files', multipartForm(good, good), 'file: expected one file and no more'],
          [
            'a file under another name',
            multipartForm({ ...good, field: 'document' }),
            'file: expected this name for the part "document"',
          ],
          [
            'another file behind it',
            multipartForm(good, { ...good, field: 'document' }),
            'file: expected one file and no more',
          ],
        ]
        for (const [what, form, words] of cases) {
          assert.deepEqual(says(await send(form)), bad(words), what)
          assert.ok(await isEmpty(), what)
        }
      },
    )

    test('what is no form is refused as such', async () => {
      const words = 'Content-Type: expected multipart/form-data'
      for (const type of ['application/json', 'text/plain', 'application/pdf', 'x']) {
        assert.deepEqual(says(await send(Buffer.from('{}'), { type })), bad(words), type)
      }
      for (const type of ['multipart/form-data', 'multipart/form-data; boundary=another']) {
        const answer = await send(file('x'), { type })
        assert.equal(answer.status, 400, answer.bytes.toString())
        assert.match(answer.body.message, /^body: expected a whole form/)
      }
      const nothing = await app.client.send('POST', uploadPath, { token: market.anaToken })
      assert.deepEqual([nothing.status, nothing.body.message], [400, 'File attached is empty'])
      assert.ok(await isEmpty())
    })

    contract(['4.2', '7.4', 'errors'], 'the site is asked for, and has to be one', async () => {
      const required = bad("The queryparam 'site_id' is required")
      const cases: [query: string, answer: unknown[]][] = [
        ['', required],
        ['?tag=post_sale', required],
        ['?site_id=', required],
        ['?site_id=XYZ', bad("Invalid site_id: 'XYZ' is not a recognized site")],
        ['?site_id=xyz', bad("Invalid site_id: 'XYZ' is not a recognized site")],
      ]
      for (const [query, answer] of cases) {
        const path = `/messages/attachments${query}`
        assert.deepEqual(says(await send(file('x'), { path })), answer, query)
      }
      assert.ok(await isEmpty())
      assert.equal(
        (await send(file('x'), { path: '/messages/attachments?site_id=MLB' })).status,
        201,
      )
      await removeAll()
    })

    contract('5', 'a token is needed, and one that may write', async () => {
      const readOnly = await issueToken(app.client, { user_id: anaId, scopes: ['read'] })
      const cases: [token: string, status: number][] = [
        ['unknown', 401],
        [readOnly, 403],
      ]
      for (const [token, status] of cases) {
        assert.equal((await send(file('x'), { token })).status, status)
      }
      const path = `${uploadPath}&access_token=${market.brunoToken}`
      const { request, answer } = startUpload(app.address, { token: '', path })
      request.removeHeader('authorization')
      request.end(file('x'))
      assert.equal((await answer).status, 201, 'the token may stand in the query')
      await removeAll()
    })

    contract(
      ['7.4', 'errors'],
      'a store that fails says so on saving and on reading, and nothing is left',
      async () => {
        const id = await uploadFile(app.address, { token: market.anaToken })
        const cannot = (verb: string) => [
          500,
          'internal_server_error',
          `File can not be ${verb}, try it later`,
        ]
        await store.makeUnavailable()
        try {
          assert.deepEqual(says(await send(file('x'))), cannot('saved'))
          const read = await download(app.address, { token: market.anaToken, id })
          assert.deepEqual(says(read), cannot('accessed'))
        } finally {
          await store.makeAvailable()
        }
        assert.equal((await download(app.address, { token: market.anaToken, id })).status, 200)
        await store.deleteFile(storageKeyOf(id))
        const missing = await download(app.address, { token: market.anaToken, id })
        assert.deepEqual(says(missing), cannot('accessed'))
        await removeAll()
      },
    )
  })
}
