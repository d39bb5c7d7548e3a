import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { nextEvent } from './wait.ts'

export interface CapturedNotification {
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into bodies of every shape
  body: any
}

export interface Receiver {
  url: string
  received: CapturedNotification[]
  /** What it answers from now on. */
  responseStatus: number
  close(): Promise<void>
}

/** An integrator's callback: a real HTTP server that remembers what it was told. */
export async function openReceiver(): Promise<Receiver> {
  const received: CapturedNotification[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const text = Buffer.concat(parts).toString('utf8')
      received.push({ headers: request.headers, text, body: JSON.parse(text) })
      response.writeHead(receiver.responseStatus, { 'content-type': 'text/plain' }).end('thank you')
    })
  })
  server.listen(0, '127.0.0.1')
  await nextEvent(server, 'listening')
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    received,
    responseStatus: 200,
    async close() {
      server.closeAllConnections()
      server.close()
      await nextEvent(server, 'close')
    },
  }
  return receiver
}
