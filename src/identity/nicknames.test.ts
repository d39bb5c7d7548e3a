import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { contract } from '../../test/harness/contract.ts'
import { findUserIdsByNickname, saveUsers } from './store.ts'
import { noPhone, type User } from './user.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
})
after(() => app.close())

async function register(nicknames: Readonly<Record<number, string>>): Promise<void> {
  const users = Object.entries(nicknames).map(
    ([id, nickname]): User => ({
      id: Number(id),
      siteId: 'MLA',
      nickname,
      email: null,
      firstName: null,
      lastName: null,
      phone: noPhone,
      alternativePhone: noPhone,
      billingInfo: { doc_type: null, doc_number: null },
    }),
  )
  await saveUsers(app.ctx.db, users, app.ctx.now())
}

contract('4.4', 'a nickname is found behind any number of those with other accents', async () => {
  const others = Array.from({ length: 60 }, (_, index) => [7_000 + index, 'PENA_SUR'])
  await register({ ...Object.fromEntries(others), 7100: 'PEÑA_SUR' })
  assert.deepEqual(await findUserIdsByNickname(app.ctx.db, 'peña_sur'), [7_100])
  assert.equal((await findUserIdsByNickname(app.ctx.db, 'pena_sur')).length, 50)
})

contract('4.4', 'a nickname is found however its accents are encoded', async () => {
  await register({ 7201: 'Jos\u00e9', 7202: 'JOSE\u0301', 7203: 'jose', 7204: 'j\u00f3se' })
  for (const nickname of ['jos\u00e9', 'JOSE\u0301', 'Jose\u0301']) {
    assert.deepEqual(await findUserIdsByNickname(app.ctx.db, nickname), [7_201, 7_202], nickname)
  }
  assert.deepEqual(await findUserIdsByNickname(app.ctx.db, 'JOSE'), [7_203])
})

test('a nickname holds no control characters and no marks that turn the direction of writing', async () => {
  const put = (nickname: string) =>
    app.client.operator('PUT', '/operator/users/7301', { site_id: 'MLA', nickname })
  const marks = '\u0007\n\u007f\u0085\u2028\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'
  for (const mark of marks) {
    const { status, body } = await put(`ANA${mark}TXT`)
    const code = mark.charCodeAt(0).toString(16)
    assert.equal(status, 400, code)
    assert.match(body.message, /^nickname: expected text without control characters or marks/, code)
  }
  for (const nickname of ['JOSÉ 1', 'נועה', '商店', '👩‍👧'])
    assert.ok((await put(nickname)).status < 300)
})

test('a user whose nickname was stored with such marks before is read and found', async () => {
  const nickname = 'ANA\u202eTXT'
  await register({ 7302: nickname })
  const { status, body } = await app.client.operator('GET', '/operator/users/7302')
  assert.deepEqual([status, body.nickname], [200, nickname])
  assert.deepEqual(await findUserIdsByNickname(app.ctx.db, nickname), [7_302])
})
