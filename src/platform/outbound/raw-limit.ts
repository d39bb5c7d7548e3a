import type { Socket } from 'node:net'

/** Limit of raw bytes of an answer, with its headers and the overhead of chunks. */
const mostRawBytes = 524_288

/** The number of raw bytes of the current answer so far. */
export interface RawByteCount {
  bytes: number
}

/**
 * Closes the connection when an answer has too many raw bytes. A chunk of one byte may carry kilobytes of extensions,
 * which a limit on the content does not see.
 */
export function limitRawBytes(socket: Socket, received: RawByteCount): void {
  const read = socket.read.bind(socket)
  socket.read = (size?: number) => {
    const chunk = read(size) as Buffer | null
    received.bytes += chunk?.length ?? 0
    if (received.bytes <= mostRawBytes) return chunk
    socket.destroy(new Error('the answer is too long'))
    return null
  }
}
