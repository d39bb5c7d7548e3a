import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { Type } from 'typebox'
import { contract } from '../../test/harness/contract.ts'
import { openBareServer } from '../../test/harness/server.ts'
import { nextEvent } from '../../test/harness/wait.ts'
import { routes } from '../app/routes.ts'
import { ShuttingDown } from '../kernel/failure.ts'
import type { FailureShape } from '../kernel/schema.ts'
import { errorBodyOf } from './failure.ts'
import { ok, route } from './route.ts'

/** An operation that answers when `gate` resolves. */
function makeSlow() {
  const gate = Promise.withResolvers<void>()
  const entered = Promise.withResolvers<void>()
  const slow = route({
    method: 'GET',
    url: '/slow',
    scope: 'public',
    tag: 'Health',
    summary: 'Answers when the test says so',
    answers: { 200: Type.Object({}) },
    async handle() {
      entered.resolve()
      await gate.promise
      return ok({})
    },
  })
  return { slow, gate, entered }
}

const requests: [method: string, path: string, shape: FailureShape][] = [
  ['GET', '/orders/1', 'general'],
  ['GET', '/nothing/here', 'general'],
  ['GET', '/health/ready', 'general'],
  ['POST', '/messages/packs/1/sellers/2', 'message'],
  ['POST', '/oauth/token', 'oauth'],
  ['GET', '/messages/action_guide/packs/1', 'guide'],
]
for (const [method, path, shape] of requests) {
  contract(
    'errors',
    `while a server closes, ${method} ${path} over an open connection is refused with 503, Retry-After and the end of the connection`,
    async () => {
      const { slow, gate, entered } = makeSlow()
      const { server, port } = await openBareServer([...routes, slow])
      const socket = connect(port, '127.0.0.1')
      let answers = ''
      socket.on('data', (part: Buffer) => {
        answers += part.toString()
      })
      socket.write('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n')
      await entered.promise
      const closed = server.close()
      const arrived = nextEvent(server.server, 'request')
      // The first request is still under way, so the connection stays open.
      socket.write(`${method} ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n`)
      await arrived
      gate.resolve()
      await nextEvent(socket, 'close')
      await closed

      const [first = '', second = ''] = answers.split(/(?=HTTP\/1\.1 503)/)
      assert.match(first, /^HTTP\/1\.1 200 /)
      const [head = '', body = ''] = second.split('\r\n\r\n')
      assert.match(head, /^HTTP\/1\.1 503 /)
      assert.match(head, /^connection: close\r?$/im)
      assert.match(head, /^retry-after: 1\r?$/im)
      assert.match(head, /^x-request-id: \S+\r?$/im)
      assert.match(head, /^content-type: application\/json/im)
      assert.deepEqual(JSON.parse(body), errorBodyOf(new ShuttingDown(), shape))
    },
  )
}

test('a connection whose last request is answered while a server closes holds nobody up', async () => {
  const { slow, gate, entered } = makeSlow()
  const { server, port } = await openBareServer([slow])
  const socket = connect(port, '127.0.0.1')
  socket.write('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await entered.promise
  const closed = server.close()
  gate.resolve()
  const [answer] = await nextEvent(socket, 'data')
  assert.match(String(answer), /^HTTP\/1\.1 200 /)
  await closed
})
