import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { nextEvent } from './wait.ts'

/** Servers of strangers on 127.0.0.1, closed together. */
export class HostileServers {
  readonly #closers: (() => void)[] = []

  /** The address of a server that has begun to listen. */
  async listen(server: Server, protocol = 'http'): Promise<string> {
    const sockets = new Set<Socket>()
    server.on('connection', (socket: Socket) => sockets.add(socket))
    this.#closers.push(() => {
      server.close()
      for (const socket of sockets) socket.destroy()
    })
    server.listen(0, '127.0.0.1')
    await nextEvent(server, 'listening')
    return `${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
  }

  /** One that answers over HTTP. */
  listenHttp(answer: RequestListener): Promise<string> {
    return this.listen(createHttpServer(answer))
  }

  /** One that does what it likes with a connection each time it was sent something. */
  listenTcp(answer: (socket: Socket, received: { connection: number; times: number }) => void) {
    let connection = 0
    const server = createServer((socket) => {
      const received = { connection: ++connection, times: 0 }
      socket.on('error', () => {})
      socket.on('data', () => {
        received.times++
        answer(socket, received)
      })
    })
    return this.listen(server)
  }

  close(): void {
    for (const close of this.#closers) close()
  }
}

/** Writes the same over and over, as fast as it is read or every `everyMs`, until nobody listens. */
export function writeForever(socket: Socket, text: string, everyMs?: number): void {
  const write = () => {
    if (socket.destroyed) return clearInterval(timer)
    while (socket.write(text) && everyMs === undefined) {}
  }
  const timer = everyMs === undefined ? undefined : setInterval(write, everyMs)
  if (everyMs === undefined) socket.on('drain', write)
  socket.on('close', () => clearInterval(timer))
  write()
}
