import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { Type } from 'typebox'
import { openBareServer } from '../../test/harness/server.ts'
import { pollUntil } from '../../test/harness/wait.ts'
import { ok, route } from './route.ts'

/** More than the buffers of a connection hold. */
const text = 'x'.repeat(30_000_000)

const large = route({
  method: 'GET',
  url: '/large',
  scope: 'public',
  tag: 'Test',
  summary: 'A large answer',
  description: 'A large answer.',
  answers: { 200: Type.Object({ text: Type.String() }) },
  handle: async () => ok({ text }),
})

test('a client that reads nothing of an answer loses its connection, and one that reads gets all', async () => {
  const { server, address, port } = await openBareServer([large], { stallMs: 100 })
  const countConnections = () =>
    new Promise<number>((resolve) => server.server.getConnections((_, count) => resolve(count)))
  const stalled = connect(port, '127.0.0.1').pause()
  stalled.on('error', () => {})
  try {
    stalled.write('GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await pollUntil('the connection', async () => (await countConnections()) === 1)
    await pollUntil('its end', async () => (await countConnections()) === 0)
    assert.ok(stalled.bytesRead < text.length)
    const answer = await fetch(`${address}/large`)
    assert.equal(((await answer.json()) as { text: string }).text.length, text.length)
  } finally {
    stalled.destroy()
    await server.close()
  }
})
