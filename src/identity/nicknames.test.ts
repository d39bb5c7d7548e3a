import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { contract } from '../../test/harness/contract.ts'
import { findByNickname, saveUsers } from './store.ts'
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
  assert.deepEqual(await findByNickname(app.ctx.db, 'peña_sur'), [7_100])
  assert.equal((await findByNickname(app.ctx.db, 'pena_sur')).length, 50)
})

contract('4.4', 'a nickname is found however its accents are encoded', async () => {
  await register({ 7201: 'Jos\u00e9', 7202: 'JOSE\u0301', 7203: 'jose', 7204: 'j\u00f3se' })
  for (const nickname of ['jos\u00e9', 'JOSE\u0301', 'Jose\u0301']) {
    assert.deepEqual(await findByNickname(app.ctx.db, nickname), [7_201, 7_202], nickname)
  }
  assert.deepEqual(await findByNickname(app.ctx.db, 'JOSE'), [7_203])
})
