import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { operatorToken } from '../../../test/harness/app.ts'
import {
  catalogForm,
  smallCatalog,
  startCatalogUpload,
  uploadCatalog,
} from '../../../test/harness/catalog-files.ts'
import { TestClient } from '../../../test/harness/client.ts'
import { openTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { type Program, startProgram } from '../../../test/harness/program.ts'
import { writePiece } from '../../../test/harness/upload.ts'
import { pollUntil } from '../../../test/harness/wait.ts'

let database: TestDatabase
before(async () => {
  database = await openTestDatabase()
})
after(() => database.drop())

const start = () =>
  startProgram({
    env: {
      DATABASE_URL: database.url,
      FERIA_MODE: 'sandbox',
      FERIA_DEMO: 'off',
      FERIA_OPERATOR_TOKEN: operatorToken,
      FERIA_LOG_LEVEL: 'silent',
    },
  })

async function served({ address }: Program) {
  const client = new TestClient(address, operatorToken)
  const { name } = await client.call('GET', '/categories/{category_id}', {
    path: { category_id: 'MLA1411' },
  })
  const { in_force, versions } = await client.call('GET', '/operator/catalog/versions')
  return [name, in_force, versions.length]
}

/** Kills the program while its import waits for a lock of the test's, which `statement` takes. */
async function killWhileWaiting(program: Program, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    await client.query('begin')
    await client.query(statement)
    // Nobody answers it any more.
    uploadCatalog(program.address, smallCatalog(' neu')).catch(() => {})
    await pollUntil('the import waits', async () => {
      const { rows } = await client.query(
        `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      )
      return rows.length > 0
    })
    await program.kill()
    await client.query('rollback')
  } finally {
    await client.end()
  }
}

test('a kill in the middle of an import leaves the catalogue of before, and the next import is whole', async () => {
  let program = await start()
  assert.equal((await uploadCatalog(program.address, smallCatalog(' alt'))).status, 201)
  const before = ['Electrónica alt', 1, 2]
  assert.deepEqual(await served(program), before)

  // While it arrives.
  const { request } = startCatalogUpload(program.address)
  await writePiece(request, catalogForm(smallCatalog(' neu')).subarray(0, 700))
  await program.kill()
  program = await start()
  assert.deepEqual(await served(program), before)

  // Before the first beat, and between numbers and files.
  for (const statement of [
    'select * from catalogue_in_force for update',
    'lock table catalogues in share mode',
  ]) {
    await killWhileWaiting(program, statement)
    program = await start()
    assert.deepEqual(await served(program), before, statement)
  }
  const { status, body } = await uploadCatalog(program.address, smallCatalog(' neu'))
  assert.deepEqual([status, body.version, body.against], [201, 2, 1])
  assert.deepEqual(await served(program), ['Electrónica neu', 2, 3])
  await program.stop()
})
