import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** A way to the database that can be cut and mended while the database itself goes on. */
export class Wire {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #whole = true

  constructor(to: URL) {
    this.#server = createServer((near) => {
      if (!this.#whole) return void near.destroy()
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
    await once(this.#server, 'listening')
    return (this.#server.address() as { port: number }).port
  }

  cut(): void {
    this.#whole = false
    for (const socket of this.#sockets) socket.destroy()
  }

  mend(): void {
    this.#whole = true
  }

  close(): void {
    this.cut()
    this.#server.close()
  }
}
