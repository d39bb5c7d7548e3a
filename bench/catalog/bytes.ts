import { once } from 'node:events'
import { connect } from 'node:net'
import { keepProcessAwake } from '../measure.ts'

interface ReadLoad {
  path: string
  connections: number
  seconds: number
}

/**
 * Body bytes a second of one resource, asked for again and again. Whoever parses and keeps large bodies is
 * slower than who sends them: this client counts what comes and throws it away, and stays awake.
 */
export async function bytesPerSecond(address: string, load: ReadLoad): Promise<number> {
  const sleep = keepProcessAwake()
  const end = performance.now() + load.seconds * 1_000
  const read = Array.from({ length: load.connections }, () => readAgainAndAgain(address, load, end))
  const began = performance.now()
  const bytes = (await Promise.all(read).finally(sleep)).reduce((all, each) => all + each, 0)
  return (bytes / (performance.now() - began)) * 1_000
}

async function readAgainAndAgain(
  address: string,
  { path }: ReadLoad,
  end: number,
): Promise<number> {
  const { hostname, port } = new URL(address)
  const socket = connect({ host: hostname, port: Number(port) })
  await once(socket, 'connect')
  const request = `GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAccept-Encoding: gzip\r\n\r\n`
  let all = 0
  // Of the answer that is coming in: its head as far as it is here, and what is missing of its body.
  let head = ''
  let missing = 0
  return new Promise((resolve, reject) => {
    const finish = (failure?: Error) => {
      socket.destroy()
      if (failure) reject(failure)
      else resolve(all)
    }
    socket.on('data', (chunk: Buffer) => {
      let body = chunk.length
      if (missing === 0) {
        const began = head.length
        head += chunk.toString('latin1')
        const bodyAt = head.indexOf('\r\n\r\n') + 4
        if (bodyAt < 4) return
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1])
        if (!head.startsWith('HTTP/1.1 200') || !(length > 0)) {
          return finish(new Error(`not a whole answer: ${head.slice(0, bodyAt)}`))
        }
        body = began + chunk.length - bodyAt
        missing = length
        head = ''
      }
      missing -= body
      all += body
      if (missing > 0) return
      if (performance.now() > end) finish()
      else socket.write(request)
    })
    socket.on('error', finish)
    socket.on('close', () => finish(new Error('the server closed the connection')))
    socket.write(request)
  })
}
