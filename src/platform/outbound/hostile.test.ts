import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { contract } from '../../../test/harness/contract.ts'
import { HostileServers, writeForever } from '../../../test/harness/hostile-servers.ts'
import { nextEvent, pollUntil } from '../../../test/harness/wait.ts'
import type { Resolve } from './addresses.ts'
import { makeSend, type SendOutcome } from './outbound.ts'

const { send, close } = makeSend({ allowPrivateAddresses: true })
const strangers = new HostileServers()
after(async () => {
  strangers.close()
  await close()
})

const post = (url: string, timeoutMs = 5_000, by = send) =>
  by({ url, headers: { 'content-type': 'application/json' }, body: '{"a":1}', timeoutMs })

function assertAnswered(outcome: SendOutcome): Extract<SendOutcome, { kind: 'answered' }> {
  assert.equal(outcome.kind, 'answered', JSON.stringify(outcome))
  return outcome as Extract<SendOutcome, { kind: 'answered' }>
}

/** Posts with names that resolve as told, private addresses refused. */
async function resolving<T>(resolve: Resolve, work: (send: typeof post) => Promise<T>): Promise<T> {
  const guarded = makeSend({ allowPrivateAddresses: false, resolve })
  try {
    return await work((url, timeoutMs) => post(url, timeoutMs, guarded.send))
  } finally {
    await guarded.close()
  }
}

contract(
  'notifications',
  'a name is resolved once per connection, and what it resolved to then is what is connected to',
  async () => {
    let connections = 0
    const server = createServer(() => connections++).listen(0, '127.0.0.1')
    after(() => server.close())
    await nextEvent(server, 'listening')
    const { port } = server.address() as { port: number }
    // The first belongs to a block that nobody has been given: nothing answers there.
    const answers = [['2d00::1'], ['127.0.0.1'], ['2d00::1', '127.0.0.1'], ['::ffff:127.0.0.1'], []]
    const resolvedNames: string[] = []
    const outcomes = await resolving(
      async (name) => {
        resolvedNames.push(name)
        return answers.shift() ?? []
      },
      async (send) => {
        const results: SendOutcome[] = []
        for (let n = 0; n < 5; n++)
          results.push(await send(`http://rebinding.example:${port}/`, 300))
        return results
      },
    )
    assert.match(outcomes[0]?.kind ?? '', /unreachable|timeout/)
    assert.deepEqual(
      outcomes.slice(1).map(({ kind }) => kind),
      Array(4).fill('refused_address'),
    )
    assert.deepEqual(resolvedNames, Array(5).fill('rebinding.example'))
    assert.equal(connections, 0)
  },
)

test('a name server that does not answer holds up nobody but its own names', async () => {
  let isWaiting = true
  const [slow, other] = await resolving(
    (name) => (name.startsWith('slow') ? new Promise(() => {}) : Promise.resolve(['127.0.0.1'])),
    async (send) => {
      const waiting = Promise.all(
        Array.from({ length: 20 }, (_, n) => send(`http://slow${n}.example/`, 2_000)),
      ).finally(() => {
        isWaiting = false
      })
      const other = await send('http://quick.example/', 60_000)
      assert.ok(isWaiting)
      return [await waiting, other] as const
    },
  )
  assert.equal(other.kind, 'refused_address')
  assert.deepEqual(new Set(slow.map(({ kind }) => kind)), new Set(['timeout']))
})

contract('notifications', 'a body of gigabytes costs no memory', async () => {
  const url = await strangers.listenTcp((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4000000000\r\n\r\n')
    writeForever(socket, 'y'.repeat(1_000_000))
  })
  const before = process.memoryUsage().rss
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => post(url, 20_000)))
  for (const outcome of outcomes) assert.equal(assertAnswered(outcome).body.length, 4_096)
  assert.ok(process.memoryUsage().rss - before < 300_000_000)
})

test('a 200 counts once the kept bytes have come, though its body never ends; not before', async () => {
  const url = (bytes: number) =>
    strangers.listenTcp((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
      socket.write(`${bytes.toString(16)}\r\n${'z'.repeat(bytes)}\r\n`)
    })
  const whole = assertAnswered(await post(await url(4_096), 20_000))
  assert.equal(whole.body, 'z'.repeat(4_096))
  assert.equal((await post(await url(4_095), 300)).kind, 'timeout')
})

test('a cut goes through no character, and what is no UTF-8 is kept readable', async () => {
  const text = `${'a'.repeat(4_095)}ñandú`
  const cut = await strangers.listenHttp((_request, response) => void response.end(text))
  assert.equal(assertAnswered(await post(cut)).body, 'a'.repeat(4_095))
  const latin = await strangers.listenTcp((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nx-one: caf')
    socket.write(Buffer.from([0xe9, 0xff]))
    socket.write('\r\nContent-Length: 5\r\n\r\n')
    socket.write(Buffer.from([0x61, 0xe9, 0xff, 0x00, 0x62]))
  })
  const { headers, body } = assertAnswered(await post(latin))
  assert.match(headers['x-one'] ?? '', /^caf/)
  assert.ok((headers['x-one'] ?? '\uD800').isWellFormed())
  assert.equal(body, 'a\uFFFD\uFFFD\0b')
})

contract('notifications', 'what comes before the answer is not the answer', async () => {
  const early = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'
  const go = 'HTTP/1.1 100 Continue\r\n\r\n'
  const polite = 'HTTP/1.1 100 Continue\r\nserver: old\r\ndate: now\r\n\r\n'
  for (const before of [early + early, go, polite, go + polite, go + early]) {
    const url = await strangers.listenTcp((socket, { times }) => {
      const answer = `HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n${times}!`
      // The first time apart, the second in one piece.
      if (times > 1) return void socket.write(before + answer)
      socket.write(before, () => setTimeout(() => socket.write(answer), 20))
    })
    for (const expected of ['1!', '2!']) {
      const { status, body, headers } = assertAnswered(await post(url))
      assert.deepEqual([status, body, headers['link']], [200, expected, undefined])
    }
  }
  const interim = 'HTTP/1.1 100 Continue\r\n\r\n'
  const quoting = await strangers.listenTcp((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${interim.length}\r\n\r\n`, () =>
      setTimeout(() => socket.write(interim), 20),
    )
  })
  assert.equal(assertAnswered(await post(quoting)).body, interim, 'in a body it is a body')
})

test('an upgrade that nobody asked for, or early words without end, are no answer', async () => {
  const early = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'
  const answers: ((socket: Socket) => void)[] = [
    (socket) => {
      const upgrade = 'upgrade: rubbish\r\nconnection: upgrade'
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${upgrade}\r\n\r\n`)
    },
    (socket) => writeForever(socket, early.repeat(100)),
    (socket) => writeForever(socket, 'HTTP/1.1 100 Continue\r\n\r\n'),
  ]
  for (const answer of answers) {
    const outcome = await post(await strangers.listenTcp(answer), 20_000)
    assert.equal(outcome.kind, 'unreachable', JSON.stringify(outcome))
  }
})

test('an answer that hides its length in chunk extensions is cut, and its connection with it', async () => {
  let written = 0
  const url = await strangers.listenTcp((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
    const chunk = `1;${'a'.repeat(8_000)}\r\nx\r\n`
    socket.on('close', () => {
      written = socket.bytesWritten
    })
    writeForever(socket, chunk)
  })
  const outcome = await post(url, 20_000)
  assert.equal(outcome.kind, 'unreachable', JSON.stringify(outcome))
  await pollUntil('the connection ends', () => written > 0)
  // What was read, and what the sockets of both sides hold.
  assert.ok(written < 16_000_000, `${written} bytes`)
})

test('an answer of HTTP/1.0 is read to the end of its connection', async () => {
  const url = await strangers.listenTcp((socket) => {
    socket.end('HTTP/1.0 200 OK\r\n\r\nold but good')
  })
  const { status, body } = assertAnswered(await post(url))
  assert.deepEqual([status, body], [200, 'old but good'])
})

test('lengths that contradict one another are refused', async () => {
  const lies = [
    'Content-Length: 2\r\nContent-Length: 3\r\n\r\nok!',
    'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    'Content-Length: 2x\r\n\r\nok',
    'Content-Length: 99999999999999999999999999\r\n\r\nok',
  ]
  for (const lie of lies) {
    const url = await strangers.listenTcp((socket) => socket.end(`HTTP/1.1 200 OK\r\n${lie}`))
    assert.equal((await post(url)).kind, 'unreachable', lie)
  }
})

test('an answer that is there before the request was sent is not taken for its answer', async () => {
  const url = await strangers.listen(
    createServer((socket: Socket) => {
      socket.on('error', () => {})
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nearly')
    }),
  )
  const outcome = await post(url, 1_000)
  if (outcome.kind === 'answered') assert.equal(outcome.body, 'early')
  const garbage = await strangers.listenTcp((socket, { connection, times }) => {
    const body = `${connection}.${times}`
    const answer = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    socket.write(`${answer}HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nextra`)
  })
  for (let n = 1; n <= 3; n++) {
    assert.equal(
      assertAnswered(await post(garbage)).body,
      `${n}.1`,
      'each on a connection of its own',
    )
    await new Promise((resolve) => setImmediate(resolve))
  }
})

contract(
  'notifications',
  'a reset in the middle of an answer is no answer, and is not tried again',
  async () => {
    let requests = 0
    const url = await strangers.listenTcp((socket) => {
      requests++
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfive!', () =>
        setImmediate(() => socket.resetAndDestroy()),
      )
    })
    assert.equal((await post(url)).kind, 'unreachable')
    assert.equal(requests, 1)
  },
)
