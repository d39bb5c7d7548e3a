import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { type Client, makeClient } from '../../../test/harness/client.ts'
import { contract } from '../../../test/harness/contract.ts'
import { openTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { useOption } from '../../../test/harness/guide.ts'
import { connect, holdBack, insist, untilStuck } from '../../../test/harness/guide-lock.ts'
import { type Program, startProgram } from '../../../test/harness/program.ts'
import { sell } from '../../../test/harness/sale.ts'
import { openTalk, pathOf, type Talk } from '../../../test/harness/talk.ts'
import { routes } from '../../app/routes.ts'
import { sandboxOperatorToken } from '../../platform/config.ts'

/** Two processes of the program on one database, one of which is killed while it sends. */
let database: TestDatabase
let folder: string
let programs: Program[]
let clients: Client[]
let talk: Talk

async function start(): Promise<void> {
  const program = await startProgram({
    env: {
      DATABASE_URL: database.url,
      FERIA_MODE: 'sandbox',
      FERIA_DEMO: 'off',
      FERIA_DATA: folder,
      FERIA_LOG_LEVEL: 'warn',
    },
  })
  programs.push(program)
  clients.push(makeClient(program.address, { routes, operatorToken: sandboxOperatorToken }))
}

before(async () => {
  database = await openTestDatabase()
  folder = mkdtempSync(join(tmpdir(), 'feria-guide-'))
  ;[programs, clients] = [[], []]
  await start()
  await start()
  talk = await openTalk(client(0))
})
after(async () => {
  for (const program of programs ?? []) await program.stop()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

const client = (index: number) => clients[index % clients.length] as Client
const sellDropOff = () => sell(client(0))

contract(
  ['3.3', '7.1'],
  'a process that is killed while it sends leaves no lock and no message',
  async () => {
    const { id: packId } = await sellDropOff()
    const option = 'OTHER'
    const { db } = await connect(database.url)
    try {
      await holdBack(db)
      const stuck = useOption(client(0), talk.ana, { packId, option }).catch(
        (error: Error) => error,
      )
      await untilStuck(db)
      assert.equal((await useOption(client(1), talk.ana, { packId, option })).status, 409)
      await programs[0]?.kill()
      assert.ok((await stuck) instanceof Error)
      await db.query('rollback')
      const sent = await insist(client(1), talk.ana, { packId, option, text: 'Hola otra vez' })
      assert.equal(sent.status, 201, sent.text)
      const { body } = await client(1).get(`${pathOf(packId)}?mark_as_read=false`, talk.ana)
      assert.deepEqual(
        body.messages.map(({ id }: { id: string }) => id),
        [sent.body.id],
      )
    } finally {
      await db.end()
      await programs.shift()?.stop()
      clients.shift()
      await start()
    }
  },
)
