import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import { openTestFileStore, type TestFileStore } from '../../../test/harness/file-stores.ts'
import { anaId, brunoId } from '../../../test/harness/market.ts'
import {
  createMessagingMarket,
  type MessagingTokens,
  placeCustomShippingOrder,
  sendTestMessage,
} from '../../../test/harness/messaging.ts'
import {
  download,
  openRequest,
  type RawResponse,
  uploadFile,
} from '../../../test/harness/upload.ts'
import { pollUntil } from '../../../test/harness/wait.ts'
import { hourMs } from '../../kernel/clock.ts'
import { sql } from '../../platform/database/sql.ts'
import type { MessageStatus } from '../message.ts'

const says = ({ status, body }: RawResponse) => [status, body?.error, body?.message]
const uuid = 'a96d8dea-38cd-4402-938e-80a1c134fc5d'

/** A message of ana's or bruno's with these files, in a sale of its own. */
async function sendWith(
  { ctx, client }: TestApp,
  sent: { token: string; by: number; ids: string[]; status?: MessageStatus },
): Promise<void> {
  const { token, by, ids, status } = sent
  const { id: packId } = await placeCustomShippingOrder(client)
  const { body, text } = await sendTestMessage(client, {
    token,
    packId,
    by,
    more: { attachments: ids },
  })
  assert.equal(body.status, 'available', text)
  if (!status) return
  await ctx.db.rows(sql`
    update messages set status = ${status}
    where seller_id = ${anaId} and pack_id = ${packId} and id = ${body.id}`)
}

/** Headers that differ between any two answers. */
const isOfEachAnswer = /^(date|x-request-id|(x-)?ratelimit.*)$/

for (const [name, open] of Object.entries(openTestFileStore)) {
  describe(`reading from ${name}`, () => {
    let store: TestFileStore
    let app: TestApp
    let market: MessagingTokens
    before(async () => {
      store = await open()
      app = await openTestApp({ env: store.env })
      market = await createMessagingMarket(app.client)
    })
    after(async () => {
      await app.close()
      await store.close()
    })
    const get = (token: string, id: string, headers: Record<string, string> = {}) =>
      download(app.address, { token, id, headers })
    const statuses = async (id: string) => {
      const answers = await Promise.all(
        [market.anaToken, market.brunoToken, market.carlaToken].map((token) => get(token, id)),
      )
      return answers.map(({ status }) => status)
    }

    contract(
      ['4.2', 'messages'],
      'until it is attached a file is read by who uploaded it alone',
      async () => {
        const id = await uploadFile(app.address, { token: market.anaToken })
        assert.deepEqual(await statuses(id), [200, 404, 404])
      },
    )

    contract(
      ['4.2', 'messages'],
      'attached, it is read by the parties of the pack and nobody else',
      async () => {
        for (const [by, token] of [
          [anaId, market.anaToken],
          [brunoId, market.brunoToken],
        ] as const) {
          const id = await uploadFile(app.address, { token })
          await sendWith(app, { token, by, ids: [id] })
          assert.deepEqual(await statuses(id), [200, 200, 404])
          app.advance(100 * hourMs)
          assert.deepEqual(await statuses(id), [200, 200, 404], 'and stays')
        }
      },
    )

    contract('4.2', 'what hangs on a moderated message is its writer’s alone', async () => {
      for (const status of ['moderated', 'rejected', 'pending_translation'] as const) {
        const token = market.brunoToken
        const id = await uploadFile(app.address, { token })
        await sendWith(app, { token, by: brunoId, ids: [id], status })
        assert.deepEqual(await statuses(id), [404, 200, 404], status)
      }
    })

    contract(['4.2', 'messages'], 'a stranger cannot tell a file of others from none', async () => {
      const waiting = await uploadFile(app.address, { token: market.anaToken })
      const sent = await uploadFile(app.address, { token: market.anaToken })
      await sendWith(app, { token: market.anaToken, by: anaId, ids: [sent] })
      const none = `${anaId}_${uuid}.txt`
      const answers = await Promise.all(
        [waiting, sent, none].map((id) => get(market.carlaToken, id)),
      )
      for (const [index, answer] of answers.entries()) {
        const id = [waiting, sent, none][index]
        assert.deepEqual(says(answer), [404, 'not_found', `Attachment not found: ${id}`])
        const headerEntries = Object.entries(answer.headers).filter(
          ([name]) => !isOfEachAnswer.test(name),
        )
        const others = Object.entries(answers[2]?.headers ?? {})
        assert.deepEqual(
          headerEntries,
          others.filter(([name]) => !isOfEachAnswer.test(name)),
        )
      }
    })

    test('an id that is none is not found', async () => {
      const ids = [
        '1',
        'x',
        `${anaId}_${uuid}`,
        `${anaId}_${uuid}.exe`,
        `0_${uuid}.txt`,
        '..%2F..%2Fx.txt',
        `9999999999999999_${uuid}.txt`,
        `${anaId}_%00.txt`.replace('%00', '%01'),
        '%20',
      ]
      for (const id of ids) {
        const { status, body } = await get(market.anaToken, id)
        assert.deepEqual([status, body.error], [404, 'not_found'], id)
      }
    })

    contract(
      'messages',
      'a file that was not attached in time is gone, even before it is swept',
      async () => {
        const id = await uploadFile(app.address, { token: market.anaToken })
        app.advance(48 * hourMs - 1)
        assert.deepEqual((await statuses(id))[0], 200)
        app.advance(1)
        assert.deepEqual((await statuses(id))[0], 404)
      },
    )

    contract(['5', '7.4', 'errors'], 'site and token are asked for on reading too', async () => {
      const id = await uploadFile(app.address, { token: market.anaToken })
      const ask = async (query: string, token: string | undefined = market.anaToken) =>
        app.client.send('GET', `/messages/attachments/${id}${query}`, { token })
      assert.equal((await ask('')).body.message, "The queryparam 'site_id' is required")
      const unknown = await ask('?site_id=XYZ')
      assert.equal(unknown.body.message, "Invalid site_id: 'XYZ' is not a recognized site")
      assert.equal((await ask('?site_id=MLA', 'unknown')).status, 401)
      assert.equal((await app.client.get(`/messages/attachments/${id}?site_id=MLA`)).status, 401)
    })

    test('a file is sent to be saved under its name, and to do nothing', async () => {
      const names: [name: string, disposition: string][] = [
        ['nota.txt', 'attachment; filename=nota.txt'],
        ['pagar "ya".bat', 'attachment; filename="pagar \\"ya\\".bat.txt"'],
        [
          'año 🎉.txt',
          'attachment; filename="a?o ??.txt"; filename*=UTF-8\'\'a%C3%B1o%20%F0%9F%8E%89.txt',
        ],
      ]
      for (const [filename, disposition] of names) {
        const id = await uploadFile(app.address, { token: market.anaToken, filename })
        const { status, headers } = await get(market.anaToken, id)
        assert.equal(status, 200)
        assert.equal(headers['content-disposition'], disposition)
        assert.equal(headers['content-type'], 'text/plain; charset=utf-8')
        assert.equal(headers['x-content-type-options'], 'nosniff')
        assert.equal(headers['content-security-policy'], "default-src 'none'; sandbox")
        assert.equal(headers['cache-control'], 'private, no-cache')
        assert.equal(headers['content-length'], '4')
        assert.equal(headers['accept-ranges'], 'bytes')
        const digest = createHash('sha256').update('Hola').digest('hex')
        assert.equal(headers.etag, `"${digest}"`)
      }
    })

    test('a part of a file is sent alone, and only of the file that was meant', async () => {
      const content = Buffer.from(Array.from({ length: 300_000 }, (_, index) => 65 + (index % 26)))
      const id = await uploadFile(app.address, { token: market.anaToken, content })
      const { etag = '' } = (await get(market.anaToken, id)).headers
      const cases: [headers: Record<string, string>, status: number, range: string | undefined][] =
        [
          [{ range: 'bytes=0-1' }, 206, 'bytes 0-1/300000'],
          [{ range: 'bytes=100000-200000' }, 206, 'bytes 100000-200000/300000'],
          [{ range: 'bytes=299999-' }, 206, 'bytes 299999-299999/300000'],
          [{ range: 'bytes=-5' }, 206, 'bytes 299995-299999/300000'],
          [{ range: 'bytes=0-5', 'if-range': etag }, 206, 'bytes 0-5/300000'],
          [{ range: 'bytes=0-5', 'if-range': '"another"' }, 200, undefined],
          [{ range: 'bytes=0-1,3-4' }, 200, undefined],
          [{ range: 'bytes=300000-' }, 416, 'bytes */300000'],
          [{ 'if-none-match': etag }, 304, undefined],
          [{ 'if-none-match': '"another"' }, 200, undefined],
        ]
      for (const [headers, status, range] of cases) {
        const answer = await get(market.anaToken, id, headers)
        const what = JSON.stringify(headers)
        assert.equal(answer.status, status, what)
        assert.equal(answer.headers['content-range'], range, what)
        if (status === 304) assert.equal(answer.headers.etag, etag)
        if (status === 416) assert.equal(answer.body.error, 'range_not_satisfiable')
        if (status >= 300) continue
        const [, start = 0, end = content.length - 1] = (/(\d+)-(\d+)/.exec(range ?? '') ?? []).map(
          Number,
        )
        const part = content.subarray(start, end + 1)
        assert.ok(answer.bytes.equals(part), what)
        assert.equal(answer.headers['content-length'], String(part.length), what)
      }
    })

    test('who stops reading in the middle does not keep the file open', async () => {
      const content = Buffer.alloc(8 * 1024 * 1024, 'x')
      const id = await uploadFile(app.address, { token: market.anaToken, content })
      const path = `/messages/attachments/${id}?site_id=MLA`
      const headers = { authorization: `Bearer ${market.anaToken}` }
      const { request, answer } = openRequest(app.address, { method: 'GET', path, headers })
      request.on('response', (response) => response.once('data', () => request.destroy()))
      request.end()
      await assert.rejects(answer)
      await pollUntil('nothing is open', () => store.openFileCount() === 0)
      assert.equal((await get(market.anaToken, id)).bytes.length, content.length)
    })
  })
}
