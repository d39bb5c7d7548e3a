import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { TestClient } from '../../../test/harness/client.ts'
import { contract } from '../../../test/harness/contract.ts'
import { openTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { sendGuideOption } from '../../../test/harness/guide.ts'
import {
  blockMessageWrites,
  connectLockHolder,
  retryWhileLocked,
  waitUntilBlocked,
} from '../../../test/harness/guide-lock.ts'
import { placeOrder } from '../../../test/harness/market.ts'
import {
  createMessagingMarket,
  type MessagingTokens,
  messagesPath,
} from '../../../test/harness/messaging.ts'
import { type Program, startProgram } from '../../../test/harness/program.ts'

/** Two processes of the program on one database, one of which is killed while it sends. */
let database: TestDatabase
let folder: string
let programs: Program[]
let clients: TestClient[]
let talk: MessagingTokens

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
  clients.push(new TestClient(program.address))
}

before(async () => {
  database = await openTestDatabase()
  folder = mkdtempSync(join(tmpdir(), 'feria-guide-'))
  ;[programs, clients] = [[], []]
  await start()
  await start()
  talk = await createMessagingMarket(client(0))
})
after(async () => {
  for (const program of programs ?? []) await program.stop()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

const client = (index: number) => clients[index % clients.length] as TestClient
const sellDropOff = () => placeOrder(client(0))

contract(
  ['3.3', '7.1'],
  'a process that is killed while it sends leaves no lock and no message',
  async () => {
    const { id: packId } = await sellDropOff()
    const option = 'OTHER'
    const { db } = await connectLockHolder(database.url)
    try {
      await blockMessageWrites(db)
      const stuck = sendGuideOption(client(0), talk.anaToken, { packId, option }).catch(
        (error: Error) => error,
      )
      await waitUntilBlocked(db)
      assert.equal(
        (await sendGuideOption(client(1), talk.anaToken, { packId, option })).status,
        409,
      )
      await programs[0]?.kill()
      assert.ok((await stuck) instanceof Error)
      await db.query('rollback')
      const sent = await retryWhileLocked(client(1), talk.anaToken, {
        packId,
        option,
        text: 'Hola otra vez',
      })
      assert.equal(sent.status, 201, sent.text)
      const { body } = await client(1).get(
        `${messagesPath(packId)}?mark_as_read=false`,
        talk.anaToken,
      )
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
