import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { contract } from '../../../test/harness/contract.ts'
import { HostileServers, writeForever } from '../../../test/harness/hostile-servers.ts'
import { nextEvent } from '../../../test/harness/wait.ts'
import { isPublicAddress } from './addresses.ts'
import { makeSend, type SendOutcome } from './outbound.ts'

const open = makeSend({ allowPrivateAddresses: true })
const guarded = makeSend({ allowPrivateAddresses: false })
const strangers = new HostileServers()
after(async () => {
  strangers.close()
  await Promise.all([open.close(), guarded.close()])
})
const receiver = (answer: RequestListener) => strangers.listenHttp(answer)
const hostile = (answer: (socket: Socket) => void) => strangers.listenTcp(answer)

const post = (url: string, timeoutMs = 5_000, send = open.send) =>
  send({ url, headers: { 'content-type': 'application/json' }, body: '{"a":1}', timeoutMs })

function assertAnswered(outcome: SendOutcome): Extract<SendOutcome, { kind: 'answered' }> {
  assert.equal(outcome.kind, 'answered', JSON.stringify(outcome))
  return outcome as Extract<SendOutcome, { kind: 'answered' }>
}

contract(
  ['1', '6'],
  'the body arrives as it was given, and what is answered is reported',
  async () => {
    let requestLine = ''
    const url = await receiver(async (request, response) => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part)
      requestLine = `${request.method} ${request.url} ${request.headers['content-type']} ${Buffer.concat(parts)}`
      response.writeHead(200, { 'x-one': 'a', 'set-cookie': ['b=1', 'c=2'] }).end('gracias ñ')
    })
    const { status, headers, body, reqTimeMs } = assertAnswered(await post(url))
    assert.equal(requestLine, 'POST /callback application/json {"a":1}')
    assert.deepEqual([status, body], [200, 'gracias ñ'])
    assert.equal(headers['x-one'], 'a')
    assert.equal(headers['set-cookie'], 'b=1, c=2')
    assert.ok(Number.isInteger(reqTimeMs) && reqTimeMs >= 0)
  },
)

test('a status is reported as it is, whatever it is', async () => {
  for (const code of [200, 201, 202, 204, 304, 400, 404, 418, 500, 503]) {
    const url = await receiver((_request, response) => void response.writeHead(code).end())
    const { status, body } = assertAnswered(await post(url))
    assert.deepEqual([status, body], [code, ''])
  }
})

contract('notifications', 'a redirect is reported and not followed', async () => {
  let followed = false
  const there = await receiver((_request, response) => {
    followed = true
    response.end()
  })
  for (const code of [301, 302, 303, 307, 308]) {
    const url = await receiver(
      (_request, response) => void response.writeHead(code, { location: there }).end(),
    )
    assert.equal(assertAnswered(await post(url)).status, code)
  }
  assert.equal(followed, false)
})

test('an endless body is cut at 4 KiB, at once, and the connection is let go', async () => {
  let closed: Promise<unknown> | undefined
  const url = await hostile((socket) => {
    closed ??= new Promise((resolve) => socket.on('close', resolve))
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
    writeForever(socket, `400\r\n${'x'.repeat(1_024)}\r\n`)
  })
  // Waiting for its end would be a timeout.
  const { status, body } = assertAnswered(await post(url, 20_000))
  assert.equal(status, 200)
  assert.equal(body, 'x'.repeat(4_096))
  await closed
})

test('a body that promises gigabytes is cut all the same', async () => {
  const url = await hostile((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n')
    writeForever(socket, 'y'.repeat(10_000))
  })
  assert.equal(assertAnswered(await post(url, 20_000)).body, 'y'.repeat(4_096))
})

contract(
  'notifications',
  'the deadline is over all of it: bytes that trickle do not put it off',
  // Bytes that put it off would do so for ever.
  { timeout: 60_000 },
  async () => {
    const trickles: ((socket: Socket) => void)[] = [
      () => {},
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n')
        writeForever(socket, 'a: b\r\n', 50)
      },
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n')
        writeForever(socket, 'x', 50)
      },
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
        writeForever(socket, '1\r\nx\r\n', 50)
      },
      (socket) => writeForever(socket, 'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n', 50),
    ]
    const outcomes = await Promise.all(
      trickles.map(async (trickle) => post(await hostile(trickle), 600)),
    )
    for (const [index, { kind, reqTimeMs }] of outcomes.entries()) {
      assert.equal(kind, 'timeout', `trickle ${index}`)
      assert.ok(reqTimeMs >= 590, `trickle ${index}: ${reqTimeMs} ms`)
    }
  },
)

contract('notifications', 'headers without end are refused, not gathered', async () => {
  const url = await hostile((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    writeForever(socket, `x-${'h'.repeat(1_000)}: ${'v'.repeat(1_000)}\r\n`)
  })
  assert.equal((await post(url, 20_000)).kind, 'unreachable')
})

test('a connection that breaks is unreachable, at whatever point it breaks', async () => {
  const breaks: ((socket: Socket) => void)[] = [
    (socket) => socket.resetAndDestroy(),
    (socket) => socket.destroy(),
    (socket) => socket.end('HTTP/1.1 200'),
    (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort'),
    (socket) => socket.end('rubbish that is no HTTP\r\n\r\n'),
    (socket) => socket.end('HTTP/1.1 100 Continue\r\n\r\n'),
    (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n'),
    (socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'),
  ]
  for (const [index, broken] of breaks.entries()) {
    const outcome = await post(await hostile(broken))
    assert.equal(outcome.kind, 'unreachable', `${index}: ${JSON.stringify(outcome)}`)
    assert.ok('why' in outcome && outcome.why !== '')
  }
  const closedServer = createServer().listen(0, '127.0.0.1')
  await nextEvent(closedServer, 'listening')
  const { port } = closedServer.address() as AddressInfo
  closedServer.close()
  await nextEvent(closedServer, 'close')
  assert.equal((await post(`http://127.0.0.1:${port}/`)).kind, 'unreachable')
  assert.equal((await post('http://name.invalid/')).kind, 'unreachable')
  for (const url of ['not an address', 'ftp://127.0.0.1/', 'http://[fe80::1%25eth0]/']) {
    assert.equal((await post(url)).kind, 'unreachable')
  }
})

contract('notifications', 'a compressed answer is not asked for, and kept as it came', async () => {
  let acceptEncoding: unknown
  const bomb = gzipSync(Buffer.alloc(10_000_000))
  const url = await receiver((request, response) => {
    acceptEncoding = request.headers['accept-encoding']
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
  })
  const { body } = assertAnswered(await post(url))
  assert.equal(acceptEncoding, 'identity')
  assert.equal(body, bomb.subarray(0, 4_096).toString('utf8'))
})

/** Spellings of addresses that nobody on the internet owns, or that lead back to somebody's own. */
const refused = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0177.0.0.1',
  '0x7f.1',
  '0x7f000001',
  '127.0.0.1.',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '0',
  ...[
    '168.63.129.16',
    '100.100.100.200',
    '192.0.0.192',
    '192.0.0.8',
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '198.18.0.1',
    '192.88.99.1',
  ],
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[::7f00:1]',
  '[::ffff:0:127.0.0.1]',
  '[fd00::1]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[100::1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001::1]',
  '[2001:db8::1]',
  '[fd00:ec2::254]',
  '[3fff::1]',
  '[5f00::1]',
  '[4000::1]',
  '[fe80::5efe:127.0.0.1]',
  'localhost',
  'LOCALHOST',
  'a.localhost',
  'intranet',
  'printer.local',
  'db.internal.',
  '１２７.0.0.1',
  '127。0。0。1',
]

contract(
  'notifications',
  'outside the sandbox no special address is connected to, however it is spelled',
  async () => {
    let connections = 0
    const url = await receiver((_request, response) => void response.end('reached'))
    const { port } = new URL(url)
    const server = createServer(() => connections++).listen(0, '::')
    after(() => server.close())
    await nextEvent(server, 'listening')
    const second = (server.address() as AddressInfo).port
    for (const host of refused) {
      for (const target of [port, second]) {
        const outcome = await post(`http://${host}:${target}/callback`, 5_000, guarded.send)
        assert.equal(outcome.kind, 'refused_address', `${host}: ${JSON.stringify(outcome)}`)
      }
    }
    assert.equal(connections, 0)
    assert.equal(
      assertAnswered(await post(url)).body,
      'reached',
      'the receiver was there all the time',
    )
  },
)

/** The registries of IANA for special purposes (RFC 6890 and what followed), by their first and last
 * addresses, multicast, what is not given out, and where clouds answer their machines. */
const special: readonly [what: string, ...addresses: string[]][] = [
  ['0.0.0.0/8', '0.0.0.0', '0.255.255.255'],
  ['10.0.0.0/8', '10.0.0.0', '10.255.255.255'],
  ['100.64.0.0/10', '100.64.0.0', '100.127.255.255'],
  ['127.0.0.0/8', '127.0.0.0', '127.255.255.255'],
  ['169.254.0.0/16', '169.254.0.0', '169.254.255.255'],
  ['172.16.0.0/12', '172.16.0.0', '172.31.255.255'],
  ['192.0.0.0/24', '192.0.0.0', '192.0.0.255'],
  ['192.0.2.0/24', '192.0.2.0', '192.0.2.255'],
  ['192.31.196.0/24', '192.31.196.0', '192.31.196.255'],
  ['192.52.193.0/24', '192.52.193.0', '192.52.193.255'],
  ['192.88.99.0/24', '192.88.99.0', '192.88.99.255'],
  ['192.168.0.0/16', '192.168.0.0', '192.168.255.255'],
  ['192.175.48.0/24', '192.175.48.0', '192.175.48.255'],
  ['198.18.0.0/15', '198.18.0.0', '198.19.255.255'],
  ['198.51.100.0/24', '198.51.100.0', '198.51.100.255'],
  ['203.0.113.0/24', '203.0.113.0', '203.0.113.255'],
  ['224.0.0.0/4', '224.0.0.0', '239.255.255.255'],
  ['240.0.0.0/4', '240.0.0.0', '255.255.255.255'],
  ['::/3, with ::/128, ::1/128, ::ffff:0:0/96, 64:ff9b::/96 and more in it', '::', '::1'],
  ['::ffff:0:0/96', '::ffff:0.0.0.0', '::ffff:169.254.169.254'],
  ['64:ff9b::/96', '64:ff9b::', '64:ff9b::8.8.8.8'],
  ['64:ff9b:1::/48', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['100::/64', '100::', '100::ffff:ffff:ffff:ffff'],
  ['100:0:0:1::/64', '100:0:0:1::', '100::1:ffff:ffff:ffff:ffff'],
  ['2001::/23', '2001::', '2001:1::1', '2001:1::2', '2001:1::3', '2001:1ff:ffff::'],
  ['2001:2::/48', '2001:2::', '2001:2:0:ffff::'],
  ['2001:3::/32', '2001:3::', '2001:3:ffff::'],
  ['2001:4:112::/48', '2001:4:112::', '2001:4:112:ffff::'],
  ['2001:10::/28', '2001:10::', '2001:1f:ffff::'],
  ['2001:20::/28', '2001:20::', '2001:2f:ffff::'],
  ['2001:30::/28', '2001:30::', '2001:3f:ffff::'],
  ['2001:db8::/32', '2001:db8::', '2001:db8:ffff::'],
  ['2002::/16', '2002::', '2002:ffff::', '2002:a9fe:a9fe::'],
  ['2620:4f:8000::/48', '2620:4f:8000::', '2620:4f:8000:ffff::'],
  ['3fff::/20', '3fff::', '3fff:fff::'],
  ['5f00::/16', '5f00::', '5f00:ffff::'],
  ['fc00::/7', 'fc00::', 'fdff:ffff::'],
  ['fe80::/10', 'fe80::', 'febf:ffff::'],
  ['fec0::/10', 'fec0::', 'feff::'],
  ['ff00::/8', 'ff00::', 'ffff::'],
  ['what most clouds tell a machine of itself', '169.254.169.254', 'fd00:ec2::254', 'fd20:ce::254'],
  ['the same elsewhere', '100.100.100.200', '192.0.0.192', '168.63.129.16', '169.254.170.2'],
  ['the same in IPv6', '::ffff:168.63.129.16', '::ffff:100.100.100.200', 'fe80::a9fe:a9fe'],
]

contract(
  'notifications',
  'no address of a special purpose is public, to the edges of its range',
  () => {
    for (const [what, ...addresses] of special) {
      for (const address of addresses) assert.ok(!isPublicAddress(address), `${what}: ${address}`)
    }
    const beside = ['9.255.255.255', '11.0.0.0', '100.63.255.255', '126.255.255.255', '128.0.0.0']
      .concat(['169.253.255.255', '172.15.255.255', '192.0.1.0', '198.17.255.255', '198.20.0.0'])
      .concat(['168.63.129.15', '168.63.129.17', '223.255.255.255', '2001:200::', '2620:4f:8001::'])
    for (const address of beside) assert.ok(isPublicAddress(address), address)
  },
)

test('the addresses that anybody may own are public', () => {
  for (const address of ['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111']) {
    assert.ok(isPublicAddress(address), address)
  }
  for (const text of ['', 'localhost', '8.8.8.8:80', '999.1.1.1']) {
    assert.ok(!isPublicAddress(text), text)
  }
})
