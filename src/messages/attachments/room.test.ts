import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import { openTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { openFolderStore, type TestFileStore } from '../../../test/harness/file-stores.ts'
import {
  anaId,
  brunoId,
  createLongLivedTokens,
  createTestMarket,
  type MarketTokens,
} from '../../../test/harness/market.ts'
import {
  formEnd,
  multipartForm,
  partHeader,
  pdf,
  pdfContaining,
  pdfOfSize,
  type RawResponse,
  startUpload,
  uploadForm,
  writePiece,
} from '../../../test/harness/upload.ts'
import { drain, pollUntil } from '../../../test/harness/wait.ts'
import { hourMs } from '../../kernel/clock.ts'
import { sql } from '../../platform/database/sql.ts'
import { attachFiles, sweepAttachments } from './commands.ts'

/** Room for files that are attached to no message: 25 MB of a user, 40 MB of all. */

const megabyte = 1024 * 1024
let database: TestDatabase
let store: TestFileStore
let app: TestApp
let second: TestApp
let market: MarketTokens
before(async () => {
  database = await openTestDatabase()
  store = await openFolderStore()
  const limits = { FERIA_UNATTACHED_PER_USER_MB: '25', FERIA_UNATTACHED_MB: '40' }
  const env = { ...store.env, ...limits }
  app = await openTestApp({ databaseUrl: database.url, env })
  second = await openTestApp({ databaseUrl: database.url, env })
  await createTestMarket(app.client, null)
  market = await createLongLivedTokens(app.client)
})
after(async () => {
  forms.clear()
  await second.close()
  await app.close()
  await store.close().catch(() => {})
  await database.drop()
})
beforeEach(async () => {
  await app.ctx.db.rows(sql`update attachments set state = 'stored', expires_at = date_created,
    seller_id = null, buyer_id = null, pack_id = null, message_id = null`)
  for (const testApp of [app, second]) testApp.advance(49 * hourMs)
  await drain(() => sweepAttachments(app.ctx))
  assert.deepEqual(await store.keys(), [])
})

/** Forms by their megabytes: each is sent several times. */
const forms = new Map<number, Buffer>()
function formOfSize(megabytes: number): Buffer {
  const form =
    forms.get(megabytes) ??
    multipartForm({ filename: 'a.pdf', content: pdfOfSize(megabytes * megabyte) })
  forms.set(megabytes, form)
  return form
}
const upload = (megabytes: number, { at = app, token = market.anaToken } = {}) =>
  uploadForm(at.address, { token, form: formOfSize(megabytes) })

function assertFull({ status, body }: RawResponse): void {
  const message =
    'You have room for 25 MB of files that are attached to no message: attach those that are there, or upload again when they have expired'
  assert.deepEqual(body, { message, error: 'limit_exceeded', status: 403, cause: [] })
  assert.equal(status, 403)
}

contract(
  ['4.2', 'messages'],
  'what a user uploads and does not attach has room up to a limit, and one more leaves nothing',
  async () => {
    for (let n = 0; n < 2; n++) assert.equal((await upload(9)).status, 201)
    assertFull(await upload(9, { at: second }))
    assert.equal((await store.keys()).length, 2)
    assert.equal((await upload(6)).status, 201)
    assert.equal(
      (await upload(9, { token: market.brunoToken })).status,
      201,
      'another user has their own',
    )
  },
)

contract(
  ['4.2', 'messages'],
  'uploads at the same time do not pass the limit together, in whatever processes',
  async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => upload(9, { at: n % 2 === 0 ? app : second })),
    )
    assert.equal(answers.filter(({ status }) => status === 201).length, 2)
    for (const answer of answers) if (answer.status !== 201) assertFull(answer)
    assert.equal((await store.keys()).length, 2)
  },
)

contract(
  'messages',
  'attaching a file makes room, and so does the end of its time, before it is swept',
  async () => {
    const first = await upload(20)
    assertFull(await upload(9))
    const { now } = app.ctx
    const to = { sellerId: anaId, buyerId: brunoId, packId: 77, messageId: 'm1' }
    await app.ctx.db.transaction((tx) =>
      attachFiles(tx, { ...to, userId: anaId, ids: [first.body.id], now: now() }),
    )
    assert.equal((await upload(20)).status, 201)
    assertFull(await upload(9))
    app.advance(48 * hourMs)
    assert.equal((await upload(20)).status, 201)
  },
)

test('an upload that is refused or breaks off gives its room back', async () => {
  const file = { filename: 'a.pdf', content: pdfOfSize(8 * megabyte) }
  const refused = await uploadForm(app.address, {
    token: market.anaToken,
    form: multipartForm(file, file),
  })
  assert.equal(refused.status, 400)
  const { request, answer } = startUpload(app.address, { token: market.anaToken })
  await writePiece(request, partHeader({ filename: 'a.pdf' }))
  await writePiece(request, pdfContaining(Buffer.alloc(10_000)))
  const hasBegun = async () => (await app.ctx.db.rows(sql`select id from attachments`)).length === 1
  await pollUntil('it has begun', hasBegun)
  assertFull(await upload(1))
  request.destroy()
  await assert.rejects(answer)
  await pollUntil('nothing is left of it', async () => !(await hasBegun()))
  assert.equal((await upload(20)).status, 201)
})

test('without a length an upload counts for the most that it may be, until it is there', async () => {
  const { request, answer } = startUpload(app.address, { token: market.anaToken })
  await writePiece(request, partHeader({ filename: 'a.pdf' }))
  await writePiece(request, pdf)
  request.end(formEnd)
  assert.equal((await answer).status, 201)
  assert.equal((await upload(24)).status, 201)
})

test('all users together have room up to a limit of its own', async () => {
  assert.equal((await upload(20)).status, 201)
  assert.equal((await upload(18, { token: market.brunoToken })).status, 201)
  const { status, body } = await upload(3)
  assert.deepEqual([status, body.message], [500, 'File can not be saved, try it later'])
  assert.equal((await upload(1)).status, 201)
})

test('files that an earlier version stored count, and tiny ones are not without number', async () => {
  const insert = (id: string, state: string, size: number | null) =>
    app.ctx.db.rows(sql`
      insert into attachments (user_id, id, state, original_filename, type, size, sha256,
        potential_security_threat, date_created, expires_at)
      values (${anaId}, ${id}, ${state}, 'a', 'text/plain', ${size}, 'x', false, ${app.ctx.now()},
        ${new Date(app.ctx.now().getTime() + hourMs)})`)
  await insert('arriving', 'uploading', null)
  assertFull(await upload(1))
  await app.ctx.db.rows(sql`delete from attachments`)
  for (let n = 0; n < 384; n++) await insert(`tiny ${n}`, 'stored', 1)
  assertFull(await upload(2))
  await app.ctx.db.rows(sql`delete from attachments`)
})
