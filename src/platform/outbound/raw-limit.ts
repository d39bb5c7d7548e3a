import type { Socket } from 'node:net'

/** Bytes of one answer as they come over the connection: its kept bytes, the headers before them, and as much
 * again for the coding of chunks. */
const mostRawBytes = 524_288

/** How much of the present answer has come. */
export interface Received {
  bytes: number
}

/**
 * Ends the connection when an answer takes more bytes than its content explains. A chunk of one byte may carry
 * kilobytes of extensions, which no limit on the content sees.
 */
export function limitRawBytes(socket: Socket, received: Received): void {
  const read = socket.read.bind(socket)
  socket.read = (size?: number) => {
    const chunk = read(size) as Buffer | null
    received.bytes += chunk?.length ?? 0
    if (received.bytes <= mostRawBytes) return chunk
    socket.destroy(new Error('the answer is too long'))
    return null
  }
}
