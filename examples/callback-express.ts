/**
 * Receives notifications with Express: verifies them, answers 200, and then reads what changed.
 *
 *   FERIA=https://api.example TOKEN=APP_USR-… SECRETS=whsec_…,whsec_… PORT=3000 node callback-express.ts
 */
import type { AddressInfo } from 'node:net'
import express from 'express'
import { NotGenuine, openFeria, verifyNotification } from 'feria/client'
import { Inbox } from './receiving.ts'

const { FERIA: baseUrl = 'http://127.0.0.1:8080', TOKEN: token = '' } = process.env
const { SECRETS: secrets = '', PORT: port = '3000' } = process.env
const inbox = new Inbox(openFeria({ baseUrl, token }))

const app = express()
// The signature covers the raw bytes, so do not parse them before you verify it.
app.post('/callback', express.raw({ type: '*/*' }), (request, response) => {
  try {
    inbox.take(verifyNotification(request.headers, request.body as Buffer, secrets.split(',')))
  } catch (error) {
    if (!(error instanceof NotGenuine)) throw error
    response.status(401).json({ message: error.message })
    return
  }
  response.status(200).end()
})
const server = app.listen(Number(port), '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  console.log(`ready at http://127.0.0.1:${port}/callback`)
})

process.once('SIGTERM', () => {
  server.close(async () => {
    await inbox.close()
    process.exit(0)
  })
  server.closeIdleConnections()
})
