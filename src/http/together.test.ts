import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { Type } from 'typebox'
import { type BareServer, openBareServer } from '../../test/harness/server.ts'
import { nextEvent } from '../../test/harness/wait.ts'
import { ok, route } from './route.ts'

const log: string[] = []
const getMemory = route({
  method: 'GET',
  url: '/memory/:number',
  scope: 'read',
  tag: 'test',
  summary: 'Answers from memory, or fails',
  params: Type.Object({ number: Type.String() }),
  fromMemory: true,
  answers: { 200: Type.Object({}) },
  async handle(_, { params: { number } }) {
    log.push('worked on')
    if (number === '2') throw new Error('a defect')
    return ok({ number })
  },
})

let bare: BareServer
before(async () => {
  bare = await openBareServer([getMemory], {
    async authenticate() {
      log.push('read')
      return { userId: 1, applicationId: 1, scopes: ['read'] }
    },
  })
})
after(() => bare.server.close())

test('requests that come together are all read before one is worked on, and each has its own answer', async () => {
  const sockets: Socket[] = []
  while (sockets.length < 4) {
    const socket = connect(bare.port, '127.0.0.1')
    await Promise.all([nextEvent(socket, 'connect'), nextEvent(bare.server.server, 'connection')])
    sockets.push(socket)
  }
  for (const [k, socket] of sockets.entries()) {
    const head = [`GET /memory/${k + 1} HTTP/1.1`, 'Host: localhost', 'Authorization: Bearer x']
    socket.write([...head, 'Connection: close', '', ''].join('\r\n'))
  }
  // The event loop does not look again before all of it is there.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  const answers = await Promise.all(sockets.map(text))
  assert.deepEqual(log, [...Array(4).fill('read'), ...Array(4).fill('worked on')])
  for (const [k, answer] of answers.entries()) {
    const expected = k === 1 ? /^HTTP\/1\.1 500 / : /^HTTP\/1\.1 200 /
    assert.match(answer, expected)
    if (k !== 1) assert.match(answer, new RegExp(`\\{"number":"${k + 1}"\\}$`))
  }
})
