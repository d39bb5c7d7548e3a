import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { BenchRequest } from '../compare-in-turn.ts'

const pieces = 4
const pieceMs = 100
const readBytes = 4_096

/** Clients on a bad line: each sends its request in pieces, and reads its answer a few KB at a time. */
export function startSlowClients(
  address: string,
  { clients, next }: { clients: number; next: () => BenchRequest },
): { clients: number; stop(): Promise<number> } {
  const { hostname, port } = new URL(address)
  const over = new AbortController()
  let answeredCount = 0
  const run = async () => {
    while (!over.signal.aborted) {
      const isAnswered = await ask(next(), {
        port: Number(port),
        host: hostname,
        over: over.signal,
      })
      if (isAnswered) answeredCount++
    }
  }
  const running = Array.from({ length: clients }, run)
  return {
    clients,
    async stop() {
      over.abort()
      await Promise.all(running)
      return answeredCount
    },
  }
}

/** Returns whether the answer was 2xx and came whole. */
async function ask(
  request: BenchRequest,
  { over, ...to }: { port: number; host: string; over: AbortSignal },
): Promise<boolean> {
  let isFine = false
  const onread = {
    buffer: Buffer.alloc(readBytes),
    callback(bytes: number, buffer: Uint8Array) {
      const start = Buffer.from(buffer.subarray(0, Math.min(bytes, 10))).toString('latin1')
      if (start.startsWith('HTTP/1.1 ')) isFine = start === 'HTTP/1.1 2'
      setTimeout(() => socket.resume(), pieceMs)
      return false
    },
  }
  const socket = connect({ ...to, onread })
  const end = () => void socket.destroy()
  over.addEventListener('abort', end)
  const closed = new Promise<boolean>((resolve) => {
    socket.on('error', () => {})
    socket.on('close', (hasFailed) => resolve(isFine && !hasFailed && !over.aborted))
  })
  const text = textOf(request)
  const size = Math.ceil(text.length / pieces)
  for (let at = 0; at < text.length && !socket.destroyed; at += size) {
    socket.write(text.slice(at, at + size))
    await Promise.race([pause(pieceMs), closed])
  }
  return closed.finally(() => over.removeEventListener('abort', end))
}

function textOf({ path, token, body = '' }: BenchRequest): string {
  const type = body === '' ? '' : 'Content-Type: application/json\r\n'
  return `${body === '' ? 'GET' : 'POST'} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n${type}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`
}
