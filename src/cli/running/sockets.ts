import cluster from 'node:cluster'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { probePort } from './port.ts'

/** Connections that may wait to be accepted. With Node's 511, some of 1,500 simultaneous connections are dropped, and
 * clients retry after seconds. The limit of the system may be lower (`net.core.somaxconn`). */
const backlog = 4_096

/**
 * Node accepts one connection per event loop turn and listening socket (since libuv 1.45). A turn lasts 10 to 20 ms
 * with hundreds of requests in flight. With one socket, some of 1,500 simultaneous callers waited for 5 seconds.
 */
const socketsOfPort = 16

/** Only Linux spreads connections over sockets of one port. With cluster workers, the primary accepts for them, and
 * its event loop is idle otherwise. */
const sharesPort = process.platform === 'linux' && !cluster.isWorker

/** A server that listens. */
export interface ListeningServer {
  address: string
  /** Closes the sockets and the server. Resolves when all its connections have ended. */
  close(): Promise<void>
}

/** Makes a server listen, on Linux on several sockets of one port. Rejects with the error of the operating system. */
export async function startListening(
  server: FastifyInstance,
  { host, port }: { host: string; port: number },
): Promise<ListeningServer> {
  const options = { host, backlog, ...(sharesPort ? { reusePort: true } : {}) }
  // With `reusePort`, listening on a taken port of the same user would succeed.
  if (sharesPort) await probePort({ host, port })
  const address = await server.listen({ ...options, port })
  const sockets: Server[] = []
  const close = async () => {
    await Promise.all([server.close(), ...sockets.map(closeServer)])
  }
  if (!sharesPort) return { address, close }
  const { port: shared } = server.server.address() as AddressInfo
  for (let count = 1; count < socketsOfPort; count++) {
    const socket = createServer({ noDelay: true }, (connection) => {
      server.server.emit('connection', connection)
    })
    socket.listen({ ...options, port: shared })
    await once(socket, 'listening')
    sockets.push(socket)
  }
  return { address, close }
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}
