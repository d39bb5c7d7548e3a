import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { HostileServers } from '../../../test/harness/hostile-servers.ts'
import { pollUntil } from '../../../test/harness/wait.ts'
import { makeSend, type SendOutcome } from './outbound.ts'

const run = promisify(execFile)
const { send, close } = makeSend({ allowPrivateAddresses: true })
const strangers = new HostileServers()
after(async () => {
  strangers.close()
  await close()
})

const post = (url: string, timeoutMs = 5_000) =>
  send({ url, headers: {}, body: '{"a":1}', timeoutMs })
const bodyOf = (outcome: SendOutcome) =>
  outcome.kind === 'answered' ? outcome.body : JSON.stringify(outcome)
const answer = (body: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`

test('a connection is used again, also after an answer that was longer than what is kept', async () => {
  const url = await strangers.listenTcp((socket, { connection, times }) => {
    socket.write(answer(`${connection}.${times}${' '.repeat(20_000)}`))
  })
  for (let times = 1; times <= 3; times++) {
    assert.equal(bodyOf(await post(url)).trim(), `1.${times}`)
  }
})

test('a connection that was closed while idle is replaced within the same request', async () => {
  for (const end of ['end', 'destroy', 'resetAndDestroy'] as const) {
    const url = await strangers.listenTcp((socket, { connection, times }) => {
      // Read, but not answered: as seen from here this is a connection that had been closed already.
      if (connection === 1 && times === 2) return void socket[end]()
      socket.write(answer(`${connection}.${times}`))
    })
    assert.equal(bodyOf(await post(url)), '1.1')
    assert.equal(bodyOf(await post(url)), '2.1', end)
  }
})

test('it is replaced once only, and a new connection that breaks not at all', async () => {
  let requests = 0
  const stubborn = await strangers.listenTcp((socket, { connection, times }) => {
    requests++
    if (connection === 1 && times === 1) return void socket.write(answer('1.1'))
    socket.resetAndDestroy()
  })
  assert.equal(bodyOf(await post(stubborn)), '1.1')
  assert.equal((await post(stubborn)).kind, 'unreachable')
  assert.equal(requests, 3)
  assert.equal((await post(stubborn)).kind, 'unreachable')
  assert.equal(requests, 4)
})

test('an idle connection is closed, sooner when the other side says so', async () => {
  const open = new Set<Socket>()
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'keep-alive': 'timeout=3' }).end()
  })
  server.keepAliveTimeout = 60_000
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
  const url = await strangers.listen(server)
  await Promise.all(Array.from({ length: 10 }, () => post(url)))
  assert.equal(open.size, 10)
  await pollUntil('all to be closed', () => open.size === 0)
})

test('one origin gets a bounded number of connections, and the rest wait for their turn', async () => {
  let [now, most] = [0, 0]
  const server = createServer((_request, response) => setTimeout(() => response.end('ok'), 20))
  server.on('connection', (socket: Socket) => {
    most = Math.max(most, ++now)
    socket.on('close', () => now--)
  })
  const url = await strangers.listen(server)
  const outcomes = await Promise.all(Array.from({ length: 1_000 }, () => post(url)))
  assert.deepEqual(new Set(outcomes.map(bodyOf)), new Set(['ok']))
  assert.ok(most > 64 && most <= 128, `${most} connections`)
})

test('who waits for a turn at an origin that hangs waits no longer than its own deadline', async () => {
  const hanging = await strangers.listenHttp(() => {})
  const other = await strangers.listenHttp((_request, response) => void response.end('ok'))
  let isHanging = true
  const inTurn = Promise.all(Array.from({ length: 128 }, () => post(hanging, 4_000)))
  void inTurn.then(() => {
    isHanging = false
  })
  const waiting = Promise.all(Array.from({ length: 172 }, () => post(hanging, 400)))
  assert.equal(bodyOf(await post(other, 60_000)), 'ok')
  for (const { kind } of await waiting) assert.equal(kind, 'timeout')
  assert.ok(isHanging, 'neither another origin nor those that wait are held up')
  for (const { kind } of await inTurn) assert.equal(kind, 'timeout')
  assert.equal((await post(hanging, 100)).kind, 'timeout', 'and the places are free again')
})

test('there is a bounded number of connections in all: what waits for one is not late', async () => {
  const few = makeSend({ allowPrivateAddresses: true, connections: 4 })
  let [now, most] = [0, 0]
  const urls = await Promise.all(
    Array.from({ length: 20 }, () => {
      const server = createServer((_request, response) => setTimeout(() => response.end('ok'), 150))
      server.on('connection', (socket: Socket) => {
        most = Math.max(most, ++now)
        socket.on('close', () => now--)
      })
      return strangers.listen(server)
    }),
  )
  const all = urls.flatMap((url) => [url, url, url])
  const outcomes = await Promise.all(
    all.map((url) => few.send({ url, headers: {}, body: '{}', timeoutMs: 1_500 })),
  )
  // All of them together take longer than the time that one has.
  assert.deepEqual(new Set(outcomes.map(bodyOf)), new Set(['ok']))
  // The other side learns a little later that one was closed.
  assert.ok(most <= 12, `${most} connections`)
  await few.close()
})

test('an origin without a connection comes before the next turn of one that has several', async () => {
  const few = makeSend({ allowPrivateAddresses: true, connections: 3 })
  const order: string[] = []
  const named = (name: string) =>
    strangers.listenHttp((_request, response) => {
      order.push(name)
      setTimeout(() => response.end('ok'), 20)
    })
  const [busy, late] = [await named('busy'), await named('late')]
  const tell = (url: string) => few.send({ url, headers: {}, body: '{}', timeoutMs: 5_000 })
  const all = [...Array.from({ length: 30 }, () => tell(busy)), tell(late)]
  await Promise.all(all)
  assert.ok(order.indexOf('late') <= 6, order.join(' '))
  await few.close()
})

test('one that stays idle gives its place to whoever has none', async () => {
  const one = makeSend({ allowPrivateAddresses: true, connections: 1 })
  const tell = (url: string) => one.send({ url, headers: {}, body: '{}', timeoutMs: 5_000 })
  const requestCounts = new Map<string, number>()
  const counting = () =>
    strangers.listenTcp((socket, { connection }) => {
      requestCounts.set(`${connection}`, (requestCounts.get(`${connection}`) ?? 0) + 1)
      socket.write(answer('ok'))
    })
  const [first, second] = [await counting(), await counting()]
  for (const url of [first, second, first, second]) assert.equal(bodyOf(await tell(url)), 'ok')
  assert.deepEqual(
    [...requestCounts],
    [
      ['1', 2],
      ['2', 2],
    ],
  )
  await one.close()
})

test('a process that can open no connection says so, and nothing about the other side', async () => {
  const url = await strangers.listenHttp(
    (_request, response) => void setTimeout(() => response.end('ok'), 300),
  )
  const child = new URL('../../../test/harness/send-many.ts', import.meta.url).pathname
  // Of files it may have fewer than it wants connections, and half of them are taken by others.
  const { stdout } = await run('sh', [
    '-c',
    `ulimit -n 80; exec "$0" ${child} ${url}`,
    process.execPath,
  ])
  const { answered, unknown, others } = JSON.parse(stdout)
  assert.deepEqual(others, [])
  assert.ok(answered > 0 && unknown > 0, stdout)
})
