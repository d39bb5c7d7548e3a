import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import { openTestFileStore, type TestFileStore } from '../../../test/harness/file-stores.ts'
import {
  anaId,
  brunoId,
  createLongLivedTokens,
  createTestMarket,
  type MarketTokens,
} from '../../../test/harness/market.ts'
import { pdfContaining, uploadFile } from '../../../test/harness/upload.ts'
import { drain } from '../../../test/harness/wait.ts'
import { hourMs } from '../../kernel/clock.ts'
import { sql } from '../../platform/database/sql.ts'
import { attachmentElement, storageKeyOf } from './attachment.ts'
import { attachFiles, sweepAttachments } from './commands.ts'

for (const [name, open] of Object.entries(openTestFileStore)) {
  describe(`attaching, files in ${name}`, () => {
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
    beforeEach(async () => {
      await app.ctx.db.rows(sql`delete from attachments where state = 'attached'`)
      for (const key of await store.keys()) await store.deleteFile(key)
    })

    const upload = (file: { filename?: string; content?: string | Uint8Array } = {}) =>
      uploadFile(app.address, { token: market.anaToken, ...file })
    const attach = (ids: string[], userId = anaId, messageId = randomUUID()) =>
      app.ctx.db.transaction((tx) => {
        const to = { sellerId: anaId, buyerId: brunoId, packId: 77, messageId }
        return attachFiles(tx, { ...to, userId, ids, now: app.ctx.now() })
      })
    const sweep = async () => {
      await drain(() => sweepAttachments(app.ctx))
    }
    const stateOf = async (id: string) => {
      const row = await app.ctx.db.row<{ state: string }>(sql`
        select state from attachments where user_id = ${anaId} and id = ${id}`)
      return row?.state
    }
    const invalid = {
      code: 'attachment_key_invalid',
      status: 422,
      message: 'Attachment key is invalid or not found',
    }

    contract(
      '2.10',
      'files are attached in the order of the message, as messages show them',
      async () => {
        const first = await upload({ filename: 'factura.pdf', content: pdfContaining('') })
        const second = await upload({ filename: 'nota.exe', content: 'Hola' })
        const third = await upload({ filename: 'a.pdf', content: pdfContaining('/S /JavaScript') })
        const attached = await attach([third, first, second, first])
        assert.deepEqual(
          attached.map((attachment) => {
            const { filename, potential_security_threat, size, type } =
              attachmentElement(attachment)
            return [filename, type, size, potential_security_threat]
          }),
          [
            [third, 'application/pdf', pdfContaining('/S /JavaScript').length, true],
            [first, 'application/pdf', pdfContaining('').length, false],
            [second, 'text/plain', 4, true],
          ],
        )
        assert.deepEqual(await attach([]), [])
        app.advance(100 * hourMs)
        await sweep()
        assert.deepEqual(
          await store.keys(),
          [first, second, third].map(storageKeyOf).sort(),
          'they stay',
        )
      },
    )

    contract(
      ['7.3', 'errors'],
      'an id that may not be attached refuses the whole message',
      async () => {
        const mine = await upload()
        const his = await uploadFile(app.address, { token: market.brunoToken })
        const attachedId = await upload()
        await attach([attachedId])
        const late = await upload()
        app.advance(48 * hourMs)
        const fresh = await upload()
        for (const id of [
          his,
          attachedId,
          late,
          mine,
          `${anaId}_${randomUUID()}.pdf`,
          'x',
          '',
          '1_2.pdf',
        ]) {
          await assert.rejects(attach([fresh, id]), invalid, id)
          assert.equal(await stateOf(fresh), 'stored', 'nothing was attached')
        }
        await assert.rejects(attach([fresh], brunoId), invalid, 'by somebody else')
        assert.equal((await attach([fresh])).length, 1)
        await sweep()
      },
    )

    test('a message that is not sent after all leaves its files to the next', async () => {
      const id = await upload()
      const sending = app.ctx.db.transaction(async (tx) => {
        const to = { sellerId: anaId, buyerId: brunoId, packId: 77, messageId: randomUUID() }
        await attachFiles(tx, { ...to, userId: anaId, ids: [id], now: app.ctx.now() })
        throw new Error('the text was refused')
      })
      await assert.rejects(sending, /the text was refused/)
      assert.equal((await attach([id])).length, 1)
    })

    test('of two messages with the same file at once one gets it', async () => {
      for (let round = 0; round < 5; round++) {
        const [a, b, c] = [await upload(), await upload(), await upload()]
        const sent = await Promise.allSettled([attach([a, b]), attach([c, b]), attach([b])])
        assert.equal(sent.filter(({ status }) => status === 'fulfilled').length, 1)
        for (const outcome of sent) {
          if (outcome.status === 'rejected') assert.equal(outcome.reason.code, invalid.code)
        }
      }
      app.advance(49 * hourMs)
      await sweep()
    })

    contract(
      'messages',
      'what was not attached within 48 hours is removed, row and file',
      async () => {
        const ids = [await upload(), await upload()]
        app.advance(48 * hourMs - 1)
        await sweep()
        assert.deepEqual(await store.keys(), ids.map(storageKeyOf).sort())
        app.advance(2)
        await sweep()
        assert.deepEqual(await store.keys(), [])
        for (const id of ids) assert.equal(await stateOf(id), undefined)
      },
    )

    test('two that sweep at once remove everything once, and only what is due', async () => {
      const old = await Promise.all(Array.from({ length: 30 }, () => upload()))
      app.advance(30 * hourMs)
      const young = await upload()
      app.advance(20 * hourMs)
      await Promise.all([sweep(), sweep(), sweep()])
      assert.deepEqual(await store.keys(), [storageKeyOf(young)])
      for (const id of old) assert.equal(await stateOf(id), undefined)
      await attach([young])
    })

    test('a message and the sweep at the same moment: one of them has the file, whole', async () => {
      const outcomes = new Set<string>()
      for (let round = 0; round < 30; round++) {
        const id = await upload()
        const now = app.ctx.now()
        const later = { ...app.ctx, now: () => new Date(now.getTime() + 49 * hourMs) }
        const sweeping = () => sweepAttachments(later)
        const [sent, swept] = await Promise.allSettled(
          round % 2
            ? [attach([id]), afterTicks(round, sweeping)]
            : await inOrder(sweeping, () => attach([id])),
        )
        assert.equal(swept?.status, 'fulfilled')
        const state = await stateOf(id)
        const isThere = (await store.keys()).includes(storageKeyOf(id))
        if (sent?.status === 'fulfilled') assert.deepEqual([state, isThere], ['attached', true])
        else assert.deepEqual([sent?.reason.code, state, isThere], [invalid.code, undefined, false])
        outcomes.add(`${sent?.status}`)
      }
      assert.ok(outcomes.has('fulfilled'))
    })

    test('a store that is out of reach keeps the rows, and the next sweep goes on', async () => {
      const ids = [await upload(), await upload()]
      app.advance(49 * hourMs)
      await store.makeUnavailable()
      await assert.rejects(sweepAttachments(app.ctx), /files could not be removed/)
      for (const id of ids) assert.equal(await stateOf(id), 'removing')
      await store.makeAvailable()
      await sweep()
      assert.deepEqual(await store.keys(), [])
      for (const id of ids) assert.equal(await stateOf(id), undefined)
    })

    test('an upload that broke off with its process is removed within a day', async () => {
      const whole = await upload()
      await app.ctx.db.rows(sql`
        update attachments set state = 'uploading', size = null,
          expires_at = ${new Date(app.ctx.now().getTime() + 24 * hourMs)}
        where user_id = ${anaId} and id = ${whole}`)
      await assert.rejects(attach([whole]), invalid)
      app.advance(24 * hourMs + 1)
      await sweep()
      assert.equal(await stateOf(whole), undefined)
      assert.deepEqual(await store.keys(), [])
    })
  })
}

/** A while later, counted in turns of the event loop: so that each round meets the other elsewhere. */
async function afterTicks<A>(ticks: number, work: () => Promise<A>): Promise<A> {
  for (let tick = 0; tick < ticks; tick++) await new Promise(setImmediate)
  return work()
}

/** Both under way, the first a moment ahead; the second one's promise comes first. */
async function inOrder<A, B>(first: () => Promise<A>, second: () => Promise<B>) {
  const ahead = first()
  await new Promise(setImmediate)
  return [second(), ahead] as [Promise<B>, Promise<A>]
}
