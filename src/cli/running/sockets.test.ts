import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import fastify from 'fastify'
import { nextEvent, pollUntil } from '../../../test/harness/wait.ts'
import { startListening } from './sockets.ts'

const host = '127.0.0.1'
/** So many that hardly a socket of the port gets none. */
const connections = 100

/** Sends a request, and returns all that is answered. */
async function get(port: number): Promise<string> {
  const socket = connect(port, host)
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  return text(socket)
}

test('requests under way over any of a port’s sockets are answered before a server has closed', async () => {
  const gate = Promise.withResolvers<void>()
  let requests = 0
  const server = fastify({ forceCloseConnections: 'idle' })
  server.get('/', async () => {
    requests++
    await gate.promise
    return 'answered'
  })
  const { address, close } = await startListening(server, { host, port: 0 })
  const port = Number(new URL(address).port)
  const answers = Array.from({ length: connections }, () => get(port))
  await pollUntil('all to be under way', () => requests === connections)
  let isClosed = false
  const closed = close().then(() => {
    isClosed = true
  })
  const late = connect(port, host)
  assert.equal((await nextEvent(late, 'error'))[0].code, 'ECONNREFUSED')
  assert.equal(isClosed, false)
  gate.resolve()
  await closed
  for (const answer of await Promise.all(answers)) {
    assert.match(answer, /^HTTP\/1\.1 200 [\s\S]*answered$/)
  }
})

test('a port that another server listens on is refused, even where sockets could share it', async () => {
  const [first, second] = [fastify(), fastify()]
  const { address, close } = await startListening(first, { host, port: 0 })
  const port = Number(new URL(address).port)
  await assert.rejects(startListening(second, { host, port }), { code: 'EADDRINUSE' })
  await close()
  await second.close()
})
