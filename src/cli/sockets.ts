import cluster from 'node:cluster'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { probePort } from './port.ts'

/** Connections that may wait to be accepted. With Node's 511, some of 1,500 that come at once are lost and tried again
 * by their systems after seconds. The system's own limit may be lower (`net.core.somaxconn`). */
const backlog = 4_096

/**
 * Node accepts one connection per turn of its loop and listening socket (since libuv 1.45), and a turn lasts 10 to
 * 20 ms while hundreds of requests are under way: of 1,500 callers that came at once some waited for 5 seconds.
 */
const socketsOfPort = 16

/** Other systems share no port, or do not spread connections over its sockets. A primary accepts for its workers, and
 * has nothing else to do. */
const sharesPort = process.platform === 'linux' && !cluster.isWorker

/** Where a server is reached. */
export interface Listening {
  address: string
  /** Closes the server as well. Resolves when all its connections have ended. */
  close(): Promise<void>
}

/** Has a server listen, on several sockets of one port where the system shares one. Rejects with the error of the
 * operating system. */
export async function listen(
  server: FastifyInstance,
  { host, port }: { host: string; port: number },
): Promise<Listening> {
  const options = { host, backlog, ...(sharesPort ? { reusePort: true } : {}) }
  // A socket that shares its port would join those of another process of the same user.
  if (sharesPort) await probePort({ host, port })
  const address = await server.listen({ ...options, port })
  const more: Server[] = []
  const close = async () => {
    await Promise.all([server.close(), ...more.map(closeServer)])
  }
  if (!sharesPort) return { address, close }
  const { port: shared } = server.server.address() as AddressInfo
  for (let count = 1; count < socketsOfPort; count++) {
    const socket = createServer({ noDelay: true }, (connection) => {
      server.server.emit('connection', connection)
    })
    socket.listen({ ...options, port: shared })
    await once(socket, 'listening')
    more.push(socket)
  }
  return { address, close }
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}
