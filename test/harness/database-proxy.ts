import { connect, createServer, type Server, type Socket } from 'node:net'
import { nextEvent } from './wait.ts'

/** A way to the database that can be cut and mended while the database itself goes on. */
export class DatabaseProxy {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #isConnected = true

  constructor(to: URL) {
    this.#server = createServer((near) => {
      if (!this.#isConnected) return void near.destroy()
      const far = connect(Number(to.port), to.hostname)
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(one)
        one.pipe(other)
        one.on('error', () => other.destroy()).on('close', () => this.#sockets.delete(one))
      }
    })
  }

  async open(): Promise<number> {
    this.#server.listen(0, '127.0.0.1')
    await nextEvent(this.#server, 'listening')
    return (this.#server.address() as { port: number }).port
  }

  disconnect(): void {
    this.#isConnected = false
    for (const socket of this.#sockets) socket.destroy()
  }

  reconnect(): void {
    this.#isConnected = true
  }

  close(): void {
    this.disconnect()
    this.#server.close()
  }
}
