import type { Socket } from 'node:net'

const continuePattern = /^HTTP\/1\.1 100[^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n/
/** Longest header of a `100 Continue` that is recognized, and how many of them are dropped per request. */
const longest = 1_024
const most = 20

/** Whether an answer is awaited, and how many `100 Continue` have arrived instead. */
export interface ContinueState {
  isOpen: boolean
  times: number
}

/**
 * Removes every `100 Continue` before an answer. A server may send it unasked (RFC 9110, 15.2), and undici would treat
 * it as a broken answer.
 */
export function dropContinue(socket: Socket, awaited: ContinueState): void {
  const read = socket.read.bind(socket)
  socket.read = (size?: number) => {
    for (;;) {
      const chunk = read(size) as Buffer | null
      if (chunk === null || !awaited.isOpen) return chunk
      const rest = afterContinue(chunk, awaited)
      awaited.isOpen = rest.length === 0
      if (rest.length > 0) return rest
    }
  }
}

/** Removes responses with status 100 from the beginning of a chunk. */
function afterContinue(chunk: Buffer, awaited: ContinueState): Buffer {
  let rest = chunk
  // Compare the three digits after `HTTP/1.1 ` first, without decoding the chunk.
  while (rest[9] === 0x31 && rest[10] === 0x30 && rest[11] === 0x30 && awaited.times < most) {
    const match = continuePattern.exec(rest.toString('latin1', 0, longest))
    if (!match) break
    awaited.times++
    rest = rest.subarray(match[0].length)
  }
  return rest
}
