import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { freePort } from './harness/cli-fixture.ts'
import { TestClient } from './harness/client.ts'
import { createTestMarket, placeOrder } from './harness/market.ts'
import { type Program, startProgram } from './harness/program.ts'
import { openReceiver } from './harness/receiver.ts'
import { nextEvent, pollUntil } from './harness/wait.ts'

/** Debian's PostgreSQL 15, the oldest that Feria supports. */
const binaries = '/usr/lib/postgresql/15/bin'

const skip = whyNot()

function whyNot(): string | false {
  if (!existsSync(`${binaries}/postgres`)) return 'PostgreSQL 15 is not installed'
  return process.getuid?.() === 0 ? false : 'starts a server as another user: root only'
}

let folder: string
let url: string
let stopServer: () => Promise<void>

before(async () => {
  if (skip) return
  const account = {
    uid: Number(execFileSync('id', ['-u', 'postgres'])),
    gid: Number(execFileSync('id', ['-g', 'postgres'])),
  }
  folder = mkdtempSync(join(tmpdir(), 'feria-external-'))
  chownSync(folder, account.uid, account.gid)
  const data = join(folder, 'pg')
  const options = { ...account, cwd: folder }
  const initdbArgs = ['-D', data, '-U', 'feria', '--auth=trust', '-E', 'UTF8', '--no-sync']
  execFileSync(`${binaries}/initdb`, initdbArgs, { ...options, stdio: 'ignore' })
  const port = await freePort()
  const settings = ['-c', 'unix_socket_directories=', '-c', 'fsync=off', '-p', String(port)]
  const server = spawn(`${binaries}/postgres`, ['-D', data, ...settings], {
    ...options,
    stdio: 'ignore',
  })
  url = `postgres://feria@127.0.0.1:${port}/postgres`
  stopServer = async () => {
    const ended = nextEvent(server, 'exit')
    server.kill('SIGINT')
    await ended
  }
})
after(async () => {
  if (skip) return
  await stopServer()
  rmSync(folder, { recursive: true, force: true })
})

async function startOn(env: Record<string, string>): Promise<Program> {
  return pollUntil('PostgreSQL 15 to accept connections', async () => {
    try {
      return await startProgram({ env: { DATABASE_URL: url, FERIA_LOG_LEVEL: 'warn', ...env } })
    } catch (error) {
      if (/ECONNREFUSED|starting up/.test(String(error))) return undefined
      throw error
    }
  })
}

test('on an external PostgreSQL 15 the same sale is made, told and found again', {
  skip,
}, async () => {
  const receiver = await openReceiver()
  let program = await startOn({ FERIA_MODE: 'sandbox' })
  try {
    assert.match(program.output(), /demo seller/, 'the demo data is there')
    let client = new TestClient(program.address)
    const market = await createTestMarket(client, receiver.url)
    const order = await placeOrder(client)
    await pollUntil('the notification', () => receiver.received.length > 0)
    assert.equal(await program.stop(), 0)
    program = await startOn({ FERIA_MODE: 'sandbox' })
    client = new TestClient(program.address)
    const { body } = await client.get(`/orders/${order.id}`, market.anaToken)
    assert.equal(body.id, order.id)
  } finally {
    await program.stop()
    await receiver.close()
  }
})

test('several workers share the port, the work and their figures', { skip }, async () => {
  const receiver = await openReceiver()
  const program = await startProgram({
    args: ['start', '--workers', '2'],
    env: {
      DATABASE_URL: url,
      FERIA_MODE: 'sandbox',
      FERIA_LOG_LEVEL: 'warn',
      PORT: String(await freePort()),
    },
  })
  try {
    const client = new TestClient(program.address)
    const market = await createTestMarket(client, receiver.url)
    const order = await placeOrder(client)
    await pollUntil('the notification', () => receiver.received.length > 0)
    // A token that one worker revokes is refused by the other: each answers some of these.
    const read = () =>
      client.send('GET', `/orders/${order.id}`, {
        token: market.brunoToken,
        headers: { connection: 'close' },
      })
    for (let times = 0; times < 20; times++) assert.equal((await read()).status, 200)
    await client.operator('POST', '/operator/tokens/revoke', { access_token: market.brunoToken })
    await pollUntil('every worker to refuse the token', async () => {
      const statuses = await Promise.all(
        Array.from({ length: 20 }, async () => (await read()).status),
      )
      return statuses.every((status) => status === 401)
    })
    const metrics = await client.operator('GET', '/metrics')
    assert.match(metrics.text, /feria_http_request_seconds_count\{[^}]*operator\/orders/)
  } finally {
    assert.equal(await program.stop(), 0)
    await receiver.close()
  }
})

test('in production a missing operator token is named, with the way to try things out', {
  skip,
}, async () => {
  await assert.rejects(
    startProgram({ env: { DATABASE_URL: url } }),
    /FERIA_OPERATOR_TOKEN: required in production.*FERIA_MODE=sandbox/s,
  )
})
