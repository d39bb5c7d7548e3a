/**
 * Receives notifications with Fastify: verifies them, answers 200, and then reads what changed.
 *
 *   FERIA=https://api.example TOKEN=APP_USR-… SECRETS=whsec_…,whsec_… PORT=3000 node callback-fastify.ts
 */
import fastify from 'fastify'
import { NotGenuine, openFeria, verifyNotification } from 'feria/client'
import { Inbox } from './receiving.ts'

const { FERIA: baseUrl = 'http://127.0.0.1:8080', TOKEN: token = '' } = process.env
const { SECRETS: secrets = '', PORT: port = '3000' } = process.env
const inbox = new Inbox(openFeria({ baseUrl, token }))

const server = fastify()
// The signature covers the raw bytes, so do not parse them before you verify it.
server.removeAllContentTypeParsers()
server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
server.post('/callback', async (request, reply) => {
  try {
    inbox.take(verifyNotification(request.headers, request.body as Buffer, secrets.split(',')))
  } catch (error) {
    if (!(error instanceof NotGenuine)) throw error
    return reply.status(401).send({ message: error.message })
  }
  return reply.status(200).send()
})
console.log(`ready at ${await server.listen({ host: '127.0.0.1', port: Number(port) })}/callback`)

process.once('SIGTERM', async () => {
  await server.close()
  await inbox.close()
  process.exit(0)
})
