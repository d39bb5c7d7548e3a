import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createPlainServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { topics } from '../src/kernel/topics.ts'
import { TestClient } from './harness/client.ts'
import { runFeria, startFeria } from './harness/command.ts'
import { contract } from './harness/contract.ts'
import { authorize, issueToken, putApplication, putItem, putUser } from './harness/market.ts'
import { mainFile, type Program, startProgram } from './harness/program.ts'
import { nextEvent, pollUntil } from './harness/wait.ts'

/** The programs as a person starts them: the server on one port, and a listener that is killed. */
const applicationId = 77
const seller = 7
const secret = 'a-secret-of-the-application'
let data: string
let port: number
let program: Program
let client: TestClient
const listeners: ChildProcess[] = []

interface ListenedNotification {
  seq: number
  id: string
  topic: string
  resource: string
  text: string
}

/** What the person is writing: comes and goes on one port, and takes its time. */
const notifications: ListenedNotification[] = []
let responseDelayMs = 0
let local: Server
let localPort = 0

async function openLocal(): Promise<void> {
  local = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const text = Buffer.concat(parts).toString('utf8')
      const { messages, ...plain } = JSON.parse(text)
      const { topic, resource } = messages?.[0] ?? plain
      const { 'x-feria-sequence': seq, 'webhook-id': id } = request.headers
      notifications.push({ seq: Number(seq), id: String(id), topic, resource, text })
      setTimeout(() => response.writeHead(500).end(), responseDelayMs)
    })
  })
  local.listen(localPort, '127.0.0.1')
  await nextEvent(local, 'listening')
  localPort = (local.address() as AddressInfo).port
}

async function closeLocal(): Promise<void> {
  local.closeAllConnections()
  local.close()
  await nextEvent(local, 'close')
}

function startServer(): Promise<Program> {
  const env = { FERIA_DATA: data, FERIA_DEMO: 'off', FERIA_LOG_LEVEL: 'warn', PORT: String(port) }
  return startProgram({ env })
}

before(async () => {
  const free = createPlainServer().listen(0, '127.0.0.1')
  await nextEvent(free, 'listening')
  port = (free.address() as AddressInfo).port
  free.close()
  data = mkdtempSync(join(tmpdir(), 'feria-listen-'))
  await openLocal()
  program = await startServer()
  client = new TestClient(program.address)
  await putUser(client, seller)
  const application = { topics: [...topics], secret, owner_id: seller }
  await putApplication(client, applicationId, application)
  await authorize(client, applicationId, seller)
})
after(async () => {
  for (const listener of listeners) listener.kill('SIGKILL')
  await program.stop()
  await closeLocal()
  rmSync(data, { recursive: true, force: true })
})

let price = 100
let changeCount = 0

/** So many changes of a listing, each of which is told. */
async function changePrice(times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    await putItem(client, 'MLA7', { seller_id: seller, price: ++price })
    changeCount++
  }
}

const env = () => ({
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  PORT: String(port),
  FERIA_DATA: data,
})

function listenHere(...args: string[]): ChildProcess & { output: () => string } {
  const child = spawn(
    process.execPath,
    [
      mainFile,
      'listen',
      '--forward-to',
      `http://127.0.0.1:${localPort}/hook`,
      '--application',
      String(applicationId),
      ...args,
    ],
    {
      env: env(),
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part: Buffer) => {
      output += part.toString('utf8')
    })
  }
  listeners.push(child)
  return Object.assign(child, { output: () => output })
}

const countSeen = () => new Set(notifications.map(({ seq }) => seq)).size
const allSeen = () =>
  pollUntil(`all ${changeCount} to arrive, ${countSeen()} did`, () => countSeen() === changeCount)

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const exited = nextEvent(child, 'exit')
  child.kill(signal)
  await exited
  return child.exitCode
}

test('nothing is lost while the listener is killed, the address is away, the server restarts or is killed', {
  timeout: 120_000,
}, async () => {
  let listener = listenHere()
  await pollUntil('the listener to listen', () =>
    listener.output().includes('Listening for application'),
  )
  await changePrice(5)
  await allSeen()

  responseDelayMs = 30
  await changePrice(20)
  await pollUntil('some to have arrived', () => countSeen() > 8)
  await end(listener, 'SIGKILL')
  assert.ok(countSeen() < changeCount, 'it was killed in the middle')
  await changePrice(5)
  listener = listenHere()
  await allSeen()
  assert.ok(notifications.length <= changeCount + 1, 'at most what was under way came twice')

  responseDelayMs = 0
  await closeLocal()
  await changePrice(5)
  await pollUntil('it to find nobody', () => listener.output().includes('ECONNREFUSED'))
  await openLocal()
  await allSeen()

  await program.stop()
  await pollUntil('it to wait', () => listener.output().includes('waiting for http'))
  program = await startServer()
  await changePrice(5)
  await allSeen()

  responseDelayMs = 30
  await changePrice(20)
  await program.kill({ database: true })
  program = await startServer()
  await changePrice(5)
  await allSeen()

  await end(listener, 'SIGKILL')
  const sequences = [...new Set(notifications.map(({ seq }) => seq))].sort((a, b) => a - b)
  assert.deepEqual(
    sequences,
    sequences.map((_, index) => index + 1),
    'without a gap',
  )
  assert.equal(new Set(notifications.map(({ id }) => id)).size, changeCount, 'each under one id')
})

test('it ends at once when told to, says what it did, and goes on from there', async () => {
  responseDelayMs = 0
  const first = listenHere('--json', '--name', 'two')
  const list = async () =>
    (await client.operator('GET', `/operator/applications/${applicationId}/listeners`)).text
  await pollUntil('it to listen', async () => (await list()).includes('"two"'))
  const before = notifications.length
  await changePrice(2)
  await pollUntil('both to arrive', () => notifications.length === before + 2)
  await pollUntil('both to be told', () => first.output().trim().split('\n').length === 2)
  assert.equal(await end(first, 'SIGINT'), 0)
  const [line] = first.output().split('\n')
  const { time, seq, ms, ...rest } = JSON.parse(line ?? '')
  assert.deepEqual(rest, {
    topic: 'items',
    resource: '/items/MLA7',
    user_id: seller,
    status: 500,
    outcome: 'answered',
  })
  assert.ok(new Date(time) && Number.isInteger(ms) && seq > 0)
  await changePrice(1)
  const second = listenHere('--name', 'two', '--topics', 'orders_v2,items')
  await pollUntil('the one in between to arrive', () => notifications.length === before + 3)
  const shown = /\d\d:\d\d:\d\d {2}items {11}\/items\/MLA7 {2}500 {2}\d+ ms/
  await pollUntil('it to be shown', () => shown.test(second.output()))
  await end(second, 'SIGTERM')
  const rewound = listenHere('--name', 'two', '--since', '2020-01-01T00:00:00.000Z')
  await pollUntil('all to come again', () => notifications.length >= before + 3 + changeCount)
  assert.equal(await end(rewound, 'SIGINT'), 0)
})

test('without an address notifications are printed, each once', async () => {
  const listen = () => {
    const child = startFeria(env(), ['listen', '--application', '77', '--name', 'printed'])
    listeners.push(child.child)
    return child
  }
  const shownBy = (child: ReturnType<typeof listen>) =>
    child.soFar().match(/\d\d:\d\d:\d\d {2}items {11}\/items\/MLA7 {2}user 7$/gm)?.length ?? 0
  const first = listen()
  await pollUntil('it to listen', () => first.soFar().includes('as "printed"\n'))
  await changePrice(2)
  await pollUntil('both to be printed', () => shownBy(first) === 2)
  assert.equal(await end(first.child, 'SIGINT'), 0)
  await changePrice(1)
  const second = listen()
  await pollUntil('the next one to be printed', () => shownBy(second) > 0)
  assert.equal(shownBy(second), 1, 'what was printed counts as arrived')
  assert.equal(await end(second.child, 'SIGINT'), 0)
})

contract(
  '5',
  'an application listens with a token of its own, and to nothing but its own; a user’s is told which',
  async () => {
    const connection = (token: string) => ['--server', program.address, '--token', token]
    const { body } = await client.send('POST', '/oauth/token', {
      body: {
        grant_type: 'client_credentials',
        client_id: applicationId,
        client_secret: secret,
        scope: 'read',
      },
    })
    const mine = connection(body.access_token)
    const child = listenHere(...mine, '--name', 'token')
    await pollUntil('it to listen', () => child.output().includes('Listening for application'))
    const before = notifications.length
    await changePrice(1)
    await pollUntil('it to arrive', () => notifications.length > before)
    await end(child, 'SIGINT')
    const forward = ['listen', '--forward-to', 'http://127.0.0.1:1/', ...mine]
    const { code, output } = await feria(...forward, '--application', '5')
    assert.equal(code, 1)
    assert.match(output, /403.*belongs to the application as a whole/)
    const grant = { user_id: seller, application_id: applicationId }
    const users = connection(await issueToken(client, grant))
    const refused = await feria('listen', '--forward-to', 'http://127.0.0.1:1/', ...users)
    assert.equal(refused.code, 1)
    assert.match(refused.output, /403.*grant_type=client_credentials/)
  },
)

const feria = (...args: string[]) => runFeria(env(), ...args)

test('a call that cannot work is refused in a sentence', async () => {
  const forward = ['listen', '--forward-to', 'http://127.0.0.1:1/']
  const cases: [code: number, args: string[], says: RegExp][] = [
    [2, ['listen', '--forward-to', 'here'], /--forward-to: expected an http/],
    [2, [...forward, '--topics', 'items,weather'], /--topics: expected some of .*weather"/],
    [2, [...forward, '--application', 'x'], /--application: expected a whole number/],
    [1, [...forward, '--application', '99'], /Application not found: 99/],
    [1, [...forward, '--name', 'a b', '--application', '77'], /name: expected/],
    [2, [...forward, '--since', 'noon', '--application', '77'], /since: expected/],
    [2, [...forward, '--server', 'nowhere'], /--server: expected an http/],
  ]
  for (const [expected, args, says] of cases) {
    const { code, output } = await feria(...args)
    assert.equal(code, expected, args.join(' '))
    assert.match(output, says)
    assert.doesNotMatch(output, /\n\s+at /, 'no stack trace')
  }
})
