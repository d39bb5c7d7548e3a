import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { nextEvent } from './wait.ts'

/** What a proxy makes wrong of the answers to requests that match `path`, such as `GET /orders/1`. */
export interface AlteredResponse {
  path: RegExp
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  body?: (body: any) => unknown
  status?: number
  /** The name of a header that is left out. */
  without?: string
}

/** Opens a proxy that passes everything on, notes the requests, and makes one thing wrong. */
export async function openAlteringProxy(target: string, altered?: AlteredResponse) {
  const requests: string[] = []
  const server = createServer(async (request, response) => {
    const url = request.url ?? '/'
    const line = `${request.method} ${url}`
    requests.push(line)
    const { host: _, connection: __, 'accept-encoding': ___, ...headers } = request.headers
    const chunks = await request.toArray()
    const answer = await fetch(target + url, {
      method: request.method ?? 'GET',
      headers: { ...(headers as Record<string, string>), 'accept-encoding': 'identity' },
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
      redirect: 'manual',
    })
    const change = altered?.path.test(line) ? altered : undefined
    const text = Buffer.from(await answer.arrayBuffer())
    const body = change?.body
      ? Buffer.from(JSON.stringify(change.body(JSON.parse(`${text}`))))
      : text
    const passed = [...answer.headers].filter(
      ([name]) => !['content-encoding', 'content-length', change?.without].includes(name),
    )
    response.writeHead(change?.status ?? answer.status, Object.fromEntries(passed)).end(body)
  })
  server.listen(0, '127.0.0.1')
  await nextEvent(server, 'listening')
  return {
    requests,
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
