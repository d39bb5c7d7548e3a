import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, operatorToken, type TestApp } from '../../../test/harness/app.ts'
import { TestClient } from '../../../test/harness/client.ts'
import { contract } from '../../../test/harness/contract.ts'
import { openTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { createTestMarket, putItem } from '../../../test/harness/market.ts'
import { type Program, startProgram } from '../../../test/harness/program.ts'
import { pollUntil } from '../../../test/harness/wait.ts'

let database: TestDatabase
/** Serves from the same database; its loops turn only when told to. */
let app: TestApp
const programs: Program[] = []

before(async () => {
  database = await openTestDatabase()
  app = await openTestApp({ databaseUrl: database.url })
  await createTestMarket(app.client, null)
})
after(async () => {
  for (const program of programs) await program.kill()
  await app.close()
  await database.drop()
})

async function start(args: string[]): Promise<Program> {
  const program = await startProgram({
    args,
    env: {
      DATABASE_URL: database.url,
      FERIA_MODE: 'sandbox',
      FERIA_DEMO: 'off',
      FERIA_OPERATOR_TOKEN: operatorToken,
      FERIA_LOG_LEVEL: 'silent',
    },
  })
  programs.push(program)
  return program
}

async function firstOf({ address }: { address: string }, q: string): Promise<string | undefined> {
  const query = new URLSearchParams({ q })
  const client = new TestClient(address, operatorToken)
  const { body } = await client.get(`/sites/MLA/domain_discovery/search?${query}`)
  return body[0]?.category_id
}

async function list(id: string, title: string, category: string): Promise<void> {
  await putItem(app.client, id, { title, category_id: category, price: 10 })
}

contract(
  ['2.15', 'catalog'],
  'a program learns by itself, one that only serves follows it, and who is killed and started again knows it',
  async () => {
    const phones = (await firstOf(app, 'celular samsung')) as string
    const working = await start(['start'])
    const serving = await start(['serve'])
    assert.equal(await firstOf(working, 'kinkajou'), undefined)
    await list('MLA81', 'Kinkajou dorado', phones)
    for (const program of [working, serving]) {
      await pollUntil(
        'the title to be known',
        async () => (await firstOf(program, 'kinkajou')) === phones,
      )
    }
    await working.kill()
    await list('MLA82', 'Binturong gris', phones)
    assert.equal(await firstOf(serving, 'binturong'), undefined)
    const again = await start(['start'])
    for (const program of [again, serving]) {
      await pollUntil(
        'the title to be known',
        async () => (await firstOf(program, 'binturong')) === phones,
      )
      assert.equal(await firstOf(program, 'kinkajou'), phones)
    }
  },
)
