import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { nextEvent } from '../../harness/wait.ts'

/** A receiver that remembers when it was notified of what (`performance.now()`). */
export interface NotificationArrivals {
  /** The callback of the application with this number. */
  url(application: number): string
  /** When each resource came, first to last; the key is `<application> <resource>`. */
  timesOf(key: string): readonly number[]
  close(): Promise<void>
}

export async function openArrivalReceiver(): Promise<NotificationArrivals> {
  const times = new Map<string, number[]>()
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { resource } = JSON.parse(Buffer.concat(parts).toString('utf8'))
      const key = `${request.url?.slice(1)} ${resource}`
      const existing = times.get(key)
      if (existing) existing.push(performance.now())
      else times.set(key, [performance.now()])
      response.end()
    })
  })
  // Connections at rest outlast a server that is paused for long.
  server.keepAliveTimeout = 600_000
  server.listen(0, '127.0.0.1')
  await nextEvent(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: (application) => `http://127.0.0.1:${port}/${application}`,
    timesOf: (key) => times.get(key) ?? [],
    async close() {
      server.closeAllConnections()
      server.close()
      await nextEvent(server, 'close')
    },
  }
}
